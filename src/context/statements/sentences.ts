/**
 * Cuts what people write into sentences and list lines, with their places; leaves out code, quotes, tables, markup and
 * what programs printed. Pure; linear in the length.
 */

import { fenceReader, type Line, linesOf } from '../documents/lines.ts'

export interface Sentence {
  /** Verbatim, without the marks of a list. */
  text: string
  /** Offset in the whole text, in UTF-16 units. */
  start: number
  /** Line of `start`, from 1. */
  line: number
  /** It begins a list item. */
  listed: boolean
  /** It begins a paragraph or a list item. */
  leads: boolean
}

/** Longest line that is read; more is data. */
const MAX_LINE = 4_000

/** A line this long that ends in no punctuation was wrapped: the sentence goes on in the next. */
const WRAPPED = 55

/** Lines of programs: prompts of a shell, log lines, stack traces, diffs, JSON, comments of code, commands to the client. */
const PRINTED =
  /^\s*(?:[$%#!]\s+\S|[>|+]|\/[a-z][\w:-]*(?:\s|$)|at\s+\S+.*[:(]|File "|Traceback|\[?\d{1,4}[-:/]\d\d[-:/]\d\d[T ,\d]*[:\d]{3,}|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE)\b|npm (?:ERR|WARN)|error(?:\[\w+\])?:|warning:|[{}\])]|"[^"]*"\s*:|\/\/|\/\*|diff --git|@@|-{3,}|={3,}|\w+\([^)]*\)[;{]?$)/

/** `<name>` at the beginning of a line opens a block of markup, `</name>` closes it. */
const OPENS_MARKUP = /^\s*<([a-zA-Z][\w:-]{0,60})(?:\s[^<>]{0,200})?>/

/** After so many kinds of markup that nothing closes, none is looked for to the end of the text. */
const MAX_UNCLOSED = 20

const LIST_MARK = /^(\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX~-]\]\s+)?)\S/

interface Block {
  start: number
  end: number
  line: number
  listed: boolean
}

/** All sentences of a text, in order. */
export function sentencesOf(text: string): Sentence[] {
  return blocksOf(text).flatMap((block) => splitBlock(text, block))
}

/** Paragraphs and list items: stretches of lines that belong together. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  const isLeftOut = lineFilter(text)
  let open: Block | undefined
  let before = ''
  for (const line of linesOf(text)) {
    if (isLeftOut(line) || line.text.trim() === '') {
      open = undefined
      continue
    }
    const mark = LIST_MARK.exec(line.text)?.[1]
    if (open && mark === undefined && isWrapped(before)) open.end = line.start + line.text.length
    else {
      const lead = mark?.length ?? line.text.length - line.text.trimStart().length
      open = {
        start: line.start + lead,
        end: line.start + line.text.length,
        line: line.number,
        listed: mark !== undefined,
      }
      blocks.push(open)
    }
    before = line.text.trimEnd()
  }
  return blocks
}

function isWrapped(line: string): boolean {
  return line.length >= WRAPPED && !/[.!?:;]["')\]*_]*$/.test(line)
}

/** Says of each line in turn whether nobody wrote it as prose. */
function lineFilter(text: string): (line: Line) => boolean {
  const isFenced = fenceReader()
  const neverClosed = new Set<string>()
  let until = 0
  return (line) => {
    if (isFenced(line.text)) return true
    if (line.start < until) return true
    if (line.text.length > MAX_LINE) return true
    const name = OPENS_MARKUP.exec(line.text)?.[1]
    if (name !== undefined) {
      const isKnownOpen = neverClosed.has(name) || neverClosed.size >= MAX_UNCLOSED
      const close = isKnownOpen ? -1 : text.indexOf(`</${name}>`, line.start)
      if (close < 0 && !isKnownOpen) neverClosed.add(name)
      until = close < 0 ? line.end : close + name.length + 3
      return true
    }
    return /^(?: {0,3}#{1,6}\s|\s*\|)/.test(line.text) || PRINTED.test(line.text)
  }
}

/** Words whose full stop ends no sentence; of the last ones only before a number. */
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|dr|mr|mrs|ms|prof|st|z\.b|bzw|[b-z]|\d{1,2})\.$/i
const BEFORE_NUMBER = /(?:^|[\s(])(?:no|nr|fig|sec|ch|art)\.$/i

function endsAbbreviation(whole: string, from: number, stop: number): boolean {
  const before = whole.slice(Math.max(from, stop - 8), stop + 1)
  return ABBREVIATION.test(before) || (BEFORE_NUMBER.test(before) && /^\s+\d/.test(whole.slice(stop + 1, stop + 4)))
}

function splitBlock(text: string, block: Block): Sentence[] {
  const sentences: Sentence[] = []
  const whole = text.slice(block.start, block.end)
  let from = 0
  let leads = true
  let line = block.line
  const add = (to: number) => {
    const piece = whole.slice(from, to)
    const lead = piece.length - piece.trimStart().length
    const own = piece.trim()
    line += countFeeds(piece.slice(0, lead))
    if (own !== '') {
      sentences.push({ text: own, start: block.start + from + lead, line, listed: leads && block.listed, leads })
      leads = false
    }
    line += countFeeds(piece.slice(lead))
    from = to
  }
  for (const { index, 0: end } of whole.matchAll(/[.!?]["'”’)\]*_`]{0,3}(?=\s)|[。！？]/g)) {
    const to = index + end.length
    if (end.startsWith('.') && endsAbbreviation(whole, from, index)) continue
    if (isOmission(whole, index, to)) continue
    add(to)
  }
  add(whole.length)
  return sentences
}

/** An ellipsis in the middle of a sentence: `call(...) to log`, "wait ... and retry". */
function isOmission(whole: string, stop: number, to: number): boolean {
  return whole.slice(Math.max(0, stop - 2), stop) === '..' && /^\s+[a-z]/.test(whole.slice(to, to + 3))
}

function countFeeds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
