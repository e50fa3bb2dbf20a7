/**
 * Tells what of a prompt its user typed from what was pasted into it or put there by a client: reviews, conversations,
 * diffs, output, notices. Everything is told by its shape. Pure; linear in the length.
 */

import { type Line, linesOf } from '../documents/lines.ts'
import type { Sentence } from './sentences.ts'

interface Paragraph {
  start: number
  end: number
  text: string
  lines: number
}

/** Longest paragraph that is looked into for its shape; of a longer one its beginning. */
const MAX_SHAPED = 4_000

/** A prompt that dictates its answer word for word asks for nothing else. */
const DICTATED =
  /\b(?:reply|respond|answer|say)(?: back)? (?:with )?(?:exactly|only|nothing but|just the (?:word|marker|text)|the (?:exact|single|one) \w+|\S+ only)(?=[\s.:,]|$)/i
const MAX_DICTATED = 400

/** The user's beginning of a conversation that is told to the agent again, and what hooks of the client say. */
const ALL_WRITTEN_BY_CLIENT =
  /^\s*(?:this session is being continued from\b|(?:\w+(?::\w+)? )?hook (?:feedback|output|(?:blocking )?error|additional context|stopped)\b|\w+ operation feedback:)/i

/** A prompt that gives the agent a part, and is filled in by a program: it names its fields or the format it reads. */
const CASTS = /^\s*you(?:'re| are) (?:an?|the|helping|assisting|acting|running|now)\b/i
const FILLED_IN =
  /\b(?:json|yaml|xml) only\b|\bonly (?:valid )?(?:json|yaml|xml)\b|\bexactly (?:these|the following) (?:keys|fields|sections)\b|\b(?:main|parent|calling) agent\b|^(?:user|original) (?:request|message|prompt|query):/im

/** What a client puts in the way of a prompt: it speaks of its own modes, or of "the user" to "you". */
const NOTICE =
  /^[\s[(*_]*(?:caveat: (?:the|these) messages?\b|(?:system|automated) (?:note|notice|message|reminder):|request interrupted\b)|\b\w+ mode is (?:now |still )?(?:active|enabled|on)\b[^.]{0,80}\. you (?:must|should|may|can)\b|\b(?:do not|don't) (?:respond to|act on|mention|reply to) (?:these|this) (?:messages?|reminders?|notices?)\b|\bthe user (?:has )?(?:explicitly |just )?(?:(?:asks?|asked|wants?|told|tells|does not want|doesn't want) you\b|indicated\b|selected the lines|opened the file)/i

/** A blank-free opening of markup that is alone in its line. */
const TAG_ALONE = /^\s*<([a-z][a-z0-9]*[-_][\w-]{1,60})>\s*$/i

const SPEAKER = /^[\s*_#>]*(User|Human|Me|USER|HUMAN|Agent|Assistant|AI|Bot|ASSISTANT)[*_]{0,2}:(?=\s|$|[*_])/
const PERSON = /^(?:user|human|me)$/i

/** A place in a file: `path/name.ts:12`, `name.ts line 12`, `name.ts around lines 3 to 9`, `name.ts (4)`. */
const FILE_PLACE =
  /[\w-]\.[a-z]{1,5}[`'"*]{0,3}(?:[:#]L?\d|,? (?:at |on |around |near )?lines? \d|\s?\(\d+(?:-\d+)?\))/i
/** How a comment of a review begins. */
const REVIEW_COMMENT =
  /^[\s\-*•`"']*(?:(?:in|at) )?(?:[\w@~.[\]$-]+[/\\])*[\w@.[\]$-]+\.[a-z]{1,5}[`'"*]{0,3}(?: around lines? \d|,? (?:at |on )?lines? \d+ ?(?:to|-|–|through) ?\d|:\d+(?:-\d+)?\b|\s?\(\d+\)\s*$)|\baround lines \d+ (?:to|and|-) \d|^\s*\d+-\d+: \S/im
/** A reviewer proposes, and speaks of code by name; who works on it says "I" or "we". */
const PROPOSES = /(?:[;.,] |^)consider (?:either |also )?[a-z]+ing\b/i
const CODE_NAME = /\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+\b|\w\(\)|\.[a-z]{1,4}\b/
const FIRST_PERSON = /(?<![\w.])i(?![\w.])|\b(?:we|my|our|let's|me|us)\b/i
const MIN_REVIEW = 200

/** A line that says whose words come next. */
const REVIEW_FOLLOWS =
  /\b(?:pr|pull request|code|peer|reviewers?|reviewer's|bot|ci)(?:'s)? (?:reviews?|feedback|comments?|findings|suggestions)\b[^.?!:]{0,60}:|\breviews? (?:says|said|comments?|feedback|found)\b[^.?!:]{0,40}:/i
const OUTPUT_FOLLOWS =
  /\b(?:this|these|following|here(?:'s| is| are)|getting|got|gives?|prints?|seeing|see|below|from)\b[^.?!:]{0,40}\b(?:errors?|output|logs?|stack ?trace|trace|warnings?|(?:ci|test|build|failed) (?:run|job|result)s?|result|diff)\b[^.?!:]{0,60}:\s*$/i
const DIFF_LINE = /^(?:@@|diff --git |[+-]{3} \S|[+-](?:\t| {2,}\S|[^\s\d+-]))/

/** So many lines of a diff are one. */
const MIN_DIFF = 4

/** What follows pasted output in so few lines was typed again. */
const MAX_CLOSING = 2

/** Words in double quotes that are longer are somebody else's. */
const QUOTED = /["“]([^"“”\n]{60,2000})["”]/g

type Span = readonly [from: number, to: number]

/** Whether a prompt only asks for a given answer, or is all written by a program. */
export function isNobodysWord(prompt: string): boolean {
  const beginning = prompt.slice(0, MAX_SHAPED)
  if (ALL_WRITTEN_BY_CLIENT.test(beginning) || (CASTS.test(beginning) && FILLED_IN.test(beginning))) return true
  return prompt.length <= MAX_DICTATED && DICTATED.test(prompt)
}

/** Says of a prompt's sentences whether the user typed them. */
export function typedIn(prompt: string): (sentence: Sentence) => boolean {
  const lines = [...linesOf(prompt)]
  const paragraphs = paragraphsOf(lines)
  const pasted = [
    ...pastedConversation(lines, prompt.length),
    ...pastedReview(paragraphs, prompt.length),
    ...pastedOutput(lines, paragraphs),
    ...paragraphs.filter(isForeign).map(({ start, end }): Span => [start, end]),
    ...[...prompt.matchAll(QUOTED)].map(({ index, 0: { length } }): Span => [index, index + length]),
  ].sort((a, b) => a[0] - b[0])
  let next = 0
  let until = 0
  // Sentences come in order, so each span is passed once.
  return ({ start }) => {
    for (let span = pasted[next]; span && span[0] <= start; span = pasted[++next]) until = Math.max(until, span[1])
    return start >= until
  }
}

function paragraphsOf(lines: readonly Line[]): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let open: Paragraph | undefined
  for (const { start, end, text } of lines) {
    if (text.trim() === '') {
      open = undefined
      continue
    }
    if (open === undefined) {
      open = { start, end, text: '', lines: 0 }
      paragraphs.push(open)
    }
    open.end = end
    open.lines++
    if (open.text.length < MAX_SHAPED) open.text += `${text.slice(0, MAX_SHAPED)}\n`
  }
  return paragraphs
}

/** A notice, or one comment of a review. */
function isForeign({ text }: Paragraph): boolean {
  const first = text.slice(0, text.indexOf('\n'))
  return NOTICE.test(text) || TAG_ALONE.test(first) || isReviewComment(text)
}

function isReviewComment(text: string): boolean {
  if (FIRST_PERSON.test(text)) return false
  if (text.length >= MIN_REVIEW && REVIEW_COMMENT.test(text)) return true
  return text.length >= MIN_REVIEW && PROPOSES.test(text) && CODE_NAME.test(text)
}

/** From the first speaker's name on, when a person and an agent take turns. */
function pastedConversation(lines: readonly Line[], end: number): Span[] {
  let first: number | undefined
  const kinds = new Set<boolean>()
  for (const { start, text } of lines) {
    const name = SPEAKER.exec(text)?.[1]
    if (name === undefined) continue
    first ??= start
    kinds.add(PERSON.test(name))
  }
  return first !== undefined && kinds.size === 2 ? [[first, end]] : []
}

/** What follows the line that announces a review, when it speaks of places in files or shows changes. */
function pastedReview(paragraphs: readonly Paragraph[], end: number): Span[] {
  const place = paragraphs.findIndex(({ text }) => REVIEW_FOLLOWS.test(text.slice(0, 300)))
  const announced = paragraphs[place]
  if (!announced) return []
  const speaksOfCode = paragraphs.slice(place).some(({ text }) => FILE_PLACE.test(text) || /^@@/m.test(text))
  return speaksOfCode ? [[announced.start, end]] : []
}

/** Output that is announced and diffs, up to the end or to the user's last words. */
function pastedOutput(lines: readonly Line[], paragraphs: readonly Paragraph[]): Span[] {
  const diff = lines.filter(({ text }) => DIFF_LINE.test(text))
  const isDiff = diff.length >= MIN_DIFF && diff.some(({ text }) => /^(?:@@|diff |[+-]{3} )/.test(text))
  const announcing = lines.find(({ text }) => text.length <= 300 && OUTPUT_FOLLOWS.test(text))
  const starts = [isDiff ? diff[0]?.start : undefined, announcing?.end].filter((start) => start !== undefined)
  if (starts.length === 0) return []
  const from = Math.min(...starts)
  const last = paragraphs.at(-1)
  if (!last) return []
  const isClosing = last.start > from && last.lines <= MAX_CLOSING && paragraphs.length > 1
  return [[from, isClosing ? last.start : last.end]]
}
