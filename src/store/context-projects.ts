/** How much of a project the archive holds. */

import type { Caller } from '../core/caller.ts'
import { visibleContext } from './context-scope.ts'
import type { Queryable } from './engine.ts'
import { allOf, visibleSessions } from './visible.ts'

export interface ProjectHoldings {
  conversations: number
  documents: number
}

/** Conversations and documents of a project that the caller may see. */
export async function projectHoldings(db: Queryable, caller: Caller, projectId: string): Promise<ProjectHoldings> {
  const sessions = allOf(visibleSessions(caller), { sql: 'session.project_id = ?', params: [projectId] })
  const documents = allOf(visibleContext(caller, 'context_item'), {
    sql: "context_item.kind = 'document' AND context_item.removed_at IS NULL AND context_item.project_id = ?",
    params: [projectId],
  })
  const count = async (sql: string, params: typeof sessions.params): Promise<number> =>
    (await db.get<{ count: number }>(sql, params, caller.signal))?.count ?? 0
  const [held, kept] = await Promise.all([
    count(`SELECT COUNT(*) AS count FROM session WHERE ${sessions.sql}`, sessions.params),
    count(`SELECT COUNT(*) AS count FROM context_item WHERE ${documents.sql}`, documents.params),
  ])
  return { conversations: held, documents: kept }
}

export interface HeldSource {
  harness: string
  conversations: number
  /** When the oldest began and the newest was last added to; milliseconds. */
  from: number
  to: number
}

/** Conversations by harness, the most first. */
export async function heldSources(db: Queryable, caller: Caller): Promise<HeldSource[]> {
  const { sql, params } = visibleSessions(caller)
  const rows = await db.all<{ harness: string; conversations: number; first: number; last: number }>(
    `SELECT session.harness, COUNT(*) AS conversations, MIN(session.started_at) AS first, MAX(session.updated_at) AS last
      FROM session WHERE ${sql} GROUP BY session.harness ORDER BY conversations DESC, session.harness`,
    params,
    caller.signal,
  )
  return rows.map(({ harness, conversations, first, last }) => ({ harness, conversations, from: first, to: last }))
}

export interface HeldProject {
  /** Directory of one of its conversations. */
  directory: string
  conversations: number
}

/** The projects with the most conversations. */
export async function heldProjects(db: Queryable, caller: Caller, limit: number): Promise<HeldProject[]> {
  const { sql, params } = allOf(visibleSessions(caller), {
    sql: 'session.project_id IS NOT NULL AND session.cwd IS NOT NULL',
    params: [],
  })
  return db.all<HeldProject>(
    `SELECT MIN(session.cwd) AS directory, COUNT(*) AS conversations FROM session
      WHERE ${sql} GROUP BY session.project_id ORDER BY conversations DESC, directory LIMIT ?`,
    [...params, limit],
    caller.signal,
  )
}
