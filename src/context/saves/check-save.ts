/** The limits of a save, and how findable it will be. Pure. */

import { createHash } from 'node:crypto'
import { invalidRequest } from '../../core/errors.ts'
import type { SaveQuality, SaveRequest } from './types.ts'

export const SUMMARY_CHARACTERS = 8_000
export const CONTENT_BYTES = 4 * 1024 * 1024
export const LIST_ENTRIES = 100
export const ENTRY_CHARACTERS = 2_000
export const KEY_CHARACTERS = 200

/** A transcript shorter than this says little more than its summary. */
const SUBSTANCE = 500

/** @throws UserError `invalid_request` with the field's name, for what is beyond a limit (statement 83) */
export function checkSave(request: SaveRequest): void {
  const { summary, content, idempotency_key, replace_idempotency_key, source, domain } = request
  if (summary.trim() === '') throw invalidRequest('the summary is empty', 'summary')
  atMost([...summary].length, SUMMARY_CHARACTERS, 'characters', 'summary')
  atMost([...source].length, KEY_CHARACTERS, 'characters', 'source')
  atMost([...(domain ?? '')].length, KEY_CHARACTERS, 'characters', 'domain')
  if (content !== undefined) atMost(Buffer.byteLength(content), CONTENT_BYTES, 'bytes', 'content')
  for (const field of ['decisions', 'key_outputs', 'topics'] as const) {
    const entries = request[field] ?? []
    atMost(entries.length, LIST_ENTRIES, 'entries', field)
    for (const [place, entry] of entries.entries()) {
      atMost([...entry].length, ENTRY_CHARACTERS, 'characters', `${field}.${place}`)
    }
  }
  checkKey(idempotency_key, 'idempotency_key')
  checkKey(replace_idempotency_key, 'replace_idempotency_key')
}

function checkKey(key: string | undefined, field: string): void {
  if (key === undefined) return
  if (key.trim() === '') throw invalidRequest(`${field} is empty`, field)
  atMost([...key].length, KEY_CHARACTERS, 'characters', field)
}

function atMost(count: number, limit: number, unit: string, field: string): void {
  if (count <= limit) return
  throw invalidRequest(`${field} has ${count} ${unit}, at most ${limit} are accepted`, field, { limit })
}

/**
 * The key of a save: the one given, else made of source and content, white space aside. A summary alone has none, since
 * two sessions may well be summed up alike (statement 88).
 */
export function keyOfSave({ source, content, idempotency_key }: SaveRequest): string | null {
  if (idempotency_key !== undefined) return idempotency_key
  if (content === undefined || content.trim() === '') return null
  const normal = content.normalize('NFC').replace(/\s+/g, ' ').trim()
  return `content:${createHash('sha256').update(`${source}\0${normal}`).digest('hex')}`
}

export function qualityOf({ content, decisions = [] }: SaveRequest): SaveQuality {
  const warnings: string[] = []
  const length = content?.trim().length ?? 0
  if (length === 0) {
    warnings.push('no content: a summary alone is hard to find later; send the transcript of any session of substance')
  } else if (length < SUBSTANCE) {
    warnings.push('the content is short: send the whole transcript')
  }
  if (decisions.length === 0) warnings.push('no decisions: name what was decided, so that packs can quote it')
  return { tier: length === 0 ? 'summary_only' : length < SUBSTANCE ? 'partial' : 'full', warnings }
}
