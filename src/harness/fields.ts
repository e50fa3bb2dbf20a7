/** Fields of foreign JSON, read without trusting their type. */

import { isRecord } from '../core/json.ts'

export type Fields = Readonly<Record<string, unknown>>

const NONE: Fields = Object.freeze({})

/** An object's fields; those of an empty one when it is none. */
export function fields(value: unknown): Fields {
  return isRecord(value) ? value : NONE
}

/** A text; empty when it is none. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** A number of tokens; 0 when it is none. */
export function count(value: unknown): number {
  const found = number(value)
  return found !== undefined && found > 0 ? found : 0
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The parts that say something, one a line. */
export function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}

/** The named fields that say something, for a payload; undefined when none does. */
export function pick(from: Fields, names: readonly string[]): Fields | undefined {
  let picked: Record<string, unknown> | undefined
  for (const name of names) {
    const value = from[name]
    if (value === undefined || value === null || value === '') continue
    picked ??= {}
    picked[name] = value
  }
  return picked
}

/** Characters of JSON up to which a field is kept. */
const KEPT = 500

/**
 * The small fields of a record but for those to `skip`. Bulky ones are left out and told with their size in characters
 * of JSON, so that whoever opens the event knows what the file held.
 */
export function smallFields(record: Fields, skip: readonly string[] = []): Fields {
  const kept: Record<string, unknown> = {}
  const leftOut: Record<string, number> = {}
  for (const [key, value] of Object.entries(record)) {
    if (value === null || value === undefined || skip.includes(key)) continue
    const size = JSON.stringify(value).length
    if (size <= KEPT) kept[key] = value
    else leftOut[key] = size
  }
  return Object.keys(leftOut).length === 0 ? kept : { ...kept, leftOut }
}

/** Characters of JSON up to which a value nobody understands is kept whole. */
const FOREIGN = 20_000

/** A value we do not understand, kept whole unless it is huge. */
export function foreign(value: unknown): unknown {
  const size = JSON.stringify(value ?? null).length
  if (size <= FOREIGN) return value
  return isRecord(value) ? smallFields(value) : { leftOut: { value: size } }
}
