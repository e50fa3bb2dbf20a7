import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPassage, cutPassages } from './passage-cut.ts'

const sentence = (about: string): string => `This sentence of ordinary length is about ${about} and nothing else. `
const long = Array.from({ length: 40 }, (_, place) => sentence(`matter ${place}`)).join('')

describe('a passage', () => {
  it('is the whole of a short text, without the blanks around it', () => {
    expect(cutPassage('  a short text\n', [])).toEqual({ start: 2, end: 14 })
  })

  it('stands around what was found, from the start of a sentence to the end of one', () => {
    const at = long.indexOf('matter 20')
    const { start, end } = cutPassage(long, [{ start: at, end: at + 9, weight: 1, unit: 0 }])
    expect(start).toBeLessThanOrEqual(at)
    expect(end).toBeGreaterThanOrEqual(at + 9)
    expect(end - start).toBeLessThanOrEqual(800)
    expect(long.slice(start, end)).toMatch(/^This sentence .* else\.$/)
  })

  it('is the beginning where nothing was found', () => {
    expect(cutPassage(long, []).start).toBe(0)
  })

  it('never cuts a character in two, wherever it begins', () => {
    const text = '🚀'.repeat(3_000)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_990 }), (place) => {
        const { start, end } = cutPassage(text, [{ start: 2 * place, end: 2 * place + 2, weight: 1, unit: 0 }])
        expect(start % 2).toBe(0)
        expect(end % 2).toBe(0)
        expect(start).toBeLessThanOrEqual(2 * place)
        expect(end).toBeGreaterThanOrEqual(2 * place + 2)
      }),
    )
  })
})

describe('the passages of a text', () => {
  it('cover it, in order, none much longer than asked', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 30 }), { maxLength: 40 }), (parts) => {
        const text = parts.join('. ')
        const covered = new Set<number>()
        for (const { start, end } of cutPassages(text)) {
          expect(end - start).toBeLessThanOrEqual(1_000)
          for (let at = start; at < end; at++) covered.add(at)
        }
        for (let at = 0; at < text.length; at++) {
          if (!/\s/.test(text.charAt(at))) expect(covered.has(at)).toBe(true)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('are none of an empty text', () => {
    expect(cutPassages('  ')).toEqual([])
  })
})
