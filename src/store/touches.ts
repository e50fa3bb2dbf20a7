/** Reading touches: which tool calls read or changed a file. */

import type { Caller } from '../core/caller.ts'
import type { Queryable } from './engine.ts'
import { type SessionFilter, sessionFilter } from './sessions.ts'
import { allOf, type Fragment, visibleSessions } from './visible.ts'

export interface TouchQuery extends SessionFilter {
  /** The path looked for, with forward slashes: below its project's root, or absolute. */
  tail: string
  absolute: boolean
  /** Only touches of this project, by its id or below one of its roots. */
  project?: { projectId: string; roots: readonly string[] }
  /** Half-open range of time, in milliseconds. */
  from?: number
  to?: number
  /** Name of a tool, in lower case. */
  tool?: string
  mutationsOnly: boolean
}

export interface TouchView {
  event_pk: number
  path: string
  relative_path: string | null
  root: string | null
  project_id: string | null
  access: 'read' | 'write'
  via: 'path' | 'patch' | 'shell'
  at: number
  event_id: Buffer
  type: number
  tool_name: string | null
  call_id: string | null
  /** The beginning of a call's arguments. */
  input: string | null
  text: string
  session_pk: number
}

/** Characters of arguments read for a preview. */
const INPUT_READ = 1_000

/** Newest first; of one event's touches the surest first. */
export async function findTouches(
  db: Queryable,
  caller: Caller,
  query: TouchQuery,
  limit: number,
): Promise<TouchView[]> {
  const { sql, params } = allOf(
    visibleSessions(caller),
    matches(caller, query),
    query.project && inProject(query, query.project),
  )
  return db.all<TouchView>(
    `SELECT touch.event_pk, touch.path, touch.relative_path, touch.root, touch.project_id, touch.access, touch.via,
      touch.at, event.id AS event_id, event.type, event.tool_name, event.call_id,
      substr(event.input, 1, ${INPUT_READ}) AS input, substr(event.text, 1, ${INPUT_READ}) AS text, touch.session_pk
      ${FROM} WHERE ${sql}
      ORDER BY touch.at DESC, touch.event_pk DESC, touch.place LIMIT ?`,
    [...params, limit],
    caller.signal,
  )
}

/** How many touches match but belong to no known project; counted up to `limit`. */
export async function countUnattributed(
  db: Queryable,
  caller: Caller,
  query: TouchQuery,
  limit: number,
): Promise<number> {
  const { sql, params } = allOf(visibleSessions(caller), matches(caller, query), {
    sql: 'touch.project_id IS NULL',
    params: [],
  })
  const row = await db.get<{ count: number }>(
    `SELECT COUNT(*) AS count FROM (SELECT touch.event_pk ${FROM} WHERE ${sql} LIMIT ?) AS unattributed`,
    [...params, limit],
    caller.signal,
  )
  return row?.count ?? 0
}

const FROM = `FROM touch
  JOIN event ON event.owner = touch.owner AND event.pk = touch.event_pk
  JOIN session ON session.owner = touch.owner AND session.pk = touch.session_pk`

/** Replayed history is no touch, and asking for the touches of a file is none either. */
function matches(caller: Caller, query: TouchQuery): Fragment {
  const { tail, absolute, from, to, tool, mutationsOnly } = query
  return allOf(
    {
      sql: 'touch.owner = ? AND touch.name = ?',
      params: [caller.owner, tail.slice(tail.lastIndexOf('/') + 1)],
    },
    absolute ? { sql: 'touch.path = ?', params: [tail] } : endsWith(tail),
    { sql: "event.copied = 0 AND COALESCE(event.tool_name, '') NOT LIKE '%file!_attention' ESCAPE '!'", params: [] },
    from === undefined ? undefined : { sql: 'touch.at >= ?', params: [from] },
    to === undefined ? undefined : { sql: 'touch.at < ?', params: [to] },
    tool === undefined ? undefined : { sql: 'lower(event.tool_name) = ?', params: [tool] },
    mutationsOnly ? { sql: "touch.access = 'write'", params: [] } : undefined,
    sessionFilter(query),
  )
}

function endsWith(tail: string): Fragment {
  const suffix = `/${tail}`
  const length = [...suffix].length
  return {
    sql: `(touch.relative_path = ? OR touch.path = ?
      OR (length(touch.path) >= ? AND substr(touch.path, length(touch.path) - ?) = ?))`,
    params: [tail, tail, length, length - 1, suffix],
  }
}

/** Of the project by its id, or, when the checkout was gone before it was captured, by a root known from before. */
function inProject(
  { tail }: TouchQuery,
  { projectId, roots }: { projectId: string; roots: readonly string[] },
): Fragment {
  const paths = roots.map((root) => `${root}/${tail}`)
  const below = paths.length === 0 ? '' : ` OR touch.path IN (${paths.map(() => '?').join(', ')})`
  return { sql: `(touch.project_id = ?${below})`, params: [projectId, ...paths] }
}

/** Roots of a project seen so far, at most `limit`. */
export async function rootsOfProject(
  db: Queryable,
  caller: Caller,
  projectId: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.all<{ root: string }>(
    'SELECT root FROM project_root WHERE owner = ? AND project_id = ? ORDER BY root LIMIT ?',
    [caller.owner, projectId, limit],
    caller.signal,
  )
  return rows.map(({ root }) => root)
}
