/**
 * The stored text of a conversation: its prompts and answers in the order they were said, each after `User: ` or
 * `Assistant: `, with an empty line between; tool traffic is left out. It is a way of reading the archive: nothing of it is
 * stored twice, and a growing conversation only gets longer.
 */

import type { Caller } from '../../core/caller.ts'
import { type ProsePiece, type ProseSize, prosePieces, proseText, type Queryable } from '../../store/index.ts'
import type { StoredText } from './stored-text.ts'

const LABELS = { user: 'User: ', assistant: 'Assistant: ' } as const
const BETWEEN = '\n\n'

/** A prompt or answer and where it stands. */
interface Block extends ProsePiece {
  label: string
  /** Where the label and the text begin, and where the text ends; in characters of the whole. */
  start: number
  textStart: number
  end: number
  /** Bytes of the whole before the label. */
  bytesBefore: number
}

export interface ConversationText extends StoredText {
  /** Where the text of an event begins; undefined for what is no prompt or answer of it. */
  startOf(eventPk: number): number | undefined
  /** Who said what, in order: numbers of events. */
  pieces: readonly ProsePiece[]
}

/** The text of a session the caller may see; only lengths are read until it is asked for a piece. */
export async function conversationText(db: Queryable, caller: Caller, sessionPk: number): Promise<ConversationText> {
  const pieces = await prosePieces(db, caller, sessionPk)
  const blocks = layOut(pieces)
  const starts = new Map(blocks.map(({ eventPk, textStart }) => [eventPk, textStart]))
  const last = blocks.at(-1)
  const read = (from: number, to: number): Promise<string> => readBlocks(db, caller, blocks, from, to)
  return {
    pieces,
    characters: last?.end ?? 0,
    bytes: last ? last.bytesBefore + last.label.length + last.bytes : 0,
    startOf: (eventPk) => starts.get(eventPk),
    read,
    async bytesBefore(place) {
      const block = blocks.findLast(({ start }) => start <= place)
      return block ? block.bytesBefore + Buffer.byteLength(await read(block.start, place)) : 0
    },
  }
}

/** Bytes of the text of a conversation, known without its order. */
export function conversationBytes({ userPieces, assistantPieces, bytes }: ProseSize): number {
  const labels = userPieces * LABELS.user.length + assistantPieces * LABELS.assistant.length
  return bytes + labels + BETWEEN.length * Math.max(0, userPieces + assistantPieces - 1)
}

function layOut(pieces: readonly ProsePiece[]): Block[] {
  let [start, bytesBefore] = [0, 0]
  return pieces.map((piece): Block => {
    const label = LABELS[piece.saidBy]
    const textStart = start + label.length
    const end = textStart + piece.characters
    const block = { ...piece, label, start, textStart, end, bytesBefore }
    start = end + BETWEEN.length
    bytesBefore += label.length + piece.bytes + BETWEEN.length
    return block
  })
}

async function readBlocks(
  db: Queryable,
  caller: Caller,
  blocks: readonly Block[],
  from: number,
  to: number,
): Promise<string> {
  const parts: string[] = []
  for (const block of blocks) {
    const { eventPk, label, start, textStart, end } = block
    if (end + BETWEEN.length <= from || start >= to) continue
    parts.push(label.slice(Math.max(0, from - start), Math.max(0, to - start)))
    const [first, last] = [Math.max(from, textStart), Math.min(to, end)]
    if (first < last) parts.push(await proseText(db, caller, eventPk, first - textStart, last - first))
    const isLast = block === blocks.at(-1)
    if (!isLast) parts.push(BETWEEN.slice(Math.max(0, from - end), Math.max(0, to - end)))
  }
  return parts.join('')
}
