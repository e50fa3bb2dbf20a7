/** In how many documents words occur, kept for as long as a lane of the index stays as it is. */

import type { Engine, LaneTotals, SearchLane } from '../store/index.ts'

/** Terms kept for each lane. */
const TERMS_KEPT = 20_000

interface Known {
  /** The totals of the lane that the counts belong to. */
  totals: string
  counts: Map<string, number>
}

const knownByEngine = new WeakMap<Engine, Map<SearchLane, Known>>()

/**
 * Counts the documents of each term. Searches repeat each other's words, and most forms of a word are nowhere, which costs
 * as much to find out as where a word is.
 * @param totals of the lane as they are now: any change of them makes everything be counted anew
 */
export async function documentCounts(
  engine: Engine,
  lane: SearchLane,
  terms: readonly string[],
  totals: LaneTotals,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const { counts } = knownOf(engine, lane, `${totals.documents} ${totals.meanLength}`)
  const found = new Map<string, number>()
  const missing: string[] = []
  for (const term of terms) {
    const count = counts.get(term)
    if (count === undefined) missing.push(term)
    else found.set(term, count)
  }
  if (missing.length === 0) return found
  const counted = await engine.textIndex.documentFrequencies(lane, missing, signal)
  if (counts.size + counted.size > TERMS_KEPT) counts.clear()
  for (const [term, count] of counted) {
    counts.set(term, count)
    found.set(term, count)
  }
  return found
}

function knownOf(engine: Engine, lane: SearchLane, totals: string): Known {
  const lanes = knownByEngine.get(engine) ?? new Map<SearchLane, Known>()
  knownByEngine.set(engine, lanes)
  const known = lanes.get(lane)
  if (known?.totals === totals) return known
  const fresh = { totals, counts: new Map<string, number>() }
  lanes.set(lane, fresh)
  return fresh
}
