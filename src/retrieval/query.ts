/**
 * The query language: words, "quoted phrases", -excluded words and prefix*. Everything else is literal, so that any text
 * can be searched for as it stands. Pure.
 */

import {
  composed,
  eachRun,
  FACET_MARK,
  foldText,
  ideographTerms,
  isCamel,
  scriptParts,
  splitCamel,
  symbolNameTerm,
} from '../store/index.ts'
import { type AnswerKind, answerKind } from './answers.ts'
import { formsOf, isFunctionWord, type WordForms } from './words.ts'

/** One thing looked for: a word, an identifier of several words, or a phrase. */
export interface Unit {
  /** As typed, for people. */
  text: string
  /** Folded spelling, punctuation inside kept: what an exact match looks like. */
  exact: string
  /** The runs of letters and digits of `exact`, in order. */
  runs: readonly string[]
  /** Index terms that must all be there. */
  terms: readonly string[]
  /** The terms are neighbours in the index, in this order; not so for scripts without blanks. */
  adjacent: boolean
  /** Terms that say part of it: the words of an identifier. Empty for a plain word. */
  parts: readonly string[]
  /** Other spellings that say the same; only a plain word has any. */
  forms: WordForms | undefined
  /** It and a word next to it in one: `changelog` where `change log` was typed. */
  joined: readonly Unit[]
  /** False for a word that says nothing by itself, such as `the`. */
  content: boolean
  /** The last run is only the beginning of a word. */
  prefix: boolean
  /** Its symbols make it another name (`C++`, `C#`): found as typed or not at all. */
  symbols: boolean
}

export interface Query {
  /** Quoted: every hit contains them. */
  required: readonly Unit[]
  optional: readonly Unit[]
  /** No hit contains them. */
  excluded: readonly Unit[]
  /** The kind of thing that answers, where it is a question for one. */
  asksFor: AnswerKind | undefined
  /** What was ignored, and why; for people. */
  warnings: readonly string[]
}

/** Index terms of one query; a longer one costs more than it says. */
export const MAX_TERMS = 64

/** A shorter prefix would match too much to be worth asking for. */
const MIN_PREFIX = 2

interface Piece {
  text: string
  quoted: boolean
  excluded: boolean
}

/** Reads a query; any string is one. */
export function parseQuery(input: string): Query {
  const units = { required: [] as Unit[], optional: [] as Unit[], excluded: [] as Unit[] }
  const query = { ...units, asksFor: answerKind(input), warnings: [] as string[] }
  const seen = new Set<string>()
  let left = MAX_TERMS
  let ignored = 0
  for (const piece of split(composed(input))) {
    const unit = readUnit(piece.quoted || piece.excluded ? piece : { ...piece, text: withoutPossessive(piece.text) })
    if (!unit) continue
    const list = piece.excluded ? query.excluded : piece.quoted ? query.required : query.optional
    const key = `${piece.excluded} ${piece.quoted} ${unit.prefix} ${unit.exact}`
    if (seen.has(key)) continue
    seen.add(key)
    if (unit.terms.length > left) {
      ignored++
      continue
    }
    left -= unit.terms.length
    list.push(unit)
  }
  query.optional = withJoined(query.optional)
  if (ignored > 0) query.warnings.push(`the query is long: its last ${ignored} words were ignored`)
  if (query.required.length + query.optional.length === 0) {
    query.warnings.push(
      query.excluded.length > 0
        ? 'the query only excludes words: add a word to look for'
        : 'the query has no letters or digits to look for',
    )
  }
  return query
}

/** Two plain words that follow each other may be written as one. */
function withJoined(units: readonly Unit[]): Unit[] {
  const joins = units.map((unit, place) => {
    const next = units[place + 1]
    if (!next || ![unit, next].every(({ content, forms, exact }) => content && forms && exact.length > 1)) return []
    return readUnit({ text: unit.exact + next.exact, quoted: false, excluded: false }) ?? []
  })
  return units.map((unit, place) => ({ ...unit, joined: [joins[place - 1] ?? [], joins[place] ?? []].flat() }))
}

/** Index terms that say the same as the unit: its other forms, and it joined with its neighbours. */
export function otherTerms({ forms, joined }: Unit): string[] {
  return [
    ...(forms?.others ?? []),
    ...joined.flatMap(({ terms, forms: ofJoined }) => [...terms, ...(ofJoined?.others ?? [])]),
  ]
}

/** Every index term that has to do with some units. */
export function termsOfUnits(units: readonly Unit[]): string[] {
  return [...new Set(units.flatMap((unit) => [...unit.terms, ...unit.parts, ...otherTerms(unit)]))]
}

/** Cuts a query at blanks and around quoted phrases. */
function* split(input: string): Generator<Piece> {
  const text = input.trim()
  for (let start = 0; start < text.length; ) {
    if (/\s/.test(text.charAt(start))) {
      start++
      continue
    }
    // A second hyphen makes it an option such as --force, a blank after the first an ordinary dash.
    const excluded = /^-["\p{L}\p{N}]/u.test(text.slice(start, start + 3))
    const from = excluded ? start + 1 : start
    const closing = text.charAt(from) === '"' ? text.indexOf('"', from + 1) : -1
    if (closing > 0) {
      yield { text: text.slice(from + 1, closing), quoted: true, excluded }
      start = closing + 1
      continue
    }
    const length = text.slice(from).search(/\s/)
    const end = length < 0 ? text.length : from + length
    yield { text: text.slice(from, end), quoted: false, excluded }
    start = end
  }
}

/** What a piece looks for; undefined when it has neither letters nor digits. */
function readUnit({ text, quoted, excluded }: Piece): Unit | undefined {
  const starred = !quoted && /[\p{L}\p{N}]\*$/u.test(text)
  const typed = starred ? text.slice(0, -1) : trimPunctuation(text)
  const exact = foldText(typed).split(FACET_MARK).join(' ').trim().replace(/\s+/g, ' ')
  const runs: string[] = []
  eachRun(exact, (start, end) => runs.push(exact.slice(start, end)))
  const last = runs.at(-1)
  if (last === undefined) return undefined
  const prefix = starred && last.length >= MIN_PREFIX && scriptParts(last).every(({ ideographs }) => !ideographs)
  const literal = quoted || excluded || prefix
  const content = literal || !isFunctionWord(exact.replaceAll('’', "'"))
  const unit = { text, exact, runs, forms: undefined, joined: [], content, prefix, symbols: false }
  const symbolTerm = symbolNameTerm(typed)
  if (symbolTerm !== undefined) return { ...unit, terms: [symbolTerm], adjacent: true, parts: [], symbols: true }
  const { terms, adjacent } = termsOf(runs)
  if (terms.length > 1) return { ...unit, terms, adjacent, parts: [...new Set(terms)] }
  const name = /[\p{L}\p{N}]+/u.exec(typed)?.[0] ?? ''
  const camel = !prefix && isCamel(name) ? splitCamel(name).map(foldText) : []
  if (camel.length > 1) return { ...unit, terms, adjacent: true, parts: [...new Set(camel)] }
  const forms = literal || exact !== last ? undefined : formsOf(last)
  return { ...unit, terms, adjacent: true, parts: [], forms }
}

/** `Caroline's` asks for Caroline. */
function withoutPossessive(text: string): string {
  return text.replace(/(?<=\p{L}{2})['’]s(?=[^\p{L}\p{N}]*$)/u, (ending, at: number) =>
    isFunctionWord(`${foldText(text.slice(0, at))}'s`) ? ending : '',
  )
}

/** Drops what punctuates a sentence; what belongs to a name (`--flag`, `.env`, `C++`, `@user`) stays. */
function trimPunctuation(text: string): string {
  return text.replace(/^['"`([{<]+/, '').replace(/['"`)\]}>.,;:!?]+$/, '')
}

function termsOf(runs: readonly string[]): { terms: string[]; adjacent: boolean } {
  const terms: string[] = []
  let adjacent = true
  for (const run of runs) {
    for (const part of scriptParts(run)) {
      if (!part.ideographs) {
        terms.push(part.text)
        if (part.text !== run) adjacent = false
        continue
      }
      const { single, pairs } = ideographTerms(part.text)
      terms.push(...(pairs.length > 0 ? pairs : single))
      adjacent = false
    }
  }
  return { terms: adjacent ? terms : [...new Set(terms)], adjacent }
}

/** Letters and digits in one word, or words joined by what joins no plain ones: `utf8`, `a_b`, `a.b`, `a/b`, `--flag`. */
const IDENTIFIER = /\p{L}\d|\d\p{L}|[\p{L}\p{N}][_./\\:@#=]+[\p{L}\p{N}]|^[-.@/]/u

/** Whether a unit is a name of something rather than a word of a sentence. */
export function isIdentifier({ exact, runs, parts, prefix, symbols }: Unit): boolean {
  return prefix || symbols || (runs.length === 1 && parts.length > 0) || IDENTIFIER.test(exact)
}

const HEXADECIMAL = /^[0-9a-f]{4,}$/

/** Whether a word may be a piece of an id or a hash: four characters or more, with a digit or hexadecimal throughout. */
export function looksLikePiece({ exact, prefix }: Unit): boolean {
  if (prefix || exact.length < 4 || !/^[a-z0-9_-]+$/.test(exact)) return false
  return /\d/.test(exact) || HEXADECIMAL.test(exact)
}
