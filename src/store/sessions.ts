/** Reading sessions. */

import type { Caller } from '../core/caller.ts'
import { SESSION_MODES, type SessionMode } from '../core/event.ts'
import type { Queryable } from './engine.ts'
import { sessionIdBytes } from './session-rows.ts'
import { allOf, type Fragment, visibleSessions } from './visible.ts'

/** A session as it is shown. */
export interface SessionView {
  pk: number
  id: Buffer
  harness: string
  source: string
  native_id: string
  parent_native_id: string | null
  parent_relation: string | null
  title: string | null
  summary: string | null
  slug: string | null
  first_prompt: string | null
  cwd: string | null
  project_id: string | null
  branch: string | null
  cli_version: string | null
  model: string | null
  mode: number
  started_at: number
  updated_at: number
  event_count: number
  turn_count: number
  generation: number
  /** Terminal event of the last turn: the session is completed when there is one. */
  last_terminal_pk: number | null
}

/** Completion has one rule everywhere: the terminal event of the turn that started last. */
export const SESSION_VIEW = `session.pk, session.id, session.harness, session.source, session.native_id,
  session.parent_native_id, session.parent_relation, session.title, session.summary, session.slug, session.first_prompt,
  session.cwd, session.project_id, session.branch, session.cli_version, session.model, session.mode, session.started_at,
  session.updated_at, session.event_count, session.turn_count, session.generation,
  (SELECT last.terminal_event_pk FROM turn AS last WHERE last.owner = session.owner AND last.session_pk = session.pk
    ORDER BY last.started_at DESC, last.pk DESC LIMIT 1) AS last_terminal_pk`

export async function findSession(db: Queryable, caller: Caller, id: Buffer): Promise<SessionView | undefined> {
  return findOne(db, caller, { sql: 'session.id = ?', params: [id] })
}

export async function findSessionByPk(db: Queryable, caller: Caller, pk: number): Promise<SessionView | undefined> {
  return findOne(db, caller, { sql: 'session.pk = ?', params: [pk] })
}

async function findOne(db: Queryable, caller: Caller, which: Fragment): Promise<SessionView | undefined> {
  const { sql, params } = allOf(visibleSessions(caller), which)
  return db.get<SessionView>(`SELECT ${SESSION_VIEW} FROM session WHERE ${sql}`, params, caller.signal)
}

export interface SessionFilter {
  harness?: string
  source?: string
}

/** Exact filters on harness and source; nothing when neither is given. */
export function sessionFilter({ harness, source }: SessionFilter): Fragment | undefined {
  const parts: Fragment[] = []
  if (harness !== undefined) parts.push({ sql: 'session.harness = ?', params: [harness] })
  if (source !== undefined) parts.push({ sql: 'session.source = ?', params: [source] })
  return parts.length === 0 ? undefined : allOf(...parts)
}

export interface SessionListing extends SessionFilter {
  /** Sessions that overlap [from, to), in milliseconds. */
  from: number
  to: number
  mode?: SessionMode
  sort: 'asc' | 'desc'
  /** Where the page before ended. */
  after?: { updatedAt: number; id: Buffer }
  limit: number
}

/** A day. The condition stands in the index `session_long` as it stands here. */
const LONG = 86_400_000
const IS_LONG = `session.updated_at - session.started_at > ${LONG}`

/**
 * Sessions that overlap a time range, ordered by last update, then id. Most last less than a day, so that one which was
 * there by the end of the range was last updated within a day of it: what came later is not looked at. The few that last
 * longer are looked through by themselves.
 */
export async function listSessions(db: Queryable, caller: Caller, listing: SessionListing): Promise<SessionView[]> {
  const { from, to, mode, sort, after, limit } = listing
  const wanted = allOf(
    visibleSessions(caller),
    { sql: 'session.updated_at >= ? AND session.started_at < ?', params: [from, to] },
    mode && { sql: 'session.mode = ?', params: [SESSION_MODES.indexOf(mode)] },
    sessionFilter(listing),
    after && {
      sql: `(session.updated_at, session.id) ${sort === 'desc' ? '<' : '>'} (?, ?)`,
      params: [after.updatedAt, after.id],
    },
  )
  const short = allOf(wanted, { sql: `session.updated_at < ? AND NOT (${IS_LONG})`, params: [to + LONG] })
  const long = allOf(wanted, { sql: IS_LONG, params: [] })
  const order = sort === 'desc' ? 'DESC' : 'ASC'
  const first = ({ sql }: Fragment): string =>
    `SELECT * FROM (SELECT ${SESSION_VIEW} FROM session WHERE ${sql}
      ORDER BY session.updated_at ${order}, session.id ${order} LIMIT ?) AS part`
  return db.all<SessionView>(
    `${first(short)} UNION ALL ${first(long)} ORDER BY updated_at ${order}, id ${order} LIMIT ?`,
    [...short.params, limit, ...long.params, limit, limit],
    caller.signal,
  )
}

/** Ids of the sessions that started just before and after this one in the same place. */
export async function neighbours(
  db: Queryable,
  caller: Caller,
  session: SessionView,
): Promise<{ previous: Buffer | null; next: Buffer | null }> {
  const place = placeOf(session)
  if (!place) return { previous: null, next: null }
  const [previous, next] = await Promise.all([
    neighbour(db, caller, session, place, 'previous'),
    neighbour(db, caller, session, place, 'next'),
  ])
  return { previous, next }
}

/**
 * Where a session's neighbours are: for a subagent among its siblings, else among the sessions of the same project, or
 * of the same directory when the project is unknown.
 */
function placeOf(session: SessionView): Fragment | undefined {
  if (session.parent_relation === 'subagent') {
    return {
      sql: "session.harness = ? AND session.parent_native_id = ? AND session.parent_relation = 'subagent'",
      params: [session.harness, session.parent_native_id],
    }
  }
  const roots = "COALESCE(session.parent_relation, '') <> 'subagent'"
  if (session.project_id !== null) return { sql: `session.project_id = ? AND ${roots}`, params: [session.project_id] }
  return session.cwd === null ? undefined : { sql: `session.cwd = ? AND ${roots}`, params: [session.cwd] }
}

async function neighbour(
  db: Queryable,
  caller: Caller,
  session: SessionView,
  place: Fragment,
  side: 'previous' | 'next',
): Promise<Buffer | null> {
  const [operator, order] = side === 'previous' ? ['<', 'DESC'] : ['>', 'ASC']
  const { sql, params } = allOf(visibleSessions(caller), place, {
    sql: `(session.started_at, session.pk) ${operator} (?, ?)`,
    params: [session.started_at, session.pk],
  })
  const row = await db.get<{ id: Buffer }>(
    `SELECT session.id FROM session WHERE ${sql} ORDER BY session.started_at ${order}, session.pk ${order} LIMIT 1`,
    params,
    caller.signal,
  )
  return row?.id ?? null
}

/** The session this one was started from, when it is in the archive. */
export async function parentOf(db: Queryable, caller: Caller, session: SessionView): Promise<SessionView | undefined> {
  if (session.parent_native_id === null) return undefined
  return findSession(db, caller, sessionIdBytes(session.harness, session.parent_native_id))
}

/** Sessions started from this one, oldest first. */
export async function childrenOf(
  db: Queryable,
  caller: Caller,
  session: SessionView,
  limit: number,
): Promise<SessionView[]> {
  const { sql, params } = allOf(visibleSessions(caller), {
    sql: 'session.harness = ? AND session.parent_native_id = ?',
    params: [session.harness, session.native_id],
  })
  return db.all<SessionView>(
    `SELECT ${SESSION_VIEW} FROM session WHERE ${sql} ORDER BY session.started_at, session.pk LIMIT ?`,
    [...params, limit],
    caller.signal,
  )
}

/** The file a session began in, and whether it is still on disk as far as capture knows. */
export async function fileOfSession(
  db: Queryable,
  caller: Caller,
  session: SessionView,
): Promise<{ path: string; status: string | null } | undefined> {
  return db.get<{ path: string; status: string | null }>(
    `SELECT event.path, source_file.status FROM event LEFT JOIN source_file
      ON source_file.owner = event.owner AND source_file.source = ? AND source_file.path = event.path
      WHERE event.owner = ? AND event.session_pk = ? AND event.turn_pk > 0
      ORDER BY event.turn_pk, event.ordinal LIMIT 1`,
    [session.source, caller.owner, session.pk],
    caller.signal,
  )
}
