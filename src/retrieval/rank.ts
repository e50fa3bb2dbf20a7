/**
 * How well a candidate answers a query, the same on both engines. The score is absolute: 1 means that everything asked
 * for is there, as typed and close together; it does not depend on the other hits. Pure.
 */

import type { Candidate } from '../store/index.ts'
import { type Found, find, findInside, holds, type Searchable, type Span, searchable } from './match.ts'
import type { Query, Unit } from './query.ts'

/** BM25's parameters (Robertson & Zaragoza 2009): how soon repeating a word stops counting, and how much length does. */
const K1 = 1.2
const B = 0.75

/**
 * What makes up a score: how often the words are there, as BM25 counts; how much of the query is there at all; how close
 * together. Words count by the square of their weight for the second, so that a text does not win by its function words.
 * Chosen on questions about conversations (LoCoMo), where this finds more than BM25 alone.
 */
const FREQUENCY = 0.55
const COVERAGE = 0.35
const CLOSENESS = 0.1

/** A window of this many characters holds what is close together. */
const CLOSE = 120

/** Scores are rounded, so that hits that say the same are ties whatever order their sums were made in. */
const PRECISION = 1e6

/** A unit of the query and what it says. */
export interface WeightedUnit {
  unit: Unit
  /** Its inverse document frequency. */
  weight: number
  /** Look inside words as well; see `looksLikePiece`. */
  inside?: boolean
}

export interface RankedHit {
  candidate: Candidate
  score: number
  /** Where its words were found in the text that was looked at, with their weights. */
  places: Place[]
  /** What was looked for. */
  units: readonly WeightedUnit[]
}

export interface Place extends Span {
  weight: number
  /** Which unit, by its place in the query. */
  unit: number
}

/** Inverse document frequency as BM25 has it, always above 0. */
export function inverseFrequency(documents: number, frequency: number): number {
  const total = Math.max(documents, frequency)
  return Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5))
}

/**
 * Scores one candidate; undefined when it is none: a required phrase is missing, an excluded word is there, or nothing of
 * the query is. `meanLength` is that of its lane.
 */
export function rank(
  candidate: Candidate,
  query: Query,
  units: readonly WeightedUnit[],
  meanLength: number,
): RankedHit | undefined {
  const ascii = candidate.bytes === candidate.text.length
  const text = searchable(candidate.text, ascii)
  if (query.excluded.some((unit) => holds(unit, text))) return undefined
  if (query.required.some((unit) => !holds(unit, text))) return undefined
  const found = units.map(({ unit, inside }) => findEither(unit, inside === true, text))
  const cut = !ascii && candidate.bytes > Buffer.byteLength(candidate.text)
  if (found.every(({ count }) => count === 0)) {
    // The index found something in the part of a long text that was not fetched.
    return cut ? { candidate, score: round(unseenScore(units)), places: [], units } : undefined
  }
  const length = cut ? candidate.bytes : candidate.text.length
  return { candidate, score: round(score(units, found, length / meanLength)), places: placesOf(units, found), units }
}

function findEither(unit: Unit, inside: boolean, text: Searchable): Found {
  const found = find(unit, text)
  return found.count === 0 && inside ? findInside(unit, text) : found
}

function score(units: readonly WeightedUnit[], found: readonly Found[], relativeLength: number): number {
  const norm = K1 * (1 - B + B * relativeLength)
  let weights = 0
  let squares = 0
  let frequency = 0
  let coverage = 0
  units.forEach(({ weight }, index) => {
    const { strength = 0, count = 0 } = found[index] ?? {}
    weights += weight
    squares += weight ** 2
    frequency += weight * strength * (count / (count + norm))
    coverage += weight ** 2 * strength
  })
  const covered = coverage / squares
  return FREQUENCY * (frequency / weights) + COVERAGE * covered + CLOSENESS * covered * closeness(units, found)
}

/** How much of what was found stands within one window, by weight; 1 where there is only one thing to find. */
function closeness(units: readonly WeightedUnit[], found: readonly Found[]): number {
  let present = 0
  let kinds = 0
  units.forEach(({ weight }, index) => {
    if (!found[index]?.count) return
    present += weight
    kinds++
  })
  if (kinds <= 1) return units.length === 1 ? 1 : 0
  const best = bestWindow(placesOf(units, found), CLOSE)
  return best ? best.weight / present : 0
}

/** The window of at most `width` characters that holds the most weight of distinct units; undefined without places. */
export function bestWindow(
  places: readonly Place[],
  width: number,
): { from: number; to: number; weight: number } | undefined {
  const counts = new Map<number, number>()
  let best: { from: number; to: number; weight: number } | undefined
  let weight = 0
  let first = 0
  for (const place of places) {
    const count = counts.get(place.unit) ?? 0
    counts.set(place.unit, count + 1)
    if (count === 0) weight += place.weight
    for (let oldest = places[first]; oldest && oldest !== place && place.end - oldest.start > width; ) {
      const left = (counts.get(oldest.unit) ?? 1) - 1
      counts.set(oldest.unit, left)
      if (left === 0) weight -= oldest.weight
      oldest = places[++first]
    }
    const start = places[first]?.start ?? place.start
    if (!best || weight > best.weight + 1e-9) best = { from: start, to: place.end, weight }
  }
  return best
}

/** Where the units of a query are in a text, in its order. */
export function findPlaces(units: readonly WeightedUnit[], text: Searchable): Place[] {
  return placesOf(
    units,
    units.map(({ unit, inside }) => findEither(unit, inside === true, text)),
  )
}

function placesOf(units: readonly WeightedUnit[], found: readonly Found[]): Place[] {
  const places: Place[] = []
  found.forEach(({ spans, strength }, unit) => {
    const weight = (units[unit]?.weight ?? 0) * strength
    for (const { start, end } of spans) places.push({ start, end, weight, unit })
  })
  return places.sort((a, b) => a.start - b.start || a.unit - b.unit)
}

/** What is given for a match that the index vouches for and nobody has looked at: half of the weightiest unit, once. */
function unseenScore(units: readonly WeightedUnit[]): number {
  const total = units.reduce((sum, { weight }) => sum + weight, 0)
  const most = Math.max(...units.map(({ weight }) => weight))
  return (COVERAGE * 0.5 * most) / total
}

function round(value: number): number {
  return Math.round(Math.min(1, value) * PRECISION) / PRECISION
}

/** Best first; of equals the later one, then the smaller id. */
export function compareHits(a: RankedHit, b: RankedHit): number {
  return b.score - a.score || b.candidate.at - a.candidate.at || a.candidate.id.compare(b.candidate.id)
}

/** Two readings of one event by different routes, such as a client's log and its mirror, are this close in time. */
const SAME_MOMENT = 10

/**
 * Leaves one of each group of hits that are one and the same: the same content at the same time, in whatever session (a
 * resumed session repeats the old one), or within 10 ms in the same session. The one that was captured first stays, at
 * the place of the best.
 */
export function foldDuplicates(sorted: readonly RankedHit[]): RankedHit[] {
  const byDigest = new Map<string, number[]>()
  const unique: RankedHit[] = []
  for (const hit of sorted) {
    const key = hit.candidate.digest.toString('latin1')
    const places = byDigest.get(key) ?? []
    byDigest.set(key, places)
    const place = places.find((index) => isSame(unique[index], hit))
    const kept = place === undefined ? undefined : unique[place]
    if (kept === undefined || place === undefined) {
      places.push(unique.length)
      unique.push(hit)
    } else if (hit.candidate.pk < kept.candidate.pk) {
      unique[place] = hit
    }
  }
  return unique
}

function isSame(kept: RankedHit | undefined, { candidate }: RankedHit): boolean {
  if (!kept) return false
  const apart = Math.abs(kept.candidate.at - candidate.at)
  return apart === 0 || (apart <= SAME_MOMENT && kept.candidate.session_pk === candidate.session_pk)
}
