/**
 * JSON as agents write it when it is not quite JSON: single quotes, keys without quotes, trailing commas, Python's
 * True, False and None. Anything beyond that is not JSON.
 */

/** Reads such a text; undefined when it is not even that. The text must hold an object or an array. */
export function parseLooseJson(text: string): unknown {
  const reader: Reader = { text, at: 0 }
  skipSpace(reader)
  if (reader.text[reader.at] !== '{' && reader.text[reader.at] !== '[') return undefined
  const value = readValue(reader, 0)
  skipSpace(reader)
  return value === nothing || reader.at < text.length ? undefined : value
}

interface Reader {
  text: string
  at: number
}

/** No value could be read: `undefined` would be mistaken for a value that is missing. */
const nothing = Symbol('nothing')

const MAX_DEPTH = 200

const words = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])

function readValue(reader: Reader, depth: number): unknown {
  skipSpace(reader)
  if (depth > MAX_DEPTH) return nothing
  const character = reader.text[reader.at]
  if (character === '{') return readObject(reader, depth)
  if (character === '[') return readArray(reader, depth)
  if (character === '"' || character === "'") return readString(reader, character)
  const word = take(reader, /[A-Za-z]+/y)
  if (word !== null) return words.has(word) ? words.get(word) : nothing
  const number = take(reader, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y)
  return number === null ? nothing : Number(number)
}

function readObject(reader: Reader, depth: number): unknown {
  const entries: [string, unknown][] = []
  reader.at++
  for (;;) {
    skipSpace(reader)
    if (skip(reader, '}')) return Object.fromEntries(entries)
    const quote = reader.text[reader.at]
    const key = quote === '"' || quote === "'" ? readString(reader, quote) : take(reader, /[\p{L}_$][\p{L}\p{N}_$-]*/uy)
    skipSpace(reader)
    if (typeof key !== 'string' || !skip(reader, ':')) return nothing
    const value = readValue(reader, depth + 1)
    if (value === nothing) return nothing
    entries.push([key, value])
    skipSpace(reader)
    if (!skip(reader, ',') && reader.text[reader.at] !== '}') return nothing
  }
}

function readArray(reader: Reader, depth: number): unknown {
  const items: unknown[] = []
  reader.at++
  for (;;) {
    skipSpace(reader)
    if (skip(reader, ']')) return items
    const value = readValue(reader, depth + 1)
    if (value === nothing) return nothing
    items.push(value)
    skipSpace(reader)
    if (!skip(reader, ',') && reader.text[reader.at] !== ']') return nothing
  }
}

/** A string in either kind of quotes, with the escapes of JSON, of its own quote, and line breaks as they are. */
function readString(reader: Reader, quote: string): unknown {
  const parts: string[] = []
  reader.at++
  for (;;) {
    const plain = take(reader, quote === '"' ? /[^"\\]+/y : /[^'\\]+/y)
    if (plain !== null) parts.push(plain)
    const character = reader.text[reader.at]
    if (character === undefined) return nothing
    reader.at++
    if (character === quote) return parts.join('')
    const escaped = readEscape(reader)
    if (escaped === null) return nothing
    parts.push(escaped)
  }
}

const escapes = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
])

function readEscape(reader: Reader): string | null {
  const character = reader.text[reader.at]
  if (character === undefined) return null
  reader.at++
  if (character !== 'u') return escapes.get(character) ?? character
  const hex = take(reader, /[0-9a-fA-F]{4}/y)
  return hex === null ? null : String.fromCharCode(Number.parseInt(hex, 16))
}

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at
  const found = pattern.exec(reader.text)?.[0]
  if (found === undefined || found === '') return null
  reader.at += found.length
  return found
}

function skip(reader: Reader, character: string): boolean {
  if (reader.text[reader.at] !== character) return false
  reader.at++
  return true
}

function skipSpace(reader: Reader): void {
  take(reader, /\s+/y)
}
