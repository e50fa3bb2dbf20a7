/** One event of the client while it is read: whose session it is, and the drafts made of it so far. */

import type { Draft, Ending, EventType, SessionFacts } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { recall, remember, take } from '../bounded.ts'
import { type Fields, fields, text } from '../fields.ts'
import { agentSession } from './paths.ts'
import type { Progress, State } from './state.ts'

export interface Entry {
  readonly record: Fields
  readonly type: string
  readonly data: Fields
  readonly state: State
  /** Native id of the session the event belongs to. */
  readonly session: string
  readonly at: number | undefined
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openEntry(record: Fields, state: State): Entry {
  const agent = text(record['agentId'])
  return {
    record,
    type: text(record['type']),
    data: fields(record['data']),
    state,
    session: agent === '' ? state.session : agentSession(state.session, agent),
    at: parseTime(record['timestamp']),
    drafts: [],
    sessions: [],
  }
}

/** Adds an event. Call in the order in which the events happened. */
export function add(entry: Entry, type: EventType, said: string, rest?: Partial<Draft>): Draft {
  const { drafts, session, state, at, record } = entry
  const id = text(record['id'])
  const native = id === '' ? { index: drafts.length } : { id, index: drafts.length }
  const draft: Draft = { session, type, text: said, native, ...rest }
  if (at !== undefined) draft.at = at
  if (state.cwd !== '') draft.cwd = state.cwd
  drafts.push(draft)
  return draft
}

export function note({ state, session }: Entry, progress: Progress): void {
  remember(state.turns, session, progress)
}

export function progressOf({ state, session }: Entry): Progress | undefined {
  return recall(state.turns, session)
}

/** Marks the end of the session's turn, if one is open. */
export function end({ state, session }: Entry, draft: Draft, ending: Ending): void {
  if (take(state.turns, session) !== undefined) draft.ends = ending
}
