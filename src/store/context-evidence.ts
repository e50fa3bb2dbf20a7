/** The log of what was opened, cited and reset, and of outcomes. Append-only. */

import { takeNumbers } from './context-progress.ts'
import type { Engine, Queryable, SqlValue } from './engine.ts'

export type EvidenceKind = 'open' | 'cite' | 'reset'

export interface EvidenceEvent {
  id: string
  /** The agent's session, as it names it; empty where none was given. */
  session_id: string
  kind: EvidenceKind
  stable_key: string
  /** `current_truth`, `reasoning_archive` or `blended`; empty on a reset of all. */
  intent: string
  project: string | null
  at: number
  /** JSON: ranks, buckets, query, task, reason. */
  detail: string
}

const COLUMNS = 'id, session_id, kind, stable_key, intent, project, at, detail'

/** Appends an event; false when the session has opened or cited this key with this intent before. */
export async function appendEvidence(tx: Queryable, owner: number, event: EvidenceEvent): Promise<boolean> {
  const { id, session_id, kind, stable_key, intent, project, at, detail } = event
  const seq = await takeNumbers(tx, 'evidence', 1)
  const added = await tx.run(
    `INSERT INTO evidence_event (owner, seq, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    [owner, seq, id, session_id, kind, stable_key, intent, project, at, detail],
  )
  return added > 0
}

export interface EvidenceFilter {
  stableKey: string
  project?: string
  intent?: string
}

/** Events about a key, oldest first, the last `limit` of them; resets are listed whatever the filter. */
export async function listEvidence(
  db: Queryable,
  owner: number,
  filter: EvidenceFilter,
  limit: number,
): Promise<EvidenceEvent[]> {
  const { sql, params } = filterCondition(filter, " OR kind = 'reset'")
  const rows = await db.all<EvidenceEvent>(
    `SELECT ${COLUMNS} FROM evidence_event WHERE owner = ? AND ${sql} ORDER BY seq DESC LIMIT ?`,
    [owner, ...params, limit],
  )
  return rows.reverse()
}

/** A reset holds for what came before it; one of a project or an intent for that alone. */
const NOT_RESET = `NOT EXISTS (SELECT 1 FROM evidence_event AS reset WHERE reset.owner = evidence_event.owner
  AND reset.stable_key = evidence_event.stable_key AND reset.kind = 'reset' AND reset.seq > evidence_event.seq
  AND (reset.project IS NULL OR reset.project = evidence_event.project)
  AND (reset.intent = '' OR reset.intent = evidence_event.intent))`

/** How often a key was opened and cited since the last reset. */
export async function countEvidence(
  db: Queryable,
  owner: number,
  filter: EvidenceFilter,
): Promise<{ opened: number; cited: number }> {
  const { sql, params } = filterCondition(filter, '')
  const rows = await db.all<{ kind: EvidenceKind; count: number }>(
    `SELECT kind, COUNT(*) AS count FROM evidence_event
      WHERE owner = ? AND ${sql} AND kind IN ('open', 'cite') AND ${NOT_RESET} GROUP BY kind`,
    [owner, ...params],
  )
  const count = (kind: EvidenceKind): number => rows.find((row) => row.kind === kind)?.count ?? 0
  return { opened: count('open'), cited: count('cite') }
}

/** How often each of some keys was cited since its last reset; those never cited are left out. */
export async function countCitations(
  db: Queryable,
  owner: number,
  stableKeys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (stableKeys.length === 0) return new Map()
  const rows = await db.all<{ stable_key: string; count: number }>(
    `SELECT stable_key, COUNT(*) AS count FROM evidence_event WHERE owner = ? AND kind = 'cite'
      AND stable_key IN (${stableKeys.map(() => '?').join(', ')}) AND ${NOT_RESET} GROUP BY stable_key`,
    [owner, ...stableKeys],
  )
  return new Map(rows.map(({ stable_key, count }) => [stable_key, count]))
}

function filterCondition(
  { stableKey, project, intent }: EvidenceFilter,
  also: string,
): { sql: string; params: SqlValue[] } {
  const parts = ['stable_key = ?']
  const params: SqlValue[] = [stableKey]
  if (project !== undefined) {
    parts.push(`(project = ?${also})`)
    params.push(project)
  }
  if (intent !== undefined) {
    parts.push(`(intent = ?${also})`)
    params.push(intent)
  }
  return { sql: parts.join(' AND '), params }
}

export interface Outcome {
  id: string
  session_id: string
  summary: string
  intent: string
  task: string | null
  project: string | null
  at: number
}

export async function insertOutcome(engine: Engine, owner: number, outcome: Outcome): Promise<void> {
  const { id, session_id, summary, intent, task, project, at } = outcome
  await engine.run(
    'INSERT INTO outcome (owner, id, session_id, summary, intent, task, project, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    [owner, id, session_id, summary, intent, task, project, at],
  )
}
