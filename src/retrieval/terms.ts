/** The terms of a query and how many of them a text holds: the `k/n` of a passage. Pure. */

import { composed, eachRun, foldText, ideographTerms, isCamel, scriptParts, splitCamel } from '../store/index.ts'
import { isEmptyWord, rootOf } from './words.ts'

/** Terms counted at most. */
const MOST_TERMS = 32

/** Distinct stems of a query, without the short list of empty words; identifiers count by their parts. */
export function termsOf(query: string): string[] {
  return [...new Set(rootsOf(query))].slice(0, MOST_TERMS)
}

/** Which of some terms a text holds. */
export function termsIn(text: string, terms: readonly string[]): Set<string> {
  const roots = new Set(rootsOf(text))
  return new Set(terms.filter((term) => roots.has(term)))
}

/** Every word of a text by its root, in order; what is written without blanks by pairs of characters. */
export function* rootsOf(text: string): Generator<string> {
  const whole = composed(text)
  const runs: string[] = []
  eachRun(foldText(whole), (start, end) => runs.push(whole.slice(start, end)))
  for (const run of runs) yield* rootsOfRun(run)
}

/** Roots found lately, by the run as it is written: texts repeat their words. */
const rootsByRun = new Map<string, readonly string[]>()
const RUNS_KEPT = 50_000

function rootsOfRun(run: string): readonly string[] {
  let roots = rootsByRun.get(run)
  if (roots === undefined) {
    roots = scriptParts(run).flatMap(({ text, ideographs }) => {
      if (!ideographs) return wordRoots(text)
      const { single, pairs } = ideographTerms(text)
      return pairs.length > 0 ? pairs : single
    })
    if (rootsByRun.size >= RUNS_KEPT) rootsByRun.clear()
    rootsByRun.set(run, roots)
  }
  return roots
}

function wordRoots(run: string): string[] {
  const words = (isCamel(run) ? splitCamel(run) : [run]).map(foldText)
  return words.filter((word) => !isEmptyWord(word)).map(rootOf)
}
