/** Learning associations from an owner's archive: in the background, now and then, from a bounded sample. */

import { setImmediate } from 'node:timers/promises'
import { type Engine, laneTotals, replaceAssociations, sampleProse, trainedOn } from '../../store/index.ts'
import { cutPassages } from '../passage-cut.ts'
import { isFunctionWord, rootOf } from '../words.ts'
import { countPairs, countWords } from './associate.ts'

/** Prompts and answers that are enough to say something, and growth that makes the last training too old. */
const FEWEST_DOCUMENTS = 200
const GROWTH = 1.5

/** Prompts and answers read, and characters of each. */
const SAMPLE = 20_000
const CHARACTERS = 4_000

/** Texts after which others get a turn. */
const PAUSE_AFTER = 100

export interface Training {
  /** False: there was too little, or too little more than the last time. */
  trained: boolean
  associations: number
}

/**
 * Learns anew which words go together, when the archive has grown enough since the last time; otherwise it costs two
 * reads. Reads at most 20,000 texts, twice.
 * @throws what `signal` was aborted with; nothing is changed then
 */
export async function trainAssociations(engine: Engine, owner: number, signal?: AbortSignal): Promise<Training> {
  const { own } = (await laneTotals(engine, owner, signal))('prose')
  const last = await trainedOn(engine, owner)
  if (own < FEWEST_DOCUMENTS || own < last * GROWTH) return { trained: false, associations: 0 }
  const vocabulary = countWords()
  await eachPassage(engine, owner, signal, (words) => vocabulary.add(words))
  const pairs = countPairs(vocabulary.close())
  await eachPassage(engine, owner, signal, (words) => pairs.add(words.keys()))
  const associations = pairs.close()
  signal?.throwIfAborted()
  await replaceAssociations(engine, owner, associations, own)
  return { trained: true, associations: associations.length }
}

async function eachPassage(
  engine: Engine,
  owner: number,
  signal: AbortSignal | undefined,
  visit: (words: ReadonlyMap<string, string>) => void,
): Promise<void> {
  let read = 0
  for await (const text of sampleProse(engine, owner, SAMPLE, CHARACTERS, signal)) {
    for (const { start, end } of cutPassages(text)) visit(wordsOf(text.slice(start, end)))
    if (++read % PAUSE_AFTER === 0) await setImmediate()
    signal?.throwIfAborted()
  }
}

/** The English words of a passage: stem and spelling. Names with digits or symbols go with nothing but themselves. */
function wordsOf(passage: string): Map<string, string> {
  const words = new Map<string, string>()
  for (const [word] of passage.toLowerCase().matchAll(/(?<![\p{L}\p{N}_])[a-z]{3,24}(?![\p{L}\p{N}_])/gu)) {
    if (!isFunctionWord(word)) words.set(rootOf(word), word)
  }
  return words
}
