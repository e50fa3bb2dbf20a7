/** How touches are shown: the payload of file_attention. */

import { z } from 'zod'
import type { Caller } from '../../../core/caller.ts'
import { EVENT_TYPES } from '../../../core/event.ts'
import { formatId } from '../../../core/id.ts'
import { formatTime } from '../../../core/time.ts'
import { type HitView, loadHits } from '../../../store/index.ts'
import type { Services, Surface } from '../../tool.ts'
import { coverageSchema } from '../envelope.ts'
import { oneLine } from '../preview.ts'
import { sessionTimes, sessionTimesSchema } from '../show-session.ts'
import { whole } from '../whole.ts'
import type { Located } from './locate.ts'
import { GRANULARITIES, type Request, SCOPES } from './request.ts'
import { bySession, rootBuckets, type TouchRow, UNKNOWN_ROOT } from './rows.ts'

/** Characters of a preview of a call's arguments. */
const PREVIEW_LENGTH = 160

const openSchema = z.object({ event_id: z.string(), session_id: z.string(), turn_id: z.string() })

const eventRowSchema = z.object({
  rank: whole,
  id: z.string(),
  event: z.object({
    id: z.string(),
    session_id: z.string(),
    harness: z.string(),
    source: z.string(),
    timestamp: z.string(),
    tool_name: z.string().nullable(),
    phase: z.enum(['request', 'response']),
    access: z.enum(['read', 'write']),
    turn: whole,
    match_kind: z.enum(['path_exact', 'path_suffix', 'shell_path']),
    path: z.string(),
    worktree_root: z.string().nullable(),
    action_preview: z.string(),
  }),
  open: openSchema,
})

const sessionRowSchema = z.object({
  rank: whole,
  id: z.string(),
  session: sessionTimesSchema.extend({
    touch_count: whole,
    write_count: whole,
    first_touch: z.string(),
    last_touch: z.string(),
    tools: z.array(z.string()),
    roots: z.array(z.string()),
  }),
  open: openSchema,
})

export const dataSchema = z.object({
  path: z.string(),
  tail: z.string(),
  tail_is_absolute: z.boolean(),
  stripped_root: z.string().nullable(),
  scope: z.enum(SCOPES),
  granularity: z.enum(GRANULARITIES),
  summary: z.object({
    total_touches: whole,
    distinct_sessions: whole,
    distinct_roots: whole,
    distinct_known_roots: whole,
    unknown_root_touches: whole,
    first_touch: z.string().nullable(),
    last_touch: z.string().nullable(),
    ambiguous: z.boolean(),
    scan_truncated: z.boolean(),
  }),
  roots: z.array(z.object({ root: z.string(), touch_count: whole, session_count: whole })),
  result_count: whole,
  limit: whole,
  truncated: z.boolean(),
  events: z.array(eventRowSchema).optional(),
  sessions: z.array(sessionRowSchema).optional(),
  coverage: coverageSchema,
})

export type Data = Omit<z.infer<typeof dataSchema>, 'coverage'>

export async function toData(
  services: Services,
  caller: Caller,
  request: Request,
  located: Located,
  rows: readonly TouchRow[],
  scanTruncated: boolean,
): Promise<Data> {
  const { path, scope, granularity, limit } = request
  const buckets = rootBuckets(rows)
  const known = buckets.filter(({ root }) => root !== UNKNOWN_ROOT).length
  const groups = bySession(rows)
  const shown = await toShown(services, caller, granularity === 'events' ? rows.map((row) => [row]) : groups, request)
  const first = rows.at(-1)
  const last = rows.at(0)
  const total = granularity === 'events' ? rows.length : groups.length
  return {
    path,
    tail: located.tail,
    tail_is_absolute: located.tailIsAbsolute,
    stripped_root: located.strippedRoot,
    scope,
    granularity,
    summary: {
      total_touches: rows.length,
      distinct_sessions: groups.length,
      distinct_roots: buckets.length,
      distinct_known_roots: known,
      unknown_root_touches: rows.filter(({ root }) => root === null).length,
      first_touch: first ? formatTime(first.touch.at) : null,
      last_touch: last ? formatTime(last.touch.at) : null,
      ambiguous: buckets.length > 1,
      scan_truncated: scanTruncated,
    },
    roots: buckets,
    result_count: (shown.events ?? shown.sessions).length,
    limit,
    truncated: total > limit || scanTruncated,
    ...shown,
  }
}

type Shown =
  | { events: z.infer<typeof eventRowSchema>[]; sessions?: never }
  | { sessions: z.infer<typeof sessionRowSchema>[]; events?: never }

/** The rows shown, each with the newest of its touches as the way in. */
async function toShown(
  services: Services,
  caller: Caller,
  groups: readonly (readonly TouchRow[])[],
  { granularity, limit }: Request,
): Promise<Shown> {
  const newest = groups.slice(0, limit).flatMap((rows) => rows.slice(0, 1))
  const views = await loadHits(
    services.engine,
    caller,
    newest.map(({ touch }) => touch.event_pk),
  )
  const shown = groups.slice(0, limit).flatMap((rows) => {
    const [row] = rows
    const view = row && views.get(row.touch.event_pk)
    return view ? [{ rows, row, view }] : []
  })
  return granularity === 'events'
    ? { events: shown.map(({ row, view }, place) => eventRow(row, view, place + 1)) }
    : { sessions: shown.map(({ rows, view }, place) => sessionRow(rows, view, place + 1, services)) }
}

function eventRow({ touch, kind, root }: TouchRow, view: HitView, rank: number): z.infer<typeof eventRowSchema> {
  const open = openOf(view)
  return {
    rank,
    id: open.event_id,
    event: {
      id: open.event_id,
      session_id: open.session_id,
      harness: view.session.harness,
      source: view.session.source,
      timestamp: formatTime(view.at),
      tool_name: touch.tool_name,
      phase: EVENT_TYPES[touch.type] === 'tool_response' ? 'response' : 'request',
      access: touch.access,
      turn: view.turn_ordinal,
      match_kind: kind,
      path: touch.path,
      worktree_root: root,
      action_preview: oneLine(touch.input ?? touch.text, PREVIEW_LENGTH).text,
    },
    open,
  }
}

function sessionRow(
  rows: readonly TouchRow[],
  view: HitView,
  rank: number,
  surface: Surface,
): z.infer<typeof sessionRowSchema> {
  const open = openOf(view)
  const times = rows.map(({ touch }) => touch.at)
  return {
    rank,
    id: open.session_id,
    session: {
      ...sessionTimes(view.session, surface),
      touch_count: rows.length,
      write_count: rows.filter(({ touch }) => touch.access === 'write').length,
      first_touch: formatTime(Math.min(...times)),
      last_touch: formatTime(Math.max(...times)),
      tools: [...new Set(rows.flatMap(({ touch }) => touch.tool_name ?? []))],
      roots: [...new Set(rows.map(({ root }) => root ?? UNKNOWN_ROOT))],
    },
    open,
  }
}

function openOf(view: HitView): z.infer<typeof openSchema> {
  return {
    event_id: formatId('event', view.event_id),
    session_id: formatId('session', view.session.id),
    turn_id: formatId('turn', view.turn_id),
  }
}
