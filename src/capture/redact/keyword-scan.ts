/**
 * Finds every place where one of some keywords occurs, without regard to case. The cheap question asked of every text
 * before any pattern is tried, so it looks at about every second character: a window of three slides over the text
 * and its last two characters say how far it may jump (Wu and Manber's multi-pattern search).
 */

export interface KeywordHit {
  /** The keyword's place in the list. */
  keyword: number
  /** Offset in the text where it begins. */
  at: number
}

/** Every occurrence of every keyword, in the order of the text. */
export type KeywordScan = (text: string) => readonly KeywordHit[]

const NO_HITS: readonly KeywordHit[] = []

/** Length of the window; no keyword is shorter. */
const WINDOW = 3

/** Pairs are indexed by seven bits of each character: others only cost a comparison that fails. */
const PAIRS = 128 * 128

const NONE: readonly number[] = []

/** Prepares a scan. Keywords are ASCII, lower case and at least three characters long. */
export function createKeywordScan(keywords: readonly string[]): KeywordScan {
  const jump = new Uint8Array(PAIRS).fill(WINDOW - 1)
  const ending: number[][] = []
  const codes = keywords.map((keyword) => Array.from(keyword, (char) => char.charCodeAt(0)))
  keywords.forEach((keyword, index) => {
    if (keyword.length < WINDOW || keyword !== keyword.toLowerCase()) throw new Error(`unfit keyword: ${keyword}`)
    for (const pair of spellings(keyword.slice(0, 2))) jump[pair] = Math.min(jump[pair] ?? 0, 1)
    for (const pair of spellings(keyword.slice(1, 3))) {
      jump[pair] = 0
      ending[pair] = [...(ending[pair] ?? []), index]
    }
  })
  const candidates = Array.from({ length: PAIRS }, (_, pair) => ending[pair] ?? NONE)

  return (text) => {
    let hits: KeywordHit[] | undefined
    const length = text.length
    let at = WINDOW - 1
    while (at < length) {
      const pair = ((text.charCodeAt(at - 1) & 127) << 7) | (text.charCodeAt(at) & 127)
      const distance = jump[pair] ?? 0
      if (distance > 0) {
        at += distance
        continue
      }
      const start = at - (WINDOW - 1)
      for (const index of candidates[pair] ?? NONE) {
        if (!occursAt(text, start, codes[index] ?? NONE)) continue
        hits ??= []
        hits.push({ keyword: index, at: start })
      }
      at += 1
    }
    return hits ?? NO_HITS
  }
}

function occursAt(text: string, start: number, codes: readonly number[]): boolean {
  for (let index = 0; index < codes.length; index++) {
    let code = text.charCodeAt(start + index)
    if (code >= 65 && code <= 90) code |= 32
    if (code !== codes[index]) return false
  }
  return true
}

/** The table indexes of two characters in every mix of upper and lower case. */
function spellings(pair: string): number[] {
  const [first = '', second = ''] = pair
  const cases = (char: string) => [...new Set([char, char.toUpperCase()])].map((item) => item.charCodeAt(0))
  return cases(first).flatMap((high) => cases(second).map((low) => (high << 7) | low))
}
