/** One score of words and meaning: the similarity adds to what is missing of the keyword score. Never by rank. */

import type { Caller } from '../../core/caller.ts'
import {
  type ContextKind,
  candidatesByPk,
  contextCandidatesByPk,
  type Engine,
  INDEXED_CHARACTERS,
  type SearchScope,
} from '../../store/index.ts'
import type { RankedItem } from '../find-items.ts'
import type { PassageHit, PassageRequest } from '../passage-types.ts'
import { type RankedHit, round } from '../rank.ts'
import type { Weights } from '../weights.ts'
import type { MeaningMatch } from './lane.ts'

/** Something found, in conversations or in the context. */
export type Finding = { method: PassageHit['method']; nearest?: number } & (
  | ({ of: 'event' } & RankedHit)
  | ({ of: 'item' } & RankedItem)
)

/** Where the search may look; what only the lane of vectors found must lie there as well. */
export interface MeantScope {
  caller: Caller
  scope: SearchScope | undefined
  kinds: readonly ContextKind[]
  request: PassageRequest
}

/** What the lane named and keywords did not find, as far as the search may return it; its keyword score is 0. */
export async function loadMeant(
  engine: Engine,
  { caller, scope, kinds, request }: MeantScope,
  found: readonly Finding[],
  matches: readonly MeaningMatch[],
  signal: AbortSignal | undefined,
): Promise<Finding[]> {
  const known = new Set(found.map(keyOf))
  const missing = matches.filter(({ key }) => !known.has(key)).map(({ key }) => key)
  const pks = (kind: 'event' | 'passage'): number[] =>
    missing.filter((key) => key.startsWith(kind)).map((key) => Number(key.slice(kind.length + 1)))
  const nothing = { method: 'vector', score: 0, places: [], units: [], evidence: [], asks: false, fits: false } as const
  const events = scope ? await candidatesByPk(engine, scope, pks('event'), INDEXED_CHARACTERS, signal) : []
  const items =
    kinds.length > 0
      ? await contextCandidatesByPk(
          engine,
          {
            caller,
            kinds,
            ...(request.projectIds === undefined ? {} : { projectIds: request.projectIds }),
            ...(request.since === undefined ? {} : { since: request.since }),
          },
          pks('passage'),
          INDEXED_CHARACTERS,
          signal,
        )
      : []
  return [
    ...events.map((candidate): Finding => ({ of: 'event', ...nothing, candidate })),
    ...items.map((candidate): Finding => ({ of: 'item', ...nothing, candidate })),
  ]
}

/** Adds similarities to keyword scores. */
export function fuse(found: readonly Finding[], matches: readonly MeaningMatch[], { meaning }: Weights): Finding[] {
  const byKey = new Map(matches.map((match) => [match.key, match]))
  return found.map((finding): Finding => {
    const match = byKey.get(keyOf(finding))
    if (!match) return finding
    const similarity = Math.max(0, Math.min(1, match.similarity))
    return {
      ...finding,
      score: round(finding.score + (1 - finding.score) * meaning * similarity),
      method: finding.method === 'keyword' ? 'hybrid' : 'vector',
      ...(match.start === undefined ? {} : { nearest: match.start }),
    }
  })
}

function keyOf({ of, candidate }: Finding): MeaningMatch['key'] {
  return of === 'event' ? `event:${candidate.pk}` : `passage:${candidate.pk}`
}
