/** What a session was about: phrases of its prompts that are rare in the archive, and names of its folders. Pure. */

import { isFunctionWord } from '../../retrieval/words.ts'
import type { SessionEvidence, TermFrequencies } from './label.ts'

const MAX_TOPICS = 6
const MAX_WORDS = 3

/** Characters of prompts that are read in all. */
const MAX_TEXT = 40_000

/** Words of any session: they tell none from another. */
const EVERYWHERE = new Set(
  `file files code thing things way please make sure need want use using used work works working look looking add fix run
  running check change changes update new get got set try let know think see line lines following example time step steps
  problem issue question answer yes ok okay thanks thank hello hi continue start stop good great better best first last next
  current right wrong help give show tell write create still really actually instead already note todo test tests run like
  read plan task project repo repository branch commit user assistant function method class value values name names
  image images request interrupted null true false undefined also done keep going`.split(/\s+/),
)

const FOLDERS_EVERYWHERE =
  /^(?:src|lib|app|apps|packages?|tests?|docs?|bin|dist|build|home|users?|work|workspace|projects?|repos?|code|dev|tmp|var|private|main|index|internal|pkg|cmd|components?|\W*|[\d.]+)$/i

/** @returns up to 6, best first, lower-case and singular */
export function topicsOf(session: SessionEvidence, frequencies: TermFrequencies): string[] {
  const scores = new Map<string, number>()
  const text = proseOf(session.prompts)
  for (const phrase of phrasesOf(text)) {
    const weight = phrase.reduce((sum, word) => sum + rarity(word, frequencies), 0) / Math.sqrt(phrase.length)
    const name = phrase.map(singularOf).join(' ')
    scores.set(name, (scores.get(name) ?? 0) + weight)
  }
  const strongest = Math.max(1, ...scores.values())
  for (const [name, count] of folderNames(session)) {
    scores.set(name, (scores.get(name) ?? 0) + strongest * Math.min(0.9, 0.3 + 0.1 * count))
  }
  const ranked = [...scores].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return withoutOverlap(ranked.map(([name]) => name))
}

/** Prompts without code, links, paths and what redaction left. */
function proseOf(prompts: readonly string[]): string {
  return prompts
    .join('\n.\n')
    .slice(0, MAX_TEXT)
    .replace(/```[^`]*(?:```|$)|`[^`\n]{0,200}`/g, '. ')
    .replace(/https?:\/\/\S+|<[^<>\n]{0,200}>|\[[^\]\n]{0,80}\]|(?<![\w.~/-])@?(?:[\w.~-]{0,80}\/)+[\w.-]*/g, '. ')
}

/** Runs of telling words between the others, up to three words long. */
function* phrasesOf(text: string): Generator<string[]> {
  let phrase: string[] = []
  for (const [piece] of text
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}][\p{L}\p{N}'_.+#-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]|[^\s\p{L}\p{N}]/gu)) {
    const isTelling =
      piece.length > 2 &&
      piece.length <= 40 &&
      /\p{L}{2}/u.test(piece) &&
      !isFunctionWord(piece) &&
      !EVERYWHERE.has(piece)
    if (isTelling) phrase.push(piece)
    if (phrase.length > 0 && (!isTelling || phrase.length === MAX_WORDS)) {
      yield phrase
      phrase = []
    }
  }
  if (phrase.length > 0) yield phrase
}

/** Inverse document frequency; an unknown word is as rare as can be. */
function rarity(word: string, { documents, frequencyOf }: TermFrequencies): number {
  return Math.log((documents + 2) / ((frequencyOf(word) ?? 0) + 1))
}

/** Names of the working directory and of folders in which files were changed, and how often. */
function folderNames({ cwd, filesChanged }: SessionEvidence): Map<string, number> {
  const names = new Map<string, number>()
  const add = (name: string | undefined, count: number) => {
    const folded = name?.toLowerCase() ?? ''
    if (folded.length > 2 && folded.length <= 40 && !FOLDERS_EVERYWHERE.test(folded))
      names.set(folded, (names.get(folded) ?? 0) + count)
  }
  add(
    cwd?.split(/[\\/]/).findLast((part) => part !== ''),
    4,
  )
  for (const path of filesChanged.slice(0, 50)) add(path.split(/[\\/]/).at(-2), 1)
  return names
}

/** Without what repeats the words of a better one. */
function withoutOverlap(ranked: readonly string[]): string[] {
  const topics: string[] = []
  const taken = new Set<string>()
  for (const name of ranked) {
    const words = name.split(' ')
    if (words.some((word) => taken.has(word))) continue
    topics.push(name)
    for (const word of words) taken.add(word)
    if (topics.length === MAX_TOPICS) break
  }
  return topics
}

export function singularOf(word: string): string {
  if (word.length < 4 || /(?:ss|us|is|os|ws|[^a-z]s)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}
