/**
 * Searching the archive: a query is read, each lane of the index names candidates, the ranker looks at their texts, and
 * the best are cut to snippets. One ranking serves both engines; an engine only says where its words are.
 */

import type { Caller } from '../core/caller.ts'
import type { EventType } from '../core/event.ts'
import {
  composed,
  type Engine,
  type IndexLane,
  identifiersContaining,
  type LaneTotals,
  laneTotals,
  type SearchScope,
  searchedText,
} from '../store/index.ts'
import { gather, type LaneSearch, openLane, unitWeight } from './candidates.ts'
import { searchable } from './match.ts'
import { looksLikePiece, parseQuery, type Query, type Unit } from './query.ts'
import { compareHits, findPlaces, foldDuplicates, type RankedHit, rank, type WeightedUnit } from './rank.ts'
import { makeSnippet } from './snippet.ts'

export interface SearchRequest {
  query: string
  types: readonly EventType[]
  harness?: string
  source?: string
  /** Numbers of a session or turn to stay in. */
  session?: number
  turn?: number
  /** Hits wanted, 1 or more. */
  limit: number
}

export interface SearchHit {
  eventPk: number
  /** 0 to 1, whatever else was found. */
  score: number
  /** One line around what was found. */
  snippet: string
  snippetTruncated: boolean
}

export interface SearchResult {
  /** Best first; of equals the later, then the smaller id. */
  hits: SearchHit[]
  /** There are more hits than `limit`. */
  truncated: boolean
  /** For people. */
  warnings: string[]
}

/** Candidates asked for beyond the hits wanted: the ranker's order differs from the engine's, and duplicates fold. */
const SPARE = 25

/** How often a lane is asked again for more, when too few were left of what it named. */
const ROUNDS = 3

/** By how much more each time. */
const MORE = 4

/** Hits below which pieces of ids are looked for inside words. */
const FEW_HITS = 3

/** Identifiers that a piece is completed to. */
const COMPLETIONS = 20

const LANES: readonly IndexLane[] = ['prose', 'trace', 'bulk']

/**
 * Finds events. Never throws for what a query says.
 * @throws what `signal` was aborted with, and what the database throws.
 */
export async function searchEvents(
  engine: Engine,
  caller: Caller,
  request: SearchRequest,
  signal?: AbortSignal,
): Promise<SearchResult> {
  signal?.throwIfAborted()
  const query = parseQuery(request.query)
  const warnings = [...query.warnings]
  if (query.required.length + query.optional.length === 0) return { hits: [], truncated: false, warnings }
  const scope = scopeOf(caller, request)
  const totals = await laneTotals(engine, caller.owner, signal)
  const search: ArchiveSearch = { engine, query, scope, totals, wanted: request.limit + 1, signal }
  let ranked = await searchLanes(search, query)
  if (ranked.hits.length < Math.min(FEW_HITS, search.wanted)) {
    const pieces = await searchPieces(search, ranked.hits)
    if (pieces) ranked = merged([ranked, pieces])
  }
  const best = ranked.hits.slice(0, request.limit)
  const hits: SearchHit[] = []
  for (const hit of best) hits.push(await toHit(search, hit))
  return { hits, truncated: ranked.hits.length > request.limit || !ranked.complete, warnings }
}

/** What one search is about, in all lanes. */
interface ArchiveSearch {
  engine: Engine
  query: Query
  scope: SearchScope
  totals: (lane: IndexLane) => LaneTotals
  /** One more than the hits asked for, to know whether there are more. */
  wanted: number
  signal: AbortSignal | undefined
}

function scopeOf(caller: Caller, { types, harness, source, session, turn }: SearchRequest): SearchScope {
  return {
    caller,
    types,
    ...(harness === undefined ? {} : { harness }),
    ...(source === undefined ? {} : { source }),
    ...(session === undefined ? {} : { session }),
    ...(turn === undefined ? {} : { turn }),
  }
}

interface Ranked {
  /** Best first, duplicates folded. */
  hits: RankedHit[]
  /** Nothing else matches. */
  complete: boolean
}

/** Searches every lane that holds types asked for. Words that `inside` accepts are looked for inside others as well. */
async function searchLanes(
  { engine, query, scope, totals, wanted, signal }: ArchiveSearch,
  choosing: Query,
  inside?: (unit: Unit) => boolean,
): Promise<Ranked> {
  const lanes: Ranked[] = []
  for (const lane of LANES) {
    const search = await openLane({ engine, query, choosing, signal }, lane, scope, totals(lane))
    if (search) lanes.push(await searchLane(search, wanted, inside))
  }
  return merged(lanes)
}

function merged(parts: readonly Ranked[]): Ranked {
  const byPk = new Map<number, RankedHit>()
  for (const hit of parts.flatMap(({ hits }) => hits)) {
    const other = byPk.get(hit.candidate.pk)
    if (!other || hit.score > other.score) byPk.set(hit.candidate.pk, hit)
  }
  return {
    hits: foldDuplicates([...byPk.values()].sort(compareHits)),
    complete: parts.every(({ complete }) => complete),
  }
}

/** Gathers and ranks until there are enough different hits or nothing else matches, a bounded number of times. */
async function searchLane(search: LaneSearch, wanted: number, inside?: (unit: Unit) => boolean): Promise<Ranked> {
  const units = weightedUnits(search, inside)
  let limit = wanted + SPARE
  for (let round = 1; ; round++) {
    const { found, complete } = await gather(search, limit)
    search.signal?.throwIfAborted()
    const hits = found.flatMap((candidate) => {
      const hit = rank(candidate, search.query, units, search.totals.meanLength)
      return hit ? [hit] : []
    })
    const ranked = { hits: foldDuplicates(hits.sort(compareHits)), complete }
    if (complete || ranked.hits.length >= wanted || round === ROUNDS) return ranked
    limit = Math.max(limit, found.length) * MORE
  }
}

function weightedUnits(search: LaneSearch, inside?: (unit: Unit) => boolean): WeightedUnit[] {
  const { required, optional } = search.query
  return [...required, ...optional].map((unit) => ({
    unit,
    weight: unitWeight(unit, search),
    inside: inside?.(unit) ?? false,
  }))
}

/**
 * Looks for words that no hit has and that may be pieces of ids: as the beginning of a word, and inside the identifiers the archive knows.
 * Those longer spellings choose the candidates; they are ranked by what was typed. Undefined without such words.
 */
async function searchPieces(search: ArchiveSearch, hits: readonly RankedHit[]): Promise<Ranked | undefined> {
  const { engine, query, scope, signal } = search
  const known = new Set(hits.flatMap(({ places, units }) => places.map(({ unit }) => units[unit]?.unit)))
  const isPiece = (unit: Unit): boolean => looksLikePiece(unit) && !known.has(unit)
  const longer: Unit[] = []
  for (const piece of query.optional.filter(isPiece)) {
    const names = await identifiersContaining(engine, scope.caller.owner, piece.exact, COMPLETIONS, signal)
    longer.push(...parseQuery(names.join(' ')).optional)
    if (piece.runs.length === 1) longer.push({ ...piece, prefix: true })
  }
  return longer.length === 0 ? undefined : searchLanes(search, { ...query, optional: longer }, isPiece)
}

async function toHit({ engine, scope, signal }: ArchiveSearch, hit: RankedHit): Promise<SearchHit> {
  const { candidate, score, units } = hit
  let { text } = candidate
  let { places } = hit
  if (places.length === 0) {
    text = await searchedText(engine, scope.caller.owner, candidate.pk, signal)
    places = findPlaces(units, searchable(text))
  }
  const snippet = makeSnippet(composed(text), places)
  return {
    eventPk: candidate.pk,
    score,
    snippet: snippet.text,
    snippetTruncated: snippet.truncated,
  }
}
