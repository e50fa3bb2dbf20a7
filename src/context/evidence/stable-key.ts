/**
 * Stable evidence keys: names that survive re-indexing, growth, ageing and a move of the project's folder. ASCII,
 * percent-encoded, at most 256 bytes.
 */

import { createHash } from 'node:crypto'
import { sourceNameOf } from '../source-names.ts'

const MAX_BYTES = 256

/** Hex digits of a hash that stands for what did not fit. */
const DIGEST_DIGITS = 16

export function conversationKey(harness: string, nativeId: string): string {
  return key('conversation', sourceNameOf(harness), nativeId)
}

/** Of a save, which is a conversation without a transcript on disk. */
export function saveKey(source: string, id: string): string {
  return key('conversation', source, id)
}

/** `projectHash` is the eight digits of `projectHash8`; the path is below the root. */
export function documentKey(projectHash: string, path: string): string {
  return key('document', projectHash, path)
}

export function sectionKey(parent: string, slug: string): string {
  return slug === '' ? parent : bounded(`${parent}#${encode(slug)}`)
}

/** `week` is an ISO week: `2026-W07`. */
export function digestKey(projectHash: string, week: string): string {
  return key('digest', projectHash, week)
}

/** `statement:<kind>:<parent key>@<sha1-8 of the text, white space and case aside>` */
export function statementKey(kind: 'decision' | 'constraint', parent: string, text: string): string {
  const normal = text.replace(/\s+/g, ' ').trim().toLowerCase()
  const tail = `@${sha1(normal).slice(0, 8)}`
  return bounded(`statement:${kind}:${parent}`, MAX_BYTES - tail.length) + tail
}

function key(kind: string, ...parts: readonly string[]): string {
  return bounded([kind, ...parts.map(encode)].join(':'))
}

/** Everything but letters, digits and `-_.~/` becomes `%XX`; lone surrogates become U+FFFD. */
function encode(part: string): string {
  return encodeURIComponent(part.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll('%2F', '/')
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** A key that would be too long keeps its beginning and ends with a hash of the whole. */
function bounded(text: string, max = MAX_BYTES): string {
  if (text.length <= max) return text
  const head = text.slice(0, max - DIGEST_DIGITS - 1).replace(/%[0-9A-F]?$/, '')
  return `${head}~${sha1(text).slice(0, DIGEST_DIGITS)}`
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
