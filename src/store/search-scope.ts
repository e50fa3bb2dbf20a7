/** The exact conditions of a search, in SQL that both engines accept. */

import type { Queryable, SearchScope, SqlValue } from './engine.ts'
import { INDEXED_CHARACTERS, typeNumber } from './search-index.ts'
import { allOf, type Fragment, visibleSessions } from './visible.ts'

/** Columns of a `Candidate`; the text is cut to a number of characters given as the first parameter. */
export const CANDIDATE_COLUMNS =
  'event.pk, event.id, event.type, event.at, event.session_pk, event.turn_pk, event.digest, substr(event.text, 1, ?) AS text, octet_length(event.text) AS bytes'

/**
 * What a search may return, as a join of `session` (where it is needed) and a condition on it and on `event`, whose
 * owner the caller of this function has bound already.
 */
export function scopeCondition(scope: SearchScope, everyType: readonly string[]): { join: string; where: Fragment } {
  const { caller, types, harness, source, session, turn } = scope
  const needsSession = harness !== undefined || source !== undefined || caller.projectRoots !== undefined
  const where = allOf(
    { sql: 'event.owner = ?', params: [caller.owner] },
    everyType.every((type) => types.some((wanted) => wanted === type)) ? undefined : typeCondition(types),
    equals('event.session_pk', session),
    equals('event.turn_pk', turn),
    equals('session.harness', harness),
    equals('session.source', source),
    needsSession ? visibleSessions(caller) : undefined,
  )
  const join = needsSession ? 'JOIN session ON session.owner = event.owner AND session.pk = event.session_pk' : ''
  return { join, where }
}

function typeCondition(types: SearchScope['types']): Fragment {
  return { sql: `event.type IN (${types.map(typeNumber).join(', ')})`, params: [] }
}

function equals(column: string, value: SqlValue | undefined): Fragment | undefined {
  return value === undefined ? undefined : { sql: `${column} = ?`, params: [value] }
}

/** As much of an event's text as is indexed; empty when the event is gone. */
export async function searchedText(
  db: Pick<Queryable, 'all'>,
  owner: number,
  pk: number,
  signal?: AbortSignal,
): Promise<string> {
  const [row] = await db.all<{ text: string }>(
    'SELECT substr(text, 1, ?) AS text FROM event WHERE owner = ? AND pk = ?',
    [INDEXED_CHARACTERS, owner, pk],
    signal,
  )
  return row?.text ?? ''
}
