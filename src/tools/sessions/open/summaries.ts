/** Turns and events as one line each. */

import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../../../core/event.ts'
import { formatId } from '../../../core/id.ts'
import { isRecord } from '../../../core/json.ts'
import { formatTime } from '../../../core/time.ts'
import type { EventPreview, TurnView } from '../../../store/index.ts'
import { cut, oneLine } from '../preview.ts'
import { whole } from '../whole.ts'

/** Characters of a summary line. */
const SUMMARY_LENGTH = 240

/** Names of tools listed for a turn, and characters of each. */
const TOOLS_LISTED = 25
const TOOL_NAME_LENGTH = 120

export const ENCRYPTED_REASONING = '[encrypted reasoning omitted]'

const quotedEventSchema = z
  .object({ event_id: z.string(), text: z.string().nullable(), truncated: z.boolean() })
  .nullable()

export const turnDigestSchema = z.object({
  user_input: quotedEventSchema,
  final_response: quotedEventSchema,
  tools_called: z.array(z.string()),
  tools_called_truncated: z.boolean(),
  event_types: z.array(z.enum(EVENT_TYPES)),
})

export const turnFactsSchema = z.object({
  id: z.string(),
  ordinal: whole,
  completed: z.boolean(),
  terminal_event_id: z.string().nullable(),
  event_count: whole,
  started_at: z.string(),
  updated_at: z.string(),
})

export const eventSummarySchema = z.object({
  id: z.string(),
  ordinal: whole,
  type: z.enum(EVENT_TYPES),
  timestamp: z.string(),
  terminal: z.boolean(),
  tool_name: z.string().nullable(),
  model: z.string().nullable(),
  summary: z.string(),
  truncated: z.boolean(),
})

export type TurnDigest = z.infer<typeof turnDigestSchema>
export type EventSummary = z.infer<typeof eventSummarySchema>

export function turnFacts(turn: TurnView, ordinal: number): z.infer<typeof turnFactsSchema> {
  return {
    id: formatId('turn', turn.id),
    ordinal,
    completed: turn.terminal_event_pk !== null,
    terminal_event_id: turn.terminal_id === null ? null : formatId('event', turn.terminal_id),
    event_count: turn.event_count,
    started_at: formatTime(turn.started_at),
    updated_at: formatTime(turn.updated_at),
  }
}

/** What was asked, what was answered, and by which means. */
export function turnDigest(turn: TurnView): TurnDigest {
  const tools = turn.tools === '' ? [] : turn.tools.split('\n')
  const types = turn.types.split(' ')
  const listed = tools.slice(0, TOOLS_LISTED).map((name) => cut(name, TOOL_NAME_LENGTH))
  return {
    user_input: quotedEvent(turn.prompt_id, turn.prompt_text, turn.prompt_length),
    final_response: quotedEvent(turn.final_id, turn.final_text, turn.final_length),
    tools_called: listed,
    tools_called_truncated: tools.length > listed.length || listed.some((name, place) => name !== tools[place]),
    event_types: types.filter((type): type is EventType =>
      EVENT_TYPES.some((known) => known === type && known !== 'unknown'),
    ),
  }
}

function quotedEvent(id: Buffer | null, text: string | null, length: number | null): TurnDigest['user_input'] {
  if (id === null) return null
  const preview = oneLine(text ?? '', SUMMARY_LENGTH, isLonger(text, length))
  return {
    event_id: formatId('event', id),
    text: preview.text === '' ? null : preview.text,
    truncated: preview.truncated,
  }
}

export function eventSummary(event: EventPreview, terminalEventPk: number | null): EventSummary {
  const type = EVENT_TYPES[event.type] ?? 'unknown'
  const { text, truncated } = isEncrypted(type, event.text, event.payload)
    ? { text: ENCRYPTED_REASONING, truncated: false }
    : summaryOf(event)
  return {
    id: formatId('event', event.id),
    ordinal: event.ordinal,
    type,
    timestamp: formatTime(event.at),
    terminal: event.pk === terminalEventPk,
    tool_name: event.tool_name,
    model: event.model,
    summary: text,
    truncated,
  }
}

/** The text, or where there is none, what else the record held. */
function summaryOf({ text, length, payload }: EventPreview): { text: string; truncated: boolean } {
  return text.trim() === '' && payload !== null
    ? oneLine(payload, SUMMARY_LENGTH)
    : oneLine(text, SUMMARY_LENGTH, isLonger(text, length))
}

/** The whole text is longer than the beginning that was read. */
function isLonger(beginning: string | null, length: number | null): boolean {
  // Read as characters by the database; two UTF-16 units may be one of them.
  return length !== null && beginning !== null && length > [...beginning].length
}

/**
 * Reasoning that only its provider can read: there is no text but a payload, or the text itself is a record with an
 * `encrypted_content`.
 */
export function isEncrypted(type: EventType, text: string, payload: string | null): boolean {
  if (type !== 'reasoning') return false
  if (text.trim() === '') return payload !== null
  if (!text.trimStart().startsWith('{') || !text.includes('"encrypted_content"')) return false
  // A long one was cut while reading, and is a record all the same.
  const parsed = parsedOrText(text)
  return parsed === text || (isRecord(parsed) && 'encrypted_content' in parsed)
}

/** Parsed JSON, or the text itself when it is none. */
export function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
