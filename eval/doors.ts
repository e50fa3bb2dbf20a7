/** The ways in that are measured: what each answers to a question. */

import { buildPack, citationBoost } from '../src/context/index.ts'
import { type Caller, LOCAL_OWNER } from '../src/core/caller.ts'
import { systemClock } from '../src/core/clock.ts'
import type { Embedder } from '../src/models/index.ts'
import { trainAssociations } from '../src/retrieval/meaning/train.ts'
import { embedPassages } from '../src/retrieval/meaning/vectors/embed-passages.ts'
import { createVectorLane } from '../src/retrieval/meaning/vectors/vector-lane.ts'
import { type Lanes, searchPassages } from '../src/retrieval/passages.ts'
import { searchEvents } from '../src/retrieval/search.ts'
import { WEIGHTS, type Weights } from '../src/retrieval/weights.ts'
import { plainFts } from './baseline.ts'
import type { LabelledArchive } from './labelled.ts'

const CALLER: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }

/** Hits asked for, as the tools do by default. */
const HITS = 10

/** Hits that citations may raise into the list, for each one wanted. */
const SPARE = 3

/** Bytes and items per bucket of a pack: the bytes a pack has by default, and as many items as it may have. */
const PACK = { maxBytes: 6_144, maxPerBucket: 10 }

/** Long after everything in the archives, so that nothing is recent. */
const NOW = Date.UTC(2030, 0, 1)

/** `lexical` leaves out what the archive taught about words; `encoder` adds vectors to it. */
export type Lane = 'lexical' | 'with meaning' | 'encoder'

export interface Answer {
  /** Numbers of events, best first; undefined for a door that answers in another form. */
  events?: readonly number[]
  /** What is sent, where evidence is looked for in it. */
  sent?: string
}

export interface Door {
  name: string
  lane: Lane
  /** Makes ready what the door needs of an archive. */
  open(archive: LabelledArchive): Promise<(text: string) => Promise<Answer>>
}

/** SQLite's full text search as anyone would set it up. */
export const baseline: Door = {
  name: 'plain FTS5',
  lane: 'lexical',
  open: async ({ events }) => {
    const { search } = plainFts(events)
    return async (text) => ({ events: search(text, HITS) })
  },
}

function weightsOf(lane: Lane, weights: Weights): Weights {
  return lane === 'lexical' ? { ...weights, related: 0 } : weights
}

/** Trains what the lane needs, once per archive: a second call finds that nothing has grown. */
async function ready(lane: Lane, { engine }: LabelledArchive): Promise<void> {
  if (lane !== 'lexical') await trainAssociations(engine, LOCAL_OWNER)
}

/** The lane of vectors of an archive, all of it embedded; none without an embedder. */
async function vectorsOf({ engine }: LabelledArchive, embedder: Embedder | undefined): Promise<Lanes> {
  if (!embedder) return {}
  const signal = new AbortController().signal
  await embedPassages({ engine, owner: LOCAL_OWNER, embedder, clock: systemClock, signal })
  return { meaning: createVectorLane({ engine, embedder, clock: systemClock }) }
}

export function searchSessions(lane: Lane, weights: Weights = WEIGHTS): Door {
  const used = weightsOf(lane, weights)
  return {
    name: 'search_sessions',
    lane,
    open: async (archive) => {
      await ready(lane, archive)
      return async (query) => {
        const request = { query, types: ['user_input', 'assistant_response'], limit: HITS } as const
        const { hits } = await searchEvents(archive.engine, CALLER, request, undefined, used)
        return { events: hits.map(({ eventPk }) => eventPk) }
      }
    },
  }
}

export function riftSearch(lane: Lane, weights: Weights = WEIGHTS, embedder?: Embedder): Door {
  const used = weightsOf(lane, weights)
  return {
    name: 'rift_search',
    lane,
    open: async (archive) => {
      await ready(lane, archive)
      const lanes = await vectorsOf(archive, embedder)
      return async (query) => {
        const request = { query, limit: HITS, perConversation: HITS, now: NOW }
        const { hits } = await searchPassages(archive.engine, CALLER, request, undefined, lanes, used)
        return { events: hits.flatMap((hit) => (hit.kind === 'conversation' ? [hit.eventPk] : [])) }
      }
    },
  }
}

/**
 * The same when logged outcomes move ranking: questions come one after the other, and each cites the conversations that
 * answer it, so that later ones find those raised.
 */
export function riftSearchWithOutcomes(lane: Lane): Door {
  return {
    name: 'rift_search, outcomes',
    lane,
    open: async (archive) => {
      await ready(lane, archive)
      const talkOf = new Map([...archive.events.values()].map(({ key, talk }) => [key, talk]))
      const cited = new Map<string, number>()
      const boostOf = (pk: number): number => citationBoost(cited.get(archive.events.get(pk)?.talk ?? '') ?? 0)
      const questions = archive.questions.values()
      return async (query) => {
        const request = { query, limit: SPARE * HITS, perConversation: HITS, now: NOW }
        const { hits } = await searchPassages(archive.engine, CALLER, request)
        const found = hits.flatMap((hit) =>
          hit.kind === 'conversation' ? [{ pk: hit.eventPk, score: hit.score + boostOf(hit.eventPk) }] : [],
        )
        const { value: question } = questions.next()
        const talks = new Set(question?.gold.flatMap((key) => talkOf.get(key) ?? []))
        for (const talk of talks) cited.set(talk, (cited.get(talk) ?? 0) + 1)
        const best = found.sort((a, b) => b.score - a.score).slice(0, HITS)
        return { events: best.map(({ pk }) => pk) }
      }
    },
  }
}

/** The pack as `rift_context_pack` sends it. */
export function contextPack(lane: Lane, weights: Weights = WEIGHTS, embedder?: Embedder): Door {
  const used = weightsOf(lane, weights)
  return {
    name: 'pack',
    lane,
    open: async (archive) => {
      await ready(lane, archive)
      const lanes = await vectorsOf(archive, embedder)
      return async (task) => {
        const parts = {
          engine: archive.engine,
          clock: () => NOW,
          projects: { projectOf: () => undefined },
          search: (...[engine, caller, request, signal, asked]: Parameters<typeof searchPassages>) =>
            searchPassages(engine, caller, request, signal, asked, used),
          maxFileBytes: 0,
          lanes,
        }
        return { sent: JSON.stringify(await buildPack(parts, CALLER, { task, ...PACK })) }
      }
    },
  }
}
