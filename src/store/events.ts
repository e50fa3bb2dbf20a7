/** Reading events. Inside a turn they are ordered by their ordinal, which capture hands out and never changes. */

import type { Caller } from '../core/caller.ts'
import { EVENT_TYPES, type EventType } from '../core/event.ts'
import type { Queryable } from './engine.ts'
import { typeNumber } from './search-index.ts'
import { PREVIEW_READ } from './turns.ts'
import { allOf, visibleSessions } from './visible.ts'

/** An event with all of its content. */
export interface EventView {
  pk: number
  id: Buffer
  session_pk: number
  /** 0 for copied history, which belongs to no turn. */
  turn_pk: number
  ordinal: number
  type: number
  at: number
  text: string
  payload: string | null
  native_id: string | null
  model: string | null
  tool_name: string | null
  tool_server: string | null
  call_id: string | null
  input: string | null
  exit_code: number | null
  failed: number
  ending: string | null
  copied: number
  usage_id: string | null
  path: string
  record_index: number
}

export async function findEvent(db: Queryable, caller: Caller, id: Buffer): Promise<EventView | undefined> {
  const { sql, params } = allOf(visibleSessions(caller), { sql: 'event.id = ?', params: [id] })
  return db.get<EventView>(
    `SELECT event.pk, event.id, event.session_pk, event.turn_pk, event.ordinal, event.type, event.at, event.text,
      event.payload, event.native_id, event.model, event.tool_name, event.tool_server, event.call_id, event.input,
      event.exit_code, event.failed, event.ending, event.copied, event.usage_id, event.path, event.record_index
      FROM event JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND ${sql}`,
    [caller.owner, ...params],
    caller.signal,
  )
}

/** An event as one line of its turn. */
export interface EventPreview {
  pk: number
  id: Buffer
  ordinal: number
  type: number
  at: number
  /** The beginning of the text. */
  text: string
  /** Characters of the whole text. */
  length: number
  /** The beginning of the payload, when there is one. */
  payload: string | null
  model: string | null
  tool_name: string | null
}

/** A place in the order of a turn's events. */
export interface EventPlace {
  pk: number
  session_pk: number
  turn_pk: number
  ordinal: number
}

/** The next events of a turn after a place, of those numbered up to `upTo`. */
export async function eventPage(
  db: Queryable,
  caller: Caller,
  page: { sessionPk: number; turnPk: number; upTo: number; after?: { ordinal: number; pk: number }; limit: number },
): Promise<EventPreview[]> {
  const { sessionPk, turnPk, upTo, after, limit } = page
  return db.all<EventPreview>(
    `SELECT pk, id, ordinal, type, at, substr(text, 1, ${PREVIEW_READ}) AS text, length(text) AS length,
      substr(payload, 1, ${PREVIEW_READ}) AS payload, model, tool_name
      FROM event WHERE owner = ? AND session_pk = ? AND turn_pk = ? AND pk <= ?${after ? ' AND (ordinal, pk) > (?, ?)' : ''}
      ORDER BY ordinal, pk LIMIT ?`,
    [caller.owner, sessionPk, turnPk, upTo, ...(after ? [after.ordinal, after.pk] : []), limit],
    caller.signal,
  )
}

/** Highest number of a turn's events: what is captured later has a higher one. */
export async function lastEventPk(db: Queryable, caller: Caller, sessionPk: number, turnPk: number): Promise<number> {
  const row = await db.get<{ pk: number | null }>(
    'SELECT MAX(pk) AS pk FROM event WHERE owner = ? AND session_pk = ? AND turn_pk = ?',
    [caller.owner, sessionPk, turnPk],
    caller.signal,
  )
  return row?.pk ?? 0
}

/** Ids of the first and last event of a turn. */
export async function edgeEvents(
  db: Queryable,
  caller: Caller,
  sessionPk: number,
  turnPk: number,
): Promise<{ first: Buffer | null; last: Buffer | null }> {
  const edge = (order: 'ASC' | 'DESC') =>
    db.get<{ id: Buffer }>(
      `SELECT id FROM event WHERE owner = ? AND session_pk = ? AND turn_pk = ?
        ORDER BY ordinal ${order}, pk ${order} LIMIT 1`,
      [caller.owner, sessionPk, turnPk],
      caller.signal,
    )
  const [first, last] = await Promise.all([edge('ASC'), edge('DESC')])
  return { first: first?.id ?? null, last: last?.id ?? null }
}

/** Ids of the events before and after an event in its turn; null at the turn's ends. */
export async function adjacentEvents(
  db: Queryable,
  caller: Caller,
  event: EventPlace,
): Promise<{ previous: Buffer | null; next: Buffer | null }> {
  const adjacent = (operator: '<' | '>', order: 'ASC' | 'DESC') =>
    db.get<{ id: Buffer }>(
      `SELECT id FROM event WHERE owner = ? AND session_pk = ? AND turn_pk = ? AND (ordinal, pk) ${operator} (?, ?)
        ORDER BY ordinal ${order}, pk ${order} LIMIT 1`,
      [caller.owner, event.session_pk, event.turn_pk, event.ordinal, event.pk],
      caller.signal,
    )
  const [previous, next] = await Promise.all([adjacent('<', 'DESC'), adjacent('>', 'ASC')])
  return { previous: previous?.id ?? null, next: next?.id ?? null }
}

/** What a model wrote, or caused to be written. */
const MADE_BY_MODEL: ReadonlySet<EventType> = new Set(['assistant_response', 'reasoning', 'tool_call', 'tool_response'])

/**
 * The model an event goes back to: its own, else that of the nearest earlier event of its turn, else of the nearest later
 * one. Null for what no model caused.
 */
export async function originatingModel(
  db: Queryable,
  caller: Caller,
  event: EventPlace & { model: string | null; type: number },
): Promise<string | null> {
  if (event.model !== null) return event.model
  const type = EVENT_TYPES[event.type]
  if (type === undefined || !MADE_BY_MODEL.has(type)) return null
  const nearest = (operator: '<' | '>', order: 'ASC' | 'DESC') =>
    db.get<{ model: string }>(
      `SELECT model FROM event WHERE owner = ? AND session_pk = ? AND turn_pk = ? AND ordinal ${operator} ?
        AND model IS NOT NULL AND type <> ? ORDER BY ordinal ${order}, pk ${order} LIMIT 1`,
      [caller.owner, event.session_pk, event.turn_pk, event.ordinal, typeNumber('user_input')],
      caller.signal,
    )
  return (await nearest('<', 'DESC'))?.model ?? (await nearest('>', 'ASC'))?.model ?? null
}

/** Tokens of one model response. */
export interface ResponseUsage {
  id: string
  input: number
  output: number
  cache_read: number
  cache_write: number
  reasoning: number
}

/** Usage of the response an event belongs to. */
export async function responseUsage(
  db: Queryable,
  caller: Caller,
  harness: string,
  usageId: string,
): Promise<ResponseUsage | undefined> {
  return db.get<ResponseUsage>(
    'SELECT id, input, output, cache_read, cache_write, reasoning FROM usage WHERE owner = ? AND harness = ? AND id = ?',
    [caller.owner, harness, usageId],
    caller.signal,
  )
}

/** The id of an event by its number. */
export async function eventIdOf(db: Queryable, caller: Caller, pk: number): Promise<Buffer | null> {
  const row = await db.get<{ id: Buffer }>(
    'SELECT id FROM event WHERE owner = ? AND pk = ?',
    [caller.owner, pk],
    caller.signal,
  )
  return row?.id ?? null
}
