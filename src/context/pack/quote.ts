/** Choosing what of a passage is quoted: the stretch that says most about the task, word for word. Pure. */

import { termsIn } from './terms.ts'

export interface Quote {
  /** Offset in the text it is from, in UTF-16 units. */
  start: number
  text: string
}

/** Ends of sentences and lines, with the blanks that follow. */
const SENTENCE_END = /[.!?…]["'”’)\]]*\s+|\s*\n\s*|[。！？]\s*/gu

/**
 * The whole sentences of a text, at most `limit` UTF-16 units in a row, that hold the most different terms; of equals the
 * longest, then the first. A sentence that is longer is cut at blanks around the terms in it. White space at the ends is
 * left out; nothing else is changed.
 */
export function quoteOf(text: string, terms: readonly string[], limit: number): Quote {
  const whole = trimmed(text, 0, text.length)
  if (whole.text.length <= limit) return whole
  const sentences = sentencesOf(text)
  const found = sentences.map(({ start, end }) => termsIn(text.slice(start, end), terms))
  let best: { start: number; end: number; terms: number } | undefined
  for (const [first, { start }] of sentences.entries()) {
    const held = new Set<string>()
    for (let last = first; last < sentences.length; last++) {
      const end = sentences[last]?.end ?? start
      if (end - start > limit && last > first) break
      for (const term of found[last] ?? []) held.add(term)
      const length = Math.min(limit, end - start)
      if (
        !best ||
        held.size > best.terms ||
        (held.size === best.terms && length > Math.min(limit, best.end - best.start))
      ) {
        best = { start, end, terms: held.size }
      }
    }
  }
  if (!best) return { start: whole.start, text: whole.text.slice(0, limit) }
  if (best.end - best.start <= limit) return trimmed(text, best.start, best.end)
  return insideOf(text, best, terms, limit)
}

/** A text's stretch without the white space at its ends. */
function trimmed(text: string, start: number, end: number): Quote {
  const part = text.slice(start, end)
  return { start: start + (part.length - part.trimStart().length), text: part.trim() }
}

function sentencesOf(text: string): { start: number; end: number }[] {
  const sentences: { start: number; end: number }[] = []
  let start = 0
  for (const match of text.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    // Without the blanks that end it, which count for nothing.
    if (text.slice(start, end).trim() !== '')
      sentences.push({ start, end: start + text.slice(start, end).trimEnd().length })
    start = end
  }
  if (text.slice(start).trim() !== '') sentences.push({ start, end: start + text.slice(start).trimEnd().length })
  return sentences
}

/** The words of a long sentence that hold the most terms, in a row. */
function insideOf(
  text: string,
  { start, end }: { start: number; end: number },
  terms: readonly string[],
  limit: number,
): Quote {
  const words = [...text.slice(start, end).matchAll(/\S+/gu)].map((match) => ({
    start: start + match.index,
    end: start + match.index + match[0].length,
    terms: termsIn(match[0], terms),
  }))
  let best = { start, end: start, terms: -1 }
  let first = 0
  for (const [last, word] of words.entries()) {
    while (first < last && word.end - (words[first]?.start ?? 0) > limit) first++
    const from = words[first]?.start ?? start
    if (word.end - from > limit) continue
    const held = new Set(words.slice(first, last + 1).flatMap((each) => [...each.terms])).size
    if (held > best.terms) best = { start: from, end: word.end, terms: held }
  }
  // One word without a blank, longer than all that is wanted.
  if (best.terms < 0) return cutHard(text, start, limit)
  return trimmed(text, best.start, Math.max(best.end, lastBlank(text, best.start, Math.min(end, best.start + limit))))
}

/** Where the last whole word before `to` ends. */
function lastBlank(text: string, from: number, to: number): number {
  if (to >= text.length || /\s/u.test(text.charAt(to))) return to
  const at = text.slice(from, to).search(/\s\S*$/u)
  return at < 0 ? to : from + at
}

/** At most `limit` units from `start` on, no character cut in two. */
function cutHard(text: string, start: number, limit: number): Quote {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(start + limit - 1))
  return { start, text: text.slice(start, start + limit - (isHalf ? 1 : 0)) }
}

/** At most `limit` UTF-16 units of one line, with an ellipsis where something is left out. */
export function shortLine(text: string, limit: number): string {
  // What cannot be shown is not looked at: a title may be a megabyte.
  const line = text
    .slice(0, 4 * limit)
    .replace(/\s+/gu, ' ')
    .trim()
  if (line.length <= limit && text.length <= 4 * limit) return line
  return `${cutHard(line, 0, limit - 1).text.trimEnd()}…`
}
