/** The passage of a text that shows why it is a hit: one line, centred on what was found. Pure. */

import { withoutData } from '../store/index.ts'
import type { Place } from './rank.ts'
import { bestWindow } from './rank.ts'

/** Characters of a snippet, ellipses included. */
export const SNIPPET_LENGTH = 320

const ELLIPSIS = '…'

/** Stands for encoded data, which says nothing to a reader. */
const DATA_MARK = '[data]'

/** RFC 2397, with a media type: without one it may be any word before a comma. */
const DATA_URI = /data:[\w.+-]+\/[\w.+-]+(?:;[\w=.+-]+)*,[^\s"'<>)\]]*/g

/** How far a cut moves to fall between words. */
const WORD_REACH = 24

/** Text around the window that is looked at: blanks and data are taken out of it, so that it must be more than enough. */
const MARGIN = 1_200

export interface Snippet {
  text: string
  /** Less than the whole text. */
  truncated: boolean
}

/**
 * Cuts a snippet out of a text. `places`, in the order of the text, say what was found where; without any the snippet is
 * the beginning.
 */
export function makeSnippet(text: string, places: readonly Place[], length = SNIPPET_LENGTH): Snippet {
  const window = bestWindow(places, length) ?? { from: 0, to: 0 }
  const from = charStart(text, Math.max(0, window.from - MARGIN))
  const to = charStart(text, Math.min(text.length, Math.max(window.to, window.from) + MARGIN))
  // The three stretches are cleaned apart, so that the window's place is known afterwards.
  const before = clean(text.slice(from, window.from)).trimStart()
  const middle = clean(text.slice(window.from, window.to))
  const after = clean(text.slice(window.to, to)).trimEnd()
  const line = before + middle + after
  const startsText = text.slice(0, from).trim() === ''
  const endsText = text.slice(to).trim() === ''
  if (line.length <= length && startsText && endsText) return { text: line.trim(), truncated: false }
  return cutAround(line, before.length, before.length + middle.length, length, startsText, endsText)
}

function cutAround(
  line: string,
  from: number,
  to: number,
  length: number,
  startsText: boolean,
  endsText: boolean,
): Snippet {
  const room = length - 2 * ELLIPSIS.length
  const spare = Math.max(0, room - (to - from))
  let start = Math.max(0, Math.min(from - Math.floor(spare / 2), line.length - room))
  let end = Math.min(line.length, start + room)
  start = start === 0 ? 0 : cutForward(line, start, from)
  end = end === line.length ? end : cutBackward(line, end, Math.min(to, end))
  const head = start === 0 && startsText ? '' : ELLIPSIS
  const tail = end === line.length && endsText ? '' : ELLIPSIS
  return { text: `${head}${line.slice(start, end).trim()}${tail}`, truncated: true }
}

/** One line: blanks folded, data replaced. */
function clean(text: string): string {
  const words = text.includes('data:') ? text.replace(DATA_URI, DATA_MARK) : text
  return withoutData(words, DATA_MARK)
    .replace(/[^\S ]|\p{Cc}/gu, ' ')
    .replace(/ {2,}/g, ' ')
}

/** The next place to begin at: a word's start if one is near and not beyond `limit`, else a character's. */
function cutForward(text: string, at: number, limit: number): number {
  const blank = text.indexOf(' ', at)
  return blank >= 0 && blank < Math.min(limit, at + WORD_REACH) ? blank + 1 : graphemeEdge(text, at, 'next')
}

/** The last place to end at: a word's end if one is near and not before `limit`, else a character's. */
function cutBackward(text: string, at: number, limit: number): number {
  if (text.charAt(at) === ' ') return at
  const blank = text.lastIndexOf(' ', at)
  return blank >= Math.max(limit, at - WORD_REACH) ? blank : graphemeEdge(text, at, 'previous')
}

let segmenter: Intl.Segmenter | undefined

/** The edge of a grapheme nearest to `at`; never inside a surrogate pair, an emoji sequence or a letter with its accents. */
function graphemeEdge(text: string, at: number, direction: 'previous' | 'next'): number {
  if (at <= 0 || at >= text.length) return at
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const from = charStart(text, Math.max(0, at - 64))
  const segment = segmenter.segment(text.slice(from, at + 64)).containing(at - from)
  if (!segment || from + segment.index === at) return at
  return from + segment.index + (direction === 'next' ? segment.segment.length : 0)
}

/** The start of the code point at `at`. */
function charStart(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff ? at - 1 : at
}
