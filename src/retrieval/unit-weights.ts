/** What each unit of a query says: by how rare it is in the texts that are searched, and by what kind of word it is. */

import type { Query, Unit } from './query.ts'
import { inverseFrequency, type WeightedUnit } from './rank.ts'
import type { Weights } from './weights.ts'
import { isLightWord } from './words.ts'

/** The texts that are searched, as far as weights need them. */
export interface Frequencies {
  query: Query
  totals: { documents: number }
  /** In how many documents each index term of the query occurs. */
  frequencies: ReadonlyMap<string, number>
}

/** Words used where those of the query are, the nearest first, each with how near it is, up to 1. */
export type Related = ReadonlyMap<Unit, readonly { unit: Unit; strength: number }[]>

/** What a word is worth that stands for two of the query in one. */
const JOINED = 0.9

/** The units that hits are ranked by, with their weights. Words that `inside` accepts are found inside others as well. */
export function weightedUnits(
  search: Frequencies,
  weights: Weights,
  related: Related = new Map(),
  inside?: (unit: Unit) => boolean,
): WeightedUnit[] {
  const units = [...search.query.required, ...search.query.optional]
  const telling = units.some(({ content }) => content)
  return units.map((unit) => {
    const joined = unit.joined.filter(({ terms, forms }) => wordFrequency(terms, forms?.others ?? [], search) > 0)
    return {
      unit,
      weight: unitWeight(unit, search) * (telling ? emphasisOf(unit, weights) : 1),
      inside: inside?.(unit) ?? false,
      instead: [
        ...joined.map((one) => ({ unit: one, strength: JOINED })),
        ...(related.get(unit) ?? []).map((other) => ({ ...other, strength: other.strength * weights.related })),
      ],
    }
  })
}

/** What a unit says in these texts. A unit of several terms says what its rarest says, and a little more. */
export function unitWeight(unit: Unit, search: Frequencies): number {
  const { totals, frequencies } = search
  if (unit.forms) return inverseFrequency(totals.documents, wordFrequency(unit.terms, unit.forms.others, search))
  const weights = unit.terms.map((term) => inverseFrequency(totals.documents, frequencies.get(term) ?? 0))
  const most = Math.max(...weights)
  const rest = weights.reduce((sum, weight) => sum + weight, 0) - most
  // Nobody knows how many words begin so without asking for all of them; a prefix says less than a word.
  return unit.prefix ? most / 2 : most + rest / 4
}

/** Documents with a word in any of its forms; those with two are counted twice. */
export function wordFrequency(
  terms: readonly string[],
  forms: readonly string[],
  { frequencies }: Pick<Frequencies, 'frequencies'>,
): number {
  return [...terms, ...forms].reduce((sum, term) => sum + (frequencies.get(term) ?? 0), 0)
}

function emphasisOf({ content, exact }: Unit, { lightWord, functionWord }: Weights): number {
  if (content) return 1
  return isLightWord(exact) ? lightWord : functionWord
}
