/** Which sessions a caller may see. Every read of the archive contains this condition. */

import type { Caller } from '../core/caller.ts'
import type { SqlValue } from './engine.ts'

/** A piece of SQL with the parameters it needs, in order. */
export interface Fragment {
  sql: string
  params: SqlValue[]
}

/**
 * The condition on the table `session`: the caller's own, with at least one event (of others nothing but facts is known
 * yet), and for a caller with project roots, started in one of them or below.
 */
export function visibleSessions(caller: Caller): Fragment {
  const owned: Fragment = { sql: 'session.owner = ? AND session.event_count > 0', params: [caller.owner] }
  if (!caller.projectRoots) return owned
  const places = caller.projectRoots.map((root) => isOrBelow('session.cwd', root))
  return {
    sql: `${owned.sql} AND (${places.map(({ sql }) => sql).join(' OR ') || '1 = 0'})`,
    params: [...owned.params, ...places.flatMap(({ params }) => params)],
  }
}

/** `column` holds the directory `root` or one below it, written with either slash. */
export function isOrBelow(column: string, root: string): Fragment {
  const bare = root.replace(/[/\\]+$/, '')
  // Lengths in characters, not UTF-16 units: that is what SQL counts.
  const length = [...bare].length
  return {
    sql: `(${column} = ? OR ${column} = ? OR substr(${column}, 1, ?) = ? OR substr(${column}, 1, ?) = ?)`,
    params: [root, bare, length + 1, `${bare}/`, length + 1, `${bare}\\`],
  }
}

/** Joins conditions with AND. */
export function allOf(...fragments: readonly (Fragment | undefined)[]): Fragment {
  const given = fragments.filter((fragment) => fragment !== undefined)
  return {
    sql: given.map(({ sql }) => sql).join(' AND '),
    params: given.flatMap(({ params }) => params),
  }
}
