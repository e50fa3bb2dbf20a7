/**
 * How text becomes index terms, the same for documents and queries and on both engines: a term is a run of letters and
 * digits, lower-cased, without the diacritics of Latin letters. This is what SQLite's `unicode61` tokenizer makes of a
 * text; the rest of this file says what is added to that (`extraTerms`) and makes the same terms where no such tokenizer
 * is at hand (`documentTerms`).
 */

import { FACET_MARK } from './search-index.ts'

/** Classes of UTF-16 units. */
export const SEPARATOR = 0
export const LETTER = 1
/** Scripts written without blanks: their runs are indexed by single characters and by pairs. */
export const IDEOGRAPH = 2

/** A term longer than this is no word; PostgreSQL refuses lexemes of 2 KiB. */
const MAX_TERM = 256

/** Letters that are not lower case plus accent in Unicode's eyes, and that `unicode61` folds all the same. */
const FOLDED = 'ςσµμſsϐβϑθϕφϖπϰκϱρϵε'

const IDEOGRAPHS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u
const LETTERS = /[\p{L}\p{N}\p{Co}]/u

interface UnitTables {
  classes: Uint8Array
  folds: Uint16Array
}

let tables: UnitTables | undefined

/** Made at the first text that is not ASCII: they cost some milliseconds that most starts never need. */
function unitTables(): UnitTables {
  if (tables) return tables
  const classes = new Uint8Array(65_536)
  const folds = new Uint16Array(65_536)
  for (let unit = 0; unit < 65_536; unit++) {
    const char = String.fromCharCode(unit)
    classes[unit] = classOf(char)
    folds[unit] = foldUnit(char).charCodeAt(0)
  }
  tables = { classes, folds }
  return tables
}

function classOf(char: string): number {
  if (!LETTERS.test(char)) return SEPARATOR
  return IDEOGRAPHS.test(char) ? IDEOGRAPH : LETTER
}

function foldUnit(char: string): string {
  const special = FOLDED.indexOf(char)
  if (special >= 0 && special % 2 === 0) return FOLDED.charAt(special + 1)
  const parts = char.normalize('NFD')
  const base = parts.length > 1 && /^[a-z]$/i.test(parts.charAt(0)) ? parts.charAt(0) : char
  const lower = base.toLowerCase()
  return lower.length === 1 ? lower : base
}

const asciiClasses = Uint8Array.from({ length: 128 }, (_, unit) =>
  /[a-z0-9]/i.test(String.fromCharCode(unit)) ? LETTER : SEPARATOR,
)

/** Whether the character at `index` is a separator, a letter or digit, or an ideograph; past the ends: a separator. */
export function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if (unit < 128) return asciiClasses[unit] ?? SEPARATOR
  if (Number.isNaN(unit)) return SEPARATOR
  if (unit < 0xd800 || unit > 0xdfff) return unitTables().classes[unit] ?? SEPARATOR
  const lead = unit >= 0xdc00 ? index - 1 : index
  const char = String.fromCodePoint(text.codePointAt(lead) ?? 0)
  if (char.length !== 2) return SEPARATOR
  return classOf(char)
}

/** True when every character is ASCII. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** The composed form where a text holds combining accents: with them a word would not equal itself. */
export function composed(text: string): string {
  return /[\u0300-\u0331]/.test(text) ? text.normalize('NFC') : text
}

/** Lower-cased and without accents, each character in its place: offsets stay valid. */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  const { folds } = unitTables()
  return text
    .replace(/[^\u0000-\u007f\ud800-\udfff]/g, (char) => String.fromCharCode(folds[char.charCodeAt(0)] ?? 0))
    .toLowerCase()
}

/** Calls `visit` with each run of letters, digits and ideographs of a folded text. */
export function eachRun(folded: string, visit: (start: number, end: number) => void): void {
  const { length } = folded
  let start = -1
  for (let index = 0; index < length; index++) {
    const unit = folded.charCodeAt(index)
    const inside = unit < 128 ? asciiClasses[unit] === LETTER : classAt(folded, index) !== SEPARATOR
    if (inside) {
      if (start < 0) start = index
    } else if (start >= 0) {
      visit(start, index)
      start = -1
    }
  }
  if (start >= 0) visit(start, length)
}

/** The parts of a run that are one kind of script each. */
export function scriptParts(run: string): { text: string; ideographs: boolean }[] {
  if (isAscii(run)) return [{ text: run, ideographs: false }]
  const parts: { text: string; ideographs: boolean }[] = []
  let start = 0
  for (let index = 1; index <= run.length; index++) {
    const before = classAt(run, index - 1) === IDEOGRAPH
    if (index < run.length && (classAt(run, index) === IDEOGRAPH) === before) continue
    parts.push({ text: run.slice(start, index), ideographs: before })
    start = index
  }
  return parts
}

/** Each character and each pair of neighbours of a run of ideographs. */
export function ideographTerms(run: string): { single: string[]; pairs: string[] } {
  const single = [...run]
  return { single, pairs: single.slice(1).map((char, index) => `${single[index]}${char}`) }
}

/**
 * What is added to a document for the index, a blank before each term: parts of camelCase names, characters and pairs
 * of scripts without blanks and the words glued to them, and names such as `C++` that the tokenizer would cut to `c`.
 * Empty for most prose.
 */
export function extraTerms(text: string): string {
  let extra = ''
  const parts = camelParts(text)
  if (parts.length > 0) extra = ` ${parts.join(' ')}`
  eachSymbolName(text, (term) => {
    extra += ` ${term}`
  })
  if (isAscii(text) || !IDEOGRAPHS.test(text)) return extra
  const terms = new Set<string>()
  const folded = foldText(composed(text))
  eachRun(folded, (start, end) => addIdeographs(folded.slice(start, end), (term) => terms.add(term)))
  for (const term of terms) extra += ` ${term}`
  return extra
}

/** All terms of a document and how often each occurs. Terms of more than `maxBytes` in all are cut off. */
export function documentTerms(text: string, maxBytes: number): Map<string, number> {
  const terms = new Map<string, number>()
  let left = maxBytes
  const add = (term: string): void => {
    if (term === '' || term.length > MAX_TERM) return
    const count = terms.get(term)
    if (count === undefined) {
      left -= 3 * term.length + 16
      if (left < 0) return
    }
    terms.set(term, (count ?? 0) + 1)
  }
  const folded = foldText(composed(text))
  eachRun(folded, (start, end) => {
    const run = folded.slice(start, end)
    if (!addIdeographs(run, add)) add(run)
  })
  for (const part of camelParts(text)) add(part)
  eachSymbolName(text, add)
  return terms
}

/** Adds the terms of a run that holds ideographs; false for a run without any. */
function addIdeographs(run: string, add: (term: string) => void): boolean {
  if (isAscii(run) || !IDEOGRAPHS.test(run)) return false
  for (const part of scriptParts(run)) {
    if (!part.ideographs) {
      add(part.text)
      continue
    }
    const { single, pairs } = ideographTerms(part.text)
    for (const char of single) add(char)
    for (const pair of pairs) add(pair)
  }
  return true
}

/** A place where a name may change its word; quick to look for, and met in much that is no camelCase name. */
const CAMEL_PLACE = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/g
/** A name that does: `userName`, `utf8Decode`, `HTTPServer`; not `APIs` and not the `T` of a time. */
const CAMEL = /[a-z]\d*[A-Z]|[A-Z]{2}[a-z]{2}/
const CAMEL_PARTS = /[A-Z]+(?![a-z])|[A-Z]?[^A-Z\d]+|\d+/g

/** Names longer than this are no names but encoded data. */
const MAX_NAME = 64

interface NamePart {
  text: string
  /** Number of the last text it was found in. */
  seenIn: number
}

/** A camelCase name, or what looked like one and has no parts. */
interface Name {
  parts: readonly NamePart[]
  seenIn: number
}

/**
 * Names met lately and their parts. A code base repeats its names: this saves cutting them up again, and marking them
 * with the number of the text is a cheaper way to find each once per text than a set for every text.
 */
const names = new Map<string, Name>()
const nameParts = new Map<string, NamePart>()
const NAMES_KEPT = 20_000
let textNumber = 0

/** The distinct parts of the camelCase names of a text, folded. */
function camelParts(text: string): string[] {
  const found: string[] = []
  textNumber++
  CAMEL_PLACE.lastIndex = 0
  // The end of a match is all that is needed, and asking for it alone makes no objects.
  while (CAMEL_PLACE.test(text)) {
    let end = CAMEL_PLACE.lastIndex
    let start = end - 1
    while (start > 0 && classAt(text, start - 1) === LETTER) start--
    while (end < text.length && classAt(text, end) === LETTER) end++
    CAMEL_PLACE.lastIndex = end
    if (end - start > MAX_NAME) continue
    const name = nameOf(text.slice(start, end))
    if (name.seenIn === textNumber) continue
    name.seenIn = textNumber
    for (const part of name.parts) {
      if (part.seenIn !== textNumber) found.push(part.text)
      part.seenIn = textNumber
    }
  }
  return found
}

function nameOf(text: string): Name {
  let name = names.get(text)
  if (name === undefined) {
    if (names.size >= NAMES_KEPT) {
      names.clear()
      nameParts.clear()
    }
    name = { parts: CAMEL.test(text) ? splitCamel(text).map(partOf) : [], seenIn: 0 }
    names.set(text, name)
  }
  return name
}

function partOf(text: string): NamePart {
  const folded = foldText(text)
  const part = nameParts.get(folded) ?? { text: folded, seenIn: 0 }
  nameParts.set(folded, part)
  return part
}

/** `getHTTPServer2` as `get`, `HTTP`, `Server`; parts of one character say nothing and are left out. */
export function splitCamel(name: string): string[] {
  return (name.match(CAMEL_PARTS) ?? []).filter((part) => part.length > 1)
}

/** True for a name that `splitCamel` takes apart. */
export function isCamel(name: string): boolean {
  return name.length <= MAX_NAME && CAMEL.test(name)
}

const SYMBOL_NAME = /(?<![\p{L}\p{N}])([a-z])(\+\+|#)(?![\p{L}+#])/giu

function eachSymbolName(text: string, visit: (term: string) => void): void {
  if (!text.includes('++') && !text.includes('#')) return
  for (const match of text.matchAll(SYMBOL_NAME)) visit(symbolTerm(match))
}

function symbolTerm([, letter = '', symbol]: RegExpExecArray | RegExpMatchArray): string {
  return `${letter.toLowerCase()}${FACET_MARK}${symbol === '#' ? 'sharp' : 'plus'}`
}

/** The term of a name like `C++` or `F#`; undefined for any other word. */
export function symbolNameTerm(word: string): string | undefined {
  SYMBOL_NAME.lastIndex = 0
  const match = SYMBOL_NAME.exec(word)
  SYMBOL_NAME.lastIndex = 0
  return match && match[0].length === word.length ? symbolTerm(match) : undefined
}

/** Runs of this many base-64 characters are data, not words. */
const DATA_RUN = 256

/** Replaces encoded data (`data:` URIs, keys, images), which is not words, by a mark or a blank. */
export function withoutData(text: string, mark = ' '): string {
  let result = ''
  let copied = 0
  // Any run of the length looked for covers a multiple of that length: all other places need not be looked at.
  for (let probe = DATA_RUN; probe < text.length; ) {
    let start = probe
    while (start > copied && isDataUnit(text.charCodeAt(start - 1))) start--
    let end = probe
    while (end < text.length && isDataUnit(text.charCodeAt(end))) end++
    if (end - start >= DATA_RUN) {
      result += text.slice(copied, start) + mark
      copied = end
    }
    probe = (Math.floor(end / DATA_RUN) + 1) * DATA_RUN
  }
  return copied === 0 ? text : result + text.slice(copied)
}

/** Letters, digits, `+` and `/`. */
function isDataUnit(unit: number): boolean {
  return unit < 128 && (asciiClasses[unit] === LETTER || unit === 0x2b || unit === 0x2f)
}

/** Identifiers that hold a digit and a letter, such as hashes, uuids and issue keys: their pieces can be searched for. */
export function eachIdentifier(text: string, visit: (identifier: string) => void): void {
  DIGIT.lastIndex = 0
  let match = DIGIT.exec(text)
  while (match) {
    let start = match.index
    let end = start + 1
    while (start > 0 && isNameUnit(text.charCodeAt(start - 1))) start--
    while (end < text.length && isNameUnit(text.charCodeAt(end))) end++
    DIGIT.lastIndex = end
    if (end - start >= MIN_IDENTIFIER && end - start <= MAX_IDENTIFIER) {
      const name = text.slice(start, end).toLowerCase()
      if (/[a-z]/.test(name)) visit(name)
    }
    match = DIGIT.exec(text)
  }
}

const DIGIT = /\d/g
const MIN_IDENTIFIER = 6
const MAX_IDENTIFIER = 80

/** Letters, digits, `-` and `_`. */
function isNameUnit(unit: number): boolean {
  return unit < 128 && (asciiClasses[unit] === LETTER || unit === 0x2d || unit === 0x5f)
}
