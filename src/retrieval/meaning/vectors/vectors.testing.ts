/** For tests of vectors: an encoder that knows a few topics, and the same as a server answers it. */

import type { Embedder } from '../../../models/index.ts'
import type { Reply } from '../../../models/server.testing.ts'

/** Words of one topic point one way, whatever the words are. */
const TOPICS = [
  ['harbour', 'vessel', 'boat', 'ship'],
  ['orchard', 'apple', 'fruit', 'pear'],
  ['furnace', 'ember', 'fire', 'stove'],
  ['ledger', 'invoice', 'payment', 'bill'],
] as const

export const DIMENSIONS = 16

/** A direction per topic and, much weaker, one of the text's own. */
export function topicVector(text: string, dimensions = DIMENSIONS): Float32Array {
  const vector = new Float32Array(dimensions)
  const words = text.toLowerCase().split(/\W+/)
  for (const [topic, names] of TOPICS.entries()) {
    vector[topic] = words.filter((word) => names.some((name) => name === word)).length * 4
  }
  let own = 7
  for (const unit of text) own = (own * 31 + (unit.codePointAt(0) ?? 0)) % 9_973
  const place = TOPICS.length + (own % (dimensions - TOPICS.length))
  vector[place] = (vector[place] ?? 0) + 1
  return vector
}

export interface TestEmbedder extends Embedder {
  /** All texts asked for, in order. */
  asked: string[]
}

export function topicEmbedder(model = 'topics', dimensions = DIMENSIONS, batch = 8): TestEmbedder {
  const asked: string[] = []
  return {
    model,
    dimensions,
    batch,
    asked,
    async embed(texts, signal) {
      signal.throwIfAborted()
      if (texts.length > batch) throw new Error(`${texts.length} texts at a time`)
      if (texts.some((text) => text.trim() === '')) throw new Error('a blank text')
      asked.push(...texts)
      return texts.map((text) => topicVector(text, dimensions))
    },
    close: async () => {},
  }
}

/** Answers `/v1/embeddings` as it is meant to be, in reverse order. */
export const embedding: Reply = (body, response) => {
  const { input } = body as { input: string[] }
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [...topicVector(text)] }))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', data: data.reverse(), model: 'topics' }))
}
