/**
 * Transcripts: one message a line, without ids and times, and without what tools returned. The file is written anew at
 * times. Newer clients close a turn with a line of its own.
 */

import type { Ending, Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, fields, foreign, text } from '../fields.ts'
import { defineLayout, jsonLines, type NativeRecord } from '../harness.ts'
import { add, type Entry, endTurn, firstText, openEntry, openState, type State } from './entry.ts'
import { contentOf, readMessage } from './messages.ts'
import { nameStep } from './names.ts'
import { isTranscriptFile } from './paths.ts'

export const transcript = defineLayout<State>({
  matches: isTranscriptFile,
  format: jsonLines,
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const record = fields(value)
    const inner = fields(record['message'])
    nameSession(record, inner, state)
    const entry = openEntry(state, timeOf(record) ?? timeOf(inner))
    state.model = firstText(record, MODEL) || firstText(inner, MODEL) || state.model
    readRecord(entry, record, inner)
    const { drafts, sessions } = entry
    if (!isRecord(value) && drafts[0]) drafts[0].payload = foreign(value)
    return sessions.length === 0 ? { drafts } : { drafts, sessions }
  },
})

const MODEL = ['model', 'modelName', 'model_name', 'modelId', 'model_id', 'composerModel']
const TIME = ['timestamp', 'createdAt', 'created_at', 'updatedAt', 'updated_at', 'time']
const SESSION = [
  'conversationId',
  'conversation_id',
  'sessionId',
  'session_id',
  'threadId',
  'thread_id',
  'chatId',
  'chat_id',
]

/** The file's name tells the session; records of some clients do, too. */
function nameSession(record: Fields, inner: Fields, state: State): void {
  const named = firstText(record, SESSION) || firstText(inner, SESSION)
  if (named !== '') state.session = named
}

function timeOf(record: Fields): number | undefined {
  for (const name of TIME) {
    const at = parseTime(record[name])
    if (at !== undefined) return at
  }
  return undefined
}

function readRecord(entry: Entry, record: Fields, inner: Fields): void {
  const role = (text(record['role']) || text(inner['role'])).toLowerCase()
  const type = text(record['type'])
  const content = contentOf(record)
  if (role !== '' && (content !== undefined || ROLES.has(role))) {
    readMessage(entry, { role, content, fields: { ...record, ...inner } })
  } else if (type === 'turn_ended') readEnd(entry, record)
  else if (type === 'error') {
    add(entry, 'runtime', messageOf(record['error']), nameStep(entry.state.naming, 'error'))
  } else add(entry, 'unknown', '', undefined, { payload: foreign(record) })
}

const ROLES = new Set(['user', 'assistant', 'tool', 'system'])

function readEnd(entry: Entry, record: Fields): void {
  entry.state.endsAreTold = true
  const status = text(record['status'])
  const error = messageOf(record['error'])
  const ends = endingOf(status, error)
  const said = error || `Turn ended: ${status}`
  if (ends) endTurn(entry, ends, said)
  else add(entry, 'runtime', said, nameStep(entry.state.naming, 'end'))
}

/** Stopping the agent is an `error` in some clients, and `aborted` in others. */
function endingOf(status: string, error: string): Ending | undefined {
  if (status === 'success' || status === 'completed') return 'answered'
  if (status === 'aborted' || status === 'cancelled' || status === 'canceled') return 'interrupted'
  if (status !== 'error' && status !== 'failed') return undefined
  return /abort|interrupt|cancel/i.test(error) ? 'interrupted' : 'failed'
}

function messageOf(error: unknown): string {
  return text(error) || text(fields(error)['message']) || (isRecord(error) ? JSON.stringify(error).slice(0, 500) : '')
}
