/** What a search hit shows of its event, turn and session. */

import type { Caller } from '../core/caller.ts'
import type { Queryable } from './engine.ts'
import { SESSION_VIEW, type SessionView } from './sessions.ts'
import { visibleSessions } from './visible.ts'

export interface HitView {
  event_pk: number
  event_id: Buffer
  type: number
  at: number
  ordinal: number
  turn_id: Buffer
  turn_ordinal: number
  turn_event_count: number
  terminal_event_pk: number | null
  session: SessionView
}

type HitRow = Omit<HitView, 'session'> & SessionView

/**
 * Looks up events by number. Those the caller may not see, and those that are gone by now, are left out. One statement
 * each: for a list of numbers SQLite prefers to read all of an owner's events.
 */
export async function loadHits(
  db: Queryable,
  caller: Caller,
  eventPks: readonly number[],
): Promise<Map<number, HitView>> {
  const rows = await Promise.all(eventPks.map((pk) => loadHit(db, caller, pk)))
  return new Map(rows.flatMap((row) => (row ? [[row.event_pk, { ...row, session: row }]] : [])))
}

async function loadHit(db: Queryable, caller: Caller, eventPk: number): Promise<HitRow | undefined> {
  const { sql, params } = visibleSessions(caller)
  return db.get<HitRow>(
    `SELECT event.pk AS event_pk, event.id AS event_id, event.type, event.at, event.ordinal, turn.id AS turn_id,
      turn.event_count AS turn_event_count, turn.terminal_event_pk,
      (SELECT COUNT(*) FROM turn AS earlier WHERE earlier.owner = turn.owner AND earlier.session_pk = turn.session_pk
        AND (earlier.started_at, earlier.pk) <= (turn.started_at, turn.pk)) AS turn_ordinal,
      ${SESSION_VIEW}
      FROM event
      JOIN turn ON turn.owner = event.owner AND turn.pk = event.turn_pk
      JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND event.pk = ? AND ${sql}`,
    [caller.owner, eventPk, ...params],
    caller.signal,
  )
}
