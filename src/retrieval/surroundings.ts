/**
 * What stands around an event makes it more or less likely to be meant: an answer to a prompt that matches, a remark in a
 * conversation about the matter. Prompts and answers alone take part; an event's own words count for most.
 */

import { candidatesByPk } from '../store/index.ts'
import type { LaneSearch } from './candidates.ts'
import { isIdentifier, type Query } from './query.ts'
import { type RankedHit, round, type Scored } from './rank.ts'
import { PASSAGE_LENGTH, type Weights } from './weights.ts'

/** Conversations looked into, those with the best hits first; in the others events count by their own words. */
const CONVERSATIONS = 10

/** What the best hit of a conversation must be worth, of the best of all, for it to be looked into. */
const WORTHWHILE = 0.5

/**
 * Words a query needs to be about something that several events say together. With fewer, and they are keywords, each
 * event counts by itself.
 */
const FEWEST_WORDS = 3

/** What an event without words of the question must be worth, of the best. */
const SILENT = 0.6

/** What an answer without words of the question stays below the event that led to it. */
const BELOW = 1e-6

/**
 * Adds to each hit's score what its neighbours and its conversation say, and for questions the events next to strong hits
 * that hold no word of the question. Quoted and excluded words leave everything as it is.
 * @param wanted how many of the best are of interest; no more than so many are added
 */
export async function weighSurroundings(
  search: LaneSearch,
  hits: readonly RankedHit[],
  wanted: number,
  weights: Weights,
): Promise<RankedHit[]> {
  if (search.lane !== 'prose' || !isSpread(search.query)) return [...hits]
  const { engine, scope, signal } = search
  const placed: RankedHit[] = []
  const silent: Silent[] = []
  let looked = 0
  const worthwhile = WORTHWHILE * Math.max(...hits.map(({ score }) => score))
  for (const [session, members] of byConversation(hits)) {
    const isWorthwhile = (members[0]?.score ?? 0) >= worthwhile && looked++ < CONVERSATIONS
    const pks = isWorthwhile ? await engine.textIndex.documentsOf('prose', scope.caller.owner, session, signal) : []
    const weighed = weighConversation(members, pks, weights)
    placed.push(...weighed.placed)
    silent.push(...weighed.silent)
  }
  return namesNothing(search.query) ? placed.concat(await loadSilent(search, placed, silent, wanted)) : placed
}

/** Whether what stands around a text can say anything about it. */
export function isSpread({ required, excluded, optional }: Query): boolean {
  return required.length + excluded.length === 0 && optional.filter(({ content }) => content).length >= FEWEST_WORDS
}

/** No identifier is among the words: who names one wants the text that has it. */
function namesNothing({ optional }: Query): boolean {
  return !optional.some((unit) => unit.content && isIdentifier(unit))
}

/** Hits by conversation, the one with the best hit first. */
function byConversation(hits: readonly RankedHit[]): Map<number, RankedHit[]> {
  const conversations = new Map<number, RankedHit[]>()
  for (const hit of [...hits].sort((a, b) => b.score - a.score || a.candidate.pk - b.candidate.pk)) {
    const members = conversations.get(hit.candidate.session_pk)
    if (members) members.push(hit)
    else conversations.set(hit.candidate.session_pk, [hit])
  }
  return conversations
}

/** An event without words of the query, next to such with them. */
interface Silent {
  pk: number
  score: number
}

/** `pks`: all prompts and answers of the conversation, in order; empty when it was not looked into. */
function weighConversation(
  members: readonly RankedHit[],
  pks: readonly number[],
  weights: Weights,
): { placed: RankedHit[]; silent: Silent[] } {
  const places = new Map(pks.map((pk, place) => [pk, place]))
  const { hits, scoreAt } = liftTogether(
    members.map((hit) => ({ hit, place: places.get(hit.candidate.pk) })),
    weights,
  )
  const scores = new Map(hits.map(({ candidate, score }) => [candidate.pk, score]))
  const silent = pks.flatMap((pk, place): Silent[] => {
    if (scores.has(pk)) return []
    const causes = around(place).flatMap((at) => scores.get(pks[at] ?? -1) ?? [])
    return causes.length === 0 ? [] : [{ pk, score: Math.min(scoreAt(place), Math.max(...causes) - BELOW) }]
  })
  return { placed: hits, silent }
}

/**
 * Raises scores by what stands around: `members` are of one conversation or document, each with its place in it where that
 * is known. `scoreAt` says what a place is worth by its surroundings alone.
 */
export function liftTogether<H extends Scored>(
  members: readonly { hit: H; place: number | undefined }[],
  weights: Weights,
): { hits: H[]; scoreAt(place: number): number } {
  const [best = 0, second = 0] = members.map(({ hit }) => hit.score).sort((a, b) => b - a)
  const whole = weights.conversation * best + weights.conversationToo * second
  const known = new Map(members.flatMap(({ hit, place }) => (place === undefined ? [] : [[place, hit] as const])))
  // Chances that add up: what is missing of 1 shrinks with each thing that speaks for a text.
  const lift = (own: number, around: number): number => round(1 - (1 - own) * Math.exp(-(whole + around)))
  const hits = members.map(({ hit, place }) => {
    const neighbours = place === undefined ? weighWindow([hit], weights) : weighNeighbours(known, place, weights)
    const own = hit.score * (hit.asks ? 1 - weights.asking : 1)
    return { ...hit, score: lift(own, neighbours + (hit.fits ? weights.fitting : 0)) }
  })
  return { hits, scoreAt: (place) => lift(0, weighNeighbours(known, place, weights)) }
}

function around(place: number): [number, number, number, number] {
  return [place - 2, place - 1, place + 1, place + 2]
}

/** What the texts around a place say: by their scores, and by the words they hold together. */
function weighNeighbours(known: ReadonlyMap<number, Scored>, place: number, weights: Weights): number {
  const [before2, before1, after1, after2] = around(place)
  const scoreOf = (at: number): number => known.get(at)?.score ?? 0
  const window = [before2, before1, place, after1, after2].flatMap((at) => known.get(at) ?? [])
  return (
    weights.near * (scoreOf(before1) + scoreOf(after1)) +
    weights.far * (scoreOf(before2) + scoreOf(after2)) +
    (known.get(before1)?.asks ? weights.reply * scoreOf(before1) : 0) +
    weighWindow(window, weights)
  )
}

function weighWindow(window: readonly Scored[], { window: most, windowRepetition }: Weights): number {
  let total = 0
  let found = 0
  window[0]?.units.forEach(({ weight }, unit) => {
    let sum = 0
    for (const { evidence } of window) sum += evidence[unit] ?? 0
    total += weight
    found += weight * (sum / (sum + windowRepetition))
  })
  return total === 0 ? 0 : most * (found / total)
}

/** Loads those silent events that are among the best, as far as the search may return them. */
async function loadSilent(
  { engine, scope, signal }: LaneSearch,
  placed: readonly RankedHit[],
  silent: readonly Silent[],
  wanted: number,
): Promise<RankedHit[]> {
  const best = placed.map(({ score }) => score).sort((a, b) => b - a)
  const bar = Math.max(best[wanted - 1] ?? 0, SILENT * (best[0] ?? 0))
  const good = silent
    .filter(({ score }) => score >= bar)
    .sort((a, b) => b.score - a.score || b.pk - a.pk)
    .slice(0, wanted)
  const scores = new Map(good.map(({ pk, score }) => [pk, score]))
  const units = placed[0]?.units ?? []
  const loaded = await candidatesByPk(engine, scope, [...scores.keys()], PASSAGE_LENGTH, signal)
  return loaded.map((candidate) => ({
    candidate,
    score: round(scores.get(candidate.pk) ?? 0),
    places: [],
    units,
    evidence: units.map(() => 0),
    asks: false,
    fits: false,
  }))
}
