/** The lane of dense vectors: the question's vector against those stored, by brute force. */

import type { Clock } from '../../../core/clock.ts'
import type { Embedder } from '../../../models/index.ts'
import { type Engine, type VectorProgress, vectorProgress } from '../../../store/index.ts'
import type { MeaningAnswer, MeaningKey, MeaningLane } from '../lane.ts'
import { EMBEDDED_LENGTH } from './embed-passages.ts'
import { quantise, similarity } from './quantise.ts'
import { createQuestionVectors } from './question-vectors.ts'
import { type Near, openVectorMemory, type VectorMemory } from './vector-memory.ts'

export interface VectorLaneOptions {
  engine: Engine
  embedder: Embedder
  clock: Clock
  /** Milliseconds the question's vector is waited for. */
  deadline?: number
  /** Bytes of vectors kept in memory per owner. */
  memoryBytes?: number
}

/** A lane that is opened and closed: closing ends what is under way at the model. */
export interface VectorLane extends MeaningLane {
  close(): Promise<void>
}

/** Milliseconds an answer waits for the vector of its question. */
export const DEADLINE = 1_500

/** Milliseconds more for the search itself, which the database may hold up. */
const SEARCHING = 300

/**
 * What is only somewhat alike counts less than its share. With the encoder on LoCoMo: R@1 42.4 and R@10 80.1, where
 * similarities as they are (1) give 39.3 and 79.3, and no vectors 42.8 and 79.4.
 */
const SHARPNESS = 2

/** Owners whose vectors are in memory. */
const OWNERS = 4

export function createVectorLane(options: VectorLaneOptions): VectorLane {
  const { engine, embedder, clock, deadline = DEADLINE, memoryBytes } = options
  const questions = createQuestionVectors({ embedder, clock, deadline })
  const memories = new Map<string, VectorMemory>()

  const memoryOf = (owner: number, { model, dimensions }: VectorProgress): VectorMemory => {
    const key = `${owner} ${dimensions} ${model}`
    const memory = memories.get(key) ?? openVectorMemory(engine, owner, { model, dimensions }, memoryBytes)
    memories.delete(key)
    memories.set(key, memory)
    if (memories.size > OWNERS) memories.delete(memories.keys().next().value ?? '')
    return memory
  }
  return {
    name: embedder.model,
    deadline: deadline + SEARCHING,
    async search({ text, owner, of, limit }, signal): Promise<MeaningAnswer> {
      const asked = await questions.of(text.trim().slice(0, EMBEDDED_LENGTH))
      if ('degraded' in asked) return asked
      signal.throwIfAborted()
      let near: Near[]
      let floor: number
      try {
        const progress = await vectorProgress(engine, owner)
        // None of this model yet, or still those of another: there is nothing to compare with.
        if (progress?.model !== embedder.model) return { matches: [] }
        if (progress.dimensions !== asked.vector.length) return { degraded: 'dimension_mismatch' }
        floor = progress.floor
        near = await memoryOf(owner, progress).nearest(quantise(asked.vector), { of, limit: limit + 1 }, signal)
      } catch (error) {
        if (signal.aborted) throw error
        return { degraded: 'vector_index_unavailable' }
      }
      // Being named as the last must count hardly more than not being named: what more than are wanted share says nothing.
      const least = Math.max(floor, near[limit]?.cosine ?? 0)
      const matches = near.slice(0, limit).map(({ kind, pk, start, cosine }) => {
        const key: MeaningKey = `${kind}:${pk}`
        return { key, similarity: similarity(cosine, least) ** SHARPNESS, start }
      })
      return { matches: matches.filter(({ similarity }) => similarity > 0) }
    },
    async close() {
      questions.close()
      memories.clear()
      await embedder.close()
    },
  }
}
