/**
 * Which words go together in a set of passages: normalized pointwise mutual information (Bouma 2009) over passages, kept
 * where it is strong and often enough seen. Pure.
 */

import type { Association } from '../../store/index.ts'

/** Words learnt about: those of a middling frequency, the commonest first. */
const VOCABULARY = 12_000

/** Passages a word must be in, and the share of them above which it goes with everything. */
const FEWEST = 4
const MOST = 0.08

/** Passages two words must share. */
const FEWEST_TOGETHER = 3

/** Words of one passage that are paired, the rarest first: this bounds what a passage costs. */
const PAIRED = 24

/** Pairs counted at once; beyond that, those seen once are forgotten. */
const PAIRS = 1_500_000

/** Related words kept of each, and how near they must be. */
const KEPT = 6
const NEAREST = 0.3

interface Word {
  /** As it is written most often. */
  spelling: string
  passages: number
}

/** Words of passages, counted. */
export interface Vocabulary {
  add(words: ReadonlyMap<string, string>): void
  /** Numbers of the words worth learning about, by their stems. */
  close(): { passages: number; words: readonly (Word & { term: string })[]; numbers: ReadonlyMap<string, number> }
}

/** Counts in how many passages each word is. `words`: the stems of a passage, each with a spelling. */
export function countWords(): Vocabulary {
  const counts = new Map<string, Word>()
  let passages = 0
  return {
    add(words) {
      passages++
      for (const [term, spelling] of words) {
        const known = counts.get(term)
        if (known) known.passages++
        else counts.set(term, { spelling, passages: 1 })
      }
    },
    close() {
      const most = Math.max(FEWEST, passages * MOST)
      const words = [...counts]
        .filter(([, { passages: held }]) => held >= FEWEST && held <= most)
        .sort(([a, one], [b, other]) => other.passages - one.passages || (a < b ? -1 : 1))
        .slice(0, VOCABULARY)
        .map(([term, word]) => ({ term, ...word }))
      return { passages, words, numbers: new Map(words.map(({ term }, number) => [term, number])) }
    },
  }
}

/** Counts which words of a vocabulary stand in the same passage. */
export function countPairs({ passages, words, numbers }: ReturnType<Vocabulary['close']>): {
  add(terms: Iterable<string>): void
  close(): Association[]
} {
  let pairs = new Map<number, number>()
  return {
    add(terms) {
      const known = [...terms].flatMap((term) => numbers.get(term) ?? [])
      // The higher the number, the rarer the word.
      const rarest = known.sort((a, b) => b - a).slice(0, PAIRED)
      for (const [place, high] of rarest.entries()) {
        for (let other = place + 1; other < rarest.length; other++) {
          const key = high * VOCABULARY + (rarest[other] ?? 0)
          pairs.set(key, (pairs.get(key) ?? 0) + 1)
        }
      }
      if (pairs.size > PAIRS) pairs = new Map([...pairs].filter(([, count]) => count > 1))
    },
    close() {
      const related = words.map((): { number: number; weight: number }[] => [])
      for (const [key, together] of pairs) {
        if (together < FEWEST_TOGETHER) continue
        const a = Math.floor(key / VOCABULARY)
        const b = key % VOCABULARY
        const weight = nearness(together, words[a]?.passages ?? 0, words[b]?.passages ?? 0, passages)
        if (weight < NEAREST) continue
        related[a]?.push({ number: b, weight })
        related[b]?.push({ number: a, weight })
      }
      return related.flatMap((list, number) =>
        list
          .sort((x, y) => y.weight - x.weight || x.number - y.number)
          .slice(0, KEPT)
          .map(({ number: other, weight }) => ({
            term: words[number]?.term ?? '',
            related: words[other]?.spelling ?? '',
            weight: Math.round(weight * 1e4) / 1e4,
          })),
      )
    },
  }
}

/** 0 for words that meet by chance, 1 for such that are never apart; less where little was seen. */
function nearness(together: number, a: number, b: number, passages: number): number {
  const joint = together / passages
  const information = Math.log(joint / ((a / passages) * (b / passages)))
  return (information / -Math.log(joint)) * (together / (together + 2))
}
