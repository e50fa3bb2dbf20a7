/** What the context is derived from: new prose, sessions that changed, places worked in. */

import type { Queryable } from './engine.ts'
import { INDEXED_CHARACTERS, typeNumber } from './search-index.ts'

const USER = typeNumber('user_input')
const ASSISTANT = typeNumber('assistant_response')

/** A prompt or answer to look for statements in. */
export interface ProseEvent {
  pk: number
  session_pk: number
  said_by: 'user' | 'assistant'
  at: number
  /** Empty for an answer, unless it was asked for by itself: few answers are looked into. */
  text: string
  harness: string
  native_id: string
  cwd: string | null
  project_id: string | null
  /** `subagent`: an agent wrote the session's prompts. */
  parent_relation: string | null
  generation: number
}

const PROSE_COLUMNS = `event.pk, event.session_pk, CASE WHEN event.type = ${USER} THEN 'user' ELSE 'assistant' END AS said_by,
  event.at, session.harness, session.native_id, session.cwd, session.project_id, session.parent_relation,
  session.generation`

const TEXT = `substr(event.text, 1, ${INDEXED_CHARACTERS}) AS text`
const PROMPT_TEXT = `CASE WHEN event.type = ${USER} THEN substr(event.text, 1, ${INDEXED_CHARACTERS}) ELSE '' END AS text`

const PROSE = `event.type IN (${USER}, ${ASSISTANT}) AND event.copied = 0 AND event.text <> ''`

/**
 * Prose numbered after `after`, in order, among the next `span` events; `last` is the highest number looked at. The counter
 * is written in the transaction of the events it numbers, in their order: none below it is still to come.
 */
export async function proseAfter(
  db: Queryable,
  owner: number,
  after: number,
  span: number,
): Promise<{ events: ProseEvent[]; last: number }> {
  const counter = await db.get<{ value: number }>("SELECT value FROM counter WHERE name = 'event'")
  const last = Math.max(after, Math.min(after + span, counter?.value ?? 0))
  if (last === after) return { events: [], last }
  const events = await db.all<ProseEvent>(
    `SELECT ${PROSE_COLUMNS}, ${PROMPT_TEXT} FROM event
      JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND event.pk > ? AND event.pk <= ? AND ${PROSE} ORDER BY event.pk`,
    [owner, after, last],
  )
  return { events, last }
}

/** The prose of one session numbered in (`after`, `upTo`], in order. */
export function proseOfSession(
  db: Queryable,
  owner: number,
  sessionPk: number,
  after: number,
  upTo: number,
  limit: number,
): Promise<ProseEvent[]> {
  return db.all<ProseEvent>(
    `SELECT ${PROSE_COLUMNS}, ${PROMPT_TEXT} FROM event
      JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND event.session_pk = ? AND event.pk > ? AND event.pk <= ? AND ${PROSE}
      ORDER BY event.pk LIMIT ?`,
    [owner, sessionPk, after, upTo, limit],
  )
}

/** The last answer of a session before one of its events, with its text. */
export function answerBefore(
  db: Queryable,
  owner: number,
  { session_pk, pk }: Pick<ProseEvent, 'session_pk' | 'pk'>,
): Promise<ProseEvent | undefined> {
  return db.get<ProseEvent>(
    `SELECT ${PROSE_COLUMNS}, ${TEXT} FROM event
      JOIN session ON session.owner = event.owner AND session.pk = event.session_pk
      WHERE event.owner = ? AND event.session_pk = ? AND event.pk < ? AND event.type = ${ASSISTANT}
        AND event.copied = 0 AND event.text <> '' ORDER BY event.pk DESC LIMIT 1`,
    [owner, session_pk, pk],
  )
}

/** Notes that sessions have new prose: their labels are due. */
export async function noteSessions(
  tx: Queryable,
  owner: number,
  sessions: readonly { pk: number; generation: number; lastEventPk: number }[],
): Promise<void> {
  await tx.runMany(
    `INSERT INTO context_session (owner, session_pk, generation, last_event_pk, stale) VALUES (?, ?, ?, ?, 1)
      ON CONFLICT (owner, session_pk) DO UPDATE SET last_event_pk = excluded.last_event_pk, stale = 1`,
    sessions.map(({ pk, generation, lastEventPk }) => [owner, pk, generation, lastEventPk]),
  )
}

export interface RewrittenSession {
  pk: number
  generation: number
}

/** Sessions whose stored events were rewritten since their statements were derived, and that are quiet by now. */
export function rewrittenSessions(
  db: Queryable,
  owner: number,
  quietSince: number,
  limit: number,
): Promise<RewrittenSession[]> {
  return db.all<RewrittenSession>(
    `SELECT session.pk, session.generation FROM session
      JOIN context_session ON context_session.owner = session.owner AND context_session.session_pk = session.pk
      WHERE session.owner = ? AND session.generation > 0 AND session.generation <> context_session.generation
        AND session.updated_at <= ? ORDER BY session.pk LIMIT ?`,
    [owner, quietSince, limit],
  )
}

/** A session's statements are those of its events as they are at `generation`; its labels are due. */
export async function noteRederived(tx: Queryable, owner: number, { pk, generation }: RewrittenSession): Promise<void> {
  await tx.run('UPDATE context_session SET generation = ?, stale = 1 WHERE owner = ? AND session_pk = ?', [
    generation,
    owner,
    pk,
  ])
}

/** A session whose labels or digest are due. */
export interface StaleSession {
  pk: number
  harness: string
  native_id: string
  title: string | null
  cwd: string | null
  project_id: string | null
  started_at: number
  updated_at: number
  generation: number
  turn_count: number
  event_count: number
  last_event_pk: number
  /** How its last turn ended. */
  ending: string | null
}

export const SESSION_COLUMNS = `session.pk, session.harness, session.native_id, session.title, session.cwd, session.project_id,
  session.started_at, session.updated_at, session.generation, session.turn_count, session.event_count,
  context_session.last_event_pk, turn.ending`

export const SESSION_JOINS = `FROM context_session
  JOIN session ON session.owner = context_session.owner AND session.pk = context_session.session_pk
  LEFT JOIN turn ON turn.owner = session.owner AND turn.pk = session.last_turn_pk`

/** Sessions with stale labels that are quiet by now, the longest captured first. */
export function staleSessions(
  db: Queryable,
  owner: number,
  quietSince: number,
  limit: number,
): Promise<StaleSession[]> {
  return db.all<StaleSession>(
    `SELECT ${SESSION_COLUMNS} ${SESSION_JOINS}
      WHERE context_session.owner = ? AND context_session.stale = 1 AND context_session.stale > 0
        AND session.updated_at <= ? ORDER BY context_session.session_pk LIMIT ?`,
    [owner, quietSince, limit],
  )
}

/** Sessions whose week's digest is due. */
export function sessionsDueForDigest(db: Queryable, owner: number, limit: number): Promise<StaleSession[]> {
  return db.all<StaleSession>(
    `SELECT ${SESSION_COLUMNS} ${SESSION_JOINS}
      WHERE context_session.owner = ? AND context_session.stale = 2 AND context_session.stale > 0
      ORDER BY context_session.session_pk LIMIT ?`,
    [owner, limit],
  )
}

/** Moves a session on, unless it has had new prose meanwhile. */
export async function markDerived(
  tx: Queryable,
  owner: number,
  session: Pick<StaleSession, 'pk' | 'last_event_pk'>,
  from: 1 | 2,
  to: 2 | 0,
): Promise<void> {
  await tx.run(
    `UPDATE context_session SET stale = ? WHERE owner = ? AND session_pk = ? AND stale = ? AND last_event_pk = ?`,
    [to, owner, session.pk, from, session.last_event_pk],
  )
}

/** Where sessions worked: the newest places first. */
export function workedInPlaces(
  db: Queryable,
  owner: number,
  limit: number,
): Promise<{ cwd: string; updated_at: number }[]> {
  return db.all(
    `SELECT cwd, MAX(updated_at) AS updated_at FROM session WHERE owner = ? AND cwd IS NOT NULL AND event_count > 0
      GROUP BY cwd ORDER BY updated_at DESC, cwd LIMIT ?`,
    [owner, limit],
  )
}

/** The terms that are common in prose, with the share of its documents that hold each. */
export async function proseFrequencies(
  db: Queryable,
  owner: number,
): Promise<{ documents: number; shares: ReadonlyMap<string, number> }> {
  const total = await db.get<{ documents: number | null }>(
    "SELECT SUM(documents) AS documents FROM search_lane WHERE owner = ? AND lane = 'prose'",
    [owner],
  )
  const rows = await db.all<{ term: string; share: number }>("SELECT term, share FROM common_term WHERE lane = 'prose'")
  return { documents: total?.documents ?? 0, shares: new Map(rows.map(({ term, share }) => [term, share])) }
}
