/**
 * Choosing which events the ranker looks at. Ranking is what costs in a large archive, and it costs what its commonest
 * word costs; so words in many documents do not choose candidates while a rarer one can, and where there is none the
 * newest matches stand for all.
 */

import type {
  Candidate,
  CandidateQuery,
  Engine,
  IndexLane,
  LaneTotals,
  SearchScope,
  TermMatch,
} from '../store/index.ts'
import { commonTerms, facet, INDEXED_CHARACTERS, typesOf, visibleSessionPks } from '../store/index.ts'
import { documentCounts } from './frequencies.ts'
import { otherTerms, type Query, termsOfUnits, type Unit } from './query.ts'
import { inverseFrequency } from './rank.ts'
import { type Frequencies, type Related, unitWeight, wordFrequency } from './unit-weights.ts'

/** A word in more documents than this share of a lane is common, between the two bounds below. */
const COMMON_SHARE = 0.05
const COMMON_AT_LEAST = 1_000
const COMMON_AT_MOST = 20_000

/** Documents that all words choosing candidates may have in sum: the engine scores each of them. */
const RANKED_DOCUMENTS = 12_000

/** Candidates for each word that says something, and at most: the more is asked, the less the engine's measure tells. */
const MANY_PER_WORD = 30
const MANY = 120

/** The same for tool traffic, whose texts are long. */
const MANY_BULK = 200

/** Candidates of a search within one session: nearly always all there are. */
const SCOPED = 600

/** Characters looked at of a tool's output. */
const BULK_WINDOW = 16_000

/** Common words that documents are asked to have together; each more makes the next such document harder to find. */
const TOGETHER = 4

/** Sessions of a project named one by one to the index; more than that are a good part of the archive. */
const NAMED_SESSIONS = 200

/** What is asked of one lane, and what is known about it. */
export interface LaneSearch {
  engine: Engine
  lane: IndexLane
  scope: SearchScope
  /** What hits are ranked by. */
  query: Query
  /** What chooses candidates; differs from `query` where words stand in for others. */
  choosing: Query
  /** Words that stand in for those of the query where they are missing. */
  related: Related
  totals: LaneTotals
  /** In how many documents each index term of the query occurs. */
  frequencies: ReadonlyMap<string, number>
  /** Filters folded into the index. */
  facets: readonly (readonly string[])[]
  signal: AbortSignal | undefined
}

/** Prepares the search of one lane; undefined when the scope has no type that this lane holds. */
export async function openLane(
  base: Pick<LaneSearch, 'engine' | 'query' | 'choosing' | 'related' | 'signal'>,
  lane: IndexLane,
  scope: SearchScope,
  totals: LaneTotals,
): Promise<LaneSearch | undefined> {
  const { query, choosing } = base
  const types = typesOf(lane).filter((type) => scope.types.includes(type))
  if (types.length === 0 || totals.own === 0) return undefined
  const narrowed = { ...scope, types }
  const units = [...query.required, ...query.optional, ...query.excluded, ...choosing.optional]
  return {
    ...base,
    lane,
    scope: narrowed,
    totals,
    frequencies: await frequenciesOf(base, lane, termsOfUnits(units), totals),
    facets: await scopeFacets(base.engine, lane, narrowed, totals),
  }
}

/** A term that stands alone has nothing to be weighed against: all that matters is whether it is common. */
async function frequenciesOf(
  { engine, signal }: Pick<LaneSearch, 'engine' | 'signal'>,
  lane: IndexLane,
  terms: readonly string[],
  totals: LaneTotals,
): Promise<Map<string, number>> {
  const frequencies = new Map<string, number>()
  for (const [term, share] of await commonTerms(engine, lane, terms, signal))
    frequencies.set(term, share * totals.documents)
  const others = terms.filter((term) => !frequencies.has(term))
  if (terms.length === 1 && others[0] !== undefined) return frequencies.set(others[0], 1)
  if (others.length === 0) return frequencies
  for (const [term, count] of await documentCounts(engine, lane, others, totals, signal)) frequencies.set(term, count)
  return frequencies
}

async function scopeFacets(
  engine: Engine,
  lane: IndexLane,
  { caller, types, harnesses, sources, session }: SearchScope,
  totals: LaneTotals,
): Promise<string[][]> {
  const { owner } = caller
  if (session !== undefined) return [[facet(owner, 'session', session)]]
  const facets: string[][] = []
  if (types.length < typesOf(lane).length || totals.own < totals.documents) {
    facets.push(types.map((type) => facet(owner, 'type', type)))
  }
  if (harnesses) facets.push(harnesses.map((harness) => facet(owner, 'harness', harness)))
  if (sources) facets.push(sources.map((source) => facet(owner, 'source', source)))
  if (caller.projectRoots) {
    const sessions = await visibleSessionPks(engine, caller, NAMED_SESSIONS)
    if (sessions && sessions.length > 0) facets.push(sessions.map((pk) => facet(owner, 'session', pk)))
  }
  return facets
}

export interface Gathered {
  found: Candidate[]
  /** Nothing else matches. */
  complete: boolean
}

/** Asks the index and keeps what it names; true when there was no more than was asked for. */
type Ask = (part: Partial<CandidateQuery>, limit: number) => Promise<boolean>

/** Candidates in one lane: at least `wanted`, where there are as many. */
export async function gather(search: LaneSearch, wanted: number): Promise<Gathered> {
  const found = new Map<number, Candidate>()
  const base = baseQuery(search)
  const complete = await choose(search, wanted, found, async (part, limit) => {
    search.signal?.throwIfAborted()
    const rows = await search.engine.textIndex.candidates({ ...base, ...part, limit }, search.signal)
    for (const row of rows) found.set(row.pk, row)
    return rows.length < limit
  })
  return { found: [...found.values()], complete }
}

async function choose(
  search: LaneSearch,
  wanted: number,
  found: ReadonlyMap<number, Candidate>,
  ask: Ask,
): Promise<boolean> {
  const { required } = search.choosing
  const optional = choosingUnits(search)
  const some = required.length > 0 ? MANY : Math.min(MANY, MANY_PER_WORD * optional.length)
  const many = Math.max(search.lane === 'bulk' ? MANY_BULK : some, wanted)
  const everything = optional.flatMap(matchesOf).map((match) => known(match, search))
  if (search.scope.session !== undefined) {
    if (await ask({ optional: everything, order: 'newest' }, Math.max(SCOPED, wanted))) return true
  }
  const choosing = choosingMatches(search)
  if (required.length > 0) {
    const ranked = search.lane !== 'bulk' && required.some((unit) => isRare(unit, search))
    return ask({ optional: choosing.matches, order: ranked ? 'relevance' : 'newest' }, many)
  }
  if (choosing.matches.length > 0) {
    const complete =
      search.lane === 'bulk'
        ? await askInTurn(search, many, found, ask)
        : await ask({ optional: choosing.matches, order: 'relevance' }, many)
    if (choosing.all || !complete || found.size >= wanted) return complete && choosing.all
  }
  // Only common words, or few documents with the others: the newest that have most of what the query says, then any.
  const telling = [...optional].sort(byWeight(search)).slice(0, TOGETHER)
  if (telling.length > 1)
    await ask({ required: telling.map((unit) => known(toMatch(unit), search)), order: 'newest' }, many)
  return found.size < wanted && (await ask({ optional: everything, order: 'newest' }, many))
}

/** Tool traffic has no measure of its own: first what has all the rare words, then what has the rarest, and so on. */
async function askInTurn(
  search: LaneSearch,
  limit: number,
  found: ReadonlyMap<number, Candidate>,
  ask: Ask,
): Promise<boolean> {
  const rare = choosingUnits(search)
    .filter((unit) => isRare(unit, search))
    .sort(byWeight(search))
  if (rare.length > 1) await ask({ required: rare.map((unit) => known(toMatch(unit), search)), order: 'newest' }, limit)
  for (const unit of rare) {
    if (found.size >= limit) return false
    if (!(await ask({ optional: matchesOf(unit).map((match) => known(match, search)), order: 'newest' }, limit)))
      return false
  }
  return true
}

function byWeight(search: LaneSearch): (a: Unit, b: Unit) => number {
  return (a, b) => unitWeight(b, search) - unitWeight(a, search)
}

function baseQuery(search: LaneSearch): Omit<CandidateQuery, 'limit'> {
  const { lane, scope, facets, choosing } = search
  const { required, excluded } = choosing
  const exact = required.length + excluded.length > 0
  return {
    lane,
    scope,
    facets,
    required: required.map(toMatch),
    optional: [],
    // The ranker drops what the index does not: several terms, which it cannot always prove to be neighbours, and common
    // ones, whose documents it would count to the last.
    excluded: excluded
      .filter(({ terms }) => terms.length === 1 && terms.every((term) => isRareTerm(term, search)))
      .map(toMatch),
    order: 'newest',
    // What must be there or must not has to be looked for to the end.
    window: exact || lane !== 'bulk' ? INDEXED_CHARACTERS : BULK_WINDOW,
  }
}

/**
 * The rare words and identifiers that choose candidates, the rarest first, within the budget. `all`: nothing of the query
 * was left out.
 */
function choosingMatches(search: LaneSearch): { matches: TermMatch[]; all: boolean } {
  const every = choosingUnits(search).flatMap(matchesOf)
  const matches = rarest(every, search).map((match) => ({
    ...known(match, search),
    weight: matchWeight(match, search),
  }))
  const absent = every.filter((match) => !match.prefix && documentsWith(match, search) === 0)
  return { matches, all: matches.length + absent.length >= every.length }
}

/** The rare ones among matches that are somewhere, the rarest first, as many as an engine can score in no time. */
export function rarest(matches: readonly TermMatch[], search: Frequencies): TermMatch[] {
  const rare = matches
    .map((match) => ({ match, documents: documentsWith(match, search) }))
    .filter(({ match, documents }) => match.prefix || (documents > 0 && documents <= commonAt(search)))
    .sort((a, b) => a.documents - b.documents)
  let left = RANKED_DOCUMENTS
  return rare
    .filter(({ documents }, place) => {
      left -= documents
      return place === 0 || left >= 0
    })
    .map(({ match }) => match)
}

function matchWeight(match: TermMatch, search: LaneSearch): number {
  return inverseFrequency(search.totals.documents, documentsWith(match, search))
}

/** Documents a match has at most: those of its rarest term, or of a word in all its forms. */
export function documentsWith({ terms, forms = [] }: TermMatch, search: Frequencies): number {
  if (forms.length > 0) return wordFrequency(terms, forms, search)
  return Math.min(...terms.map((term) => search.frequencies.get(term) ?? 0))
}

/** A match without the forms that are nowhere. */
function known({ forms = [], ...match }: TermMatch, { frequencies }: LaneSearch): TermMatch {
  return { ...match, forms: forms.filter((term) => frequencies.get(term)) }
}

/** Words that say nothing choose only where there are no others. */
function choosingUnits({ choosing }: LaneSearch): readonly Unit[] {
  const content = choosing.optional.filter((unit) => unit.content)
  return content.length > 0 || choosing.required.length > 0 ? content : choosing.optional
}

/** The unit as a whole. */
function toMatch(unit: Unit): TermMatch {
  const { terms, adjacent, prefix } = unit
  return { terms, adjacent, prefix, forms: otherTerms(unit) }
}

/** The unit as a whole, and each of its parts. */
function matchesOf(unit: Unit): TermMatch[] {
  return [toMatch(unit), ...unit.parts.map((part) => ({ terms: [part] }))]
}

/** Whether a unit tells documents apart: it has a term (or part) that is in the archive and in few documents. */
function isRare(unit: Unit, search: LaneSearch): boolean {
  if (unit.prefix) return true
  return matchesOf(unit).some((match) => {
    const documents = documentsWith(match, search)
    return documents > 0 && documents <= commonAt(search)
  })
}

function isRareTerm(term: string, search: LaneSearch): boolean {
  return (search.frequencies.get(term) ?? 0) <= commonAt(search)
}

/** Documents a term is in, above which it is common. */
export function commonAt({ totals }: { totals: { documents: number } }): number {
  return Math.max(COMMON_AT_LEAST, Math.min(COMMON_SHARE * totals.documents, COMMON_AT_MOST))
}
