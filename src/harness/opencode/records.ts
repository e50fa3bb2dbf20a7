/** The records that every storage of the family is cut into: a session, then its messages with their parts. */

import { isRecord } from '../../core/json.ts'
import { type Fields, fields, text } from '../fields.ts'

/** A session as its JSON file had it; rows of the table are put into the same shape. */
export interface SessionRecord {
  type: 'session'
  session: Fields
}

/** A message and its parts, in the shape of their JSON files. */
export interface StoredMessage {
  session: string
  /** The message with its `id`; whatever was found instead when that is no object. */
  message: unknown
  parts: readonly unknown[]
}

export interface MessageRecord extends StoredMessage {
  type: 'message'
  /** The model was asked again later in the session: what is unfinished here will stay so. */
  superseded: boolean
}

/** What the client notes beside messages, such as a change of the model. */
export interface NoteRecord {
  type: 'note'
  session: string
  id: string
  /** What kind of note. */
  kind: string
  /** Milliseconds since 1970. */
  createdAt: number | undefined
  data: unknown
}

/**
 * Messages as records. A session's messages are answered one after the other, so a later answer tells that the one
 * before it has ended, finished or not; a later prompt does not, since prompts can be queued.
 */
export function* toRecords(messages: Iterable<StoredMessage>): Generator<MessageRecord> {
  let waiting: StoredMessage[] = []
  for (const stored of messages) {
    if (roleOf(stored) === 'assistant') {
      for (const earlier of waiting) yield { type: 'message', ...earlier, superseded: roleOf(earlier) === 'assistant' }
      waiting = []
    }
    waiting.push(stored)
  }
  for (const stored of waiting) if (!isBegunAlone(stored)) yield { type: 'message', ...stored, superseded: false }
}

/** The client makes a message, and each part of an answer, before it has anything to put into it. */
function isBegunAlone({ message, parts }: StoredMessage): boolean {
  const { finish, error, time } = fields(message)
  const isOver = finish || error || fields(time)['completed'] !== undefined
  return isRecord(message) && !isOver && parts.every((part) => isEmptyPart(fields(part)))
}

function isEmptyPart({ type, text: said }: Fields): boolean {
  return type === 'step-start' || ((type === 'text' || type === 'reasoning') && said === '')
}

function roleOf({ message }: StoredMessage): string {
  return text(fields(message)['role'])
}

/** JSON text as its value; text that is no JSON stays. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** An object with the fields its row has beside it; something else stays as it is. */
export function withFields(value: unknown, own: Fields): unknown {
  return isRecord(value) ? { ...value, ...own } : value
}
