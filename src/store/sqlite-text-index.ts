/** The text index in SQLite: one FTS5 table per lane, asked with expressions of our own making. */

import { setImmediate } from 'node:timers/promises'
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
import { facet, INDEXED_CHARACTERS, laneOf, typeOfNumber, typesOf } from './search-index.ts'
import { CANDIDATE_COLUMNS, CONTEXT_COLUMNS, CONTEXT_JOIN, contextCondition, scopeCondition } from './search-scope.ts'
import { commonTerms, countDocuments, dueForSampling, noteIdentifiers, saveCommonTerms } from './search-statistics.ts'
import { documentTerms, extraTerms, withoutData } from './search-terms.ts'
import { vocabularyCounts } from './sqlite-vocabulary.ts'

export function sqliteTextIndex(db: Pick<Queryable, 'all'>): TextIndex {
  return {
    add: async (tx, documents) => {
      if (documents.length === 0) return
      for (const [lane, part] of byLane(documents)) {
        await tx.runMany(`INSERT INTO search_${lane} (rowid, text) VALUES (?, ?)`, indexRows(part))
      }
      await noteIdentifiers(tx, documents)
      await countDocuments(tx, documents, 1)
    },
    remove: async (tx, documents) => {
      if (documents.length === 0) return
      for (const [lane, part] of byLane(documents)) {
        await tx.runMany(
          `INSERT INTO search_${lane} (search_${lane}, rowid, text) VALUES ('delete', ?, ?)`,
          indexRows(part),
        )
      }
      await countDocuments(tx, documents, -1)
    },
    candidates: (query, signal) => findCandidates(db, query, signal),
    contextCandidates: (query, signal) => findContextCandidates(db, query, signal),
    documentFrequencies: (lane, terms, signal) => vocabularyCounts(db, lane, terms, signal),
    documentsOf: (lane, owner, session, signal) => documentsOf(db, lane, owner, session, signal),
    refreshStatistics,
  }
}

function byLane(documents: readonly IndexDocument[]): Map<SearchLane, IndexDocument[]> {
  const lanes = new Map<SearchLane, IndexDocument[]>()
  for (const document of documents) {
    const lane = lanes.get(document.lane)
    if (lane) lane.push(document)
    else lanes.set(document.lane, [document])
  }
  return lanes
}

function indexRows(documents: readonly IndexDocument[]): SqlValue[][] {
  return documents.map(({ pk, text, facets }) => [pk, indexedText(text, facets)])
}

/** What FTS5 is given of a document: the words as they stand, what its tokenizer would miss, and the filters. */
function indexedText(text: string, facets: readonly string[]): string {
  const words = withoutData(text)
  return `${words.replace(NEW_SYMBOLS, ' ')}${extraTerms(words)} ${facets.join(' ')}`
}

/**
 * Symbols younger than the tokenizer's Unicode tables (6.1), which it would take for letters of the word before them;
 * ASCII text is not searched for them.
 */
const NEW_SYMBOLS = /[\u20ba-\u20c1\u23f4-\u23ff\u2427-\u2429\u2b4d-\u2bff\u{1f6f6}-\u{1faff}]/gu

async function findCandidates(
  db: Pick<Queryable, 'all'>,
  query: CandidateQuery,
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  signal?.throwIfAborted()
  if (query.order === 'newest') return inOrder(db, query, query.facets, 'rowid DESC', signal)
  const facets = await rareFacets(db, query.lane, query.facets, signal)
  const best = await bestDocuments(db, query, facets, signal)
  const { join, where } = scopeCondition(query.scope, typesOf(query.lane))
  const rows = await db.all<Candidate>(
    `SELECT ${CANDIDATE_COLUMNS} FROM json_each(?) AS best CROSS JOIN event ON event.pk = best.value ${join}
      WHERE ${where.sql} LIMIT ?`,
    [query.window, JSON.stringify(best.pks), ...where.params, query.limit],
    signal,
  )
  // Where the scope lets few of the best pass, every match is looked at in turn.
  return rows.length < query.limit && !best.all ? inOrder(db, query, facets, 'rank', signal) : rows
}

/** Matches looked through for those the scope lets pass, before the slower way is taken. */
const SIFTED = 1_000

/**
 * The best documents by BM25, the later first of equals; `all`: there are no others. Ordering by both is not only fairer
 * than FTS5's own order by rank, it is faster, since no more than the best are kept.
 */
async function bestDocuments(
  db: Pick<Queryable, 'all'>,
  query: CandidateQuery,
  facets: CandidateQuery['facets'],
  signal: AbortSignal | undefined,
): Promise<{ pks: number[]; all: boolean }> {
  const table = `search_${query.lane}`
  const { caller, since } = query.scope
  const narrow = query.facets.length > 0 || caller.projectRoots !== undefined || since !== undefined
  const limit = narrow ? query.limit + SIFTED : query.limit
  const rows = await db.all<{ pk: number }>(
    `SELECT rowid AS pk FROM ${table} WHERE ${table} MATCH ? ORDER BY rank, rowid DESC LIMIT ?`,
    [matchExpression(query, facets), limit],
    signal,
  )
  return { pks: rows.map(({ pk }) => pk), all: rows.length < limit }
}

/** Matches within the scope, in an order that the index itself follows: nothing is read beyond the limit. */
async function inOrder(
  db: Pick<Queryable, 'all'>,
  query: CandidateQuery,
  facets: CandidateQuery['facets'],
  order: 'rowid DESC' | 'rank',
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  const table = `search_${query.lane}`
  const { join, where } = scopeCondition(query.scope, typesOf(query.lane))
  return db.all<Candidate>(
    `SELECT ${CANDIDATE_COLUMNS} FROM ${table} CROSS JOIN event ON event.pk = ${table}.rowid ${join}
      WHERE ${table} MATCH ? AND ${where.sql} ORDER BY ${table}.${order} LIMIT ?`,
    [query.window, matchExpression(query, facets), ...where.params, query.limit],
    signal,
  )
}

/**
 * The facets worth asking the index for when it ranks: it would count a common one's documents to the last before the
 * first hit, while looking at the event afterwards costs little when most events pass.
 */
async function rareFacets(
  db: Pick<Queryable, 'all'>,
  lane: IndexLane,
  facets: CandidateQuery['facets'],
  signal: AbortSignal | undefined,
): Promise<CandidateQuery['facets']> {
  if (facets.length === 0) return facets
  const common = await commonTerms(db, lane, facets.flat(), signal)
  return facets.filter((anyOf) => !anyOf.some((term) => common.has(term)))
}

/** Passages of the context, chosen as events are: the best by the index alone first, then what the scope lets pass. */
async function findContextCandidates(
  db: Pick<Queryable, 'all'>,
  query: ContextCandidateQuery,
  signal: AbortSignal | undefined,
): Promise<ContextCandidate[]> {
  signal?.throwIfAborted()
  const { order, limit, window } = query
  const { facets, where } = contextCondition(query)
  const match = matchExpression({ ...query, lane: 'context' }, facets)
  // Kinds and projects are terms of the index; what is not must be sifted.
  const { caller, since } = query
  const named = limit + (caller.projectRoots !== undefined || since !== undefined ? SIFTED : 0)
  if (order === 'relevance') {
    const best = await db.all<{ pk: number }>(
      'SELECT rowid AS pk FROM search_context WHERE search_context MATCH ? ORDER BY rank, rowid DESC LIMIT ?',
      [match, named],
      signal,
    )
    const rows = await db.all<ContextCandidate>(
      `SELECT ${CONTEXT_COLUMNS} FROM json_each(?) AS best
        CROSS JOIN context_passage ON context_passage.pk = best.value ${CONTEXT_JOIN} WHERE ${where.sql} LIMIT ?`,
      [window, JSON.stringify(best.map(({ pk }) => pk)), ...where.params, limit],
      signal,
    )
    if (rows.length === limit || best.length < named) return rows
  }
  return db.all<ContextCandidate>(
    `SELECT ${CONTEXT_COLUMNS} FROM search_context
      CROSS JOIN context_passage ON context_passage.pk = search_context.rowid ${CONTEXT_JOIN}
      WHERE search_context MATCH ? AND ${where.sql}
      ORDER BY search_context.${order === 'newest' ? 'rowid DESC' : 'rank'} LIMIT ?`,
    [window, match, ...where.params, limit],
    signal,
  )
}

/** An FTS5 query. Every term is a quoted string of letters and digits, so nothing in it can be an operator. */
function matchExpression(
  query: Pick<CandidateQuery, 'required' | 'optional' | 'excluded' | 'order'> & { lane: SearchLane },
  facets: CandidateQuery['facets'],
): string {
  const { lane, required, optional, excluded, order } = query
  const term = (match: TermMatch): string => termExpression(match, lane)
  const wanted = required.map(term)
  if (required.length === 0) wanted.push(anyOf(optional.map(term)))
  // Optional terms next to required ones decide nothing but the rank: the alternative always holds.
  else if (order === 'relevance' && optional.length > 0) wanted.push(anyOf([...required, ...optional].map(term)))
  const filters = facets.map((terms) => anyOf(terms.map((name) => `"${name}"`)))
  const positive = [...filters, ...wanted].join(' AND ')
  return excluded.length === 0 ? positive : `(${positive}) NOT ${anyOf(excluded.map(term))}`
}

function anyOf(expressions: readonly string[]): string {
  return `(${expressions.join(' OR ')})`
}

function termExpression({ forms = [], ...match }: TermMatch, lane: SearchLane): string {
  const whole = wholeExpression(match, lane)
  return forms.length === 0 ? whole : anyOf([whole, ...forms.map((term) => `"${term}"`)])
}

function wholeExpression({ terms, adjacent, prefix }: TermMatch, lane: SearchLane): string {
  const star = prefix ? ' *' : ''
  if (terms.length === 1) return `"${terms[0]}"${star}`
  // Without positions there is no phrase; all of its terms is the nearest thing.
  if (adjacent && lane !== 'bulk') return `"${terms.join(' ')}"${star}`
  return `(${terms.map((term, place) => `"${term}"${place === terms.length - 1 ? star : ''}`).join(' AND ')})`
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
    `SELECT rowid AS pk FROM search_${lane} WHERE search_${lane} MATCH ? ORDER BY rowid`,
    [`"${facet(owner, 'session', session)}"`],
    signal,
  )
  return rows.map(({ pk }) => pk)
}

/** Events looked at to estimate which terms are common: enough to tell 5 % from 4 %. */
const SAMPLE = 2_000

/** Fewer sampled documents than this say nothing about a term. */
const FEWEST_SAMPLED = 8

const SAMPLE_CHUNK = 100

/** Pages of index that one refresh merges at most, in each lane. */
const MERGE_PAGES = 500

interface SampledEvent {
  owner: number
  type: number
  text: string
  session_pk: number
  harness: string
  source: string
}

async function refreshStatistics(tx: Queryable): Promise<void> {
  const documents = await dueForSampling(tx)
  if (documents === undefined) return
  const seen = { prose: 0, trace: 0, bulk: 0 }
  const counts = { prose: new Map<string, number>(), trace: new Map<string, number>(), bulk: new Map<string, number>() }
  for await (const event of sampledEvents(tx)) {
    const type = typeOfNumber(event.type)
    const lane = laneOf(type)
    if (lane === undefined) continue
    seen[lane]++
    for (const term of [...documentTerms(event.text, Number.MAX_SAFE_INTEGER).keys(), ...facetsOf(event)]) {
      counts[lane].set(term, (counts[lane].get(term) ?? 0) + 1)
    }
  }
  const common = (['prose', 'trace', 'bulk'] as const).flatMap((lane) =>
    [...counts[lane]]
      .filter(([, count]) => count >= FEWEST_SAMPLED)
      .map(([term, count]) => ({ lane, term, share: count / seen[lane] })),
  )
  await saveCommonTerms(tx, documents, common)
  for (const lane of ['prose', 'trace', 'bulk']) {
    await tx.run(`INSERT INTO search_${lane} (search_${lane}, rank) VALUES ('merge', ?)`, [MERGE_PAGES])
  }
}

function facetsOf({ owner, type, harness, source, session_pk }: SampledEvent): string[] {
  return [
    facet(owner, 'type', typeOfNumber(type)),
    facet(owner, 'harness', harness),
    facet(owner, 'source', source),
    facet(owner, 'session', session_pk),
  ]
}

/** Events spread evenly over the archive; between chunks others get a turn. */
async function* sampledEvents(tx: Queryable): AsyncGenerator<SampledEvent> {
  const last = (await tx.get<{ pk: number | null }>('SELECT MAX(pk) AS pk FROM event'))?.pk ?? 0
  const step = Math.max(1, last / SAMPLE)
  const pks = Array.from({ length: Math.min(SAMPLE, last) }, (_, index) => Math.floor(1 + index * step))
  for (let start = 0; start < pks.length; start += SAMPLE_CHUNK) {
    const part = pks.slice(start, start + SAMPLE_CHUNK)
    const rows = await tx.all<SampledEvent>(
      `SELECT event.owner, event.type, substr(event.text, 1, ${INDEXED_CHARACTERS}) AS text, event.session_pk,
        session.harness, session.source FROM event JOIN session ON session.pk = event.session_pk
        WHERE event.copied = 0 AND event.pk IN (${part.map(() => '?').join(', ')})`,
      part,
    )
    yield* rows
    await setImmediate()
  }
}
