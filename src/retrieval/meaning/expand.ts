/** The words of a query with those that are used where they are, as far as the archive has taught. */

import type { Caller } from '../../core/caller.ts'
import { type Engine, relatedWords } from '../../store/index.ts'
import { parseQuery, type Query, type Unit } from '../query.ts'
import type { Weights } from '../weights.ts'
import { rootOf } from '../words.ts'

export interface RelatedUnit {
  unit: Unit
  /** How near, up to 1. */
  strength: number
}

/** Related units of each plain word of a query, the nearest first; none where the weights leave them out. */
export async function relatedTo(
  engine: Engine,
  { owner }: Caller,
  { optional }: Query,
  weights: Weights,
  signal?: AbortSignal,
): Promise<ReadonlyMap<Unit, readonly RelatedUnit[]>> {
  if (weights.related === 0) return new Map()
  const words = optional.filter(({ content, forms }) => content && forms !== undefined)
  const related = await relatedWords(engine, owner, [...new Set(words.map(({ exact }) => rootOf(exact)))], signal)
  const asked = new Set(words.map(({ exact }) => rootOf(exact)))
  return new Map(
    words.map((unit) => [
      unit,
      (related.get(rootOf(unit.exact)) ?? []).flatMap(({ related: word, weight }): RelatedUnit[] => {
        const [other] = parseQuery(word).optional
        return other === undefined || asked.has(rootOf(word)) ? [] : [{ unit: other, strength: weight }]
      }),
    ]),
  )
}
