/** Title and summary of a session, in sentences of its own. Pure. */

import { type Sentence, sentencesOf } from '../statements/sentences.ts'
import { subjectOf } from '../statements/subject.ts'
import type { SessionEvidence } from './label.ts'

const MAX_TITLE = 160
const MAX_SUMMARY = 800
const SUMMARY_SENTENCES = 3

/** Sentences compared with each other; what is more is left out from the middle. */
const MAX_SENTENCES = 60
const MAX_SENTENCE = 400

/** How often importance is passed on among sentences, and how much of it (Mihalcea and Tarau, TextRank, 2004). */
const ROUNDS = 20
const DAMPING = 0.85

const GREETING =
  /^(?:hi|hello|hey|thanks|thank you|ok|okay|yes|no|sure|continue|go on|good (?:morning|evening))\b[^.]{0,20}[.!]?$/i

/** The client's title, or else the first sentence of a prompt that says something. */
export function titleOf({ title, prompts }: SessionEvidence): string {
  const given = oneLine(title ?? '')
  if (given !== '') return cut(given, MAX_TITLE)
  for (const prompt of prompts) {
    const first = sentencesOf(prompt).find(isSubstantive)
    if (first) return cut(oneLine(first.text), MAX_TITLE)
  }
  return cut(oneLine(prompts[0] ?? ''), MAX_TITLE)
}

function isSubstantive({ text }: Sentence): boolean {
  return text.split(/\s+/).length >= 3 && !GREETING.test(text)
}

/** The three sentences of the prompts and the last answer that most of the others have to do with, in their order. */
export function summaryOf({ prompts, answers }: SessionEvidence): string {
  const texts = [...prompts, ...answers.slice(-1)]
  const all = texts.flatMap((text) =>
    sentencesOf(text)
      .filter(isSubstantive)
      .map(({ text: own }) => oneLine(own)),
  )
  const fitting = [...new Set(all)].filter((text) => text.length <= MAX_SENTENCE)
  const half = MAX_SENTENCES / 2
  const sentences = fitting.length <= MAX_SENTENCES ? fitting : [...fitting.slice(0, half), ...fitting.slice(-half)]
  if (sentences.length === 0) return cut(oneLine(texts.join(' ')), MAX_SUMMARY)
  const ranks = rank(sentences.map(subjectOf))
  const best = sentences.map((_, place) => place).sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b)
  const chosen = best.slice(0, SUMMARY_SENTENCES).sort((a, b) => a - b)
  return cut(chosen.map((place) => sentences[place]).join(' '), MAX_SUMMARY)
}

function rank(sentences: readonly (readonly string[])[]): number[] {
  const weights = sentences.map((one) => sentences.map((other) => (one === other ? 0 : likeness(one, other))))
  const sums = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0))
  let ranks = sentences.map(() => 1)
  for (let round = 0; round < ROUNDS; round++) {
    ranks = weights.map((row) => {
      const passed = row.reduce((sum, weight, from) => {
        const total = sums[from] ?? 0
        return total === 0 ? sum : sum + (weight / total) * (ranks[from] ?? 0)
      }, 0)
      return 1 - DAMPING + DAMPING * passed
    })
  }
  return ranks
}

/** Shared stems, against the lengths of both. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b)
  const common = a.filter((stem) => other.has(stem)).length
  return common === 0 ? 0 : common / (Math.log(a.length + 1) + Math.log(b.length + 1))
}

function oneLine(text: string): string {
  return text.slice(0, 4_000).replace(/\s+/g, ' ').trim()
}

/** At most that many characters, cut after a word, with an ellipsis. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = text.slice(0, limit - 1)
  const space = head.lastIndexOf(' ')
  return `${(space > limit / 2 ? head.slice(0, space) : head).replace(/[\ud800-\udbff]$/, '')}…`
}
