/** Reading the archive out, one row after another, without holding it in memory or a transaction open. */

import type { Caller } from '../core/caller.ts'
import { EVENT_TYPES, SESSION_MODES } from '../core/event.ts'
import { formatId } from '../core/id.ts'
import { formatTime } from '../core/time.ts'
import type { Queryable } from './engine.ts'
import type { EventView } from './events.ts'
import { exportSaves } from './export-saves.ts'
import { SESSION_VIEW, type SessionFilter, type SessionView, sessionFilter } from './sessions.ts'
import { allOf, type Fragment, isOrBelow, visibleSessions } from './visible.ts'

export interface ExportFilter extends SessionFilter {
  session?: Buffer
  projectId?: string
  /** Sessions started in this directory or below. */
  directory?: string
  /** Sessions updated at or after this time, in milliseconds. */
  since?: number
  /** With what was said and done: texts, titles, payloads, arguments and paths. Without it, only shape and numbers. */
  sensitive: boolean
}

/** One line of an export. A session comes before its events, saves come last. */
export type ExportRow = { kind: 'session' | 'event' | 'save' } & Record<string, unknown>

const SESSIONS_READ = 100
const EVENTS_READ = 200

/** Sessions by their first capture, each followed by its events in order; replayed history comes first, marked. Then saves. */
export async function* exportArchive(
  db: Queryable,
  caller: Caller,
  filter: ExportFilter,
): AsyncGenerator<ExportRow, void, undefined> {
  let after = 0
  for (;;) {
    const sessions = await readSessions(db, caller, filter, after)
    for (const session of sessions) {
      yield sessionRow(session, filter.sensitive)
      yield* exportEvents(db, caller, session, filter.sensitive)
      after = session.pk
    }
    if (sessions.length < SESSIONS_READ) break
  }
  yield* exportSaves(db, caller, filter)
}

async function readSessions(
  db: Queryable,
  caller: Caller,
  filter: ExportFilter,
  after: number,
): Promise<SessionView[]> {
  const { session, projectId, directory, since } = filter
  const conditions: (Fragment | undefined)[] = [
    visibleSessions(caller),
    { sql: 'session.pk > ?', params: [after] },
    sessionFilter(filter),
    session && { sql: 'session.id = ?', params: [session] },
    projectId === undefined ? undefined : { sql: 'session.project_id = ?', params: [projectId] },
    directory === undefined ? undefined : isOrBelow('session.cwd', directory),
    since === undefined ? undefined : { sql: 'session.updated_at >= ?', params: [since] },
  ]
  const { sql, params } = allOf(...conditions)
  return db.all<SessionView>(
    `SELECT ${SESSION_VIEW} FROM session WHERE ${sql} ORDER BY session.pk LIMIT ?`,
    [...params, SESSIONS_READ],
    caller.signal,
  )
}

async function* exportEvents(
  db: Queryable,
  caller: Caller,
  session: SessionView,
  sensitive: boolean,
): AsyncGenerator<ExportRow, void, undefined> {
  let last = { turn_pk: -1, ordinal: 0, pk: 0 }
  for (;;) {
    const events = await db.all<EventView & { turn_id: Buffer | null; terminal_event_pk: number | null }>(
      `SELECT event.*, turn.id AS turn_id, turn.terminal_event_pk
        FROM event LEFT JOIN turn ON turn.owner = event.owner AND turn.pk = event.turn_pk
        WHERE event.owner = ? AND event.session_pk = ? AND (event.turn_pk, event.ordinal, event.pk) > (?, ?, ?)
        ORDER BY event.turn_pk, event.ordinal, event.pk LIMIT ?`,
      [caller.owner, session.pk, last.turn_pk, last.ordinal, last.pk, EVENTS_READ],
      caller.signal,
    )
    for (const event of events) {
      yield eventRow(session, event, sensitive)
      last = event
    }
    if (events.length < EVENTS_READ) return
  }
}

function sessionRow(session: SessionView, sensitive: boolean): ExportRow {
  return {
    kind: 'session',
    id: formatId('session', session.id),
    harness: session.harness,
    source: session.source,
    started_at: formatTime(session.started_at),
    updated_at: formatTime(session.updated_at),
    completed: session.last_terminal_pk !== null,
    turn_count: session.turn_count,
    event_count: session.event_count,
    mode: SESSION_MODES[session.mode] ?? 'chat',
    model: session.model,
    cli_version: session.cli_version,
    parent_relation: session.parent_relation,
    ...(sensitive && {
      native_id: session.native_id,
      parent_native_id: session.parent_native_id,
      title: session.title,
      summary: session.summary,
      slug: session.slug,
      cwd: session.cwd,
      project_id: session.project_id,
      branch: session.branch,
    }),
  }
}

function eventRow(
  session: SessionView,
  event: EventView & { turn_id: Buffer | null; terminal_event_pk: number | null },
  sensitive: boolean,
): ExportRow {
  return {
    kind: 'event',
    id: formatId('event', event.id),
    session_id: formatId('session', session.id),
    turn_id: event.turn_id === null ? null : formatId('turn', event.turn_id),
    ordinal: event.ordinal,
    type: EVENT_TYPES[event.type] ?? 'unknown',
    timestamp: formatTime(event.at),
    terminal: event.terminal_event_pk === event.pk,
    ending: event.ending,
    replayed: event.copied === 1,
    model: event.model,
    tool_name: event.tool_name,
    tool_server: event.tool_server,
    exit_code: event.exit_code,
    failed: event.failed === 1,
    ...(sensitive && {
      native_id: event.native_id,
      call_id: event.call_id,
      text: event.text,
      input: event.input,
      payload: event.payload,
      path: event.path,
      record_index: event.record_index,
    }),
  }
}
