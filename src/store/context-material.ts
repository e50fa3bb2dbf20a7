/** What labels of sessions and digests of weeks are made of, in bounded reads. */

import type { Queryable } from './engine.ts'
import { typeNumber } from './search-index.ts'

const USER = typeNumber('user_input')
const ASSISTANT = typeNumber('assistant_response')

/** What the labels of a session are made of. Texts are cut to `characters` each. */
export interface LabelMaterial {
  prompts: string[]
  answers: string[]
  promptCount: number
  proseBytes: number
  toolCalls: Record<string, number>
  filesChanged: string[]
  filesRead: string[]
  decisions: string[]
}

/** Prompts read from either end of a session, and answers from its tail. */
const EDGE = 3

/** Events of a session counted for its labels; a longer one is judged by its newest. */
const COUNTED = 20_000

export async function labelMaterial(
  db: Queryable,
  owner: number,
  sessionPk: number,
  characters: number,
): Promise<LabelMaterial> {
  const inSession = 'event.owner = ? AND event.session_pk = ? AND event.turn_pk > 0'
  const texts = async (type: number, order: 'ASC' | 'DESC', limit: number): Promise<{ pk: number; text: string }[]> =>
    db.all(
      `SELECT event.pk, substr(event.text, 1, ?) AS text FROM event
        WHERE ${inSession} AND event.type = ? AND event.text <> '' ORDER BY event.pk ${order} LIMIT ?`,
      [characters, owner, sessionPk, type, limit],
    )
  const counts = await db.all<{ type: number; tool_name: string | null; count: number; bytes: number }>(
    `SELECT type, tool_name, COUNT(*) AS count, CAST(SUM(bytes) AS BIGINT) AS bytes FROM (
        SELECT event.type, event.tool_name, octet_length(event.text) AS bytes FROM event
          WHERE ${inSession} AND event.type IN (${USER}, ${ASSISTANT}, ${typeNumber('tool_call')})
          ORDER BY event.pk DESC LIMIT ?) AS part GROUP BY type, tool_name`,
    [owner, sessionPk, COUNTED],
  )
  const head = await texts(USER, 'ASC', EDGE)
  const tail = (await texts(USER, 'DESC', EDGE)).reverse()
  const answers = (await texts(ASSISTANT, 'DESC', EDGE)).reverse()
  const touches = await db.all<{ path: string; access: string; count: number }>(
    `SELECT COALESCE(relative_path, path) AS path, access, COUNT(*) AS count FROM touch
      WHERE owner = ? AND session_pk = ? GROUP BY COALESCE(relative_path, path), access
      ORDER BY count DESC, path LIMIT 100`,
    [owner, sessionPk],
  )
  const decisions = await db.all<{ text: string }>(
    `SELECT text FROM statement WHERE owner = ? AND session_pk = ? AND kind = 'decision' ORDER BY at, pk LIMIT 50`,
    [owner, sessionPk],
  )
  const isProse = ({ type }: { type: number }): boolean => type === USER || type === ASSISTANT
  const sum = (rows: readonly { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)
  const toolCalls: Record<string, number> = {}
  for (const row of counts.filter((each) => !isProse(each))) {
    if (row.tool_name !== null) toolCalls[row.tool_name] = (toolCalls[row.tool_name] ?? 0) + row.count
  }
  return {
    prompts: [...head, ...tail.filter(({ pk }) => !head.some((each) => each.pk === pk))].map(({ text }) => text),
    answers: answers.map(({ text }) => text),
    promptCount: sum(counts.filter(({ type }) => type === USER)),
    proseBytes: counts.filter(isProse).reduce((total, { bytes }) => total + bytes, 0),
    toolCalls,
    filesChanged: touches.filter(({ access }) => access !== 'read').map(({ path }) => path),
    filesRead: touches.filter(({ access }) => access === 'read').map(({ path }) => path),
    decisions: decisions.map(({ text }) => text),
  }
}

/** What the digest of a project's week is made of. */
export interface DigestMaterial {
  sessions: { pk: number; title: string; updated_at: number }[]
  decisions: { text: string; at: number }[]
  files: { path: string; count: number }[]
  /** Numbers of all sessions that any of it may be from. */
  sources: number[]
}

/** Everything of a project in [from, to): labelled sessions, decisions, files touched; each list bounded. */
export async function digestMaterial(
  db: Queryable,
  owner: number,
  projectId: string,
  from: number,
  to: number,
): Promise<DigestMaterial> {
  const sessions = await db.all<{ pk: number; title: string; updated_at: number }>(
    `SELECT session.pk, session_label.title, session.updated_at FROM session
      JOIN session_label ON session_label.owner = session.owner AND session_label.session_pk = session.pk
      WHERE session.owner = ? AND session.project_id = ? AND session.updated_at >= ? AND session.updated_at < ?
        AND session.event_count > 0 AND session_label.quality <> 'low'
      ORDER BY session.updated_at, session.pk LIMIT 60`,
    [owner, projectId, from, to],
  )
  const decisions = await db.all<{ text: string; at: number; session_pk: number }>(
    `SELECT text, at, session_pk FROM statement WHERE owner = ? AND project_id = ? AND at >= ? AND at < ? AND kind = 'decision'
      AND session_pk IS NOT NULL AND superseded_by IS NULL ORDER BY at, pk LIMIT 40`,
    [owner, projectId, from, to],
  )
  const files = await db.all<{ path: string; count: number }>(
    `SELECT touch.relative_path AS path, COUNT(*) AS count FROM touch
      JOIN session ON session.owner = touch.owner AND session.pk = touch.session_pk
      WHERE touch.owner = ? AND session.project_id = ? AND session.updated_at >= ? AND session.updated_at < ?
        AND touch.at >= ? AND touch.at < ? AND touch.relative_path IS NOT NULL AND touch.access <> 'read'
      GROUP BY touch.relative_path ORDER BY count DESC, path LIMIT 30`,
    [owner, projectId, from, to, from, to],
  )
  const inWeek = await db.all<{ pk: number }>(
    'SELECT pk FROM session WHERE owner = ? AND project_id = ? AND updated_at >= ? AND updated_at < ? ORDER BY pk',
    [owner, projectId, from, to],
  )
  const sources = new Set([...inWeek.map(({ pk }) => pk), ...decisions.map(({ session_pk }) => session_pk)])
  return {
    sessions,
    decisions: decisions.map(({ text, at }) => ({ text, at })),
    files,
    sources: [...sources].sort((a, b) => a - b),
  }
}
