/**
 * Records of a session, the same whether they come from the database or from a JSON file: clients that write both write
 * the same messages into them, which must not become two events.
 */

import { type Fields, fields, list, text } from '../fields.ts'
import { contentOf } from './content.ts'

/** The session itself, first. */
interface SessionRecord {
  type: 'session'
  session: unknown
}

interface MessageRecord {
  type: 'message'
  /** Its name: a hash of what it says. */
  id: string
  message: unknown
}

/** What is known of the session's end so far, last. */
interface EndRecord {
  type: 'end'
  /** Where it was written: `database` or `document`. */
  storage: string
  end: Fields
}

export type HermesRecord = SessionRecord | MessageRecord | EndRecord

/** What tells one message from another: its place does not, and JSON files have nothing else. */
export function saidIn(value: unknown): readonly string[] {
  const message = fields(value)
  const calls = callsOf(message).map((call) => text(call['id']))
  return [text(message['role']), contentOf(message['content']), text(message['tool_call_id']), ...calls]
}

/** A message's tool calls; the database holds them as JSON. */
export function callsOf(message: Fields): readonly Fields[] {
  return list(parsed(message['tool_calls'])).map(fields)
}

/** The value of a text that holds JSON; anything else stays what it is. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
