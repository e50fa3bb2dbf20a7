/** The exact conditions of a search, in SQL that both engines accept. */

import { EVENT_TYPES } from '../core/event.ts'
import { oneOf, visibleContext } from './context-scope.ts'
import type {
  Candidate,
  ContextCandidate,
  ContextCandidateQuery,
  ContextKind,
  Queryable,
  SearchScope,
  SqlValue,
} from './engine.ts'
import { CONTEXT_KINDS } from './engine.ts'
import { facet, INDEXED_CHARACTERS, typeNumber } from './search-index.ts'
import { allOf, type Fragment, visibleSessions } from './visible.ts'

/** Columns of a `Candidate`; the text is cut to a number of characters given as the first parameter. */
export const CANDIDATE_COLUMNS =
  'event.pk, event.id, event.type, event.at, event.session_pk, event.turn_pk, event.digest, substr(event.text, 1, ?) AS text, octet_length(event.text) AS bytes'

/**
 * What a search may return, as a join of `session` (where it is needed) and a condition on it and on `event`, whose
 * owner the caller of this function has bound already.
 */
export function scopeCondition(scope: SearchScope, everyType: readonly string[]): { join: string; where: Fragment } {
  const { caller, types, harnesses, sources, since, session, turn } = scope
  const needsSession = harnesses !== undefined || sources !== undefined || caller.projectRoots !== undefined
  const where = allOf(
    { sql: 'event.owner = ?', params: [caller.owner] },
    everyType.every((type) => types.some((wanted) => wanted === type)) ? undefined : typeCondition(types),
    equals('event.session_pk', session),
    equals('event.turn_pk', turn),
    since === undefined ? undefined : { sql: 'event.at > ?', params: [since] },
    harnesses && oneOf('session.harness', harnesses),
    sources && oneOf('session.source', sources),
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

/** Events by number that a search may return, with the first `window` characters of their texts; the others are left out. */
export async function candidatesByPk(
  db: Pick<Queryable, 'all'>,
  scope: SearchScope,
  pks: readonly number[],
  window: number,
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const { join, where } = scopeCondition(scope, EVENT_TYPES)
  const found: Candidate[] = []
  // One statement each: for a list of numbers SQLite prefers to read all of an owner's events.
  for (const pk of pks) {
    const rows = await db.all<Candidate>(
      `SELECT ${CANDIDATE_COLUMNS} FROM event ${join} WHERE event.pk = ? AND ${where.sql}`,
      [window, pk, ...where.params],
      signal,
    )
    found.push(...rows)
  }
  return found
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

/** Columns of a `ContextCandidate`; the text is cut to a number of characters given as the first parameter. */
export const CONTEXT_COLUMNS = `context_passage.pk, context_passage.item_pk, context_passage.kind, context_passage.ordinal,
  context_item.title, context_passage.heading, context_item.source, context_passage.start, context_passage.line,
  context_passage.at, context_passage.project_id, substr(context_passage.text, 1, ?) AS text,
  octet_length(context_passage.text) AS bytes`

/** The item of a passage; statements, which are numbered by themselves, have none. */
export const CONTEXT_JOIN = `LEFT JOIN context_item ON context_passage.kind <> 'statement'
  AND context_item.owner = context_passage.owner AND context_item.pk = context_passage.item_pk`

/** What a search of the context may return: facets for the index, and the exact condition on `context_passage`. */
export function contextCondition(query: Pick<ContextCandidateQuery, 'caller' | 'kinds' | 'projectIds' | 'since'>): {
  facets: string[][]
  where: Fragment
} {
  const { caller, kinds, projectIds, since } = query
  const { owner } = caller
  const facetsOf = (some: readonly ContextKind[]): string[] => some.map((kind) => facet(owner, 'kind', kind))
  const isEveryKind = CONTEXT_KINDS.every((kind) => kinds.includes(kind))
  // What all passages have in common would only be counted.
  const facets = isEveryKind ? [] : [facetsOf(kinds)]
  if (projectIds) {
    const projects = projectIds.map((id) => facet(owner, 'project', id))
    facets.push(kinds.includes('save') ? [...projects, ...facetsOf(['save'])] : projects)
  }
  const where = allOf(
    visibleContext(caller, 'context_passage'),
    isEveryKind ? undefined : oneOf('context_passage.kind', kinds),
    projectIds &&
      anyCondition(oneOf('context_passage.project_id', projectIds), {
        sql: "context_passage.kind = 'save'",
        params: [],
      }),
    since === undefined ? undefined : { sql: 'context_passage.at > ?', params: [since] },
  )
  return { facets: facets.filter((anyOf) => anyOf.length > 0), where }
}

/** Passages by number that a search of the context may return; the others are left out. */
export async function contextCandidatesByPk(
  db: Pick<Queryable, 'all'>,
  query: Pick<ContextCandidateQuery, 'caller' | 'kinds' | 'projectIds' | 'since'>,
  pks: readonly number[],
  window: number,
  signal?: AbortSignal,
): Promise<ContextCandidate[]> {
  if (pks.length === 0) return []
  const { where } = contextCondition(query)
  return db.all<ContextCandidate>(
    `SELECT ${CONTEXT_COLUMNS} FROM context_passage ${CONTEXT_JOIN}
      WHERE context_passage.owner = ? AND context_passage.pk IN (${pks.map(() => '?').join(', ')}) AND ${where.sql}`,
    [window, query.caller.owner, ...pks, ...where.params],
    signal,
  )
}

function anyCondition(...conditions: readonly Fragment[]): Fragment {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    params: conditions.flatMap(({ params }) => params),
  }
}
