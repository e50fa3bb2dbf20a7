/** The domain of a session: which lexicon its words are from. Pure. */

import { rootOf } from '../../retrieval/words.ts'
import { eachRun, foldText } from '../../store/index.ts'
import { DOMAINS, type Domain, type SessionEvidence } from './label.ts'
import { LEXICONS } from './lexicons.ts'

/** Web clients are for anything; all others are programs of developers. */
const WEB = /^(?:chatgpt|claude-web|grok-web|gemini-web)$/

/** What a program of developers starts with. */
const DEVELOPER = 3

/** One word counts so often at most, and one kind of mark of technical text. */
const MAX_PER_WORD = 3
const MAX_PER_MARK = 5

/** By how much another domain must be ahead in a program of developers. */
const MARGIN = 2

const MARKS: readonly RegExp[] = [
  /^ {0,3}(?:```|~~~)/gm,
  /(?:^|\s)(?:~|\.{1,2})?\/?(?:[\w.-]+\/)+[\w-]+\.\w{1,5}\b/g,
  /^\s+at \S+.*:\d+|^\s*File ".+", line \d+|^\w*(?:Error|Exception): /gm,
]

export function domainOf({ harness, prompts, answers }: SessionEvidence): Domain {
  const isDeveloper = !WEB.test(harness)
  const text = [...prompts, ...answers].join('\n')
  const scores = new Map<Domain, number>(DOMAINS.map((domain) => [domain, 0]))
  for (const [stem, count] of stemCounts(text)) {
    for (const domain of DOMAINS) {
      if (LEXICONS[domain].has(stem)) scores.set(domain, (scores.get(domain) ?? 0) + Math.min(count, MAX_PER_WORD))
    }
  }
  const marks = MARKS.reduce((sum, mark) => sum + Math.min(countOf(text, mark), MAX_PER_MARK), 0)
  const tech = (scores.get('tech') ?? 0) + marks + (isDeveloper ? DEVELOPER : 0)
  scores.set('tech', tech)
  const [first, second] = [...scores].sort(([, a], [, b]) => b - a)
  if (!first || first[1] === 0) return isDeveloper ? 'tech' : 'personal'
  if (isDeveloper) return first[1] >= tech + MARGIN ? first[0] : 'tech'
  return second && second[1] === first[1] ? 'personal' : first[0]
}

function stemCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const folded = foldText(text)
  eachRun(folded, (start, end) => {
    if (end - start > 40) return
    const stem = rootOf(folded.slice(start, end))
    counts.set(stem, (counts.get(stem) ?? 0) + 1)
  })
  return counts
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) if (++count >= MAX_PER_MARK) break
  return count
}
