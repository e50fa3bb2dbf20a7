/** A text that matches a regular expression, for made-up answers: the common constructs, read by hand. */

/** A number from 0 up to, not including, the limit. */
export type Pick = (limit: number) => number

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'class'; characters: string }
  | { kind: 'sequence'; parts: Part[] }
  | { kind: 'choice'; options: Part[] }
  | { kind: 'repeat'; part: Part; from: number; to: number }

const DIGITS = '0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const WORD = `${LOWER}${LOWER.toUpperCase()}${DIGITS}_`
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

/** How many rounds an unbounded repetition gets beyond its least. */
const EXTRA_ROUNDS = 3

const escapes: Readonly<Record<string, string>> = {
  d: DIGITS,
  w: WORD,
  s: ' ',
  n: '\n',
  t: '\t',
  D: LOWER,
  S: LOWER,
  W: '-',
}

/**
 * A text the pattern matches, at least `minLength` long where the pattern leaves room; null for patterns with
 * look-around, back references or anything else that is not read here.
 */
export function textMatching(pattern: string, pick: Pick, minLength = 0): string | null {
  const reader = { pattern, at: 0 }
  const part = readChoice(reader)
  if (part === null || reader.at < pattern.length) return null
  for (let extra = EXTRA_ROUNDS; extra <= EXTRA_ROUNDS + minLength; extra++) {
    const text = write(part, pick, extra)
    if (text.length >= minLength) return text
  }
  return null
}

interface Reader {
  pattern: string
  at: number
}

function readChoice(reader: Reader): Part | null {
  const options: Part[] = []
  for (;;) {
    const option = readSequence(reader)
    if (option === null) return null
    options.push(option)
    if (reader.pattern[reader.at] !== '|') return { kind: 'choice', options }
    reader.at++
  }
}

function readSequence(reader: Reader): Part | null {
  const parts: Part[] = []
  for (;;) {
    const character = reader.pattern[reader.at]
    if (character === undefined || character === '|' || character === ')') return { kind: 'sequence', parts }
    if (character === '^' || character === '$') {
      reader.at++
      continue
    }
    const atom = readAtom(reader)
    const repeated = atom === null ? null : readRepeat(reader, atom)
    if (repeated === null) return null
    parts.push(repeated)
  }
}

function readAtom(reader: Reader): Part | null {
  const character = reader.pattern[reader.at++]
  switch (character) {
    case '(':
      return readGroup(reader)
    case '[':
      return readClass(reader)
    case '.':
      return { kind: 'class', characters: LOWER }
    case '\\':
      return readEscape(reader)
    case '*':
    case '+':
    case '?':
    case '{':
    case undefined:
      return null
    default:
      return { kind: 'text', text: character }
  }
}

function readEscape(reader: Reader): Part | null {
  const escaped = reader.pattern[reader.at++]
  if (escaped === undefined || /[1-9bBkpPuxc]/.test(escaped)) return null
  const characters = escapes[escaped]
  return characters === undefined ? { kind: 'text', text: escaped } : { kind: 'class', characters }
}

function readGroup(reader: Reader): Part | null {
  if (reader.pattern[reader.at] === '?') {
    if (reader.pattern[reader.at + 1] !== ':') return null
    reader.at += 2
  }
  const inner = readChoice(reader)
  return reader.pattern[reader.at++] === ')' ? inner : null
}

function readClass(reader: Reader): Part | null {
  const negated = reader.pattern[reader.at] === '^'
  if (negated) reader.at++
  let characters = ''
  for (let first = true; ; first = false) {
    const character = reader.pattern[reader.at++]
    if (character === undefined) return null
    if (character === ']' && !first) break
    const start = character === '\\' ? readEscape(reader) : ({ kind: 'text', text: character } as const)
    if (start === null) return null
    const end = reader.pattern[reader.at + 1]
    if (start.kind === 'text' && reader.pattern[reader.at] === '-' && end !== undefined && end !== ']') {
      reader.at += 2
      characters += range(start.text, end)
    } else if (start.kind === 'text') characters += start.text
    else if (start.kind === 'class') characters += start.characters
  }
  const allowed = negated ? [...PRINTABLE].filter((one) => !characters.includes(one)).join('') : characters
  return allowed === '' ? null : { kind: 'class', characters: allowed }
}

function range(from: string, to: string): string {
  let text = ''
  for (let code = from.charCodeAt(0); code <= Math.min(to.charCodeAt(0), from.charCodeAt(0) + 200); code++) {
    text += String.fromCharCode(code)
  }
  return text
}

function readRepeat(reader: Reader, part: Part): Part | null {
  const bounds = readBounds(reader)
  if (bounds === null) return part
  if (reader.pattern[reader.at] === '?') reader.at++
  return { kind: 'repeat', part, ...bounds }
}

function readBounds(reader: Reader): { from: number; to: number } | null {
  switch (reader.pattern[reader.at]) {
    case '*':
      reader.at++
      return { from: 0, to: Number.POSITIVE_INFINITY }
    case '+':
      reader.at++
      return { from: 1, to: Number.POSITIVE_INFINITY }
    case '?':
      reader.at++
      return { from: 0, to: 1 }
    case '{': {
      const match = /^\{(\d+)(,(\d*))?\}/.exec(reader.pattern.slice(reader.at))
      if (match === null) return null
      reader.at += match[0].length
      const from = Number(match[1])
      if (match[2] === undefined) return { from, to: from }
      return { from, to: match[3] === undefined || match[3] === '' ? Number.POSITIVE_INFINITY : Number(match[3]) }
    }
    default:
      return null
  }
}

function write(part: Part, pick: Pick, extra: number): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'class':
      return part.characters.charAt(pick(part.characters.length))
    case 'sequence':
      return part.parts.map((one) => write(one, pick, extra)).join('')
    case 'choice': {
      const option = part.options[pick(part.options.length)]
      return option === undefined ? '' : write(option, pick, extra)
    }
    case 'repeat': {
      const rounds = part.from + pick(Math.min(part.to - part.from, extra) + 1)
      return Array.from({ length: rounds }, () => write(part.part, pick, extra)).join('')
    }
    default:
      return part satisfies never
  }
}
