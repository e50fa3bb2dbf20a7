/**
 * The text index in PostgreSQL: one `tsvector` per document, made of our own terms. Positions in it are not places in the
 * text, which are limited to 16,383 and would cost more than the text; a term that occurs twice stands at 1 and 2.
 */

import type {
  Candidate,
  CandidateQuery,
  ContextCandidate,
  ContextCandidateQuery,
  IndexDocument,
  IndexLane,
  Queryable,
  SearchLane,
  SqlValue,
  TermMatch,
  TextIndex,
} from './engine.ts'
import { facet, typesOf } from './search-index.ts'
import { CANDIDATE_COLUMNS, CONTEXT_COLUMNS, CONTEXT_JOIN, contextCondition, scopeCondition } from './search-scope.ts'
import { countDocuments, dueForSampling, noteIdentifiers, saveCommonTerms } from './search-statistics.ts'
import { documentTerms, withoutData } from './search-terms.ts'

/** PostgreSQL refuses a tsvector of 1 MiB. */
const MAX_VECTOR = 900_000

/** Occurrences of a term that still make a document rank higher. */
const MAX_COUNT = 4

/** Matches weighed for one answer, the last captured ones; this bounds what a query may cost. */
const WEIGHED = 3_000

/** Terms weighed; a query's other terms only match. */
const WEIGHED_TERMS = 8

export function postgresTextIndex(db: Pick<Queryable, 'all'>): TextIndex {
  return {
    add: async (tx, documents) => {
      if (documents.length === 0) return
      const { events, passages } = byTable(documents)
      await tx.runMany(
        'INSERT INTO search_document (owner, pk, lane, length, terms) VALUES (?, ?, ?, ?, ?)',
        events.map(({ owner, pk, lane, text, facets }) => [owner, pk, lane, text.length, vector(text, facets)]),
      )
      await tx.runMany(
        'INSERT INTO search_passage (owner, pk, length, terms) VALUES (?, ?, ?, ?)',
        passages.map(({ owner, pk, text, facets }) => [owner, pk, text.length, vector(text, facets)]),
      )
      await noteIdentifiers(tx, documents)
      await countDocuments(tx, documents, 1)
    },
    remove: async (tx, documents) => {
      if (documents.length === 0) return
      const { events, passages } = byTable(documents)
      const keys = (part: readonly IndexDocument[]): SqlValue[][] => part.map(({ owner, pk }) => [owner, pk])
      await tx.runMany('DELETE FROM search_document WHERE owner = ? AND pk = ?', keys(events))
      await tx.runMany('DELETE FROM search_passage WHERE owner = ? AND pk = ?', keys(passages))
      await countDocuments(tx, documents, -1)
    },
    candidates: (query, signal) => findCandidates(db, query, signal),
    contextCandidates: (query, signal) => findContextCandidates(db, query, signal),
    documentFrequencies: (lane, terms, signal) => documentFrequencies(db, lane, terms, signal),
    documentsOf: (lane, owner, session, signal) => documentsOf(db, lane, owner, session, signal),
    refreshStatistics,
  }
}

/** Passages of the context have a table of their own: its keys are other numbers than those of events. */
function byTable(documents: readonly IndexDocument[]): { events: IndexDocument[]; passages: IndexDocument[] } {
  const events: IndexDocument[] = []
  const passages: IndexDocument[] = []
  for (const document of documents) (document.lane === 'context' ? passages : events).push(document)
  return { events, passages }
}

/** The text form of a tsvector. Terms are letters and digits, so that quoting them needs no escapes. */
function vector(text: string, facets: readonly string[]): string {
  let result = facets.map((name) => `'${name}'`).join(' ')
  for (const [term, count] of documentTerms(withoutData(text), MAX_VECTOR)) {
    result += ` '${term}':1`
    for (let place = 2; place <= Math.min(count, MAX_COUNT); place++) result += `,${place}`
  }
  return result
}

async function findCandidates(
  db: Pick<Queryable, 'all'>,
  query: CandidateQuery,
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  const { lane, scope, order, limit, window } = query
  const { join, where } = scopeCondition(scope, typesOf(lane))
  const matching = `search_document JOIN event ON event.owner = search_document.owner AND event.pk = search_document.pk ${join}
      WHERE search_document.lane = '${lane}' AND search_document.owner = ? AND search_document.terms @@ ?::tsquery AND ${where.sql}
      ORDER BY search_document.pk DESC`
  const matchingParams: SqlValue[] = [scope.caller.owner, matchExpression(query), ...where.params]
  if (order === 'newest') {
    return db.all<Candidate>(
      `SELECT ${CANDIDATE_COLUMNS} FROM ${matching} LIMIT ?`,
      [window, ...matchingParams, limit],
      signal,
    )
  }
  const weight = weightExpression(query)
  return db.all<Candidate>(
    `SELECT ${CANDIDATE_COLUMNS} FROM (
        SELECT matched.pk, (${weight.sql}) / (300 + matched.length) AS weight FROM (
          SELECT search_document.pk, search_document.length, search_document.terms FROM ${matching} LIMIT ${WEIGHED}
        ) AS matched ORDER BY weight DESC, pk DESC LIMIT ?
      ) AS weighed JOIN event ON event.owner = ? AND event.pk = weighed.pk ORDER BY weighed.weight DESC, event.pk DESC`,
    [window, ...weight.params, ...matchingParams, limit, scope.caller.owner],
    signal,
  )
}

/** Passages of the context that match, chosen as events are. */
async function findContextCandidates(
  db: Pick<Queryable, 'all'>,
  query: ContextCandidateQuery,
  signal: AbortSignal | undefined,
): Promise<ContextCandidate[]> {
  const { caller, order, limit, window } = query
  const { facets, where } = contextCondition(query)
  const matching = `search_passage JOIN context_passage ON context_passage.owner = search_passage.owner
      AND context_passage.pk = search_passage.pk
      WHERE search_passage.owner = ? AND search_passage.terms @@ ?::tsquery AND ${where.sql}
      ORDER BY search_passage.pk DESC`
  const matchingParams: SqlValue[] = [caller.owner, matchExpression({ ...query, facets }), ...where.params]
  const weight = order === 'newest' ? { sql: '0', params: [] } : weightExpression(query)
  return db.all<ContextCandidate>(
    `SELECT ${CONTEXT_COLUMNS} FROM (
        SELECT matched.pk, (${weight.sql}) / (300 + matched.length) AS weight FROM (
          SELECT search_passage.pk, search_passage.length, search_passage.terms FROM ${matching} LIMIT ${WEIGHED}
        ) AS matched ORDER BY weight DESC, pk DESC LIMIT ?
      ) AS weighed JOIN context_passage ON context_passage.owner = ? AND context_passage.pk = weighed.pk ${CONTEXT_JOIN}
      ORDER BY weighed.weight DESC, context_passage.pk DESC`,
    [window, ...weight.params, ...matchingParams, limit, caller.owner],
    signal,
  )
}

/** A sum over the terms of what they say times how often they occur: near enough to choose whom the ranker looks at. */
function weightExpression({ required, optional }: Pick<CandidateQuery, 'required' | 'optional'>): {
  sql: string
  params: SqlValue[]
} {
  const weighed = [...required, ...optional].sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0)).slice(0, WEIGHED_TERMS)
  return {
    sql: weighed.map(() => 'CAST(? AS real) * ts_rank(matched.terms, ?::tsquery)').join(' + '),
    params: weighed.flatMap((match) => [match.weight ?? 1, termExpression(match)]),
  }
}

/** A tsquery. Every term is a quoted run of letters and digits, so nothing in it can be an operator. */
function matchExpression({
  facets,
  required,
  optional,
  excluded,
}: Pick<CandidateQuery, 'facets' | 'required' | 'optional' | 'excluded'>): string {
  const wanted = required.length > 0 ? required.map(termExpression) : [anyOf(optional.map(termExpression))]
  const filters = facets.map((terms) => anyOf(terms.map((name) => `'${name}'`)))
  const unwanted = excluded.map((match) => `!${termExpression(match)}`)
  return [...filters, ...wanted, ...unwanted].join(' & ')
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(' | ')})`
}

/** All terms of a match; that they stand next to each other, this index cannot tell. */
function termExpression({ forms = [], ...match }: TermMatch): string {
  const whole = wholeExpression(match)
  return forms.length === 0 ? whole : anyOf([whole, ...forms.map((term) => `'${term}'`)])
}

function wholeExpression({ terms, prefix }: TermMatch): string {
  return `(${terms.map((term, place) => `'${term}'${prefix && place === terms.length - 1 ? ':*' : ''}`).join(' & ')})`
}

/** The index itself knows a session's documents: all hold its facet. */
async function documentsOf(
  db: Pick<Queryable, 'all'>,
  lane: IndexLane,
  owner: number,
  session: number,
  signal: AbortSignal | undefined,
): Promise<number[]> {
  const rows = await db.all<{ pk: number }>(
    `SELECT pk FROM search_document WHERE lane = '${lane}' AND owner = ? AND terms @@ ?::tsquery ORDER BY pk`,
    [owner, `'${facet(owner, 'session', session)}'`],
    signal,
  )
  return rows.map(({ pk }) => pk)
}

/** The table of a lane with the beginning of a condition. */
function documentsIn(lane: SearchLane): string {
  return lane === 'context' ? 'search_passage WHERE' : `search_document WHERE lane = '${lane}' AND`
}

/** Beyond this many documents a term is counted no further. */
const COUNTED = 3_000

async function documentFrequencies(
  db: Pick<Queryable, 'all'>,
  lane: SearchLane,
  terms: readonly string[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, number>> {
  const frequencies = new Map<string, number>()
  if (terms.length === 0) return frequencies
  const count = `SELECT CAST(? AS text) AS term, (SELECT COUNT(*) FROM (SELECT 1 FROM ${documentsIn(lane)}
    terms @@ ?::tsquery LIMIT ${COUNTED}) AS matched) AS documents`
  const rows = await db.all<{ term: string; documents: number }>(
    terms.map(() => count).join(' UNION ALL '),
    terms.flatMap((term) => [term, `'${term}'`]),
    signal,
  )
  for (const { term, documents: counted } of rows) frequencies.set(term, counted)
  return frequencies
}

/** Documents looked at to estimate which terms are common. */
const SAMPLE = 4_000

/** Fewer sampled documents than this say nothing about a term. */
const FEWEST_SAMPLED = 8

async function refreshStatistics(tx: Queryable): Promise<void> {
  const documents = await dueForSampling(tx)
  if (documents === undefined) return
  const percent = Math.min(100, (100 * SAMPLE) / documents)
  const common: { lane: IndexLane; term: string; share: number }[] = []
  for (const lane of ['prose', 'trace', 'bulk'] as const) {
    const sample = `search_document TABLESAMPLE SYSTEM (${percent.toFixed(4)}) REPEATABLE (1) WHERE lane = '${lane}'`
    const sampled = (await tx.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${sample}`))?.count ?? 0
    const rows = await tx.all<{ word: string; ndoc: number }>('SELECT word, ndoc FROM ts_stat(?) WHERE ndoc >= ?', [
      `SELECT terms FROM ${sample}`,
      FEWEST_SAMPLED,
    ])
    for (const { word, ndoc } of rows) common.push({ lane, term: word, share: ndoc / sampled })
  }
  await saveCommonTerms(tx, documents, common)
  // The planner must know the terms as well, or it walks the whole lane for a rare one.
  await tx.run('ANALYZE search_document')
  await tx.run('ANALYZE search_passage')
}
