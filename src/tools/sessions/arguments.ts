/** Reading the arguments of a call. Nothing is coerced but what the specification normalizes; null means absent. */

import { invalidRequest, UserError } from '../../core/errors.ts'
import { SEARCHABLE_TYPES } from '../../core/event.ts'
import { formatTime, parseBound } from '../../core/time.ts'
import type { Surface } from '../tool.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** Refuses arguments a tool does not have. */
export function refuseUnknown(args: Arguments, known: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw invalidRequest(`unknown field: ${unknown.slice(0, 100)}`, unknown.slice(0, 100), {
    remedy: `the fields are ${known.join(', ')}`,
  })
}

/** An optional string, as given. */
export function optionalString(args: Arguments, field: string): string | undefined {
  const value = args[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw invalidRequest(`${field} must be a string`, field)
  return value
}

/** An optional exact filter: trimmed, and not blank when given. */
export function optionalFilter(args: Arguments, field: string): string | undefined {
  const value = optionalString(args, field)?.trim()
  if (value === '') throw invalidRequest(`${field} must be a non-empty string`, field, { remedy: `leave ${field} out` })
  return value
}

/** A required string with something in it, as given. */
export function requiredString(args: Arguments, field: string): string {
  const value = optionalString(args, field)
  if (value === undefined || value.trim() === '') throw invalidRequest(`${field} must be a non-empty string`, field)
  return value
}

/** An optional whole number in a range. */
export function optionalInteger(args: Arguments, field: string, minimum: number, maximum: number): number | undefined {
  const value = args[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum) {
    throw invalidRequest(`${field} must be an integer between ${minimum} and ${maximum}`, field, { minimum, maximum })
  }
  return value
}

export function optionalBoolean(args: Arguments, field: string): boolean | undefined {
  const value = args[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw invalidRequest(`${field} must be true or false`, field)
  return value
}

/** An optional word out of a list. */
export function optionalChoice<T extends string>(args: Arguments, field: string, choices: readonly T[]): T | undefined {
  const value = args[field]
  if (value === undefined || value === null) return undefined
  const choice = choices.find((candidate) => candidate === value)
  if (choice === undefined) {
    throw invalidRequest(`${field} must be one of ${choices.join(', ')}`, field, { supported: choices })
  }
  return choice
}

/** An optional point in time: RFC 3339 with an explicit offset, to the millisecond. */
export function optionalTime(args: Arguments, field: string): number | undefined {
  const value = optionalString(args, field)
  if (value === undefined) return undefined
  const bound = parseBound(value)
  if (!bound) {
    throw invalidRequest(`${field} must be an RFC 3339 datetime with an explicit timezone`, field, {
      remedy: 'write it like 2026-04-30T09:00:00-04:00 or 2026-04-30T13:00:00Z',
    })
  }
  if (bound.fractionDigits > 3) throw invalidRequest(`${field} must have at most millisecond precision`, field)
  return bound.at
}

/** A required point in time. */
export function requiredTime(args: Arguments, field: string): number {
  const at = optionalTime(args, field)
  if (at === undefined) throw invalidRequest(`${field} is required`, field)
  return at
}

/** Refuses a range that ends before or when it starts. */
export function refuseEmptyRange(from: number | undefined, to: number | undefined): void {
  if (from !== undefined && to !== undefined && to <= from) {
    throw invalidRequest('end_datetime must be after start_datetime', 'end_datetime')
  }
}

/** A time in the canonical request. */
export function echoTime(at: number | undefined): string | null {
  return at === undefined ? null : formatTime(at)
}

/** The event types asked for, without repeats and in the order of the interface; `defaults` when none are given. */
export function optionalEventTypes(
  args: Arguments,
  field: string,
  defaults: readonly SearchableType[],
): SearchableType[] {
  const value = args[field]
  if (value === undefined || value === null) return [...defaults]
  if (!Array.isArray(value) || value.length === 0) {
    throw invalidRequest(`${field} must be a non-empty array of event types`, field, { supported: SEARCHABLE_TYPES })
  }
  for (const item of value as unknown[]) {
    if (typeof item !== 'string') throw invalidRequest(`${field} must hold only strings`, field)
    if (!SEARCHABLE_TYPES.some((type) => type === item)) {
      throw new UserError('unsupported_event_type', `unsupported event type: ${item.slice(0, 100)}`, {
        field,
        supported: SEARCHABLE_TYPES,
      })
    }
  }
  return SEARCHABLE_TYPES.filter((type) => value.includes(type))
}

export type SearchableType = (typeof SEARCHABLE_TYPES)[number]

/**
 * Filters are exact, so a name nobody writes finds nothing. That is an answer, not an error: the archive may hold what
 * this version or configuration no longer names. The warning says what would have been known.
 */
export function filterWarnings(
  { harnesses, sourceNames }: Surface,
  filters: { harness?: string | undefined; source?: string | undefined },
): string[] {
  const warnings: string[] = []
  const ids = harnesses.map(({ id }) => id)
  const { harness, source } = filters
  if (harness !== undefined && !ids.includes(harness)) {
    warnings.push(`unknown_harness: no harness is called "${harness}"; known are ${ids.join(', ') || 'none'}`)
  }
  if (source !== undefined && !sourceNames.includes(source)) {
    warnings.push(
      `unknown_source: no configured source is called "${source}"; known are ${sourceNames.join(', ') || 'none'}`,
    )
  }
  return warnings
}
