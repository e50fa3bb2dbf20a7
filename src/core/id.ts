/** Public ids: `session:ses_…`, `turn:turn_…`, `event:evt_…`; opaque to callers, 128 bits in the archive. */

import { UserError } from './errors.ts'

export type IdKind = 'session' | 'turn' | 'event'

const PREFIXES = { session: 'session:ses_', turn: 'turn:turn_', event: 'event:evt_' } as const satisfies Record<
  IdKind,
  string
>

const KINDS = Object.keys(PREFIXES) as IdKind[]

/** Crockford's base 32: no I, L, O or U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const DIGITS = new Map([...ALPHABET].map((char, value) => [char, value]))

/** 26 digits hold 130 bits; the top two are always zero, so the first digit is 0 to 7. */
const LENGTH = 26

/** The public spelling of 16 bytes. */
export function formatId(kind: IdKind, bytes: Uint8Array): string {
  let value = 0n
  for (const byte of bytes) value = (value << 8n) | BigInt(byte)
  let text = ''
  for (let index = 0; index < LENGTH; index++) {
    text = ALPHABET.charAt(Number(value & 31n)) + text
    value >>= 5n
  }
  return PREFIXES[kind] + text
}

/**
 * Reads a public id.
 * @throws UserError `invalid_id` for anything Varve did not make; `field` names the argument in its details.
 */
export function parseId(text: string, field: string): { kind: IdKind; bytes: Buffer } {
  const kind = KINDS.find((candidate) => text.startsWith(PREFIXES[candidate]))
  const digits = kind === undefined ? '' : text.slice(PREFIXES[kind].length)
  if (kind === undefined || digits.length !== LENGTH) throw invalidId(field)
  let value = 0n
  for (const digit of digits) {
    const bits = DIGITS.get(digit)
    if (bits === undefined) throw invalidId(field)
    value = (value << 5n) | BigInt(bits)
  }
  if (value >> 128n) throw invalidId(field)
  return { kind, bytes: Buffer.from(value.toString(16).padStart(32, '0'), 'hex') }
}

function invalidId(field: string): UserError {
  return new UserError('invalid_id', `${field} is not a valid Varve MCP ID`, {
    field,
    remedy: 'use an id returned by search_sessions, list_sessions, file_attention or open',
  })
}
