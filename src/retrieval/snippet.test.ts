import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { searchable } from './match.ts'
import { parseQuery } from './query.ts'
import { findPlaces } from './rank.ts'
import { makeSnippet, SNIPPET_LENGTH } from './snippet.ts'

function snippet(text: string, query: string, length?: number) {
  const units = parseQuery(query).optional.map((unit) => ({ unit, weight: 1 }))
  const ready = searchable(text)
  return makeSnippet(ready.text, findPlaces(units, ready), length)
}

const LONE_SURROGATE = /\p{Cs}/u

const filler = 'lorem ipsum dolor sit amet '.repeat(60)

describe('a snippet', () => {
  it('is the whole of a short text, on one line', () => {
    expect(snippet('one\n\n  two\tthree', 'two')).toEqual({ text: 'one two three', truncated: false })
  })

  it('is centred on what was found', () => {
    const { text, truncated } = snippet(`${filler}the needle is here ${filler}`, 'needle')
    expect(truncated).toBe(true)
    expect(text).toMatch(/^….*needle.*…$/)
    expect(text.length).toBeLessThanOrEqual(SNIPPET_LENGTH)
    const place = text.indexOf('needle') / text.length
    expect(place).toBeGreaterThan(0.35)
    expect(place).toBeLessThan(0.65)
  })

  it('shows the passage with most of the words, not the first', () => {
    const text = `alpha ${filler} beta ${filler} alpha and beta and gamma ${filler}`
    expect(snippet(text, 'alpha beta gamma').text).toContain('alpha and beta and gamma')
  })

  it('has no ellipsis where the text begins or ends', () => {
    expect(snippet(`needle ${filler}`, 'needle').text).toMatch(/^needle .*…$/)
    expect(snippet(`${filler} needle`, 'needle').text).toMatch(/^….* needle$/)
  })

  it('is the beginning where nothing was found', () => {
    expect(snippet(filler, 'nothing').text).toMatch(/^lorem ipsum/)
  })

  it('replaces encoded data by a mark (fault 47)', () => {
    const data = 'QUJDREVGR0g'.repeat(60)
    const { text } = snippet(`see ![shot](data:image/png;base64,${data}) of the needle and ${data}`, 'needle')
    expect(text).toBe('see ![shot]([data]) of the needle and [data]')
  })

  it('shows a long run of characters that was looked for, cut to size', () => {
    const { text } = snippet(`x ${'汉字'.repeat(400)} y`, '汉字', 100)
    expect(text.length).toBeLessThanOrEqual(100)
    expect(text).toContain('汉字')
  })

  it('never cuts a character in two, whatever the text (fault 41)', () => {
    const text = fc.array(
      fc.constantFrom('word ', 'needle ', '👩‍👩‍👧‍👦', '🇩🇪', 'e\u0301', '汉', '\n', 'x'.repeat(40), '🚀', '   '),
      { maxLength: 200 },
    )
    const segments = new Intl.Segmenter('en', { granularity: 'grapheme' })
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 600 }), (parts, length) => {
        const whole = parts.join('')
        const { text: cut, truncated } = snippet(whole, 'needle', length)
        expect(cut.length).toBeLessThanOrEqual(length)
        expect(cut).not.toMatch(LONE_SURROGATE)
        expect(cut).not.toMatch(/[\n\r]/)
        const line = whole.normalize('NFC').replace(/\s+/g, ' ')
        const bare = cut.replace(/^…|…$/g, '')
        expect(line).toContain(bare)
        if (!truncated) expect(cut).toBe(line.trim())
        const starts = new Set([...segments.segment(line)].map(({ index }) => index))
        const ends = [...Array(line.length).keys()].filter((at) => line.startsWith(bare, at))
        if (bare === '') return
        expect(
          ends.some((at) => starts.has(at) && (starts.has(at + bare.length) || at + bare.length === line.length)),
        ).toBe(true)
      }),
      { numRuns: 300 },
    )
  })
})
