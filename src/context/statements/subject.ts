/** What a statement is about, as stems. Pure. */

import { isFunctionWord, rootOf } from '../../retrieval/words.ts'
import { eachRun, foldText } from '../../store/index.ts'

/** Words that say that something was decided or is a rule, and not what. */
const FRAME = new Set(
  `use using used uses go going went keep keeping kept decide decided decision choose chose chosen pick picked settle settled
  agree agreed final answer switch switched stick stay stays drop dropped reject rejected rule ruled prefer instead rather
  never always must should shall required require forbidden allow allowed make sure ensure let lets want need yes ok okay
  never mind right actually please also now still policy constraint important note remember dont do not don't`
    .split(/\s+/)
    .map(rootOf),
)

const MAX_STEMS = 24

/** Distinct stems of a text in its order, without function words and the words of deciding. */
export function subjectOf(text: string): string[] {
  const stems = new Set<string>()
  const folded = foldText(text)
  eachRun(folded, (start, end) => {
    if (stems.size >= MAX_STEMS || end - start > 80) return
    const word = folded.slice(start, end)
    if (word.length < 2 && !/\d|[^\x00-\x7f]/.test(word)) return
    if (isFunctionWord(word)) return
    const stem = rootOf(word)
    if (!FRAME.has(stem)) stems.add(stem)
  })
  return [...stems]
}
