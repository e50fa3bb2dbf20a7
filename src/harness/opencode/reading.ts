/** A message while it is read. */

import type { Draft, EventType, SessionFacts } from '../../core/event.ts'
import { type Fields, fields, list, number, text } from '../fields.ts'
import type { State } from './state.ts'

export interface MessageReading {
  state: State
  session: string
  message: Fields
  id: string
  parts: readonly Fields[]
  superseded: boolean
  /** When the message was begun, in milliseconds since 1970. */
  createdAt: number | undefined
  /** History that a fork brought along. */
  copied: boolean
  /** The model's own name. */
  model: string
  cwd: string
  drafts: Draft[]
  sessions: SessionFacts[]
}

/** `record`: a `MessageRecord` as it was made. */
export function openReading(record: Fields, state: State): MessageReading {
  const message = fields(record['message'])
  const createdAt = number(fields(message['time'])['created'])
  const model = fields(message['model'])
  return {
    state,
    session: text(record['session']) || text(message['sessionID']) || state.session,
    message,
    id: text(message['id']),
    parts: list(record['parts']).map(fields),
    superseded: record['superseded'] === true,
    createdAt,
    copied: createdAt !== undefined && state.createdAt !== null && createdAt < state.createdAt,
    model: text(message['modelID']) || text(model['modelID']) || text(model['id']),
    cwd: text(fields(message['path'])['cwd']),
    drafts: [],
    sessions: [],
  }
}

/** Names an event inside its session; without an id its place among the message's events must do. */
export interface EventName {
  id: string
  index: number
}

/** A part's own id, or the message's with the part's place. */
export function nameOf(reading: MessageReading, part: Fields): EventName {
  const place = reading.parts.indexOf(part)
  return { id: text(part['id']) || (reading.id === '' ? '' : `${reading.id}/${place}`), index: 0 }
}

/** What else an event says. */
export interface Details extends Omit<Partial<Draft>, 'at' | 'payload'> {
  at?: number | undefined
  payload?: unknown
}

/** Adds an event; `at` is in milliseconds since 1970, the message's own when it is left out. */
export function add(
  reading: MessageReading,
  type: EventType,
  said: string,
  { id, index }: EventName,
  { at = reading.createdAt, payload, ...rest }: Details = {},
): Draft {
  const native = id === '' ? { index: reading.drafts.length } : { id, index }
  const draft: Draft = { session: reading.session, type, text: said, native, ...rest }
  if (at !== undefined) draft.at = at
  if (payload !== undefined) draft.payload = payload
  if (reading.cwd !== '') draft.cwd = reading.cwd
  if (reading.copied) draft.copied = true
  reading.drafts.push(draft)
  return draft
}

/** When a part was begun: its own time, or its row's, which a fork makes anew. */
export function timeOf({ copied, createdAt }: MessageReading, part: Fields): number | undefined {
  const time = fields(part['time'])
  return (
    number(time['start']) ?? number(time['created']) ?? (copied ? createdAt : number(part['time_created'])) ?? createdAt
  )
}
