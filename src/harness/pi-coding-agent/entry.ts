/** One entry of the tree while it is read, and the drafts made of it so far. */

import type { Draft, Ending, EventType, SessionFacts } from '../../core/event.ts'
import { isTime, parseTime } from '../../core/time.ts'
import { type Fields, fields, text } from '../fields.ts'
import type { State } from './state.ts'

export interface Entry {
  readonly record: Fields
  /** The message in it, else without fields. */
  readonly message: Fields
  readonly state: State
  /** The entry's own id, else empty: clients of 2025 wrote none. */
  readonly id: string
  readonly at: number | undefined
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openEntry(record: Fields, state: State): Entry {
  const message = fields(record['message'])
  const at = timeOf(record['timestamp']) ?? timeOf(message['timestamp'])
  return { record, message, state, id: text(record['id']), at, drafts: [], sessions: [] }
}

/** A time as text, or as a number of milliseconds. */
export function timeOf(value: unknown): number | undefined {
  return isTime(value) ? value : parseTime(value)
}

/** Adds an event. `id` stands in for the entry's own where that is no entry of the tree. */
export function add(entry: Entry, type: EventType, said: string, rest?: Partial<Draft>, id = entry.id): Draft {
  const { drafts, state, at } = entry
  const index = drafts.length
  const draft: Draft = { session: state.session, type, text: said, native: id === '' ? { index } : { id, index } }
  Object.assign(draft, rest)
  if (at !== undefined) draft.at = at
  if (state.cwd !== '') draft.cwd = state.cwd
  if (isCopied(entry)) draft.copied = true
  drafts.push(draft)
  return draft
}

/** A fork begins with the history it was forked from; only the times tell where that stops. */
function isCopied({ at, state }: Entry): boolean {
  return state.forkedAt !== null && at !== undefined && at < state.forkedAt
}

/** Marks the end of the turn. */
export function end({ state }: Entry, draft: Draft, ending: Ending): void {
  draft.ends = ending
  state.ended = ending
  state.turnIsOpen = false
}

/** Notes that the turn goes on. */
export function goOn({ state }: Entry): void {
  state.ended = ''
  state.turnIsOpen = true
}
