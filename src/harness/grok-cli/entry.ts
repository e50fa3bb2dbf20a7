/** One update while it is read, and the drafts made of it so far. */

import type { Draft, EventType, SessionFacts } from '../../core/event.ts'
import { isTime } from '../../core/time.ts'
import { type Fields, fields, number, text } from '../fields.ts'
import type { State } from './state.ts'

export interface Entry {
  readonly record: Fields
  readonly update: Fields
  /** What is known of the notification: id and time of the event, the prompt it belongs to. */
  readonly meta: Fields
  readonly state: State
  readonly id: string
  readonly at: number | undefined
  readonly drafts: Draft[]
  readonly sessions: SessionFacts[]
}

export function openEntry(record: Fields, state: State): Entry {
  const params = fields(record['params'])
  const meta = fields(params['_meta'])
  const session = text(params['sessionId'])
  if (session !== '') state.session = session
  const seconds = number(record['timestamp'])
  const millis = number(meta['agentTimestampMs']) ?? (seconds === undefined ? undefined : seconds * 1000)
  // Events are numbered anew whenever the program starts; with their time the numbers are unique.
  const event = text(meta['eventId'])
  const entry: Entry = {
    record,
    update: fields(params['update']),
    meta,
    state,
    id: event === '' ? '' : `${event} ${millis ?? 0}`,
    at: isTime(millis) ? millis : undefined,
    drafts: [],
    sessions: [],
  }
  if (state.directory !== '') {
    entry.sessions.push({ nativeId: state.session, cwd: state.directory })
    state.directory = ''
  }
  return entry
}

/** Adds an event. Call in the order in which the events happened. */
export function add(entry: Entry, type: EventType, said: string, rest?: Partial<Draft>): Draft {
  const { drafts, id, at, meta, state } = entry
  const native = id === '' ? { index: drafts.length } : { id, index: drafts.length }
  const draft: Draft = { session: state.session, type, text: said, native, ...rest }
  if (at !== undefined) draft.at = at
  // A session that is loaded tells its history once more.
  if (meta['isReplay'] === true) draft.copied = true
  drafts.push(draft)
  return draft
}

/** Something the agent said or did: the prompt is complete, and the turn goes on. */
export function noteWork({ state }: Entry): void {
  state.prompt = -1
  state.turnIsOpen = true
}

/** Marks the end of the turn, if one is open. */
export function end({ state }: Entry, draft: Draft, ending: NonNullable<Draft['ends']>): void {
  state.prompt = -1
  if (!state.turnIsOpen) return
  draft.ends = ending
  state.turnIsOpen = false
}
