/**
 * How well a candidate answers a query, the same on both engines. The score is absolute: 1 means that everything asked
 * for is there, as typed and close together. Pure.
 */

import type { Candidate } from '../store/index.ts'
import { holdsAnswer } from './answers.ts'
import { type Found, find, findInside, holds, type Searchable, type Span, searchable } from './match.ts'
import type { Query, Unit } from './query.ts'
import { PASSAGE_LENGTH, WEIGHTS, type Weights } from './weights.ts'

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
  /** What may stand instead where it is missing, the best first, each with what it is worth of it. */
  instead?: readonly { unit: Unit; strength: number }[]
}

/** How well a text answers. */
export interface Scored {
  score: number
  /** Where its words were found in the text that was looked at, with their weights. */
  places: readonly Place[]
  /** What was looked for. */
  units: readonly WeightedUnit[]
  /** How well the whole text meets each unit, 0 to below 1: what its neighbours are told of it. */
  evidence: readonly number[]
  /** It ends with a question: what answers comes after it. */
  asks: boolean
  /** It holds what the query asks for, such as a time where that is asked. */
  fits: boolean
}

export interface RankedHit extends Scored {
  candidate: Candidate
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

/** Scores one event by its own text; undefined when it is no hit. */
export function rank(
  candidate: Candidate,
  query: Query,
  units: readonly WeightedUnit[],
  weights: Weights = WEIGHTS,
): RankedHit | undefined {
  const scored = scoreText(candidate, query, units, weights)
  return scored && { candidate, ...scored }
}

/**
 * Scores a text by itself; undefined when a required phrase is missing, an excluded word is there, or nothing of the
 * query is. A long text is scored by its best passage, so that length tells nothing.
 * @param stored the beginning of a text, and the bytes of all of it
 */
export function scoreText(
  stored: { text: string; bytes: number },
  query: Query,
  units: readonly WeightedUnit[],
  weights: Weights = WEIGHTS,
): Scored | undefined {
  const ascii = stored.bytes === stored.text.length
  const text = searchable(stored.text, ascii)
  if (query.excluded.some((unit) => holds(unit, text))) return undefined
  if (query.required.some((unit) => !holds(unit, text))) return undefined
  const found = units.map((unit) => findUnit(unit, text))
  const telling = units.some(({ unit }) => unit.content)
  if (!found.some(({ count }, place) => count > 0 && (!telling || units[place]?.unit.content))) {
    // The index found something in the part of a long text that was not fetched.
    const isCut = !ascii && stored.bytes > Buffer.byteLength(stored.text)
    if (!isCut) return undefined
    const nothing = { places: [], units, evidence: units.map(() => 0), asks: false, fits: false }
    return { score: round(unseenScore(units)), ...nothing }
  }
  const places = placesOf(units, found)
  const isLong = stored.text.length > PASSAGE_LENGTH
  const norm = normOf(isLong ? PASSAGE_LENGTH : stored.text.length, weights)
  const from = isLong ? bestStart(places) : 0
  const counts = isLong ? countsFrom(from, units, places) : found.map(({ count }) => count)
  return {
    score: round(ownScore(units, found, counts, places, norm, weights)),
    places,
    units,
    evidence: found.map(({ strength, count }) => (strength * count) / (count + norm)),
    asks: ASKS.test(stored.text),
    fits: query.asksFor !== undefined && holdsAnswer(query.asksFor, text.folded.slice(from, from + PASSAGE_LENGTH)),
  }
}

/** Ends with a question mark. */
const ASKS = /[?？]\s*$/

function normOf(characters: number, { repetition, length, ordinaryLength }: Weights): number {
  return repetition * (1 - length + (length * characters) / ordinaryLength)
}

/** The unit itself; failing that, inside longer words where that is asked for, or what may stand instead. */
function findUnit({ unit, inside, instead = [] }: WeightedUnit, text: Searchable): Found {
  const found = find(unit, text)
  if (found.count > 0) return found
  if (inside) return findInside(unit, text)
  for (const other of instead) {
    const standsIn = find(other.unit, text)
    if (standsIn.count > 0) return { ...standsIn, strength: standsIn.strength * other.strength }
  }
  return found
}

/** Where the best passage begins. */
function bestStart(places: readonly Place[]): number {
  const best = bestWindow(places, PASSAGE_LENGTH)
  return best ? Math.max(0, Math.min(best.from, best.to - PASSAGE_LENGTH)) : 0
}

/** How often each unit stands in the passage that begins at `from`. */
function countsFrom(from: number, units: readonly WeightedUnit[], places: readonly Place[]): number[] {
  const counts = units.map(() => 0)
  for (const { start, end, unit } of places) {
    if (start >= from && end <= from + PASSAGE_LENGTH) counts[unit] = (counts[unit] ?? 0) + 1
  }
  return counts
}

function ownScore(
  units: readonly WeightedUnit[],
  found: readonly Found[],
  counts: readonly number[],
  places: readonly Place[],
  norm: number,
  { closeness }: Weights,
): number {
  let total = 0
  let frequency = 0
  let covered = 0
  units.forEach(({ weight }, place) => {
    const strength = found[place]?.strength ?? 0
    const count = counts[place] ?? 0
    total += weight
    if (count === 0) return
    frequency += weight * strength * (count / (count + norm))
    covered += weight * strength
  })
  const near = (covered / total) * closenessOf(units, counts, places)
  return (1 - closeness) * (frequency / total) + closeness * near
}

/** How much of what was found stands within one window, by weight; 1 where there is only one thing to find. */
function closenessOf(units: readonly WeightedUnit[], counts: readonly number[], places: readonly Place[]): number {
  let present = 0
  let kinds = 0
  units.forEach(({ weight }, index) => {
    if (!counts[index]) return
    present += weight
    kinds++
  })
  if (kinds <= 1) return units.length === 1 ? 1 : 0
  const best = bestWindow(places, CLOSE)
  return best ? Math.min(1, best.weight / present) : 0
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
export function findPlaces(units: readonly WeightedUnit[], text: Searchable): readonly Place[] {
  return placesOf(
    units,
    units.map((unit) => findUnit(unit, text)),
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

/** What is given for a match that the index vouches for and nobody has looked at: a part of the weightiest unit, once. */
function unseenScore(units: readonly WeightedUnit[]): number {
  const total = units.reduce((sum, { weight }) => sum + weight, 0)
  const most = Math.max(...units.map(({ weight }) => weight))
  return (UNSEEN * most) / total
}

const UNSEEN = 0.15

export function round(value: number): number {
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
