import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteOf, shortLine } from './quote.ts'
import { taskTerms, termsIn } from './terms.ts'

describe('21: the terms of a task', () => {
  it('are its distinct stems without articles, pronouns and the like: seven in the sample of the reference', () => {
    const terms = taskTerms('Check the Mac installer on a clean machine before a release')
    expect(terms).toHaveLength(7)
    expect(termsIn('We checked installers on machines', terms).size).toBe(3)
  })

  it('count identifiers by their parts, and scripts without blanks by pairs', () => {
    expect(taskTerms('formatLocal snake_case')).toHaveLength(4)
    expect(termsIn('format the local snake', taskTerms('formatLocal snake_case')).size).toBe(3)
    expect(taskTerms('東京都')).toEqual(['東京', '京都'])
  })

  it('are at most 32', () => {
    expect(taskTerms(Array.from({ length: 50 }, (_, n) => `word${n}x`).join(' '))).toHaveLength(32)
    expect(taskTerms(' .,- ')).toEqual([])
  })
})

describe('a quote', () => {
  const terms = taskTerms('retry window measured')

  it('is the whole text when that is short, without the white space at its ends', () => {
    expect(quoteOf('\n  The retry window.  ', terms, 100)).toEqual({ start: 3, text: 'The retry window.' })
  })

  it('is made of the whole sentences that hold the most terms', () => {
    const text = `Nothing here. ${'Blah blah. '.repeat(20)}We measured the retry window. It is ten.\nThe end.`
    const { start, text: quote } = quoteOf(text, terms, 60)
    expect(text.slice(start, start + quote.length)).toBe(quote)
    expect(quote).toContain('We measured the retry window. It is ten.')
  })

  it('of a sentence that is too long is cut at blanks around the terms', () => {
    const text = `${'many words and '.repeat(40)}measured retry window ${'and more words '.repeat(40)}`
    const { text: quote } = quoteOf(text, terms, 80)
    expect(quote).toContain('measured retry window')
    expect(` ${text} `).toContain(` ${quote} `)
  })

  it('22: is verbatim, well formed and within its limit for any text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('retry ', '. ', '\n', '😀', 'x'.repeat(500), ' '),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom(1, 2, 40, 120, 400), (pieces, limit) => {
        const text = Buffer.from(pieces.join('')).toString()
        const { start, text: quote } = quoteOf(text, terms, limit)
        expect(quote.length).toBeLessThanOrEqual(limit)
        expect(text.slice(start, start + quote.length)).toBe(quote)
        expect(quote).not.toMatch(/\p{Surrogate}/u)
        if (text.trim() !== '' && limit > 2) expect(quote).not.toBe('')
      }),
    )
  })

  it('takes time in proportion to the text', () => {
    const text = 'retry window '.repeat(40_000)
    expect(quoteOf(text, terms, 400).text.length).toBeGreaterThan(390)
  })
})

describe('a short line', () => {
  it('collapses white space and ends in an ellipsis where something is left out', () => {
    expect(shortLine(' a \n b ', 10)).toBe('a b')
    expect(shortLine('a'.repeat(1_000_000), 10)).toBe(`${'a'.repeat(9)}…`)
    expect(shortLine('😀😀😀', 4)).toBe('😀…')
  })
})
