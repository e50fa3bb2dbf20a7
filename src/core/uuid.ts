/** Ids of workflows, runs and attempts: UUIDs whose first part is the time, so that neighbours in time are neighbours in an index. */

import { randomFillSync } from 'node:crypto'

/** Makes a new id; comes in as an argument, so that tests own it. */
export type NewId = () => string

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A UUID of version 7 (RFC 9562, 5.7): 48 bits of `now` in Unix milliseconds, 74 random bits. */
export function timeOrderedUuid(now: number): string {
  const bytes = randomBytes()
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return spell(bytes)
}

/** The first 128 bits of a hash as a UUID of version 8 (RFC 9562, 5.8), for things that have one id everywhere. */
export function hashedUuid(hash: Uint8Array): string {
  const bytes = Buffer.from(hash.subarray(0, 16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return spell(bytes)
}

/** True for a UUID in the one spelling Varve writes: lower case, with hyphens. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Random bytes are drawn in stock: asking for sixteen costs as much as asking for thousands. */
const stock = Buffer.alloc(4096)
let drawn = stock.length

function randomBytes(): Buffer {
  if (drawn === stock.length) {
    randomFillSync(stock)
    drawn = 0
  }
  drawn += 16
  return Buffer.from(stock.subarray(drawn - 16, drawn))
}

function spell(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
