import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'

describe('the stem of a word', () => {
  it.each([
    ['consigned', 'consign'],
    ['consistency', 'consist'],
    ['knives', 'knive'],
    ['generously', 'generous'],
    ['happy', 'happi'],
    ['hopping', 'hop'],
    ['hoping', 'hope'],
    ['relational', 'relat'],
    ['cries', 'cri'],
    ['ties', 'tie'],
    ['flying', 'fli'],
    ['skies', 'sky'],
    ['gas', 'gas'],
    ['gaps', 'gap'],
    ['luxuriating', 'luxuri'],
    ['controlled', 'control'],
    ['replacement', 'replac'],
    ['adoption', 'adopt'],
    ['added', 'add'],
    ['formative', 'format'],
    ['electricity', 'electr'],
    ['succeed', 'succeed'],
    ['youth', 'youth'],
    ['migrations', 'migrat'],
  ])('of %s is %s, by the rules of Porter', (word, expected) => {
    expect(stem(word)).toBe(expected)
  })

  it('is the word itself where that is no English word', () => {
    for (const word of ['认证', 'e2e', 'utf8', 'is', 'café', '']) expect(stem(word)).toBe(word)
  })

  it('is never longer than the word and an e, and never empty', () => {
    const word = fc.stringMatching(/^[a-z]{1,20}$/)
    fc.assert(
      fc.property(word, (text) => {
        const result = stem(text)
        expect(result.length).toBeGreaterThan(0)
        expect(result.length).toBeLessThanOrEqual(text.length + 1)
      }),
    )
  })
})
