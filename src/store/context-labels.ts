/** Labels of sessions: what they are about, found by rules or by a provider. */

import type { Caller } from '../core/caller.ts'
import type { Queryable } from './engine.ts'

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

function fromRow(row: LabelRow): SessionLabels {
  return { ...row, topics: JSON.parse(row.topics) as string[], decisions: JSON.parse(row.decisions) as string[] }
}
