/** Jobs of saves. A job's row is the promise that the save is not lost: it is written before the caller is answered. */

import type { Engine, Queryable } from './engine.ts'

export type SaveState = 'queued' | 'running' | 'done' | 'failed'

export interface SaveJob {
  id: string
  state: SaveState
  idempotency_key: string | null
  /** Key of the earlier save that this one replaces. */
  replaces: string | null
  /** JSON of the checked and redacted request. */
  request: string
  /** JSON of the quality that was answered. */
  quality: string
  /** Public id of the item it became. */
  item_id: string | null
  created_at: number
  claimed_at: number | null
  attempts: number
  finished_at: number | null
  error: string | null
}

const COLUMNS = `id, state, idempotency_key, replaces, request, quality, item_id, created_at, claimed_at, attempts,
  finished_at, error`

/**
 * Queues a job, durably. Where there is one with its idempotency key already, that one is the answer (`isNew` false), and
 * one that had been given up is queued again with the new request.
 */
export async function insertSaveJob(
  engine: Engine,
  owner: number,
  job: Pick<SaveJob, 'id' | 'idempotency_key' | 'replaces' | 'request' | 'quality' | 'created_at'>,
): Promise<{ id: string; quality: string; isNew: boolean }> {
  const { id, idempotency_key, replaces, request, quality, created_at } = job
  return engine.transaction(
    async (tx) => {
      const added = await tx.run(
        `INSERT INTO save_job (owner, id, state, idempotency_key, replaces, request, quality, created_at, attempts)
          VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, 0) ON CONFLICT DO NOTHING`,
        [owner, id, idempotency_key, replaces, request, quality, created_at],
      )
      if (added > 0) return { id, quality, isNew: true }
      const existing = idempotency_key === null ? undefined : await findSaveJobByKey(tx, owner, idempotency_key)
      if (!existing) throw new Error(`save ${id} is there already`)
      const revived = await tx.run(
        `UPDATE save_job SET state = 'queued', attempts = 0, error = NULL, finished_at = NULL, request = ?, quality = ?,
          replaces = ? WHERE owner = ? AND id = ? AND state = 'failed'`,
        [request, quality, replaces, owner, existing.id],
      )
      return revived > 0
        ? { id: existing.id, quality, isNew: true }
        : { id: existing.id, quality: existing.quality, isNew: false }
    },
    { durable: true },
  )
}

export function findSaveJob(db: Queryable, owner: number, id: string): Promise<SaveJob | undefined> {
  return db.get<SaveJob>(`SELECT ${COLUMNS} FROM save_job WHERE owner = ? AND id = ?`, [owner, id])
}

export function findSaveJobByKey(db: Queryable, owner: number, key: string): Promise<SaveJob | undefined> {
  return db.get<SaveJob>(`SELECT ${COLUMNS} FROM save_job WHERE owner = ? AND idempotency_key = ?`, [owner, key])
}

/**
 * Takes the oldest job that is queued, or that someone took before `abandoned` and never finished; none of `except`. Two
 * processes never take the same: the change is conditional on what was read.
 */
export async function claimSaveJob(
  engine: Engine,
  owner: number,
  now: number,
  abandoned: number,
  except: readonly string[] = [],
): Promise<SaveJob | undefined> {
  const others = except.length === 0 ? '' : `AND id NOT IN (${except.map(() => '?').join(', ')})`
  return engine.transaction(async (tx) => {
    const job = await tx.get<SaveJob>(
      `SELECT ${COLUMNS} FROM save_job WHERE owner = ?
        AND (state = 'queued' OR (state = 'running' AND claimed_at <= ?)) ${others}
        ORDER BY created_at, id LIMIT 1${engine.forUpdate('save_job')}`,
      [owner, abandoned, ...except],
    )
    if (!job) return undefined
    const taken = await tx.run(
      `UPDATE save_job SET state = 'running', claimed_at = ?, attempts = attempts + 1
        WHERE owner = ? AND id = ? AND state = ? AND attempts = ?`,
      [now, owner, job.id, job.state, job.attempts],
    )
    return taken > 0 ? { ...job, state: 'running', claimed_at: now, attempts: job.attempts + 1 } : undefined
  })
}

/**
 * Ends a job in the transaction of what it wrote, or puts it back; false when another has taken it over meanwhile. Put back
 * without an error, the attempt does not count.
 */
export async function finishSaveJob(
  tx: Queryable,
  owner: number,
  job: Pick<SaveJob, 'id' | 'attempts'>,
  end: { state: 'done' | 'failed' | 'queued'; itemId: string | null; error: string | null; now: number },
): Promise<boolean> {
  const isBack = end.state === 'queued'
  const attempts = isBack && end.error === null ? job.attempts - 1 : job.attempts
  const changed = await tx.run(
    `UPDATE save_job SET state = ?, item_id = ?, error = ?, finished_at = ?, attempts = ?
      WHERE owner = ? AND id = ? AND state = 'running' AND attempts = ?`,
    [end.state, end.itemId, end.error, isBack ? null : end.now, attempts, owner, job.id, job.attempts],
  )
  return changed > 0
}

/** Forgets what a job was asked to save, when its item was replaced or forgotten. Its key stays taken. */
export async function clearSaveRequests(tx: Queryable, owner: number, itemId: string, keep: string): Promise<void> {
  await tx.run("UPDATE save_job SET request = '{}' WHERE owner = ? AND item_id = ? AND id <> ?", [owner, itemId, keep])
}

/** Numbers of jobs by state. */
export async function countSaveJobs(db: Queryable, owner: number): Promise<Readonly<Record<SaveState, number>>> {
  const rows = await db.all<{ state: SaveState; count: number }>(
    'SELECT state, COUNT(*) AS count FROM save_job WHERE owner = ? GROUP BY state',
    [owner],
  )
  const counts = { queued: 0, running: 0, done: 0, failed: 0 }
  for (const { state, count } of rows) counts[state] = count
  return counts
}
