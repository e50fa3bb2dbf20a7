/** What the archive holds as a whole, for `status` and `doctor`. */

import type { Engine, Queryable } from './engine.ts'

export interface SourceOverview {
  source: string
  harness: string
  sessions: number
  /** Files that were read, whether they are still there or not. */
  files: number
  /** Files that cannot be read. */
  unreadable: number
  /** Records that could not be understood or were cut, with their place in the table `problem`. */
  problems: number
  /** Bytes of the files as last seen, and how many of them have been read. */
  bytes: number
  bytesRead: number
  /** When something of this source was last read; milliseconds. */
  capturedAt: number
}

export interface ArchiveOverview {
  sessions: number
  turns: number
  events: number
  /** When the oldest session began and the newest was last written to; null in an empty archive. */
  startedAt: number | null
  updatedAt: number | null
  sources: SourceOverview[]
}

interface Totals {
  sessions: number
  turns: number | null
  events: number | null
  started_at: number | null
  updated_at: number | null
}

interface FileTotals {
  source: string
  harness: string
  files: number
  unreadable: number
  bytes: number
  bytes_read: number
  captured_at: number
}

/** Counts what an owner has. Copied history is not counted, as nowhere else. */
export async function archiveOverview(db: Queryable, owner: number): Promise<ArchiveOverview> {
  const totals = await db.get<Totals>(
    `SELECT COUNT(*) AS sessions, CAST(SUM(turn_count) AS BIGINT) AS turns, CAST(SUM(event_count) AS BIGINT) AS events,
        MIN(CASE WHEN event_count > 0 THEN started_at END) AS started_at, MAX(updated_at) AS updated_at
      FROM session WHERE owner = ?`,
    [owner],
  )
  const files = await db.all<FileTotals>(
    `SELECT source, MIN(harness) AS harness, COUNT(*) AS files, COUNT(CASE WHEN status = 'unreadable' THEN 1 END) AS unreadable,
        CAST(SUM(size) AS BIGINT) AS bytes, CAST(SUM(read_to) AS BIGINT) AS bytes_read, MAX(updated_at) AS captured_at
      FROM source_file WHERE owner = ? GROUP BY source ORDER BY source`,
    [owner],
  )
  const sessions = await countBySource(db, 'session', owner)
  const problems = await countBySource(db, 'problem', owner)
  return {
    sessions: totals?.sessions ?? 0,
    turns: totals?.turns ?? 0,
    events: totals?.events ?? 0,
    startedAt: totals?.started_at ?? null,
    updatedAt: totals?.updated_at ?? null,
    sources: files.map((row) => ({
      source: row.source,
      harness: row.harness,
      sessions: sessions.get(row.source) ?? 0,
      files: row.files,
      unreadable: row.unreadable,
      problems: problems.get(row.source) ?? 0,
      bytes: row.bytes,
      bytesRead: row.bytes_read,
      capturedAt: row.captured_at,
    })),
  }
}

async function countBySource(db: Queryable, table: 'session' | 'problem', owner: number): Promise<Map<string, number>> {
  const rows = await db.all<{ source: string; count: number }>(
    `SELECT source, COUNT(*) AS count FROM ${table} WHERE owner = ? GROUP BY source`,
    [owner],
  )
  return new Map(rows.map(({ source, count }) => [source, count]))
}

/** True when an owner has no session at all, and has saved nothing. */
export async function isEmptyArchive(db: Queryable, owner: number): Promise<boolean> {
  if (await db.get('SELECT pk FROM session WHERE owner = ? LIMIT 1', [owner])) return false
  return (await db.get('SELECT id FROM save_job WHERE owner = ? LIMIT 1', [owner])) === undefined
}

/** A file or record that could not be read as it should. */
export interface KnownProblem {
  source: string
  path: string
  /** 0-based record in the file; undefined when the file itself is the problem. */
  record: number | undefined
  reason: string
  detail: string
}

/** The newest problems, unreadable files first. */
export async function listProblems(db: Queryable, owner: number, limit: number): Promise<KnownProblem[]> {
  const files = await db.all<{ source: string; path: string; reason: string | null }>(
    "SELECT source, path, status_reason AS reason FROM source_file WHERE owner = ? AND status = 'unreadable' ORDER BY path LIMIT ?",
    [owner, limit],
  )
  const records = await db.all<{ source: string; path: string; record: number; reason: string; detail: string }>(
    `SELECT source, path, record_index AS record, reason, detail FROM problem WHERE owner = ?
      ORDER BY at DESC, path, record_index LIMIT ?`,
    [owner, Math.max(0, limit - files.length)],
  )
  return [
    ...files.map(({ source, path, reason }) => ({
      source,
      path,
      record: undefined,
      reason: 'unreadable',
      detail: reason ?? '',
    })),
    ...records,
  ]
}

/** What the database itself finds wrong with its pages and indexes; empty when all is well. Reads the whole file. */
export async function integrityProblems(engine: Engine): Promise<string[]> {
  // PostgreSQL looks after its own pages.
  if (engine.name !== 'sqlite') return []
  const rows = await engine.all<{ quick_check: string }>('PRAGMA quick_check')
  return rows.map((row) => row.quick_check).filter((finding) => finding !== 'ok')
}
