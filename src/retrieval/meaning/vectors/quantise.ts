/** Vectors as signed bytes: a quarter of the memory, and whole numbers to multiply. Pure. */

/** A vector of length 1, as bytes times `scale`. */
export interface Quantised {
  bytes: Int8Array
  scale: number
}

const MOST = 127

/** A vector's direction; its length says nothing. One of zeros stays so, and is like nothing. */
export function quantise(vector: Float32Array): Quantised {
  let square = 0
  let largest = 0
  for (const value of vector) {
    square += value * value
    largest = Math.max(largest, Math.abs(value))
  }
  const bytes = new Int8Array(vector.length)
  if (largest === 0) return { bytes, scale: 0 }
  for (let place = 0; place < vector.length; place++) bytes[place] = Math.round(((vector[place] ?? 0) / largest) * MOST)
  return { bytes, scale: largest / MOST / Math.sqrt(square) }
}

/** Cosine of the angle between two vectors of one length, from -1 to 1. */
export function cosine(a: Quantised, b: Quantised): number {
  return dot(a.bytes, b.bytes, 0) * a.scale * b.scale
}

/** The sum of products with `bytes` from a place on. */
export function dot(question: Int8Array, bytes: Int8Array, from: number): number {
  // Four sums at a time: each need not wait for the one before.
  let [one, two, three, four] = [0, 0, 0, 0]
  const length = question.length
  const whole = length - (length % 4)
  let place = 0
  for (; place < whole; place += 4) {
    const at = from + place
    one += (question[place] as number) * (bytes[at] as number)
    two += (question[place + 1] as number) * (bytes[at + 1] as number)
    three += (question[place + 2] as number) * (bytes[at + 2] as number)
    four += (question[place + 3] as number) * (bytes[at + 3] as number)
  }
  for (; place < length; place++) one += (question[place] as number) * (bytes[from + place] as number)
  return one + two + three + four
}

/**
 * How alike two texts are, from the cosine of their vectors: 0 where it is no higher than for texts that have nothing to do
 * with each other, which differs from model to model.
 */
export function similarity(cosine: number, floor: number): number {
  return Math.max(0, Math.min(1, (cosine - floor) / (1 - floor)))
}
