/** Vectors from an OpenAI-compatible `/v1/embeddings`. */

import { z } from 'zod'
import { checkVectors, type Embedder } from './embedder.ts'
import { type Endpoint, postJson } from './endpoint.ts'

export interface HttpEmbedderOptions extends Endpoint {
  model: string
  /** Length of the vectors; sent along, for models that offer several. What the model gives by itself when absent. */
  dimensions?: number
  /** Milliseconds a request may take. */
  timeout?: number
  /** Bytes of an answer that are read at most. */
  maxBytes?: number
}

/** Texts in one request. */
const BATCH = 32

/** A request of 32 texts takes a model on a laptop's processor a while. */
const TIMEOUT = 30_000

/** 32 vectors of 8,192 numbers, as they are written in JSON. */
const MAX_BYTES = 8 * 1024 * 1024

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().min(0).optional(), embedding: z.array(z.number()) })),
})

export function httpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { url, key, model, dimensions, timeout = TIMEOUT, maxBytes = MAX_BYTES } = options
  let closing = new AbortController()
  return {
    model,
    dimensions,
    batch: BATCH,
    async embed(texts, signal) {
      if (texts.length === 0) return []
      const body = {
        model,
        input: texts,
        encoding_format: 'float',
        ...(dimensions === undefined ? {} : { dimensions }),
      }
      const asking = { timeout, maxBytes, signal: AbortSignal.any([signal, closing.signal]) }
      const answer = answerSchema.safeParse(
        await postJson({ url, ...(key === undefined ? {} : { key }) }, body, asking),
      )
      if (!answer.success) throw new Error(`${model} answers in another form than /v1/embeddings has`)
      const inOrder = [...answer.data.data].sort((a, b) => (a.index ?? 0) - (b.index ?? 0))
      const vectors = inOrder.map(({ embedding }) => Float32Array.from(embedding))
      checkVectors(texts.length, vectors, dimensions)
      return vectors
    },
    async close() {
      closing.abort(new Error('closed'))
      closing = new AbortController()
    },
  }
}
