/** The terms of a task and how many of them a text holds: the `k/n` of a passage. Pure. */

import { isEmptyWord, rootOf } from '../../retrieval/words.ts'
import { composed, eachRun, foldText, ideographTerms, isCamel, scriptParts, splitCamel } from '../../store/index.ts'

/** Terms counted at most. */
const MAX_TERMS = 32

/** Distinct stems of a task, without the short list of empty words; identifiers count by their parts. */
export function taskTerms(task: string): string[] {
  return [...new Set(rootsOf(task))].slice(0, MAX_TERMS)
}

/** Which of some terms a text holds. */
export function termsIn(text: string, terms: readonly string[]): Set<string> {
  const roots = new Set(rootsOf(text))
  return new Set(terms.filter((term) => roots.has(term)))
}

function* rootsOf(text: string): Generator<string> {
  const whole = composed(text)
  const runs: [number, number][] = []
  eachRun(foldText(whole), (start, end) => runs.push([start, end]))
  for (const [start, end] of runs) {
    for (const { text: run, ideographs } of scriptParts(whole.slice(start, end))) {
      if (!ideographs) yield* wordRoots(run)
      else {
        const { single, pairs } = ideographTerms(run)
        yield* pairs.length > 0 ? pairs : single
      }
    }
  }
}

function wordRoots(run: string): string[] {
  const words = (isCamel(run) ? splitCamel(run) : [run]).map(foldText)
  return words.filter((word) => !isEmptyWord(word)).map(rootOf)
}
