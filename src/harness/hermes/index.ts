/**
 * Hermes Agent (Nous Research): one SQLite database for all sessions. Earlier clients wrote a JSON file for each session,
 * some both; runs in batches write trajectories.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { fields, foreign, text } from '../fields.ts'
import { defineHarness, defineLayout, jsonLines, type NativeRecord } from '../harness.ts'
import { databaseFormat } from './database.ts'
import { documentFormat } from './document.ts'
import { add, openEntry, timeOf } from './entry.ts'
import { readMessage } from './messages.ts'
import { sources } from './paths.ts'
import { readEnd, readSession } from './session.ts'
import { openState, type State } from './state.ts'
import { readTrajectory } from './trajectory.ts'

export const hermes = defineHarness({
  id: 'hermes',
  title: 'Hermes',
  sources,
  layouts: [
    defineLayout<State>({
      matches: (file) => file.path.endsWith('.db'),
      format: databaseFormat,
      open: openState,
      read,
    }),
    defineLayout<State>({
      matches: (file) => file.path.endsWith('.json'),
      format: documentFormat,
      open: openState,
      read,
    }),
    defineLayout<null>({
      matches: (file) => file.path.endsWith('.jsonl'),
      format: jsonLines,
      open: () => null,
      read: readTrajectory,
    }),
  ],
  missing: [
    'When each message of a JSON file was written: all have the time at which the session began.',
    'Tokens of single answers: the database holds sums for a session, JSON files and trajectories none.',
    'An interrupt, unless a tool call was waiting when it came.',
    'Which tool call started a subagent, and the version of the client.',
    'State that is kept in PostgreSQL, and what exporters for observability write, is not read.',
  ],
})

function read({ value }: NativeRecord, state: State): Reading {
  const record = fields(value)
  const type = isRecord(value) ? text(record['type']) : ''
  if (type === 'session' && isRecord(record['session'])) {
    const entry = openEntry(state, 'session', undefined)
    readSession(entry, record['session'])
    return { drafts: entry.drafts, sessions: entry.sessions }
  }
  if (type === 'message') {
    const message = fields(record['message'])
    const entry = openEntry(state, text(record['id']), timeOf(message['timestamp']))
    readMessage(entry, message)
    return { drafts: entry.drafts }
  }
  if (type === 'end') {
    const entry = openEntry(state, `end/${text(record['storage'])}`, timeOf(fields(record['end'])['at']))
    readEnd(entry, record)
    return { drafts: entry.drafts }
  }
  const entry = openEntry(state, '', undefined)
  add(entry, 'unknown', '', { payload: foreign(value) })
  return { drafts: entry.drafts }
}
