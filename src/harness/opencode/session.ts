/** What a session's own record and the notes beside its messages mean. */

import type { Draft, Reading, SessionFacts } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { type Fields, fields, foreign, number, pick, text } from '../fields.ts'
import type { State } from './state.ts'

/** The title a session has until the model was asked for one. */
const NO_TITLE = /^(?:New|Child) session - \d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** `value`: the session in the shape of its JSON file. */
export function readSession(value: unknown, state: State): Reading {
  if (!isRecord(value)) return unknown(state, value)
  const session: Fields = value
  const id = text(session['id']) || state.session
  const createdAt = number(fields(session['time'])['created'])
  state.session = id
  state.createdAt = createdAt ?? null
  const title = text(session['title'])
  const facts: SessionFacts = { nativeId: id }
  if (title !== '' && !NO_TITLE.test(title)) facts.title = title
  if (text(session['slug']) !== '') facts.slug = text(session['slug'])
  if (text(session['directory']) !== '') facts.cwd = text(session['directory'])
  if (text(session['version']) !== '') facts.cliVersion = text(session['version'])
  const parent = text(session['parentID'])
  if (parent !== '') facts.parent = { nativeId: parent, relation: 'subagent' }
  const payload = pick(session, ['version', 'projectID', 'parentID', 'directory'])
  const draft: Draft = { session: id, type: 'system', text: '', native: { id, index: 0 } }
  if (createdAt !== undefined) draft.at = createdAt
  if (payload) draft.payload = payload
  return { drafts: [draft], sessions: [facts] }
}

/** Changes of the model or the agent; what other kinds hold is kept as it is. */
export function readNote(note: Fields, state: State): Reading {
  const kind = text(note['kind'])
  const createdAt = number(note['createdAt'])
  const data = fields(note['data'])
  const isSwitch = kind === 'model-switched' || kind === 'agent-switched'
  const model = fields(data['model'])
  const draft: Draft = {
    session: text(note['session']) || state.session,
    type: isSwitch ? 'runtime' : 'unknown',
    text: isSwitch ? text(model['id']) || text(model['modelID']) || text(data['agent']) : '',
    native: text(note['id']) === '' ? { index: 0 } : { id: text(note['id']), index: 0 },
    payload: { type: kind, data: foreign(note['data']) },
  }
  if (createdAt !== undefined) draft.at = createdAt
  return { drafts: [draft] }
}

/** A record that is none of ours. */
export function unknown(state: State, value: unknown): Reading {
  return {
    drafts: [{ session: state.session, type: 'unknown', text: '', payload: foreign(value), native: { index: 0 } }],
  }
}
