import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosine, quantise, similarity } from './quantise.ts'

const exact = (a: readonly number[], b: readonly number[]): number => {
  const dot = a.reduce((sum, each, place) => sum + each * (b[place] ?? 0), 0)
  return dot / (Math.hypot(...a) * Math.hypot(...b))
}

describe('vectors as bytes', () => {
  it('keep the cosine of two vectors, whatever their lengths', () => {
    const numbers = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 63, maxLength: 67 })
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const length = Math.min(one.length, other.length)
        const [a, b] = [one.slice(0, length), other.slice(0, length)].map((each) => each.map(Math.fround))
        fc.pre(Math.max(...(a ?? []).map(Math.abs)) > 1e-3 && Math.max(...(b ?? []).map(Math.abs)) > 1e-3)
        const given = cosine(quantise(Float32Array.from(a ?? [])), quantise(Float32Array.from(b ?? [])))
        // Each component is off by half a step at most: with 1/127 of the largest, which is no more than the length.
        expect(Math.abs(given - exact(a ?? [], b ?? []))).toBeLessThan(0.07)
      }),
    )
  })

  it('of zeros are like nothing', () => {
    const nothing = quantise(new Float32Array(4))
    expect(cosine(nothing, quantise(Float32Array.from([1, 2, 3, 4])))).toBe(0)
    expect(cosine(nothing, nothing)).toBe(0)
  })
})

describe('similarity', () => {
  it('begins above what unrelated texts have in common, and stays between 0 and 1', () => {
    expect([similarity(1, 0.6), similarity(0.8, 0.6), similarity(0.6, 0.6), similarity(-1, 0.6)]).toEqual([
      1,
      expect.closeTo(0.5),
      0,
      0,
    ])
  })
})
