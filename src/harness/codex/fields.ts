/** Fields of foreign JSON, read without trusting their type. */

import { isRecord } from '../../core/json.ts'

export type Fields = Record<string, unknown>

const NONE: Fields = Object.freeze({})

/** A string with something in it. */
export function string(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** An object's fields; those of an empty one when it is none. */
export function fields(value: unknown): Fields {
  return isRecord(value) ? value : NONE
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The named fields that say something, for a payload; undefined when none does. */
export function pick(from: Fields, names: readonly string[]): Fields | undefined {
  let picked: Fields | undefined
  for (const name of names) {
    const value = from[name]
    if (value === undefined || value === null || value === '') continue
    picked ??= {}
    picked[name] = value
  }
  return picked
}

/** JSON text as its value, and anything else as it is. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const first = value.trimStart().charAt(0)
  if (first !== '{' && first !== '[') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
