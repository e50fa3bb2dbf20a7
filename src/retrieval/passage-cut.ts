/** Cutting texts into passages: short verbatim stretches that begin and end where a reader would. Pure. */

import { bestWindow, type Place } from './rank.ts'
import { PASSAGE_LENGTH } from './weights.ts'

/** Where a passage stands: `[start, end)` in UTF-16 units. */
export interface Cut {
  start: number
  end: number
}

/** A text so little longer than a passage is one passage. */
const WHOLE = 1.25

/** Text kept before the first word found, where there is room: what leads up to it. */
const LEAD = 0.25

/** How much of a passage may be given up for it to begin or end with a sentence. */
const GIVEN_UP = 0.2

/** Ends of lines and sentences, with what stands between them and the next. */
const BREAK = /\n+|[.!?。！？]["')\]]*(?:\s+|(?<=[。！？]))/gu

/** The passage of a text around what was found in it, in the order of the text; its beginning where nothing was. */
export function cutPassage(text: string, places: readonly Place[], length = PASSAGE_LENGTH): Cut {
  if (text.length <= length * WHOLE) return trimmed(text, 0, text.length)
  const best = bestWindow(places, length)
  if (!best) return trimmed(text, 0, lastBreak(text, 0, length, length))
  const spare = Math.max(0, length - (best.to - best.from))
  const earliest = Math.max(0, best.from - Math.max(LEAD * length, spare / 2))
  const from = Math.min(Math.floor(earliest), Math.max(0, text.length - length))
  const start = from === 0 ? 0 : firstBreak(text, from, Math.max(from, Math.min(best.from, from + GIVEN_UP * length)))
  const limit = Math.min(text.length, start + length)
  const end = limit === text.length ? limit : lastBreak(text, Math.min(best.to, limit), limit, length)
  return trimmed(text, start, Math.max(end, Math.min(best.to, limit)))
}

/**
 * All passages of a text, each overlapping the one before by about a tenth where it cannot be cut at the end of a line or
 * sentence.
 */
export function cutPassages(text: string, length = PASSAGE_LENGTH): Cut[] {
  const cuts: Cut[] = []
  for (let start = 0; start < text.length; ) {
    const limit = Math.min(text.length, start + length)
    const end = text.length - start <= length * WHOLE ? text.length : lastBreak(text, start + 1, limit, length)
    const cut = trimmed(text, start, end)
    if (cut.end > cut.start) cuts.push(cut)
    start = end === limit && end < text.length ? wholeCharacter(text, end - Math.floor(length / 10)) : end
  }
  return cuts
}

/** The first beginning of a line or sentence in `[from, limit]`, or the first of a word. */
function firstBreak(text: string, from: number, limit: number): number {
  for (const match of text.slice(from, limit + 1).matchAll(BREAK)) {
    const at = from + match.index + match[0].length
    if (at <= limit) return at
  }
  const blank = text.slice(from, limit).search(/\s/)
  return blank < 0 ? wholeCharacter(text, from) : from + blank + 1
}

/** The last end of a line or sentence in `[from, limit]` that gives up little; else of a word; else of a character. */
function lastBreak(text: string, from: number, limit: number, length: number): number {
  const earliest = Math.max(from, limit - Math.floor(GIVEN_UP * length))
  let last: number | undefined
  for (const match of text.slice(earliest, limit).matchAll(BREAK)) last = earliest + match.index + match[0].length
  if (last !== undefined) return last
  const blank = text.lastIndexOf(' ', limit - 1)
  return blank > earliest ? blank + 1 : wholeCharacter(text, limit)
}

function trimmed(text: string, start: number, end: number): Cut {
  let from = start
  let to = end
  while (from < to && /\s/.test(text.charAt(from))) from++
  while (to > from && /\s/.test(text.charAt(to - 1))) to--
  return { start: from, end: to }
}

/** Never between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
