/** The one door through which foreign text enters the archive: cleaned, without secrets, without encoded binary data. */

import { isRecord } from '../core/json.ts'
import { cleanJson, cleanText, withoutBinary } from './clean-text.ts'

export interface Scrubber {
  text(text: string): string
  /** The value as JSON; null when there is none. */
  json(value: unknown): string | null
}

/**
 * Secrets go before binary data does, since a private key is base64 too. `redact` replaces secrets by placeholders.
 */
export function createScrubber(redact: (text: string) => string): Scrubber {
  const text = (value: string): string => (value === '' ? '' : withoutBinary(redact(cleanText(value))))
  return {
    text,
    json(value) {
      if (value === undefined || value === null) return null
      const json = cleanJson(foreignJson(value))
      const redacted = redact(json)
      // A rule may, seldom, take a quote along with the secret; then each string is redacted by itself.
      const sound = redacted === json || isJson(redacted) ? redacted : JSON.stringify(mapStrings(value, text))
      return withoutBinary(sound)
    },
  }
}

/**
 * A value of a foreign record as JSON. Columns of databases may hold what JSON has no word for: large integers become
 * text, bytes their base64. `mayHoldBytes` takes longer. @throws RangeError for a value nested beyond all measure
 */
export function foreignJson(value: unknown, mayHoldBytes = false): string {
  if (mayHoldBytes) return JSON.stringify(value, portable) ?? ''
  try {
    return JSON.stringify(value) ?? ''
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(value, portable) ?? ''
    throw error
  }
}

function portable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]))
}
