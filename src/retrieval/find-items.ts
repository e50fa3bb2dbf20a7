/** From a query to ranked passages of the context: documents, saves, digests and statements. */

import type { Caller } from '../core/caller.ts'
import type {
  ContextCandidate,
  ContextCandidateQuery,
  ContextKind,
  Engine,
  LaneTotals,
  TermMatch,
} from '../store/index.ts'
import { documentsWith, rarest } from './candidates.ts'
import { documentCounts } from './frequencies.ts'
import { otherTerms, type Query, termsOfUnits, type Unit } from './query.ts'
import { type Scored, scoreText } from './rank.ts'
import { isSpread, liftTogether } from './surroundings.ts'
import { type Frequencies, type Related, weightedUnits } from './unit-weights.ts'
import type { Weights } from './weights.ts'

/** Passages looked at. */
const MANY = 100

/** Common words that passages are asked to have together. */
const TOGETHER = 4

/** Characters of a passage looked at; the stored ones are shorter. */
const WINDOW = 8_000

export interface ItemSearch {
  engine: Engine
  caller: Caller
  query: Query
  kinds: readonly ContextKind[]
  projectIds?: readonly string[]
  since?: number
  totals: LaneTotals
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
  const { query, totals, weights, related, signal } = search
  if (search.kinds.length === 0 || totals.documents === 0) return { hits: [], complete: true }
  const known: Frequencies = { query, totals, frequencies: await frequenciesOf(search) }
  const { rows, complete } = await gatherItems(search, known)
  const units = weightedUnits(known, weights, related)
  const own = rows.flatMap((candidate): RankedItem[] => {
    const head = candidate.heading === '' ? '' : `${candidate.heading}\n`
    const stored = { text: head + candidate.text, bytes: Buffer.byteLength(head) + candidate.bytes }
    const scored = scoreText(stored, query, units, weights)
    return scored ? [{ ...scored, places: withoutHead(scored, head.length), candidate }] : []
  })
  signal?.throwIfAborted()
  const hits = isSpread(query) ? liftItems(own, weights) : own
  return { hits: hits.sort(compareItems), complete }
}

function withoutHead({ places }: Scored, length: number): Scored['places'] {
  return places.flatMap((place) =>
    place.start < length ? [] : [{ ...place, start: place.start - length, end: place.end - length }],
  )
}

function frequenciesOf({ engine, query, totals, signal }: ItemSearch): Promise<Frequencies['frequencies']> {
  const units = [...query.required, ...query.optional, ...query.excluded]
  return documentCounts(engine, 'context', termsOfUnits(units), totals, signal)
}

/** As of events: rare words choose, common ones alone the newest passages that have most of them, then any. */
async function gatherItems(
  search: ItemSearch,
  known: Frequencies,
): Promise<{ rows: ContextCandidate[]; complete: boolean }> {
  const { query, wanted } = search
  const limit = Math.max(MANY, wanted)
  const telling = query.optional.filter(({ content }) => content)
  const units = telling.length > 0 || query.required.length > 0 ? telling : query.optional
  const isKnown = (term: string): boolean => (known.frequencies.get(term) ?? 0) > 0
  const every = units.flatMap((unit) => matchesOf(unit, isKnown))
  if (query.required.length === 0 && every.length === 0) return { rows: [], complete: true }
  const choosing = rarest(every, known)
  const found = new Map<number, ContextCandidate>()
  const keep = async (part: Asked): Promise<boolean> => {
    const rows = await ask(search, part, limit)
    for (const row of rows) found.set(row.pk, row)
    return rows.length < limit
  }
  const gathered = (complete: boolean) => ({ rows: [...found.values()], complete })
  if (query.required.length > 0) return gathered(await keep({ optional: choosing, order: 'relevance' }))
  if (choosing.length > 0) {
    const complete = (await keep({ optional: choosing, order: 'relevance' })) && choosing.length === every.length
    if (complete || found.size >= wanted) return gathered(complete)
  }
  const most = [...every].sort((a, b) => documentsWith(a, known) - documentsWith(b, known)).slice(0, TOGETHER)
  if (most.length > 1) await keep({ required: most, optional: [], order: 'newest' })
  return gathered(found.size < limit && (await keep({ optional: every, order: 'newest' })))
}

type Asked = Pick<ContextCandidateQuery, 'optional' | 'order'> & { required?: readonly TermMatch[] }

function ask(
  { engine, caller, query, kinds, projectIds, since, signal }: ItemSearch,
  part: Asked,
  limit: number,
): Promise<ContextCandidate[]> {
  return engine.textIndex.contextCandidates(
    {
      caller,
      kinds,
      ...(projectIds === undefined ? {} : { projectIds }),
      ...(since === undefined ? {} : { since }),
      required: query.required.map(({ terms, adjacent }) => ({ terms, adjacent })),
      // Whether several terms are neighbours, the ranker knows.
      excluded: query.excluded.filter(({ terms }) => terms.length === 1).map(({ terms }) => ({ terms })),
      limit,
      window: WINDOW,
      ...part,
    },
    signal,
  )
}

/** The unit in all its forms, and each of its parts, as far as any text has them. */
function matchesOf(unit: Unit, isKnown: (term: string) => boolean): TermMatch[] {
  const { terms, adjacent, prefix, parts } = unit
  const whole = { terms, adjacent, prefix, forms: otherTerms(unit).filter(isKnown) }
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
