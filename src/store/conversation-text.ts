/** The prose of conversations: who said how much in which order, and pieces of it, without reading the rest. */

import type { Caller } from '../core/caller.ts'
import type { Queryable } from './engine.ts'
import { typeNumber } from './search-index.ts'

/** One prompt or answer of a conversation, without its text. */
export interface ProsePiece {
  eventPk: number
  saidBy: 'user' | 'assistant'
  /** Length of the text: in characters (code points, which is what SQL counts) and in bytes of UTF-8. */
  characters: number
  bytes: number
}

const USER = typeNumber('user_input')
const ASSISTANT = typeNumber('assistant_response')

/** Prompts and answers that belong to a turn; copied history belongs to none. */
const PROSE = `event.type IN (${USER}, ${ASSISTANT}) AND event.turn_pk > 0 AND event.text <> ''`

/** The prose of a session the caller may see, in the order it was said. */
export async function prosePieces(db: Queryable, caller: Caller, sessionPk: number): Promise<ProsePiece[]> {
  const rows = await db.all<{ pk: number; type: number; characters: number; bytes: number }>(
    `SELECT event.pk, event.type, length(event.text) AS characters, octet_length(event.text) AS bytes
      FROM event JOIN turn ON turn.owner = event.owner AND turn.pk = event.turn_pk
      WHERE event.owner = ? AND event.session_pk = ? AND ${PROSE}
      ORDER BY turn.started_at, turn.pk, event.ordinal, event.pk`,
    [caller.owner, sessionPk],
    caller.signal,
  )
  return rows.map(({ pk, type, characters, bytes }) => ({
    eventPk: pk,
    saidBy: type === USER ? 'user' : 'assistant',
    characters,
    bytes,
  }))
}

/** How much prose there is of each side. */
export interface ProseSize {
  userPieces: number
  assistantPieces: number
  bytes: number
}

/** How much prose a session holds. */
export async function proseSize(db: Queryable, caller: Caller, sessionPk: number): Promise<ProseSize> {
  const row = await db.get<{ prompts: number | null; pieces: number; bytes: number | null }>(
    `SELECT SUM(CASE WHEN event.type = ${USER} THEN 1 ELSE 0 END) AS prompts, COUNT(*) AS pieces,
      SUM(octet_length(event.text)) AS bytes
      FROM event WHERE event.owner = ? AND event.session_pk = ? AND ${PROSE}`,
    [caller.owner, sessionPk],
    caller.signal,
  )
  const { prompts, pieces, bytes } = row ?? { prompts: 0, pieces: 0, bytes: 0 }
  return { userPieces: prompts ?? 0, assistantPieces: pieces - (prompts ?? 0), bytes: bytes ?? 0 }
}

/** Characters of one event's text, from `from` on, in code points; shorter at the text's end, empty when it is gone. */
export async function proseText(
  db: Queryable,
  caller: Caller,
  eventPk: number,
  from: number,
  characters: number,
): Promise<string> {
  const row = await db.get<{ text: string }>(
    'SELECT substr(event.text, ?, ?) AS text FROM event WHERE event.owner = ? AND event.pk = ?',
    [from + 1, characters, caller.owner, eventPk],
    caller.signal,
  )
  return row?.text ?? ''
}
