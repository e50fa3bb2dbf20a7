/** Reading and writing the one time format of the interface: RFC 3339 in UTC. */

/** Largest distance from 1970 that a Date can hold, in milliseconds (ECMA-262, Time Values and Time Range). */
const MAX_TIME = 8.64e15

const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?$/

/** Milliseconds as `2026-04-29T18:42:31.125Z`; null for what no Date can hold. */
export function formatTime(at: number): string {
  return new Date(at).toISOString()
}

/** True when `at` is a finite number a Date can hold. */
export function isTime(at: unknown): at is number {
  return typeof at === 'number' && Number.isFinite(at) && Math.abs(at) <= MAX_TIME
}

/**
 * Reads a foreign timestamp: RFC 3339, or the same without an offset, which is taken as UTC.
 * Returns undefined for anything that is no time; never NaN.
 */
export function parseTime(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined
  const match = RFC3339.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = match
  const millis = `${fraction}000`.slice(0, 3)
  // Date.parse takes 30 February for 2 March.
  if (Number(day) > 28 && Number(day) > daysIn(Number(year), Number(month))) return undefined
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${offset}`)
  return isTime(at) ? at : undefined
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** A bound given by a caller: strict RFC 3339 with an explicit offset, or undefined. */
export function parseBound(text: string): { at: number; fractionDigits: number } | undefined {
  const match = RFC3339.exec(text)
  if (!match || match[8] === undefined || match[6] === undefined) return undefined
  const at = parseTime(text)
  return at === undefined ? undefined : { at, fractionDigits: match[7]?.length ?? 0 }
}
