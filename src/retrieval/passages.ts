/** Finding passages in conversations and in the context (documents, saves, digests, statements), on one scale. */

import type { Caller } from '../core/caller.ts'
import type { EventType } from '../core/event.ts'
import { type ContextKind, type Engine, laneTotals, type SearchScope } from '../store/index.ts'
import { findEvents } from './find-events.ts'
import { findItems } from './find-items.ts'
import { askLane } from './meaning/ask.ts'
import { relatedTo } from './meaning/expand.ts'
import { type Finding, fuse, loadMeant } from './meaning/fuse.ts'
import { choosePassages } from './passage-choice.ts'
import {
  type Lanes,
  PASSAGE_KINDS,
  type PassageGroup,
  type PassageHit,
  type PassageRequest,
  type PassageResult,
} from './passage-types.ts'
import { parseQuery } from './query.ts'
import { WEIGHTS, type Weights } from './weights.ts'

export type {
  ConversationHit,
  ItemHit,
  Lanes,
  Passage,
  PassageGroup,
  PassageHit,
  PassageKind,
  PassageRequest,
  PassageResult,
} from './passage-types.ts'

const DEFAULT_TYPES: readonly EventType[] = ['user_input', 'assistant_response']

/** Hits ranked for each one wanted: copies fold, and a conversation gives only so many. */
const SPARE = 3

/** Matches asked of a lane of vectors. */
const MEANT = 60

/**
 * Finds passages. Never throws for what a query says; a lane of vectors that fails or is late leaves the answer lexical.
 * @throws what `signal` was aborted with, and what the database throws
 */
export async function searchPassages(
  engine: Engine,
  caller: Caller,
  request: PassageRequest,
  signal?: AbortSignal,
  lanes: Lanes = {},
  weights: Weights = WEIGHTS,
): Promise<PassageResult> {
  signal?.throwIfAborted()
  const query = parseQuery(request.query)
  if (query.required.length + query.optional.length === 0) {
    return { hits: [], truncated: false, mode: 'lexical', warnings: [...query.warnings] }
  }
  const { scope, kinds } = scopesOf(caller, request)
  const wanted = SPARE * request.limit
  const totals = await laneTotals(engine, caller.owner, signal)
  const asking = lanes.meaning && askMeaning(lanes.meaning, caller, request, { scope, kinds }, signal)
  const related = await relatedTo(engine, caller, query, weights, signal)
  const events = scope && (await findEvents({ engine, query, scope, totals, wanted, weights, related, signal }))
  const items = await findItems({
    engine,
    caller,
    query,
    kinds,
    ...(request.projectIds === undefined ? {} : { projectIds: request.projectIds }),
    ...(request.since === undefined ? {} : { since: request.since }),
    totals: totals('context'),
    wanted,
    weights,
    related,
    signal,
  })
  const asked = await asking
  const found: Finding[] = [
    ...(events?.hits ?? []).map((hit): Finding => ({ of: 'event', method: 'keyword', ...hit })),
    ...items.hits.map((hit): Finding => ({ of: 'item', method: 'keyword', ...hit })),
  ]
  const meant = asked ? await loadMeant(engine, { scope, kinds, request, caller }, found, asked.matches, signal) : []
  const fused = asked ? fuse([...found, ...meant], asked.matches, weights) : found
  const { hits, more } = choosePassages(fused, request, weights)
  return {
    hits,
    truncated: more || events?.complete === false || !items.complete,
    mode: asked && asked.degraded === undefined ? 'hybrid' : 'lexical',
    ...(asked?.degraded === undefined ? {} : { degraded: asked.degraded }),
    warnings: [...query.warnings],
  }
}

/** What is searched of conversations, and which kinds of items; undefined or empty where filters leave nothing. */
function scopesOf(
  caller: Caller,
  { kinds = PASSAGE_KINDS, harnesses, sources, session, since, types = DEFAULT_TYPES }: PassageRequest,
): { scope: SearchScope | undefined; kinds: readonly ContextKind[] } {
  const nowhere = !kinds.includes('conversation') || harnesses?.length === 0 || sources?.length === 0
  const ofSession = harnesses !== undefined || sources !== undefined || session !== undefined
  const scope: SearchScope = {
    caller,
    types,
    ...(harnesses === undefined ? {} : { harnesses }),
    ...(sources === undefined ? {} : { sources }),
    ...(session === undefined ? {} : { session }),
    ...(since === undefined ? {} : { since }),
  }
  return {
    scope: nowhere ? undefined : scope,
    kinds: ofSession ? [] : kinds.filter((kind) => kind !== 'conversation'),
  }
}

function askMeaning(
  lane: NonNullable<Lanes['meaning']>,
  { owner }: Caller,
  { query }: PassageRequest,
  { scope, kinds }: { scope: SearchScope | undefined; kinds: readonly ContextKind[] },
  signal: AbortSignal | undefined,
): ReturnType<typeof askLane> {
  const of = [...(scope ? (['event'] as const) : []), ...(kinds.length > 0 ? (['passage'] as const) : [])]
  return askLane(lane, { text: query, owner, of, limit: MEANT }, signal)
}

/** Hits by conversation or item, the group with the best hit first; within a group in the order of the text. */
export function groupByConversation(hits: readonly PassageHit[]): PassageGroup[] {
  const groups = new Map<string, PassageGroup>()
  for (const hit of hits) {
    const key = hit.kind === 'conversation' ? `session ${hit.sessionPk}` : `${hit.kind} ${hit.itemPk}`
    const group = groups.get(key)
    if (!group) groups.set(key, { best: hit, hits: [hit] })
    else {
      group.hits.push(hit)
      if (hit.score > group.best.score) group.best = hit
    }
  }
  for (const group of groups.values()) {
    group.hits.sort((a, b) => placeOf(a) - placeOf(b) || a.passage.start - b.passage.start)
  }
  return [...groups.values()].sort((a, b) => b.best.score - a.best.score)
}

function placeOf(hit: PassageHit): number {
  return hit.kind === 'conversation' ? hit.eventPk : hit.passagePk
}
