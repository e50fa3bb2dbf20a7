/** One record while it is read, and the drafts made of it so far. */

import type { Draft, Ending, EventType, SessionFacts } from '../../core/event.ts'
import { isTime, parseTime } from '../../core/time.ts'
import type { State } from './state.ts'

export interface Entry {
  readonly state: State
  /** The record's name, else empty. */
  readonly id: string
  readonly at: number | undefined
  /** History from before the session began, which goes on from another one. */
  readonly copied: boolean
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openEntry(state: State, id: string, at: number | undefined): Entry {
  const { startedAt, isContinued } = state
  const copied = isContinued && startedAt !== null && at !== undefined && at < startedAt
  return { state, id, at: at ?? startedAt ?? undefined, copied, drafts: [], sessions: [] }
}

/** A time as text in UTC, or in seconds since 1970 as the database holds it. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'number') return parseTime(value)
  const at = Math.round(value * 1000)
  return isTime(at) ? at : undefined
}

export function add(entry: Entry, type: EventType, said: string, rest?: Partial<Draft>): Draft {
  const { drafts, state, id, at, copied } = entry
  const index = drafts.length
  const draft: Draft = { session: state.session, type, text: said, native: id === '' ? { index } : { id, index } }
  Object.assign(draft, rest)
  if (at !== undefined) draft.at = at
  if (state.cwd !== '') draft.cwd = state.cwd
  if (copied) draft.copied = true
  drafts.push(draft)
  return draft
}

/** Marks the end of the turn. */
export function end({ state }: Entry, draft: Draft, ending: Ending): void {
  draft.ends = ending
  state.turnIsOpen = false
}
