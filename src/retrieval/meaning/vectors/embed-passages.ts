/**
 * Embedding what is stored, in the background: the newest first, in small batches that each move the mark, so that it can
 * stop anywhere and goes on from there. Another model starts anew.
 */

import type { Clock } from '../../../core/clock.ts'
import { checkVectors, DimensionMismatch, type Embedder } from '../../../models/index.ts'
import {
  type Engine,
  lastNumber,
  type NewVector,
  noteReembedded,
  rewrittenSinceEmbedded,
  rewrittenTexts,
  saveVectorProgress,
  type TextToEmbed,
  textsToEmbed,
  type VectorKind,
  type VectorProgress,
  vectorProgress,
  writeVectors,
} from '../../../store/index.ts'
import { cutPassages } from '../../passage-cut.ts'
import { PASSAGE_LENGTH } from '../../weights.ts'
import { cosine, quantise } from './quantise.ts'

/** Characters of a text or question that are embedded at a time. */
export const EMBEDDED_LENGTH = PASSAGE_LENGTH * 2

/** Stretches embedded of one text: of a long one its beginning, where it says what it is, and its end. */
const FIRST_PARTS = 8
const LAST_PARTS = 4

/** Texts read at a time. */
const READ = 16

/** Milliseconds without a new event after which a session whose events were rewritten is embedded anew. */
const QUIET = 60_000
const SESSIONS = 20

const KINDS: readonly VectorKind[] = ['event', 'passage']

export interface EmbedWork {
  engine: Engine
  owner: number
  embedder: Embedder
  clock: Clock
  signal: AbortSignal
  /** Milliseconds after which no further batch is begun; until everything is embedded when absent. */
  budget?: number
}

/** What one run did. */
export interface EmbedReport {
  /** Vectors written. */
  vectors: number
  /** Nothing is left to do. */
  complete: boolean
}

/**
 * Embeds what is due. @throws what the embedder throws; what was embedded before stays, and the next run goes on there
 */
export async function embedPassages(work: EmbedWork): Promise<EmbedReport> {
  const { engine, owner, clock, signal, budget } = work
  const until = budget === undefined ? Number.POSITIVE_INFINITY : clock() + budget
  const isOver = (): boolean => signal.aborted || clock() >= until
  const report: EmbedReport = { vectors: 0, complete: false }
  if (isOver()) return report
  let progress = await progressFor(work)
  for (const newestFirst of [false, true]) {
    for (const kind of KINDS) {
      for (;;) {
        if (isOver()) return report
        const step = await embedNext(work, progress, kind, newestFirst)
        progress = step.progress
        report.vectors += step.vectors
        if (step.done) break
      }
    }
  }
  for (const session of await rewrittenSinceEmbedded(engine, owner, clock() - QUIET, SESSIONS)) {
    let after = progress.event.from
    for (;;) {
      if (isOver()) return report
      const texts = await rewrittenTexts(engine, owner, session.pk, { after, upTo: progress.event.to }, READ)
      const embedded = await embedTexts(work, texts, progress.dimensions)
      report.vectors += await engine.transaction((tx) => writeVectors(engine, tx, owner, progress, embedded))
      after = texts.at(-1)?.pk ?? after
      if (texts.length < READ) break
    }
    await engine.transaction((tx) => noteReembedded(tx, owner, session))
  }
  return { ...report, complete: true }
}

/** The mark of this model; a new one begins at what is newest now, with nothing embedded. */
async function progressFor(work: EmbedWork): Promise<VectorProgress> {
  const { engine, owner, embedder, signal } = work
  const { model } = embedder
  const stored = await vectorProgress(engine, owner)
  const isSame = stored?.model === model && (embedder.dimensions ?? stored.dimensions) === stored.dimensions
  if (isSame) return stored
  const { floor, dimensions } = await measureModel(embedder, signal)
  const [event, passage] = [await lastNumber(engine, 'event'), await lastNumber(engine, 'passage')]
  const progress: VectorProgress = {
    model,
    dimensions,
    floor,
    event: { from: event, to: event },
    passage: { from: passage, to: passage },
  }
  await engine.transaction((tx) => saveVectorProgress(tx, owner, progress))
  return progress
}

/** Sentences that have nothing to do with each other. */
const UNRELATED = [
  'The harbour master counted eleven fishing boats before breakfast.',
  'Set the retry limit to five and log every failed request.',
  'My grandmother keeps her buttons in a biscuit tin.',
  'Quarterly revenue rose although fewer customers renewed.',
  'The parser must reject a trailing comma in the list.',
  'Rain is expected over the western hills tomorrow evening.',
  'We moved the database to a larger disk last weekend.',
  'She practised the violin sonata until the candles went out.',
]

/** Length of a model's vectors, and the cosine of unrelated sentences: what lies no higher says nothing. */
async function measureModel(
  embedder: Embedder,
  signal: AbortSignal,
): Promise<Pick<VectorProgress, 'floor' | 'dimensions'>> {
  const sentences = UNRELATED.slice(0, embedder.batch)
  const vectors = (await embedder.embed(sentences, signal)).map(quantise)
  const cosines = vectors.flatMap((one, place) => vectors.slice(place + 1).map((other) => cosine(one, other)))
  const mean = cosines.reduce((sum, each) => sum + each, 0) / Math.max(1, cosines.length)
  return { dimensions: vectors[0]?.bytes.length ?? 0, floor: Math.max(0, Math.min(0.95, mean)) }
}

interface Step {
  progress: VectorProgress
  vectors: number
  done: boolean
}

/** Embeds the next texts above what is embedded, or below it, and moves the mark in the same transaction. */
async function embedNext(
  work: EmbedWork,
  progress: VectorProgress,
  kind: VectorKind,
  newestFirst: boolean,
): Promise<Step> {
  const { engine, owner } = work
  const { from, to } = progress[kind]
  const last = newestFirst ? from : await lastNumber(engine, kind)
  if (newestFirst ? from === 0 : to >= last) return { progress, vectors: 0, done: true }
  const range = { after: newestFirst ? 0 : to, upTo: last, newestFirst }
  const texts = await textsToEmbed(engine, owner, kind, range, READ)
  const embedded = await embedTexts(work, texts, progress.dimensions)
  const done = texts.length < READ
  const reached = texts.at(-1)?.pk
  const mark = newestFirst
    ? { from: done || reached === undefined ? 0 : reached - 1, to }
    : { from, to: done || reached === undefined ? last : reached }
  const next = { ...progress, [kind]: mark }
  const vectors = await engine.transaction(async (tx) => {
    const written = await writeVectors(engine, tx, owner, progress, embedded)
    await saveVectorProgress(tx, owner, next)
    return written
  })
  return { progress: next, vectors, done }
}

/** Vectors of all stretches of some texts. @throws what the embedder throws, and what `signal` was aborted with */
async function embedTexts(
  { embedder, signal }: EmbedWork,
  texts: readonly TextToEmbed[],
  dimensions: number,
): Promise<{ of: TextToEmbed; vectors: NewVector[] }[]> {
  const stretches = texts.flatMap((of) => partsOf(of.text).map((part) => ({ of, ...part })))
  const vectors: Float32Array[] = []
  for (let start = 0; start < stretches.length; start += embedder.batch) {
    signal.throwIfAborted()
    const some = stretches.slice(start, start + embedder.batch).map(({ text }) => text)
    const given = await embedder.embed(some, signal)
    checkVectors(some.length, given)
    if (given[0]?.length !== dimensions) throw new DimensionMismatch(dimensions, given[0]?.length ?? 0)
    vectors.push(...given)
  }
  const made = new Map(texts.map((of) => [of, [] as NewVector[]]))
  for (const [place, { of, start }] of stretches.entries()) {
    const { bytes, scale } = quantise(vectors[place] ?? new Float32Array(dimensions))
    made.get(of)?.push({ start, scale, bytes: new Uint8Array(bytes.buffer) })
  }
  return [...made].map(([of, given]) => ({ of, vectors: given }))
}

/** Stretches of a text, as search cuts it into passages; of a very long one those at its ends. Pure. */
export function partsOf(text: string): { start: number; text: string }[] {
  const cuts = cutPassages(text)
  const chosen =
    cuts.length <= FIRST_PARTS + LAST_PARTS ? cuts : [...cuts.slice(0, FIRST_PARTS), ...cuts.slice(-LAST_PARTS)]
  return chosen.map(({ start, end }) => ({ start, text: text.slice(start, end).replace(/\p{Cs}/gu, '\ufffd') }))
}
