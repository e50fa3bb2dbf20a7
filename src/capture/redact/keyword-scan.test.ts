import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeywordScan } from './keyword-scan.ts'

const KEYWORDS = ['sk-', 'secret', '://', 'token', 'tok', 'kens', 'aaa', '1//0']

function slowly(text: string): { keyword: number; at: number }[] {
  const lower = text.replace(/[A-Z]/g, (char) => char.toLowerCase())
  const hits: { keyword: number; at: number }[] = []
  for (let at = 0; at < text.length; at++) {
    KEYWORDS.forEach((keyword, index) => {
      if (lower.startsWith(keyword, at)) hits.push({ keyword: index, at })
    })
  }
  return hits
}

const byPlace = (hits: readonly { keyword: number; at: number }[]) =>
  [...hits].sort((a, b) => a.at - b.at || a.keyword - b.keyword)

describe('the keyword scan', () => {
  const scan = createKeywordScan(KEYWORDS)

  it('finds overlapping keywords in any case, at the very start and the very end', () => {
    expect(byPlace(scan('SECRETokens sk-'))).toEqual([
      { keyword: 1, at: 0 },
      { keyword: 3, at: 5 },
      { keyword: 4, at: 5 },
      { keyword: 5, at: 7 },
      { keyword: 0, at: 12 },
    ])
  })

  it('finds nothing in an empty or short text', () => {
    expect(scan('')).toEqual([])
    expect(scan('sk')).toEqual([])
  })

  it('finds exactly what comparing at every place finds', () => {
    const pieces = fc.oneof(
      fc.constantFrom(...KEYWORDS, 'SeCrEt', 'a', 'k', '/', ':', '-', 'é', '語', '𝒳', 'ſ', 'K'),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        expect(byPlace(scan(text))).toEqual(slowly(text))
      }),
    )
  })

  it('refuses a keyword that is too short or not in lower case', () => {
    expect(() => createKeywordScan(['ab'])).toThrow('unfit keyword: ab')
    expect(() => createKeywordScan(['AKIA'])).toThrow('unfit keyword: AKIA')
  })
})
