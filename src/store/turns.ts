/** Reading turns. They are ordered by when they started; what started together, by capture. */

import type { Caller } from '../core/caller.ts'
import type { Queryable } from './engine.ts'
import { allOf, visibleSessions } from './visible.ts'

/** Characters of an event's text read for a preview; what is shown is shorter. */
export const PREVIEW_READ = 2_000

/** A turn as it is shown, with the beginning of its prompt and of its final answer. */
export interface TurnView {
  pk: number
  id: Buffer
  session_pk: number
  started_at: number
  updated_at: number
  event_count: number
  /** Names of tools called, in first-seen order, one a line. */
  tools: string
  /** Event types, in first-seen order, separated by blanks. */
  types: string
  terminal_event_pk: number | null
  terminal_id: Buffer | null
  prompt_id: Buffer | null
  prompt_text: string | null
  prompt_length: number | null
  final_id: Buffer | null
  final_text: string | null
  final_length: number | null
}

const TURN_VIEW = `turn.pk, turn.id, turn.session_pk, turn.started_at, turn.updated_at, turn.event_count, turn.tools,
  turn.types, turn.terminal_event_pk, terminal.id AS terminal_id,
  prompt.id AS prompt_id, substr(prompt.text, 1, ${PREVIEW_READ}) AS prompt_text, length(prompt.text) AS prompt_length,
  final.id AS final_id, substr(final.text, 1, ${PREVIEW_READ}) AS final_text, length(final.text) AS final_length`

/** What the agent said last is the final answer of a turn only when the turn ended with an answer. */
const TURN_EVENTS = `LEFT JOIN event AS terminal ON terminal.owner = turn.owner AND terminal.pk = turn.terminal_event_pk
  LEFT JOIN event AS prompt ON prompt.owner = turn.owner AND prompt.pk = turn.user_event_pk
  LEFT JOIN event AS final ON final.owner = turn.owner AND final.pk = turn.final_event_pk AND turn.ending = 'answered'`

export async function findTurn(db: Queryable, caller: Caller, id: Buffer): Promise<TurnView | undefined> {
  const { sql, params } = allOf(visibleSessions(caller), { sql: 'turn.id = ?', params: [id] })
  return db.get<TurnView>(
    `SELECT ${TURN_VIEW} FROM turn
      JOIN session ON session.owner = turn.owner AND session.pk = turn.session_pk ${TURN_EVENTS}
      WHERE turn.owner = ? AND ${sql}`,
    [caller.owner, ...params],
    caller.signal,
  )
}

/** A turn of a session the caller is known to see. */
export async function findTurnByPk(db: Queryable, caller: Caller, pk: number): Promise<TurnView | undefined> {
  return db.get<TurnView>(
    `SELECT ${TURN_VIEW} FROM turn ${TURN_EVENTS} WHERE turn.owner = ? AND turn.pk = ?`,
    [caller.owner, pk],
    caller.signal,
  )
}

/** A place in the order of turns. */
export interface TurnPlace {
  pk: number
  session_pk: number
  started_at: number
}

/** 1-based place of a turn in its session, among the turns numbered up to `upTo`. */
export async function turnOrdinal(
  db: Queryable,
  caller: Caller,
  turn: TurnPlace,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const row = await db.get<{ count: number }>(
    `SELECT COUNT(*) AS count FROM turn WHERE turn.owner = ? AND turn.session_pk = ?
      AND (turn.started_at, turn.pk) <= (?, ?) AND turn.pk <= ?`,
    [caller.owner, turn.session_pk, turn.started_at, turn.pk, upTo],
    caller.signal,
  )
  return row?.count ?? 0
}

/** Highest number of a session's turns: what is captured later has a higher one. */
export async function lastTurnPk(db: Queryable, caller: Caller, sessionPk: number): Promise<number> {
  const row = await db.get<{ pk: number | null }>(
    'SELECT MAX(pk) AS pk FROM turn WHERE owner = ? AND session_pk = ?',
    [caller.owner, sessionPk],
    caller.signal,
  )
  return row?.pk ?? 0
}

/** The next turns of a session after a place, of those numbered up to `upTo`. */
export async function turnPage(
  db: Queryable,
  caller: Caller,
  page: { sessionPk: number; upTo: number; after?: TurnPlace; limit: number },
): Promise<TurnView[]> {
  const { sessionPk, upTo, after, limit } = page
  return db.all<TurnView>(
    `SELECT ${TURN_VIEW} FROM turn ${TURN_EVENTS}
      WHERE turn.owner = ? AND turn.session_pk = ? AND turn.pk <= ?${after ? ' AND (turn.started_at, turn.pk) > (?, ?)' : ''}
      ORDER BY turn.started_at, turn.pk LIMIT ?`,
    [caller.owner, sessionPk, upTo, ...(after ? [after.started_at, after.pk] : []), limit],
    caller.signal,
  )
}

/** Ids of the first and last turn of a session; null when it has none. */
export async function edgeTurns(
  db: Queryable,
  caller: Caller,
  sessionPk: number,
): Promise<{ first: Buffer | null; last: Buffer | null }> {
  const edge = (order: 'ASC' | 'DESC') =>
    db.get<{ id: Buffer }>(
      `SELECT id FROM turn WHERE owner = ? AND session_pk = ? ORDER BY started_at ${order}, pk ${order} LIMIT 1`,
      [caller.owner, sessionPk],
      caller.signal,
    )
  const [first, last] = await Promise.all([edge('ASC'), edge('DESC')])
  return { first: first?.id ?? null, last: last?.id ?? null }
}

/** Ids of the turns before and after a turn in its session. */
export async function adjacentTurns(
  db: Queryable,
  caller: Caller,
  turn: TurnPlace,
): Promise<{ previous: Buffer | null; next: Buffer | null }> {
  const adjacent = (operator: '<' | '>', order: 'ASC' | 'DESC') =>
    db.get<{ id: Buffer }>(
      `SELECT id FROM turn WHERE owner = ? AND session_pk = ? AND (started_at, pk) ${operator} (?, ?)
        ORDER BY started_at ${order}, pk ${order} LIMIT 1`,
      [caller.owner, turn.session_pk, turn.started_at, turn.pk],
      caller.signal,
    )
  const [previous, next] = await Promise.all([adjacent('<', 'DESC'), adjacent('>', 'ASC')])
  return { previous: previous?.id ?? null, next: next?.id ?? null }
}
