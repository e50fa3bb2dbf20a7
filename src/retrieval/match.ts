/** Finding what a query looks for in one text, exactly; the index only says where it may be. Pure. */

import { classAt, composed, foldText, IDEOGRAPH, SEPARATOR } from '../store/index.ts'
import type { Unit } from './query.ts'
import type { WordForms } from './words.ts'

/** A text made ready for searching. */
export interface Searchable {
  /** Composed; offsets refer to it. */
  text: string
  /** The same, folded, each character in its place. */
  folded: string
}

/** Where something was found: `[start, end)` in UTF-16 units. */
export interface Span {
  start: number
  end: number
}

export interface Found {
  /** How well the unit is met: 1 as typed, less in another spelling or by part, 0 not at all. */
  strength: number
  /** How often. */
  count: number
  /** The first places. */
  spans: Span[]
}

/** Places kept and counted for one unit. */
const MAX_SPANS = 40

const AS_TYPED = 1
/** The same words with other punctuation between them, or a word of a camelCase name. */
const RESPELLED = 0.85
/** Another form of the word: `painted` for `painting`. */
const OTHER_FORM = 0.9
/** All parts of an identifier, apart from each other. */
const BY_PARTS = 0.5
/** Inside a longer id. */
const INSIDE = 0.6

/** Makes a text ready; `ascii` when it is known to be. */
export function searchable(text: string, ascii = false): Searchable {
  if (ascii) return { text, folded: text.toLowerCase() }
  const whole = composed(text)
  return { text: whole, folded: foldText(whole) }
}

/** Finds a unit in a text. */
export function find(unit: Unit, within: Searchable): Found {
  if (unit.forms) return findForms(unit, unit.forms, within)
  const whole = findWhole(unit, within)
  if (whole.count > 0 || unit.parts.length === 0) return whole
  return findParts(unit, within)
}

/** Whether a text holds the unit itself, not just parts of it. */
export function holds(unit: Unit, within: Searchable): boolean {
  return findWhole(unit, within).count > 0
}

/** A plain word in any of its forms. */
function findForms(unit: Unit, forms: WordForms, { text, folded }: Searchable): Found {
  const spans: Span[] = []
  let strength = 0
  for (const lead of forms.leads) {
    for (let at = folded.indexOf(lead); at >= 0 && spans.length < MAX_SPANS; at = folded.indexOf(lead, at + 1)) {
      if (!startsWord(text, folded, at)) continue
      let end = at + lead.length
      while (!endsWord(text, folded, end)) end++
      const word = folded.slice(at, end)
      if (!forms.all.has(word)) continue
      spans.push({ start: at, end })
      if (word !== unit.exact) strength = Math.max(strength, OTHER_FORM)
      else strength = Math.max(strength, isWholeWord(folded, at, end, false) ? AS_TYPED : RESPELLED)
    }
  }
  return { strength, count: spans.length, spans: spans.sort((a, b) => a.start - b.start) }
}

function findWhole(unit: Unit, { text, folded }: Searchable): Found {
  const [first = '', ...others] = unit.runs
  const lead = unit.exact.indexOf(first)
  const spans: Span[] = []
  let asTyped = false
  for (let at = folded.indexOf(first); at >= 0 && spans.length < MAX_SPANS; at = folded.indexOf(first, at + 1)) {
    if (!startsWord(text, folded, at)) continue
    const end = endOfRuns(unit, text, folded, at + first.length, others)
    if (end === undefined) continue
    const typed = folded.startsWith(unit.exact, at - lead) && at >= lead
    if (unit.symbols && !typed) continue
    asTyped ||= typed && isWholeWord(folded, at, end, unit.prefix)
    spans.push({ start: typed ? at - lead : at, end: Math.max(end, typed ? at - lead + unit.exact.length : end) })
  }
  return { strength: spans.length === 0 ? 0 : asTyped ? AS_TYPED : RESPELLED, count: spans.length, spans }
}

/** The end of the last run when the others follow the first with nothing but separators between; else undefined. */
function endOfRuns(
  unit: Unit,
  text: string,
  folded: string,
  firstEnd: number,
  others: readonly string[],
): number | undefined {
  let end = firstEnd
  for (const run of others) {
    if (!endsWord(text, folded, end)) return undefined
    let next = end
    while (next < folded.length && classAt(folded, next) === SEPARATOR) next++
    if (next === end || !folded.startsWith(run, next)) return undefined
    end = next + run.length
  }
  return unit.prefix || endsWord(text, folded, end) ? end : undefined
}

/** The words of an identifier: one after the other in whatever spelling, or scattered. */
function findParts(unit: Unit, { text, folded }: Searchable): Found {
  const spans: Span[] = []
  let found = 0
  for (const part of unit.parts) {
    const before = spans.length
    const limit = before + Math.ceil(MAX_SPANS / unit.parts.length)
    for (let at = folded.indexOf(part); at >= 0 && spans.length < limit; at = folded.indexOf(part, at + 1)) {
      const end = at + part.length
      if (startsWord(text, folded, at) && endsWord(text, folded, end)) spans.push({ start: at, end })
    }
    if (spans.length > before) found++
  }
  if (found === 0) return { strength: 0, count: 0, spans }
  spans.sort((a, b) => a.start - b.start)
  const strength = found === unit.parts.length && together(unit, folded, spans) ? RESPELLED : BY_PARTS
  return { strength: strength * (found / unit.parts.length), count: 1, spans }
}

/** Whether all parts stand next to each other somewhere: `get_user_name` for `getUserName`. */
function together(unit: Unit, folded: string, spans: readonly Span[]): boolean {
  const { parts } = unit
  return spans.some((_, from) =>
    parts.every((part, place) => {
      const span = spans[from + place]
      const before = spans[from + place - 1]
      if (!span || folded.slice(span.start, span.end) !== part) return false
      return place === 0 || (before !== undefined && onlySeparators(folded, before.end, span.start))
    }),
  )
}

function onlySeparators(folded: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if (classAt(folded, index) !== SEPARATOR) return false
  }
  return true
}

/** Finds a unit anywhere, inside words too: for pieces of ids. */
export function findInside(unit: Unit, { folded }: Searchable): Found {
  const spans: Span[] = []
  for (
    let at = folded.indexOf(unit.exact);
    at >= 0 && spans.length < MAX_SPANS;
    at = folded.indexOf(unit.exact, at + 1)
  ) {
    spans.push({ start: at, end: at + unit.exact.length })
  }
  return { strength: spans.length === 0 ? 0 : INSIDE, count: spans.length, spans }
}

function isWholeWord(folded: string, start: number, end: number, prefix: boolean): boolean {
  return isEdge(folded, start) && (prefix || isEdge(folded, end))
}

/** No letter on one of the two sides, or an ideograph, which ends a word of any other script and stands for itself. */
function isEdge(folded: string, at: number): boolean {
  const before = at === 0 ? SEPARATOR : classAt(folded, at - 1)
  const after = classAt(folded, at)
  return before === SEPARATOR || after === SEPARATOR || before === IDEOGRAPH || after === IDEOGRAPH
}

function startsWord(text: string, folded: string, at: number): boolean {
  return isEdge(folded, at) || changesWord(text, at)
}

function endsWord(text: string, folded: string, at: number): boolean {
  return isEdge(folded, at) || changesWord(text, at) || /^\d+[A-Z]/.test(text.slice(at, at + 8))
}

/** A new word of a camelCase name begins at `at`: `get|User`, `HTTP|Server`. */
function changesWord(text: string, at: number): boolean {
  if (!isUpper(text.charCodeAt(at))) return false
  return !isUpper(text.charCodeAt(at - 1)) || isLower(text.charCodeAt(at + 1))
}

function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a
}

function isLower(unit: number): boolean {
  return unit >= 0x61 && unit <= 0x7a
}
