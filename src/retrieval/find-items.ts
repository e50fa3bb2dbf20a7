/** From a query to ranked passages of the context: documents, saves, digests and statements. */

import type { Caller } from '../core/caller.ts'
import type { ContextCandidate, ContextKind, Engine, TermMatch } from '../store/index.ts'
import type { Query, Unit } from './query.ts'
import { type Scored, scoreText } from './rank.ts'
import { isSpread, liftTogether } from './surroundings.ts'
import { type Frequencies, type Related, weightedUnits } from './unit-weights.ts'
import type { Weights } from './weights.ts'

/** Passages looked at. */
const MANY = 150

/** Characters of a passage looked at; the stored ones are shorter. */
const WINDOW = 8_000

export interface ItemSearch {
  engine: Engine
  caller: Caller
  query: Query
  kinds: readonly ContextKind[]
  projectIds?: readonly string[]
  since?: number
  /** Passages of all owners. */
  documents: number
  wanted: number
  weights: Weights
  related: Related
  signal: AbortSignal | undefined
}

/** `places` refer to the passage's text; what was found in its heading is left out of them. */
export interface RankedItem extends Scored {
  candidate: ContextCandidate
}

/** Passages that match, best first. */
export async function findItems(search: ItemSearch): Promise<{ hits: RankedItem[]; complete: boolean }> {
  const { query, documents, weights, related, signal } = search
  if (search.kinds.length === 0 || documents === 0) return { hits: [], complete: true }
  const frequencies = await frequenciesOf(search)
  const limit = Math.max(MANY, search.wanted)
  const rows = await candidatesOf(search, frequencies, limit)
  const units = weightedUnits({ query, totals: { documents }, frequencies }, weights, related)
  const own = rows.flatMap((candidate): RankedItem[] => {
    const head = candidate.heading === '' ? '' : `${candidate.heading}\n`
    const stored = { text: head + candidate.text, bytes: Buffer.byteLength(head) + candidate.bytes }
    const scored = scoreText(stored, query, units, weights)
    return scored ? [{ ...scored, places: withoutHead(scored, head.length), candidate }] : []
  })
  signal?.throwIfAborted()
  const hits = isSpread(query) ? liftItems(own, weights) : own
  return { hits: hits.sort(compareItems), complete: rows.length < limit }
}

function withoutHead({ places }: Scored, length: number): Scored['places'] {
  return places.flatMap((place) =>
    place.start < length ? [] : [{ ...place, start: place.start - length, end: place.end - length }],
  )
}

async function frequenciesOf({ engine, query, signal }: ItemSearch): Promise<Frequencies['frequencies']> {
  const units = [...query.required, ...query.optional, ...query.excluded]
  const terms = units.flatMap(({ terms, parts, forms }) => [...terms, ...parts, ...(forms?.others ?? [])])
  return terms.length === 0 ? new Map() : engine.textIndex.documentFrequencies('context', [...new Set(terms)], signal)
}

async function candidatesOf(
  search: ItemSearch,
  frequencies: Frequencies['frequencies'],
  limit: number,
): Promise<ContextCandidate[]> {
  const { engine, caller, query, kinds, projectIds, since, signal } = search
  const telling = query.optional.filter(({ content }) => content)
  const choosing = telling.length > 0 || query.required.length > 0 ? telling : query.optional
  const isKnown = (term: string): boolean => (frequencies.get(term) ?? 0) > 0
  const optional = choosing.flatMap((unit) => matchesOf(unit, isKnown))
  if (query.required.length === 0 && optional.length === 0) return []
  return engine.textIndex.contextCandidates(
    {
      caller,
      kinds,
      ...(projectIds === undefined ? {} : { projectIds }),
      ...(since === undefined ? {} : { since }),
      required: query.required.map(({ terms, adjacent }) => ({ terms, adjacent })),
      optional,
      // Whether several terms are neighbours, the ranker knows.
      excluded: query.excluded.filter(({ terms }) => terms.length === 1).map(({ terms }) => ({ terms })),
      order: 'relevance',
      limit,
      window: WINDOW,
    },
    signal,
  )
}

/** The unit in all its forms, and each of its parts, as far as any text has them. */
function matchesOf({ terms, adjacent, prefix, forms, parts }: Unit, isKnown: (term: string) => boolean): TermMatch[] {
  const whole = { terms, adjacent, prefix, forms: (forms?.others ?? []).filter(isKnown) }
  const isThere = prefix || whole.forms.length > 0 || terms.every(isKnown)
  return [...(isThere ? [whole] : []), ...parts.filter(isKnown).map((part) => ({ terms: [part] }))]
}

/** Passages of one item raise each other, as events of one conversation do. */
function liftItems(hits: readonly RankedItem[], weights: Weights): RankedItem[] {
  const items = new Map<string, RankedItem[]>()
  for (const hit of hits) {
    const key = `${hit.candidate.kind} ${hit.candidate.item_pk}`
    const members = items.get(key)
    if (members) members.push(hit)
    else items.set(key, [hit])
  }
  return [...items.values()].flatMap(
    (members) =>
      liftTogether(
        members.map((hit) => ({ hit, place: hit.candidate.ordinal })),
        weights,
      ).hits,
  )
}

function compareItems(a: RankedItem, b: RankedItem): number {
  return b.score - a.score || b.candidate.at - a.candidate.at || a.candidate.pk - b.candidate.pk
}
