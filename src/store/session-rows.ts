/** Rows of the table `session`, and how facts and events change them. */

import { SESSION_MODES, type SessionFacts, type SessionMode } from '../core/event.ts'
import { hash128 } from '../core/hash.ts'
import type { CapturedEvent } from './batch.ts'
import type { Queryable } from './engine.ts'

export interface SessionRow {
  owner: number
  pk: number
  id: Buffer
  harness: string
  source: string
  native_id: string
  parent_native_id: string | null
  parent_relation: string | null
  parent_call_id: string | null
  title: string | null
  summary: string | null
  slug: string | null
  first_prompt: string | null
  /** First known working directory: where the session comes from. */
  cwd: string | null
  project_id: string | null
  branch: string | null
  cli_version: string | null
  model: string | null
  mode: number
  started_at: number
  updated_at: number
  event_count: number
  turn_count: number
  last_turn_pk: number | null
  /** Counts rewrites of stored events, so that an open cursor can tell that its snapshot is gone. */
  generation: number
  /** Last turn there was when its copied history became its own; see `adopted-forks.ts`. */
  adopted_after: number | null
  /** Not stored: when the last turn began. */
  last_turn_started_at: number
}

const COLUMNS = [
  'owner',
  'pk',
  'id',
  'harness',
  'source',
  'native_id',
  'parent_native_id',
  'parent_relation',
  'parent_call_id',
  'title',
  'summary',
  'slug',
  'first_prompt',
  'cwd',
  'project_id',
  'branch',
  'cli_version',
  'model',
  'mode',
  'started_at',
  'updated_at',
  'event_count',
  'turn_count',
  'last_turn_pk',
  'generation',
  'adopted_after',
] as const satisfies readonly (keyof SessionRow)[]

/** Columns that never change once a row is there. */
const FIXED = new Set<string>(['owner', 'pk', 'id', 'harness', 'source', 'native_id'])

/** Characters of the first prompt kept for labels; a label shows 120. */
const FIRST_PROMPT = 300

/** Before any event, so that the first one sets both ends. */
const NO_START = Number.MAX_SAFE_INTEGER

export async function loadSession(
  tx: Queryable,
  owner: number,
  harness: string,
  nativeId: string,
): Promise<SessionRow | undefined> {
  return tx.get<SessionRow>(
    `SELECT ${COLUMNS.map((column) => `session.${column}`).join(', ')}, COALESCE(turn.started_at, 0) AS last_turn_started_at
      FROM session LEFT JOIN turn ON turn.owner = session.owner AND turn.pk = session.last_turn_pk
      WHERE session.owner = ? AND session.id = ?`,
    [owner, sessionIdBytes(harness, nativeId)],
  )
}

/** The id of a session is made of its harness and native id alone, so that it survives rebuilding the archive. */
export function sessionIdBytes(harness: string, nativeId: string): Buffer {
  return hash128('session', harness, nativeId)
}

export function newSession(owner: number, pk: number, harness: string, source: string, nativeId: string): SessionRow {
  return {
    owner,
    pk,
    id: sessionIdBytes(harness, nativeId),
    harness,
    source,
    native_id: nativeId,
    parent_native_id: null,
    parent_relation: null,
    parent_call_id: null,
    title: null,
    summary: null,
    slug: null,
    first_prompt: null,
    cwd: null,
    project_id: null,
    branch: null,
    cli_version: null,
    model: null,
    mode: 0,
    started_at: NO_START,
    updated_at: 0,
    event_count: 0,
    turn_count: 0,
    last_turn_pk: null,
    generation: 0,
    adopted_after: null,
    last_turn_started_at: 0,
  }
}

/** Newer facts win; the first working directory stays, since it says where the session comes from. */
export function applyFacts(session: SessionRow, facts: SessionFacts & { projectId?: string }): void {
  session.title = facts.title || session.title
  session.summary = facts.summary || session.summary
  session.slug = facts.slug || session.slug
  session.branch = facts.branch || session.branch
  session.cli_version = facts.cliVersion || session.cli_version
  if (facts.cwd && session.cwd === null) {
    session.cwd = facts.cwd
    session.project_id = facts.projectId ?? null
  }
  if (facts.parent && facts.parent.nativeId !== session.native_id) {
    session.parent_native_id = facts.parent.nativeId
    session.parent_relation = facts.parent.relation
    session.parent_call_id = facts.parent.callId ?? session.parent_call_id
  }
}

/** Takes one new event into account; copied history counts for nothing, and is not to be told here. */
export function noteEvent(session: SessionRow, event: CapturedEvent): void {
  session.event_count++
  session.started_at = Math.min(session.started_at, event.at)
  session.updated_at = Math.max(session.updated_at, event.at)
  if (event.model) session.model = event.model
  if (event.opensTurn && session.first_prompt === null && event.text.trim() !== '') {
    session.first_prompt = [...event.text.trim().slice(0, 2 * FIRST_PROMPT)].slice(0, FIRST_PROMPT).join('')
  }
  session.mode = Math.max(session.mode, SESSION_MODES.indexOf(modeOf(event)))
}

const WEB_TOOLS = new Set(['websearch', 'webfetch', 'web_search', 'web_fetch', 'web_search_call'])

/** Our own server, whatever name a client's configuration gives it: it is recognised by its tools' names too. */
const OWN_SERVER = 'varve'

/** What one event makes of its session's mode (spec: list_sessions `mode`). */
export function modeOf(event: CapturedEvent): SessionMode {
  if (!event.tool) return 'chat'
  if (WEB_TOOLS.has(event.tool.name.toLowerCase())) return 'web_search'
  return event.tool.server?.toLowerCase() === OWN_SERVER ? 'mcp_internal' : 'tool_calling'
}

/** Sessions of which nothing but facts is known yet are saved too: their events may come with the next batch. */
export async function saveSessions(tx: Queryable, sessions: readonly (SessionRow | undefined)[]): Promise<void> {
  const rows = sessions.filter((session) => session !== undefined)
  await tx.runMany(
    `INSERT INTO session (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map(() => '?').join(', ')}) ON CONFLICT (owner, id) DO UPDATE SET ${COLUMNS.filter(
      (column) => !FIXED.has(column),
    )
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
    rows.map((session) => COLUMNS.map((column) => session[column])),
  )
}
