/** Opening a turn: what was asked and answered, and its events page by page. */

import { z } from 'zod'
import type { Caller } from '../../../core/caller.ts'
import { formatId } from '../../../core/id.ts'
import {
  adjacentTurns,
  edgeEvents,
  eventPage,
  lastEventPk,
  type SessionView,
  type TurnView,
  turnOrdinal,
} from '../../../store/index.ts'
import type { Services } from '../../tool.ts'
import { coverageSchema } from '../envelope.ts'
import { counted, QUOTED_NOTE, quote } from '../preview.ts'
import { sessionHead, sessionHeadSchema, sessionId } from '../show-session.ts'
import { type Continuation, type Page, writePage } from './cursor.ts'
import { digestLines } from './open-session.ts'
import {
  type EventSummary,
  eventSummary,
  eventSummarySchema,
  turnDigest,
  turnDigestSchema,
  turnFacts,
  turnFactsSchema,
} from './summaries.ts'

export const openTurnSchema = z.object({
  kind: z.literal('turn'),
  turn: turnFactsSchema.extend({ session_id: z.string() }),
  session: sessionHeadSchema,
  summary: turnDigestSchema,
  events: z.array(eventSummarySchema),
  next_cursor: z.string().nullable(),
  traversal: z.object({
    session_id: z.string(),
    previous_turn_id: z.string().nullable(),
    next_turn_id: z.string().nullable(),
    first_event_id: z.string().nullable(),
    last_event_id: z.string().nullable(),
  }),
  coverage: coverageSchema,
})

export type OpenedTurn = Omit<z.infer<typeof openTurnSchema>, 'coverage'>

/** `expansion`: a page size for the first page, a continuation for a later one, nothing for none. */
export async function openTurn(
  services: Services,
  caller: Caller,
  session: SessionView,
  turn: TurnView,
  expansion: number | Continuation | undefined,
): Promise<OpenedTurn> {
  const { engine } = services
  const [ordinal, beside, edges, page] = await Promise.all([
    turnOrdinal(engine, caller, turn),
    adjacentTurns(engine, caller, turn),
    edgeEvents(engine, caller, session.pk, turn.pk),
    expansion === undefined ? { events: [], next_cursor: null } : expand(services, caller, session, turn, expansion),
  ])
  return {
    kind: 'turn',
    turn: { ...turnFacts(turn, ordinal), session_id: sessionId(session) },
    session: sessionHead(session, services),
    summary: turnDigest(turn),
    ...page,
    traversal: {
      session_id: sessionId(session),
      previous_turn_id: beside.previous && formatId('turn', beside.previous),
      next_turn_id: beside.next && formatId('turn', beside.next),
      first_event_id: edges.first && formatId('event', edges.first),
      last_event_id: edges.last && formatId('event', edges.last),
    },
  }
}

async function expand(
  services: Services,
  caller: Caller,
  session: SessionView,
  turn: TurnView,
  expansion: number | Continuation,
): Promise<Pick<OpenedTurn, 'events' | 'next_cursor'>> {
  const page: Page =
    typeof expansion === 'number'
      ? { limit: expansion, upTo: await lastEventPk(services.engine, caller, session.pk, turn.pk) }
      : expansion.page
  const { limit, upTo, after } = page
  const rows = await eventPage(services.engine, caller, {
    sessionPk: session.pk,
    turnPk: turn.pk,
    upTo,
    limit: limit + 1,
    ...(after === undefined ? {} : { after }),
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    events: shown.map((event) => eventSummary(event, turn.terminal_event_pk)),
    next_cursor:
      rows.length > shown.length && last
        ? writePage(services, caller, formatId('turn', turn.id), session, {
            limit,
            upTo,
            after: { pk: last.pk, ordinal: last.ordinal },
          })
        : null,
  }
}

export function openedTurnText({ turn, session, summary, events, next_cursor, traversal }: OpenedTurn): string {
  const tools = summary.tools_called.length === 0 ? 'none' : summary.tools_called.join(', ')
  const shown =
    events.length === 0 ? 'Call open with this id and a limit to list the events.' : `Events shown: ${events.length}.`
  return [
    `Turn ${turn.ordinal} ${turn.id} (${turn.completed ? 'completed' : 'not completed'})`,
    `of ${session.id} (${session.harness}), from ${turn.started_at} to ${turn.updated_at}, ${counted(turn.event_count, 'event')}`,
    QUOTED_NOTE,
    quote(session.display_label),
    ...digestLines(summary, ''),
    `Tools called: ${tools}`,
    `Event types: ${summary.event_types.join(', ')}`,
    `Previous turn ${traversal.previous_turn_id ?? 'none'}, next turn ${traversal.next_turn_id ?? 'none'}`,
    `First event ${traversal.first_event_id ?? 'none'}, last event ${traversal.last_event_id ?? 'none'}`,
    shown,
    ...events.flatMap(eventLines),
    ...(next_cursor === null ? [] : [`There are more events: call open with cursor ${next_cursor}`]),
  ].join('\n')
}

function eventLines({ ordinal, type, tool_name, timestamp, terminal, id, summary }: EventSummary): string[] {
  const tool = tool_name === null ? '' : ` ${tool_name}`
  return [`${ordinal}. ${type}${tool} ${timestamp}${terminal ? ' terminal' : ''} ${id}`, quote(summary, '   ')]
}
