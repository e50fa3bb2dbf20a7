/** What turns texts into vectors. */

export interface Embedder {
  /** Names what makes the vectors: those of two models are never compared. */
  readonly model: string
  /** Length of the vectors, where it is known beforehand. */
  readonly dimensions: number | undefined
  /** Texts asked for at a time, at most. */
  readonly batch: number
  /**
   * One vector per text, in their order, all of one length. No text may be blank.
   * @throws DimensionMismatch when the vectors are not of the length that was configured; Error for all else, never with a
   * key in its message
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>
  /** Ends what is under way. It can be used again. */
  close(): Promise<void>
}

/** The vectors are not as long as the configuration, or the stored ones, say. */
export class DimensionMismatch extends Error {
  constructor(expected: number, given: number) {
    super(`the vectors have ${given} dimensions instead of ${expected}`)
    this.name = 'DimensionMismatch'
  }
}

/** Holds an embedder's answer to its contract. @throws Error for what is no list of vectors of one length */
export function checkVectors(texts: number, vectors: readonly ArrayLike<number>[], dimensions?: number): void {
  if (vectors.length !== texts) throw new Error(`${vectors.length} vectors came back for ${texts} texts`)
  const expected = dimensions ?? vectors[0]?.length ?? 0
  for (const vector of vectors) {
    if (vector.length !== expected) throw new DimensionMismatch(expected, vector.length)
    for (let place = 0; place < vector.length; place++) {
      if (!Number.isFinite(vector[place])) throw new Error('a vector holds something that is no number')
    }
  }
  if (expected === 0 && texts > 0) throw new Error('the vectors are empty')
}
