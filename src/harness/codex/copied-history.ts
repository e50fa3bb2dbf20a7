/**
 * Forks and subagents: their file begins with a copy of the parent's history, which must neither be counted nor
 * searched again. Newer clients say how long the copy is; of older ones it is told from what the records say.
 */

import { type Fields, fields, number, string } from './fields.ts'

export interface CopiedHistory {
  /** Records with a lower ordinal are copies. */
  untilOrdinal?: number
  /** When the fork was made, in milliseconds since 1970. */
  forkedAt?: number
  previousAt?: number
  /** The copied records name turns, so that the first turn of the fork's own tells the end of the copy. */
  namesTurns?: true
}

/** A copy is written in one go; what comes after a longer pause is new. Milliseconds. */
const PAUSE = 1000

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i

/** The time a version 7 UUID was made, in milliseconds since 1970 (RFC 9562, 5.7); undefined for other texts. */
export function timeOfUuid(uuid: unknown): number | undefined {
  const match = typeof uuid === 'string' ? UUID_V7.exec(uuid) : null
  return match ? Number.parseInt(`${match[1]}${match[2]}`, 16) : undefined
}

/** Whether a record still belongs to the copy. Asked once for each record, in order, until it says no. */
export function isCopied(
  copied: CopiedHistory,
  envelope: Fields,
  payload: Fields,
  at: number | undefined,
  index: number,
): boolean {
  if (copied.untilOrdinal !== undefined) return (number(envelope.ordinal) ?? index) < copied.untilOrdinal
  const madeAt = timeOfUuid(turnOf(payload))
  if (madeAt !== undefined && copied.forkedAt !== undefined) {
    copied.namesTurns = true
    return madeAt < copied.forkedAt
  }
  if (copied.namesTurns || at === undefined) return true
  const { forkedAt, previousAt = at } = copied
  copied.previousAt = at
  if (forkedAt !== undefined && at < forkedAt) return true
  return at - previousAt <= PAUSE
}

function turnOf(payload: Fields): string | undefined {
  return (
    string(payload.turn_id) ??
    string(fields(payload.internal_chat_message_metadata_passthrough).turn_id) ??
    string(fields(payload.metadata).turn_id)
  )
}
