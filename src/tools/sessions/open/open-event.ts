/** Opening an event: all of its content, and the way to everything around it. */

import { z } from 'zod'
import type { Caller } from '../../../core/caller.ts'
import { EVENT_TYPES, type EventType } from '../../../core/event.ts'
import { formatId } from '../../../core/id.ts'
import { isRecord } from '../../../core/json.ts'
import { formatTime } from '../../../core/time.ts'
import {
  adjacentEvents,
  adjacentTurns,
  type EventView,
  findTurnByPk,
  originatingModel,
  responseUsage,
  type SessionView,
  type TurnView,
  turnOrdinal,
} from '../../../store/index.ts'
import type { Services } from '../../tool.ts'
import { coverageSchema } from '../envelope.ts'
import { cut, QUOTED_NOTE, quote } from '../preview.ts'
import { sessionHead, sessionHeadSchema, sessionId } from '../show-session.ts'
import { whole } from '../whole.ts'
import { ENCRYPTED_REASONING, isEncrypted, parsedOrText } from './summaries.ts'

/** Characters of the content in the text form; the structured form always has all of it. */
const TEXT_LENGTH = 20_000

const contentSchema = z.object({
  format: z.enum(['text', 'tool_call', 'tool_response']),
  text: z.string(),
  truncated: z.literal(false),
  tool_name: z.string().nullable().optional(),
  arguments: z.unknown().optional(),
  exit_code: whole.nullable().optional(),
  failed: z.boolean().optional(),
  payload: z.unknown().optional(),
})

export const openEventSchema = z.object({
  kind: z.literal('event'),
  event: z.object({
    id: z.string(),
    session_id: z.string(),
    turn_id: z.string().nullable(),
    ordinal: whole,
    type: z.enum(EVENT_TYPES),
    timestamp: z.string(),
    terminal: z.boolean(),
    model: z.string().nullable(),
    originating_model: z.string().nullable(),
    tool_name: z.string().nullable(),
    tool_server: z.string().nullable(),
    call_id: z.string().nullable(),
    record: z.object({ path: z.string(), index: whole }),
    usage: z
      .object({
        id: z.string(),
        input: whole,
        output: whole,
        cache_read: whole,
        cache_write: whole,
        reasoning: whole,
      })
      .nullable(),
  }),
  content: contentSchema,
  session: sessionHeadSchema,
  turn: z.object({ id: z.string(), ordinal: whole, completed: z.boolean() }).nullable(),
  traversal: z.object({
    session_id: z.string(),
    turn_id: z.string().nullable(),
    previous_event_id: z.string().nullable(),
    next_event_id: z.string().nullable(),
    previous_turn_id: z.string().nullable(),
    next_turn_id: z.string().nullable(),
  }),
  coverage: coverageSchema,
})

export type OpenedEvent = Omit<z.infer<typeof openEventSchema>, 'coverage'>

export async function openEvent(
  services: Services,
  caller: Caller,
  session: SessionView,
  event: EventView,
): Promise<OpenedEvent> {
  const { engine } = services
  // Copied history belongs to no turn.
  const turn = event.turn_pk === 0 ? undefined : await findTurnByPk(engine, caller, event.turn_pk)
  const [around, model, usage] = await Promise.all([
    aroundTurn(services, caller, event, turn),
    originatingModel(engine, caller, event),
    event.usage_id === null ? undefined : responseUsage(engine, caller, session.harness, event.usage_id),
  ])
  const turnId = turn ? formatId('turn', turn.id) : null
  return {
    kind: 'event',
    event: {
      id: formatId('event', event.id),
      session_id: sessionId(session),
      turn_id: turnId,
      ordinal: event.ordinal,
      type: typeOf(event),
      timestamp: formatTime(event.at),
      terminal: turn?.terminal_event_pk === event.pk,
      model: event.model,
      originating_model: model,
      tool_name: event.tool_name,
      tool_server: event.tool_server,
      call_id: event.call_id,
      record: { path: event.path, index: event.record_index },
      usage: usage ?? null,
    },
    content: contentOf(event),
    session: sessionHead(session, services),
    turn:
      turn && turnId ? { id: turnId, ordinal: around.turnOrdinal, completed: turn.terminal_event_pk !== null } : null,
    traversal: { session_id: sessionId(session), turn_id: turnId, ...around.traversal },
  }
}

async function aroundTurn(
  { engine }: Services,
  caller: Caller,
  event: EventView,
  turn: TurnView | undefined,
): Promise<{ turnOrdinal: number; traversal: Omit<OpenedEvent['traversal'], 'session_id' | 'turn_id'> }> {
  if (!turn) {
    const nothing = { previous_event_id: null, next_event_id: null, previous_turn_id: null, next_turn_id: null }
    return { turnOrdinal: 0, traversal: nothing }
  }
  const [ordinal, events, turns] = await Promise.all([
    turnOrdinal(engine, caller, turn),
    adjacentEvents(engine, caller, event),
    adjacentTurns(engine, caller, turn),
  ])
  return {
    turnOrdinal: ordinal,
    traversal: {
      previous_event_id: events.previous && formatId('event', events.previous),
      next_event_id: events.next && formatId('event', events.next),
      previous_turn_id: turns.previous && formatId('turn', turns.previous),
      next_turn_id: turns.next && formatId('turn', turns.next),
    },
  }
}

function typeOf(event: EventView): EventType {
  return EVENT_TYPES[event.type] ?? 'unknown'
}

/** Full content, in the shape of its type. */
function contentOf(event: EventView): OpenedEvent['content'] {
  const payload = event.payload === null ? {} : { payload: parsedOrText(event.payload) }
  switch (typeOf(event)) {
    case 'tool_call': {
      const given = event.input === null ? null : parsedOrText(event.input)
      const text = given === null ? event.text : callText(event.tool_name, given)
      return { format: 'tool_call', tool_name: event.tool_name, arguments: given, text, truncated: false, ...payload }
    }
    case 'tool_response':
      return {
        format: 'tool_response',
        tool_name: event.tool_name,
        exit_code: event.exit_code,
        failed: event.failed === 1,
        text: event.text,
        truncated: false,
        ...payload,
      }
    default:
      return { format: 'text', text: event.text, truncated: false, ...payload }
  }
}

/** A call as a person would write it: `exec_command(cmd="ls", workdir="/src")`. */
function callText(name: string | null, given: unknown): string {
  const args = isRecord(given)
    ? Object.entries(given).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    : [typeof given === 'string' ? given : JSON.stringify(given)]
  return `${name ?? 'unknown'}(${args.join(', ')})`
}

export function openedEventText({ event, content, session, turn, traversal }: OpenedEvent): string {
  const tool = event.tool_name === null ? '' : ` ${event.tool_name}`
  const model = event.originating_model === null ? '' : `, model ${event.originating_model}`
  const exit = typeof content.exit_code === 'number' ? `, exit code ${content.exit_code}` : ''
  const failed = content.failed ? ', failed' : ''
  const body = bodyText(event.type, content)
  const shown = cut(body, TEXT_LENGTH)
  const left = body.length - shown.length
  return [
    `Event ${event.id}: ${event.type}${tool} at ${event.timestamp}${model}${exit}${failed}${event.terminal ? ', ends its turn' : ''}`,
    turn === null
      ? `Replayed history in ${session.id} (${session.harness})`
      : `Number ${event.ordinal} in turn ${turn.ordinal} ${turn.id} of ${session.id} (${session.harness})`,
    QUOTED_NOTE,
    quote(shown),
    ...(left > 0 ? [`${left} more characters are in structuredContent.data.content.text.`] : []),
    `Previous event ${traversal.previous_event_id ?? 'none'}, next event ${traversal.next_event_id ?? 'none'}`,
    `Previous turn ${traversal.previous_turn_id ?? 'none'}, next turn ${traversal.next_turn_id ?? 'none'}`,
  ].join('\n')
}

function bodyText(type: EventType, content: OpenedEvent['content']): string {
  const payload = content.payload === undefined ? null : JSON.stringify(content.payload)
  if (isEncrypted(type, content.text, payload)) return `${ENCRYPTED_REASONING} (the payload is in structuredContent)`
  return content.text.trim() === '' ? (payload ?? '[no text]') : content.text
}
