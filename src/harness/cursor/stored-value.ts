/** Values of the editor's database. */

import type { DatabaseRow } from '../harness.ts'

/** JSON, kept as a text or as bytes; text that is no JSON stays; undefined when there is none. */
export function storedValue(row: DatabaseRow | undefined): unknown {
  const value = row?.['value']
  if (value === null || value === undefined) return undefined
  const written = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value)
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}
