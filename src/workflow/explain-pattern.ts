/** A text that matches a pattern, for examples. Knows the usual syntax; what it guesses is tried before it is used. */

import { compilePattern } from './search-pattern.ts'

/** Longest text that is made up. */
const MAX_LENGTH = 5000

/** Characters tried first for a set of characters. */
const preferred = [...'a0A-_ .x1b']

type Piece =
  | { kind: 'set'; ranges: [number, number][]; negated: boolean }
  | { kind: 'choice'; options: Piece[][] }
  | { kind: 'repeat'; piece: Piece; min: number; max: number }

/**
 * The shortest of a few texts that match a pattern and have a length within bounds; null when none was found.
 * Lengths count code points.
 */
export function textForPattern(pattern: string, minLength: number, maxLength: number): string | null {
  const compiled = compilePattern(pattern)
  if (typeof compiled === 'string') return null
  const piece = parse(pattern)
  for (let more = 0; more <= MAX_LENGTH; more = more < 4 ? more + 1 : more * 2) {
    const draft: Draft = { parts: [], steps: 0 }
    if (!write(piece, more, draft)) return null
    const text = draft.parts.join('')
    const length = [...text].length
    const padded = length < minLength ? text + 'a'.repeat(Math.min(minLength, MAX_LENGTH) - length) : text
    for (const candidate of [text, padded]) {
      const size = [...candidate].length
      if (size >= minLength && size <= maxLength && compiled.expression.test(candidate)) return candidate
    }
  }
  return null
}

interface Draft {
  parts: string[]
  steps: number
}

/** Writes a text with `more` repetitions than necessary; false when it grows too long. */
function write(piece: Piece, more: number, into: Draft): boolean {
  if (into.parts.length > MAX_LENGTH || ++into.steps > 10 * MAX_LENGTH) return false
  switch (piece.kind) {
    case 'set':
      into.parts.push(pick(piece))
      return true
    case 'choice':
      return (piece.options[0] ?? []).every((part) => write(part, more, into))
    case 'repeat': {
      const count = Math.min(piece.max, piece.min + more)
      for (let index = 0; index < count; index++) if (!write(piece.piece, more, into)) return false
      return true
    }
    default:
      return piece satisfies never
  }
}

function pick({ ranges, negated }: Extract<Piece, { kind: 'set' }>): string {
  const inside = (code: number) => ranges.some(([low, high]) => code >= low && code <= high)
  const liked = preferred.find((character) => inside(character.charCodeAt(0)) !== negated)
  return liked ?? String.fromCodePoint(negated ? 0x2022 : (ranges[0]?.[0] ?? 97))
}

interface Reader {
  text: string
  at: number
}

function parse(pattern: string): Piece {
  return parseChoice({ text: pattern, at: 0 })
}

function parseChoice(reader: Reader): Piece {
  const options: Piece[][] = [[]]
  while (reader.at < reader.text.length && reader.text[reader.at] !== ')') {
    if (reader.text[reader.at] === '|') {
      reader.at++
      options.push([])
      continue
    }
    const piece = parsePiece(reader)
    if (piece !== null) options.at(-1)?.push(parseRepeat(reader, piece))
  }
  return { kind: 'choice', options }
}

/** One piece; null for what takes no characters, such as an anchor. */
function parsePiece(reader: Reader): Piece | null {
  const character = next(reader)
  switch (character) {
    case '^':
    case '$':
      return null
    case '.':
      return { kind: 'set', ranges: [[10, 10]], negated: true }
    case '[':
      return parseSet(reader)
    case '(': {
      const opening = /\?(?:P?<\w+>|[a-z-]*:)/y
      opening.lastIndex = reader.at
      reader.at += opening.exec(reader.text)?.[0].length ?? 0
      const inner = parseChoice(reader)
      reader.at++
      return inner
    }
    case '\\': {
      const escaped = next(reader)
      return escaped === 'b' || escaped === 'B' || escaped === 'A' || escaped === 'z'
        ? null
        : parseEscape(reader, escaped)
    }
    default:
      return literal(character)
  }
}

function parseRepeat(reader: Reader, piece: Piece): Piece {
  const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
  quantifier.lastIndex = reader.at
  const found = quantifier.exec(reader.text)
  if (found === null) return piece
  reader.at += found[0].length
  const [, sign, min, comma, max] = found
  if (sign !== undefined) {
    return { kind: 'repeat', piece, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
  }
  const least = Number(min)
  const most = comma === '' ? least : max === '' ? Number.POSITIVE_INFINITY : Number(max)
  return { kind: 'repeat', piece, min: least, max: most }
}

const classes = new Map<string, { ranges: [number, number][]; negated: boolean }>()
const digits: [number, number][] = [[48, 57]]
const wordCharacters: [number, number][] = [...digits, [65, 90], [95, 95], [97, 122]]
const spaces: [number, number][] = [
  [32, 32],
  [9, 13],
]
for (const [name, ranges] of [
  ['d', digits],
  ['w', wordCharacters],
  ['s', spaces],
] as const) {
  classes.set(name, { ranges, negated: false })
  classes.set(name.toUpperCase(), { ranges, negated: true })
}

const controls = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['f', '\f'],
  ['v', '\v'],
])

function parseEscape(reader: Reader, escaped: string): Extract<Piece, { kind: 'set' }> {
  const known = classes.get(escaped)
  if (known !== undefined) return { kind: 'set', ...known }
  if (escaped === 'p' || escaped === 'P') return parseProperty(reader, escaped === 'P')
  const hex = /(?<=u)[0-9a-fA-F]{4}|(?<=x)[0-9a-fA-F]{2}|(?<=[ux])\{[0-9a-fA-F]{1,6}\}/y
  hex.lastIndex = reader.at
  const code = hex.exec(reader.text)?.[0]
  if (code !== undefined) {
    reader.at += code.length
    return literal(String.fromCodePoint(Math.min(Number.parseInt(code.replace(/[{}]/g, ''), 16), 0x10ffff)))
  }
  return literal(controls.get(escaped) ?? escaped)
}

/** `\p{L}` and the like: letters, capitals or digits stand for most of them. */
function parseProperty(reader: Reader, negated: boolean): Extract<Piece, { kind: 'set' }> {
  const property = /\{[^}]*\}|\w/y
  property.lastIndex = reader.at
  const name = property.exec(reader.text)?.[0] ?? ''
  reader.at += name.length
  const plain = name.replace(/[{}]/g, '')
  const letters: [number, number][] =
    plain === 'Lu'
      ? [[65, 90]]
      : plain === 'Ll'
        ? [[97, 122]]
        : [
            [97, 122],
            [65, 90],
          ]
  return { kind: 'set', ranges: plain.startsWith('N') ? digits : letters, negated }
}

function parseSet(reader: Reader): Piece {
  const negated = reader.text[reader.at] === '^'
  if (negated) reader.at++
  const ranges: [number, number][] = []
  for (let first = true; reader.at < reader.text.length; first = false) {
    if (reader.text[reader.at] === ']' && !first) break
    const low = parseSetMember(reader)
    const [start] = low.ranges[0] ?? [0]
    if (!low.negated && low.ranges.length === 1 && /^-[^\]]/.test(reader.text.slice(reader.at, reader.at + 2))) {
      reader.at++
      const [end] = parseSetMember(reader).ranges[0] ?? [start]
      ranges.push([start, end])
    } else if (low.negated) ranges.push([32, 47], [58, 64])
    else ranges.push(...low.ranges)
  }
  reader.at++
  return { kind: 'set', ranges, negated }
}

function parseSetMember(reader: Reader): Extract<Piece, { kind: 'set' }> {
  const character = next(reader)
  return character === '\\' ? parseEscape(reader, next(reader)) : literal(character)
}

function literal(character: string): Extract<Piece, { kind: 'set' }> {
  const code = character.codePointAt(0) ?? 0
  return { kind: 'set', ranges: [[code, code]], negated: false }
}

function next(reader: Reader): string {
  const character = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0)
  reader.at += character.length
  return character
}
