/** Which rows of the context a caller may see. Every read of its tables contains this condition. */

import type { Caller } from '../core/caller.ts'
import { type Fragment, isOrBelow } from './visible.ts'

/**
 * What a caller may see: their own and, with project roots, those that belong below one of them.
 * `table` has the columns `owner` and `root`.
 */
export function visibleContext(caller: Caller, table: 'context_item' | 'context_passage' | 'statement'): Fragment {
  const owned: Fragment = { sql: `${table}.owner = ?`, params: [caller.owner] }
  if (!caller.projectRoots) return owned
  const places = caller.projectRoots.map((root) => isOrBelow(`${table}.root`, root))
  return {
    sql: `${owned.sql} AND (${places.map(({ sql }) => sql).join(' OR ') || '1 = 0'})`,
    params: [...owned.params, ...places.flatMap(({ params }) => params)],
  }
}

/** `column` is one of `values`; nothing is when there are none. */
export function oneOf(column: string, values: readonly string[]): Fragment {
  if (values.length === 0) return { sql: '1 = 0', params: [] }
  return { sql: `${column} IN (${values.map(() => '?').join(', ')})`, params: [...values] }
}
