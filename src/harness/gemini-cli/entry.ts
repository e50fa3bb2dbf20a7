/** One record while it is read, and the drafts made of it so far. */

import type { Draft, EventType, SessionFacts } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, text } from '../fields.ts'
import type { State } from './state.ts'

export interface Entry {
  readonly record: Fields
  readonly state: State
  /** The record's own id, else empty. */
  readonly id: string
  readonly at: number | undefined
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openEntry(record: Fields, state: State): Entry {
  const at = parseTime(record['timestamp'] ?? record['startTime'])
  return { record, state, id: text(record['id']), at, drafts: [], sessions: [] }
}

/**
 * Adds an event. A message is written again when its tools have answered, with more in it than before: `part` names an
 * event inside its message by what it is, not by its place, so that it keeps its id.
 */
export function add(entry: Entry, type: EventType, said: string, part?: string, rest?: Partial<Draft>): Draft {
  const { id, at, drafts, state } = entry
  const own = id === '' || part === undefined ? undefined : part === '' ? id : `${id}/${part}`
  const draft: Draft = { session: state.session, type, text: said, native: nameIn(drafts, own), ...rest }
  if (at !== undefined && draft.at === undefined) draft.at = at
  if (state.cwd !== '') draft.cwd = state.cwd
  drafts.push(draft)
  return draft
}

/** An event's native name. A second one of the same name in one record, which a sound record has not, is told by place. */
export function nameIn(drafts: readonly Draft[], id: string | undefined): Draft['native'] {
  if (id === undefined) return { index: drafts.length }
  return { id, index: drafts.some(({ native }) => native.id === id) ? drafts.length : 0 }
}
