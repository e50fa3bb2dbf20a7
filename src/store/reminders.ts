/** Reminders of a run. */

import type { Queryable } from './engine.ts'

export interface ReminderRow {
  id: string
  text: string
  status: 'active' | 'cancelled'
  idempotency_key: string | null
  created_at: number
  updated_at: number
}

const COLUMNS = 'id, text, status, idempotency_key, created_at, updated_at'

/** The reminders of a run, the oldest first. */
export async function listReminderRows(
  db: Queryable,
  owner: number,
  executionId: string,
  status?: ReminderRow['status'],
): Promise<ReminderRow[]> {
  const filter = status === undefined ? '' : ' AND status = ?'
  return db.all<ReminderRow>(
    `SELECT ${COLUMNS} FROM reminder WHERE owner = ? AND execution_id = ?${filter} ORDER BY created_at, id`,
    status === undefined ? [owner, executionId] : [owner, executionId, status],
  )
}

export async function findReminder(
  db: Queryable,
  owner: number,
  executionId: string,
  id: string,
): Promise<ReminderRow | undefined> {
  return db.get<ReminderRow>(`SELECT ${COLUMNS} FROM reminder WHERE owner = ? AND execution_id = ? AND id = ?`, [
    owner,
    executionId,
    id,
  ])
}

/** The reminder a run has under an idempotency key. */
export async function findReminderByKey(
  db: Queryable,
  owner: number,
  executionId: string,
  key: string,
): Promise<ReminderRow | undefined> {
  return db.get<ReminderRow>(
    `SELECT ${COLUMNS} FROM reminder WHERE owner = ? AND execution_id = ? AND idempotency_key = ?`,
    [owner, executionId, key],
  )
}

export async function insertReminder(
  tx: Queryable,
  owner: number,
  executionId: string,
  reminder: ReminderRow,
): Promise<void> {
  await tx.run(`INSERT INTO reminder (owner, execution_id, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, [
    ...[owner, executionId, reminder.id, reminder.text, reminder.status, reminder.idempotency_key],
    ...[reminder.created_at, reminder.updated_at],
  ])
}

export async function updateReminderRow(
  tx: Queryable,
  owner: number,
  executionId: string,
  reminder: ReminderRow,
): Promise<void> {
  await tx.run(
    'UPDATE reminder SET text = ?, status = ?, updated_at = ? WHERE owner = ? AND execution_id = ? AND id = ?',
    [reminder.text, reminder.status, reminder.updated_at, owner, executionId, reminder.id],
  )
}
