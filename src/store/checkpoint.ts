/** How far each file has been read, and what could not be read. */

import type { CaptureBatch, Checkpoint } from './batch.ts'
import type { Queryable } from './engine.ts'

/** A stored checkpoint. */
export type StoredCheckpoint = Checkpoint

interface CheckpointRow {
  source: string
  harness: string
  path: string
  identity: string
  size: number
  modified_at: number
  read_to: number
  records: number
  head: string
  state: string
  status: Checkpoint['status']
  status_reason: string | null
}

/** Problems kept per batch with their place; beyond that the place is lost and the count is not. */
const PROBLEMS_KEPT = 200

const COLUMNS =
  'source, harness, path, identity, size, modified_at, read_to, records, head, state, status, status_reason'

/** Every checkpoint of a source, by path. */
export async function loadCheckpoints(db: Queryable, owner: number, source: string): Promise<Map<string, Checkpoint>> {
  const rows = await db.all<CheckpointRow>(`SELECT ${COLUMNS} FROM source_file WHERE owner = ? AND source = ?`, [
    owner,
    source,
  ])
  return new Map(rows.map((row) => [row.path, fromRow(row)]))
}

/**
 * What every known file of a source looked like when it was last read, by path: `<identity> <size> <time of change>
 * <status> <reason> <head>`, one text per file, since most files are only compared.
 */
export async function loadFileLooks(db: Queryable, owner: number, source: string): Promise<Map<string, string>> {
  const rows = await db.all<{ path: string; look: string }>(
    `SELECT path, identity || ' ' || size || ' ' || modified_at || ' ' || status || ' ' || COALESCE(status_reason, '')
      || ' ' || head AS look FROM source_file WHERE owner = ? AND source = ?`,
    [owner, source],
  )
  return new Map(rows.map(({ path, look }) => [path, look]))
}

/** One file's checkpoint. */
export async function loadCheckpoint(
  db: Queryable,
  owner: number,
  source: string,
  path: string,
): Promise<Checkpoint | undefined> {
  const row = await db.get<CheckpointRow>(
    `SELECT ${COLUMNS} FROM source_file WHERE owner = ? AND source = ? AND path = ?`,
    [owner, source, path],
  )
  return row && fromRow(row)
}

function fromRow(row: CheckpointRow): Checkpoint {
  return {
    source: row.source,
    harness: row.harness,
    path: row.path,
    identity: row.identity,
    size: row.size,
    modifiedAt: row.modified_at,
    readTo: row.read_to,
    records: row.records,
    head: row.head,
    state: row.state,
    status: row.status,
    statusReason: row.status_reason,
  }
}

/** Saves a batch's checkpoint, open turns and problems, in the transaction of its events. */
export async function writeCheckpoint(
  tx: Queryable,
  owner: number,
  batch: CaptureBatch,
  openTurns: ReadonlyMap<number, number>,
  now: number,
): Promise<void> {
  const { checkpoint, problems } = batch
  await tx.runMany(
    `INSERT INTO source_file (owner, ${COLUMNS}, turns, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner, source, path) DO UPDATE SET harness = excluded.harness, identity = excluded.identity,
        size = excluded.size, modified_at = excluded.modified_at, read_to = excluded.read_to, records = excluded.records,
        head = excluded.head, state = excluded.state, status = excluded.status, status_reason = excluded.status_reason,
        turns = excluded.turns, updated_at = excluded.updated_at`,
    [
      [
        owner,
        checkpoint.source,
        checkpoint.harness,
        checkpoint.path,
        checkpoint.identity,
        checkpoint.size,
        checkpoint.modifiedAt,
        checkpoint.readTo,
        checkpoint.records,
        checkpoint.head,
        checkpoint.state,
        checkpoint.status,
        checkpoint.statusReason,
        JSON.stringify([...openTurns]),
        now,
      ],
    ],
  )
  await tx.runMany(
    `INSERT INTO problem (owner, source, path, record_index, reason, detail, at) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (owner, source, path, record_index, reason) DO UPDATE SET detail = excluded.detail, at = excluded.at`,
    problems
      .slice(0, PROBLEMS_KEPT)
      .map(({ recordIndex, reason, detail }) => [
        owner,
        checkpoint.source,
        checkpoint.path,
        recordIndex,
        reason,
        detail,
        now,
      ]),
  )
}
