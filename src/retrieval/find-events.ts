/**
 * From a query to ranked events: each lane of the index names candidates, the ranker looks at their texts and at what
 * stands around them. One ranking serves both engines; an engine only says where its words are.
 */

import {
  type Engine,
  type IndexLane,
  identifiersContaining,
  type LaneTotals,
  type SearchScope,
} from '../store/index.ts'
import { gather, type LaneSearch, openLane } from './candidates.ts'
import { looksLikePiece, parseQuery, type Query, type Unit } from './query.ts'
import { compareHits, foldDuplicates, type RankedHit, rank } from './rank.ts'
import { weighSurroundings } from './surroundings.ts'
import { type Related, weightedUnits } from './unit-weights.ts'
import type { Weights } from './weights.ts'

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

/** What one search is about, in all lanes. */
export interface ArchiveSearch {
  engine: Engine
  query: Query
  scope: SearchScope
  totals: (lane: IndexLane) => LaneTotals
  /** One more than the hits asked for, to know whether there are more. */
  wanted: number
  weights: Weights
  related: Related
  signal: AbortSignal | undefined
}

export interface Ranked {
  /** Best first, duplicates folded. */
  hits: RankedHit[]
  /** Nothing else matches. */
  complete: boolean
}

/** The best events, at least as many as wanted where there are as many. */
export async function findEvents(search: ArchiveSearch): Promise<Ranked> {
  const ranked = await searchLanes(search, search.query)
  if (ranked.hits.length >= Math.min(FEW_HITS, search.wanted)) return ranked
  const pieces = await searchPieces(search, ranked.hits)
  return pieces ? merged([ranked, pieces]) : ranked
}

/** Searches every lane that holds types asked for. Words that `inside` accepts are looked for inside others as well. */
async function searchLanes(
  { engine, query, scope, totals, wanted, weights, related, signal }: ArchiveSearch,
  choosing: Query,
  inside?: (unit: Unit) => boolean,
): Promise<Ranked> {
  const lanes: Ranked[] = []
  for (const lane of LANES) {
    const search = await openLane({ engine, query, choosing, related, signal }, lane, scope, totals(lane))
    if (search) lanes.push(await searchLane(search, wanted, weights, inside))
  }
  return merged(lanes)
}

function merged(parts: readonly Ranked[]): Ranked {
  const [only] = parts
  if (only && parts.length === 1) return only
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
async function searchLane(
  search: LaneSearch,
  wanted: number,
  weights: Weights,
  inside?: (unit: Unit) => boolean,
): Promise<Ranked> {
  const units = weightedUnits(search, weights, search.related, inside)
  let limit = wanted + SPARE
  for (let round = 1; ; round++) {
    const { found, complete } = await gather(search, limit)
    search.signal?.throwIfAborted()
    const own = found.flatMap((candidate) => rank(candidate, search.query, units, weights) ?? [])
    const placed = await weighSurroundings(search, own, wanted, weights)
    const ranked = { hits: foldDuplicates(placed.sort(compareHits)), complete }
    if (complete || ranked.hits.length >= wanted || round === ROUNDS) return ranked
    limit = Math.max(limit, found.length) * MORE
  }
}

/**
 * Looks for words that no hit has and that may be pieces of ids: as the beginning of a word, and inside the identifiers
 * the archive knows. Those longer spellings choose the candidates; they are ranked by what was typed. Undefined without
 * such words.
 */
async function searchPieces(search: ArchiveSearch, hits: readonly RankedHit[]): Promise<Ranked | undefined> {
  const { engine, query, scope, signal } = search
  const known = new Set(hits.flatMap(({ places, units }) => places.map(({ unit }) => units[unit]?.unit)))
  const isPiece = (unit: Unit): boolean => looksLikePiece(unit) && !known.has(unit)
  const longer: Unit[] = []
  for (const piece of query.optional.filter(isPiece)) {
    const names = await identifiersContaining(engine, scope.caller.owner, piece.exact, COMPLETIONS, signal)
    longer.push(...parseQuery(names.join(' ')).optional)
    if (piece.runs.length === 1) longer.push({ ...piece, forms: undefined, prefix: true })
  }
  return longer.length === 0 ? undefined : searchLanes(search, { ...query, optional: longer }, isPiece)
}
