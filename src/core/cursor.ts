/** Continuation tokens: what they carry is plain JSON, and nobody but us can make one. */

import { createHmac, timingSafeEqual } from 'node:crypto'

/** Longest cursor read; a longer one is not ours. */
export const MAX_CURSOR = 4096

/** Bytes of the signature kept: 128 bits. */
const SIGNATURE = 16

/** `content` as an opaque token, signed with `key`. */
export function writeCursor(key: Buffer, content: Readonly<Record<string, unknown>>): string {
  const body = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${body}.${sign(key, body).toString('base64url')}`
}

/** What `writeCursor` put in; undefined for anything it did not make with this key. */
export function readCursor(key: Buffer, cursor: string): unknown {
  if (cursor.length > MAX_CURSOR) return undefined
  const [body, signature, more] = cursor.split('.')
  if (body === undefined || signature === undefined || more !== undefined) return undefined
  const expected = sign(key, body)
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== SIGNATURE || !timingSafeEqual(given, expected)) return undefined
  return JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
}

function sign(key: Buffer, body: string): Buffer {
  return createHmac('sha256', key).update(body).digest().subarray(0, SIGNATURE)
}
