/**
 * NAC (Arcee): one SQLite store for all sessions. What a session hands to workers is told as tasks and answers alone; each
 * worker is a child session.
 */

import type { Draft, Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, fields, foreign, pick, text } from '../fields.ts'
import { defineHarness, defineLayout, everyFile, type NativeRecord } from '../harness.ts'
import { databaseFormat } from './database.ts'
import { readMessage } from './messages.ts'
import { sources } from './paths.ts'
import { openState, type State } from './state.ts'

export const nac = defineHarness({
  id: 'nac',
  title: 'NAC',
  sources,
  layouts: [defineLayout<State>({ matches: everyFile, format: databaseFormat, open: openState, read })],
  missing: [
    'When each message was written: all have the time at which the session began.',
    'Exit codes of commands, interrupts and failed requests.',
    'What workers did to fulfil their tasks: only the tasks and the answers are stored.',
    'Titles, the git branch and the version of the client.',
    'A store that its configuration moves (`storage.store_path`) is read where a source names its folder.',
  ],
})

function read({ value }: NativeRecord, state: State): Reading {
  const record = fields(value)
  switch (isRecord(value) ? record['type'] : undefined) {
    case 'session':
      return readSession(fields(record['session']), state)
    case 'message':
      return { drafts: readMessage(record, state) }
    case 'episode':
      return readEpisode(fields(record['episode']), state)
    case 'end':
      return { drafts: [draftOf(state, 'end', parseTime(record['at']))] }
    default:
      return {
        drafts: [{ session: state.session, type: 'unknown', text: '', native: { index: 0 }, payload: foreign(value) }],
      }
  }
}

function readSession(session: Fields, state: State): Reading {
  state.session = text(session['session_id']) || state.session
  state.startedAt = parseTime(session['created_at']) ?? null
  state.model = text(session['model'])
  // The folder of a session on another machine is none of this one's.
  state.cwd = session['is_local'] === 1 ? text(session['cwd']) : ''
  const payload = pick(session, ['model', 'backend', 'reasoning_effort'])
  const draft = draftOf(state, 'session', state.startedAt ?? undefined)
  draft.type = 'system'
  if (payload) draft.payload = payload
  if (state.model !== '') draft.model = state.model
  return { drafts: [draft], sessions: [{ nativeId: state.session, ...(state.cwd !== '' && { cwd: state.cwd }) }] }
}

function draftOf({ session, cwd }: State, id: string, at: number | undefined): Draft {
  const draft: Draft = { session, type: 'runtime', text: '', native: { id, index: 0 } }
  if (at !== undefined) draft.at = at
  if (cwd !== '') draft.cwd = cwd
  return draft
}

/** A worker is a thread with a name; it remembers what it did before, so that its tasks are turns of one session. */
function readEpisode(episode: Fields, state: State): Reading {
  const thread = text(episode['thread_name'])
  const nativeId = `${state.session}/${thread}`
  const id = `episode/${typeof episode['id'] === 'number' ? episode['id'] : ''}`
  const at = parseTime(episode['created_at'])
  const draft = (index: number): Draft => ({ ...draftOf(state, id, at), session: nativeId, native: { id, index } })
  const task: Draft = { ...draft(0), type: 'user_input', text: text(episode['action']), opensTurn: true }
  const answer: Draft = { ...draft(1), type: 'assistant_response', text: text(episode['content']), ends: 'answered' }
  const parent = { nativeId: state.session, relation: 'subagent' as const }
  const facts = {
    nativeId,
    parent,
    ...(thread !== '' && { title: thread }),
    ...(state.cwd !== '' && { cwd: state.cwd }),
  }
  return { drafts: [task, answer], sessions: [facts] }
}
