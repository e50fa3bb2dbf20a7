/** What happened beside the moves of runs: variables written from outside, errors, and the audit of all changes. */

import type { Queryable } from './engine.ts'

/** Errors kept of one run; the run counts all of them. */
export const KEPT_ERRORS = 50

/** A visit number beyond all others; both engines' INTEGER holds it. */
const LAST = 2 ** 31 - 1

/** A variable written from outside. */
export interface OutsideWriteRow {
  ordinal: number
  /** The last visit before it. */
  seq: number
  name: string
  /** JSON. */
  value: string
  at: number
}

export interface ErrorRow {
  number: number
  at: number
  node_id: string | null
  type: 'validation' | 'handler' | 'system'
  code: string
  message: string
  input: string | null
}

/** Logs a variable written from outside. The row of the run must be locked. */
export async function appendOutsideWrite(
  tx: Queryable,
  owner: number,
  executionId: string,
  write: Omit<OutsideWriteRow, 'ordinal'>,
): Promise<void> {
  await tx.run(
    `INSERT INTO outside_write (owner, execution_id, ordinal, seq, name, value, at)
      SELECT ?, ?, COALESCE(MAX(ordinal), 0) + 1, ?, ?, ?, ? FROM outside_write WHERE owner = ? AND execution_id = ?`,
    [owner, executionId, write.seq, write.name, write.value, write.at, owner, executionId],
  )
}

/** The variables of a run written from outside, in order; those up to visit number `until`. */
export async function listOutsideWrites(
  db: Queryable,
  owner: number,
  executionId: string,
  until = LAST,
): Promise<OutsideWriteRow[]> {
  return db.all<OutsideWriteRow>(
    `SELECT ordinal, seq, name, value, at FROM outside_write
      WHERE owner = ? AND execution_id = ? AND seq <= ? ORDER BY ordinal`,
    [owner, executionId, until],
  )
}

/** Adds an error of a run, and drops the oldest beyond what is kept. */
export async function appendError(tx: Queryable, owner: number, executionId: string, error: ErrorRow): Promise<void> {
  await tx.run(
    `INSERT INTO execution_error (owner, execution_id, number, at, node_id, type, code, message, input)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[owner, executionId, error.number, error.at, error.node_id, error.type, error.code, error.message],
      error.input,
    ],
  )
  await tx.run('DELETE FROM execution_error WHERE owner = ? AND execution_id = ? AND number <= ?', [
    owner,
    executionId,
    error.number - KEPT_ERRORS,
  ])
}

/** The errors kept of a run, the oldest first. */
export async function listErrors(db: Queryable, owner: number, executionId: string): Promise<ErrorRow[]> {
  return db.all<ErrorRow>(
    `SELECT number, at, node_id, type, code, message, input FROM execution_error
      WHERE owner = ? AND execution_id = ? ORDER BY number`,
    [owner, executionId],
  )
}

export interface AuditEntry {
  id: string
  at: number
  /** `execution:step`, `workflow:edit`, … */
  action: string
  /** Id of what it happened to. */
  resource: string
  /** Which client asked, or `system`. */
  source: string
  /** JSON; holds no content of runs or notes. */
  detail: string | null
}

export async function appendAudit(tx: Queryable, owner: number, entry: AuditEntry): Promise<void> {
  await tx.run('INSERT INTO audit (owner, id, at, action, resource, source, detail) VALUES (?, ?, ?, ?, ?, ?, ?)', [
    ...[owner, entry.id, entry.at, entry.action, entry.resource, entry.source, entry.detail],
  ])
}

/** The newest entries of an owner's audit, the newest first. Steps are entries by themselves. */
export async function listAudit(db: Queryable, owner: number, limit: number): Promise<AuditEntry[]> {
  return db.all<AuditEntry>(
    `SELECT id, at, action, resource, source, detail FROM (
        SELECT id, at, action, resource, source, detail FROM audit WHERE owner = ?
        UNION ALL
        SELECT id, at, 'execution:step', execution_id, source, NULL FROM move WHERE owner = ? AND state = 'completed'
      ) AS entry ORDER BY at DESC, id DESC LIMIT ?`,
    [owner, owner, limit],
  )
}
