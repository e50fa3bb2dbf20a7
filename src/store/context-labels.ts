/** Labels of sessions: what they are about, found by rules or by a provider. */

import type { Caller } from '../core/caller.ts'
import type { Queryable } from './engine.ts'
import { allOf, type Fragment, visibleSessions } from './visible.ts'

export interface SessionLabels {
  session_pk: number
  domain: string
  intent: string
  quality: string
  topics: readonly string[]
  decisions: readonly string[]
  title: string
  summary: string
  label_source: 'rules' | 'provider'
  /** Highest event number the labels have seen. */
  seen_event_pk: number
  /** `session.generation` they were made at. */
  generation: number
}

interface LabelRow extends Omit<SessionLabels, 'topics' | 'decisions'> {
  topics: string
  decisions: string
}

const COLUMNS = `session_label.session_pk, session_label.domain, session_label.intent, session_label.quality,
  session_label.topics, session_label.decisions, session_label.title, session_label.summary,
  session_label.label_source, session_label.seen_event_pk, session_label.generation`

export async function writeLabels(tx: Queryable, owner: number, labels: SessionLabels): Promise<void> {
  const { session_pk, domain, intent, quality, topics, decisions, title, summary } = labels
  await tx.run(
    `INSERT INTO session_label (owner, session_pk, domain, intent, quality, topics, decisions, folded_topics,
      folded_decisions, title, summary, label_source, seen_event_pk, generation)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner, session_pk) DO UPDATE SET domain = excluded.domain, intent = excluded.intent,
        quality = excluded.quality, topics = excluded.topics, decisions = excluded.decisions,
        folded_topics = excluded.folded_topics, folded_decisions = excluded.folded_decisions, title = excluded.title,
        summary = excluded.summary, label_source = excluded.label_source, seen_event_pk = excluded.seen_event_pk,
        generation = excluded.generation`,
    [
      owner,
      session_pk,
      domain,
      intent,
      quality,
      JSON.stringify(topics),
      JSON.stringify(decisions),
      folded(topics),
      folded(decisions),
      title,
      summary,
      labels.label_source,
      labels.seen_event_pk,
      labels.generation,
    ],
  )
}

function folded(values: readonly string[]): string {
  return JSON.stringify(values.map((value) => value.toLowerCase()))
}

/** Labels by session number; sessions without any are left out. */
export async function loadLabels(
  db: Queryable,
  caller: Caller,
  sessionPks: readonly number[],
): Promise<ReadonlyMap<number, SessionLabels>> {
  if (sessionPks.length === 0) return new Map()
  const rows = await db.all<LabelRow>(
    `SELECT ${COLUMNS} FROM session_label WHERE owner = ? AND session_pk IN (${sessionPks.map(() => '?').join(', ')})`,
    [caller.owner, ...sessionPks],
    caller.signal,
  )
  return new Map(rows.map((row) => [row.session_pk, fromRow(row)]))
}

export interface LabelFilter {
  domain?: string
  intent?: string
  quality?: string
  /** A topic in full, whatever its case. */
  topic?: string
  /** A decision in full, whatever its case. */
  decision?: string
}

/** Sessions whose labels pass every filter (all in AND), the one updated last first. */
export async function sessionsWithLabels(
  db: Queryable,
  caller: Caller,
  filter: LabelFilter,
  limit: number,
): Promise<number[]> {
  const { sql, params } = allOf(
    visibleSessions(caller),
    equals('domain', filter.domain),
    equals('intent', filter.intent),
    equals('quality', filter.quality),
    contains('folded_topics', filter.topic),
    contains('folded_decisions', filter.decision),
  )
  const rows = await db.all<{ pk: number }>(
    `SELECT session.pk FROM session_label
      JOIN session ON session.owner = session_label.owner AND session.pk = session_label.session_pk
      WHERE ${sql} ORDER BY session.updated_at DESC, session.pk DESC LIMIT ?`,
    [...params, limit],
    caller.signal,
  )
  return rows.map(({ pk }) => pk)
}

function equals(column: string, value: string | undefined): Fragment | undefined {
  return value === undefined ? undefined : { sql: `session_label.${column} = ?`, params: [value] }
}

/** The JSON array holds this very string: between its quotes stands nothing else. */
function contains(column: string, value: string | undefined): Fragment | undefined {
  if (value === undefined) return undefined
  const pattern = JSON.stringify(value.toLowerCase()).replace(/[\\%_]/g, '\\$&')
  return { sql: `session_label.${column} LIKE ? ESCAPE '\\'`, params: [`%${pattern}%`] }
}

function fromRow(row: LabelRow): SessionLabels {
  return { ...row, topics: JSON.parse(row.topics) as string[], decisions: JSON.parse(row.decisions) as string[] }
}
