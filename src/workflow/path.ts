/**
 * Paths into a run's variables: `plan.steps[0].name`, `items[idx].x`, `ask-user.decision`. A bracket holds a number or
 * another path whose value is the number. Only own properties are read: what JavaScript adds to every object
 * (`constructor`, `__proto__`) is no data.
 */

import { UserError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'

export type Segment = { kind: 'key'; name: string } | { kind: 'index'; index: number } | { kind: 'dynamic'; path: Path }

/** A parsed path: the variable it starts at, and the way on from there. */
export interface Path {
  root: string
  rest: readonly Segment[]
}

/** The value of a root name; undefined when there is none. */
export type Lookup = (root: string) => unknown

/** Names that lead to JavaScript's own machinery: never read, never written, never declared. */
export const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Deepest nesting of brackets inside brackets. */
const MAX_BRACKETS = 10

const nameCharacter = /[\p{L}\p{N}_$-]/u

/** Reads a path's text; null when it is not a path. Kebab-case, Unicode letters and leading digits are fine. */
export function parsePath(text: string): Path | null {
  const reader = { text, at: 0 }
  const path = parsePathAt(reader, 0)
  return path !== null && reader.at === text.length ? path : null
}

interface Reader {
  text: string
  at: number
}

function parsePathAt(reader: Reader, depth: number): Path | null {
  if (depth > MAX_BRACKETS) return null
  // `@index` is the one name with a sign: the place inside an each block.
  const root = reader.text.startsWith('@index', reader.at) ? '@index' : readName(reader)
  if (root === null) return null
  if (root === '@index') reader.at += root.length
  const rest: Segment[] = []
  for (;;) {
    const next = reader.text[reader.at]
    if (next !== '.' && next !== '[') return { root, rest }
    reader.at++
    const segment = next === '.' ? parseKey(reader) : parseBracket(reader, depth)
    if (segment === null) return null
    rest.push(segment)
  }
}

function parseKey(reader: Reader): Segment | null {
  const name = readName(reader)
  return name === null ? null : { kind: 'key', name }
}

function parseBracket(reader: Reader, depth: number): Segment | null {
  const path = parsePathAt(reader, depth + 1)
  if (path === null || reader.text[reader.at] !== ']') return null
  reader.at++
  if (path.rest.length === 0 && /^\d+$/.test(path.root)) return { kind: 'index', index: Number(path.root) }
  return { kind: 'dynamic', path }
}

function readName(reader: Reader): string | null {
  const start = reader.at
  while (reader.at < reader.text.length) {
    const character = String.fromCodePoint(reader.text.codePointAt(reader.at) ?? 0)
    if (!nameCharacter.test(character)) break
    reader.at += character.length
  }
  return reader.at === start ? null : reader.text.slice(start, reader.at)
}

/** Every name a path reads by: its root and the roots inside its brackets. */
export function pathRoots(path: Path): string[] {
  const inner = path.rest.flatMap((segment) => (segment.kind === 'dynamic' ? pathRoots(segment.path) : []))
  return [path.root, ...inner]
}

/** Whether any name of the path is one of `forbiddenNames`. */
export function hasForbiddenName(path: Path): boolean {
  return (
    forbiddenNames.has(path.root) ||
    path.rest.some((segment) => {
      if (segment.kind === 'key') return forbiddenNames.has(segment.name)
      return segment.kind === 'dynamic' && hasForbiddenName(segment.path)
    })
  )
}

/** The value a parsed path leads to; undefined when the way ends early or an index is no index. */
export function resolvePath(path: Path, lookup: Lookup): unknown {
  if (forbiddenNames.has(path.root)) return undefined
  let value = lookup(path.root)
  for (const segment of path.rest) {
    if (value === null || value === undefined) return undefined
    value = segment.kind === 'key' ? ownProperty(value, segment.name) : element(value, indexOf(segment, lookup))
  }
  return value
}

/** A property the value itself has. Arrays and strings have a `length`. */
export function ownProperty(value: unknown, name: string): unknown {
  if (value === null || value === undefined || forbiddenNames.has(name) || !Object.hasOwn(Object(value), name)) {
    return undefined
  }
  return (value as Record<string, unknown>)[name]
}

function element(value: unknown, index: number | null): unknown {
  return Array.isArray(value) && index !== null ? value[index] : undefined
}

/** A non-negative whole number, also as digits in a string; anything else is no index. */
function indexOf(segment: Exclude<Segment, { kind: 'key' }>, lookup: Lookup): number | null {
  if (segment.kind === 'index') return segment.index
  const value = resolvePath(segment.path, lookup)
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** The value at a path of some variables; undefined when nothing is there or the text is not a path. */
export function readPath(variables: Readonly<Record<string, unknown>>, text: string): unknown {
  const path = parsePath(text)
  return path === null ? undefined : resolvePath(path, (root) => ownProperty(variables, root))
}

/**
 * The variables with a value put at a path: missing objects on the way are made, what is changed is copied, the rest
 * is shared with the original.
 * @throws UserError `WORKFLOW_INVALID` when the text is no path or a name is forbidden; `NODE_FAILED` when the way
 *   leads through something that is neither object nor array, or past the end of an array.
 */
export function writePath(
  variables: Readonly<Record<string, unknown>>,
  text: string,
  value: unknown,
): Record<string, unknown> {
  const path = parsePath(text)
  if (path === null || hasForbiddenName(path)) {
    throw new UserError('WORKFLOW_INVALID', `"${text}" is not a path that can be written.`, {
      field: text,
      remedy: 'Use names joined by dots and indices in brackets, as in result.items[0].url.',
    })
  }
  const lookup: Lookup = (root) => ownProperty(variables, root)
  const steps: (string | number)[] = [path.root]
  for (const segment of path.rest) {
    const step = segment.kind === 'key' ? segment.name : indexOf(segment, lookup)
    if (step === null) throw blocked(text, 'an index in brackets is not a whole number from 0 up')
    steps.push(step)
  }
  return writeAt(variables, steps, 0, value, text) as Record<string, unknown>
}

function writeAt(
  holder: unknown,
  steps: readonly (string | number)[],
  depth: number,
  value: unknown,
  text: string,
): unknown {
  const step = steps[depth]
  if (step === undefined) return value
  if (typeof step === 'number') {
    if (holder !== undefined && holder !== null && !Array.isArray(holder)) {
      throw blocked(text, `[${step}] is asked of something that is not an array`)
    }
    const items: unknown[] = [...(holder ?? [])]
    if (step > items.length) throw blocked(text, `[${step}] lies past the end of an array of ${items.length}`)
    items[step] = writeAt(items[step], steps, depth + 1, value, text)
    return items
  }
  if (holder !== undefined && holder !== null && !isRecord(holder)) {
    throw blocked(text, `"${step}" is asked of something that is not an object`)
  }
  return { ...holder, [step]: writeAt(ownProperty(holder, step), steps, depth + 1, value, text) }
}

function blocked(text: string, why: string): UserError {
  return new UserError('NODE_FAILED', `Nothing can be written to "${text}": ${why}.`, {
    field: text,
    remedy: 'Write to a path whose parents are objects, or to the next free index of an array.',
  })
}
