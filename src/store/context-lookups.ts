/** Finding sessions by the names that other programs know them by. */

import type { Caller } from '../core/caller.ts'
import { oneOf } from './context-scope.ts'
import type { Queryable } from './engine.ts'
import { allOf, visibleSessions } from './visible.ts'

export interface NamedSession {
  pk: number
  id: Buffer
  harness: string
  native_id: string
  updated_at: number
}

/** How many conversations there are. */
export async function countSessions(db: Queryable, caller: Caller): Promise<number> {
  const { sql, params } = visibleSessions(caller)
  const row = await db.get<{ count: number }>(`SELECT COUNT(*) AS count FROM session WHERE ${sql}`, params)
  return row?.count ?? 0
}

/** Sessions with this native id, of these harnesses where some are given; two harnesses may use the same. */
export async function sessionsNamed(
  db: Queryable,
  caller: Caller,
  nativeId: string,
  harnesses?: readonly string[],
): Promise<NamedSession[]> {
  const { sql, params } = allOf(visibleSessions(caller), harnesses && oneOf('session.harness', harnesses), {
    sql: 'session.native_id = ?',
    params: [nativeId],
  })
  return db.all<NamedSession>(
    `SELECT session.pk, session.id, session.harness, session.native_id, session.updated_at FROM session
      WHERE ${sql} ORDER BY session.pk LIMIT 10`,
    params,
    caller.signal,
  )
}
