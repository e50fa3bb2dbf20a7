/**
 * Attempts: what was handed out to be submitted once, what became of it, and the answer that is repeated. The step attempt
 * a run waits for lies in the run's row; here are those that are over, the starts, and what attempts do outside.
 */

import type { Engine, Queryable } from './engine.ts'

/** What ended an attempt on a run. */
export interface MoveRow {
  /** Of the attempt. */
  id: string
  execution_id: string
  /** `superseded`: taken out of use without having been submitted. `started`: the attempt was the start's. */
  state: 'started' | 'completed' | 'superseded'
  /** 0 when only an empty answer was taken. */
  takes_input: number
  input_hash: Buffer | null
  at: number
  /** Which client asked. */
  source: string
  /** JSON: the visits that were made. */
  visits: string | null
  /** JSON: the answer to repeat; null when there is none, or it is kept with the start. */
  receipt: string | null
}

export type FinishedAttempt = Pick<MoveRow, 'state' | 'takes_input' | 'input_hash' | 'receipt'>

/** A finished step attempt of a run; undefined when the run has none of that id. */
export async function loadFinishedAttempt(
  db: Queryable,
  owner: number,
  executionId: string,
  id: string,
): Promise<FinishedAttempt | undefined> {
  return db.get<FinishedAttempt>(
    `SELECT state, takes_input, input_hash, receipt FROM move
      WHERE owner = ? AND execution_id = ? AND id = ? AND state <> 'started'`,
    [owner, executionId, id],
  )
}

export async function insertMove(tx: Queryable, owner: number, move: MoveRow): Promise<void> {
  await tx.run(
    `INSERT INTO move (owner, execution_id, id, state, takes_input, input_hash, at, source, visits, receipt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[owner, move.execution_id, move.id, move.state, move.takes_input, move.input_hash, move.at, move.source],
      ...[move.visits, move.receipt],
    ],
  )
}

/** The visits of a run, each list as JSON, in the order they were made as far as the clock tells. */
export async function listMoveVisits(db: Queryable, owner: number, executionId: string): Promise<string[]> {
  const rows = await db.all<{ visits: string }>(
    'SELECT visits FROM move WHERE owner = ? AND execution_id = ? AND visits IS NOT NULL ORDER BY id',
    [owner, executionId],
  )
  return rows.map((row) => row.visits)
}

export interface StartAttempt {
  id: string
  attempt_state: 'reserved' | 'processing' | 'completed' | 'precondition_changed' | 'outcome_unknown'
  /** JSON. */
  request: string
  /** The run that was begun, or is being begun. */
  execution_id: string | null
  lease_until: number | null
  expires_at: number
  /** JSON, once it is over. */
  receipt: string | null
}

const START_COLUMNS = 'id, attempt_state, request, execution_id, lease_until, expires_at, receipt'

export async function loadStartAttempt(db: Queryable, owner: number, id: string): Promise<StartAttempt | undefined> {
  return db.get<StartAttempt>(`SELECT ${START_COLUMNS} FROM start_attempt WHERE owner = ? AND id = ?`, [owner, id])
}

/** The same in order to change it: others who want to wait until this transaction is over. */
export async function lockStartAttempt(
  engine: Pick<Engine, 'forUpdate'>,
  tx: Queryable,
  owner: number,
  id: string,
): Promise<StartAttempt | undefined> {
  return tx.get<StartAttempt>(
    `SELECT ${START_COLUMNS} FROM start_attempt WHERE owner = ? AND id = ?${engine.forUpdate('start_attempt')}`,
    [owner, id],
  )
}

export async function insertStartAttempt(
  tx: Queryable,
  owner: number,
  attempt: { id: string; request: string; expiresAt: number; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO start_attempt (owner, id, attempt_state, request, expires_at, created_at)
      VALUES (?, ?, 'reserved', ?, ?, ?)`,
    [owner, attempt.id, attempt.request, attempt.expiresAt, attempt.now],
  )
}

/** Ends a start with its receipt. */
export async function finishStartAttempt(
  tx: Queryable,
  owner: number,
  attempt: {
    id: string
    state: 'completed' | 'precondition_changed'
    executionId: string | null
    receipt: string
  },
): Promise<void> {
  await tx.run(
    `UPDATE start_attempt SET attempt_state = ?, execution_id = ?, receipt = ?, lease_owner = NULL, lease_until = NULL
      WHERE owner = ? AND id = ?`,
    [attempt.state, attempt.executionId, attempt.receipt, owner, attempt.id],
  )
}

/** Gives a start to one caller, who carries it out outside a transaction; its run's id is known from then on. */
export async function claimStart(
  tx: Queryable,
  owner: number,
  claim: { id: string; executionId: string; leaseOwner: string; until: number },
): Promise<void> {
  await tx.run(
    `UPDATE start_attempt SET attempt_state = 'processing', execution_id = ?, lease_owner = ?, lease_until = ?
      WHERE owner = ? AND id = ?`,
    [claim.executionId, claim.leaseOwner, claim.until, owner, claim.id],
  )
}

/** A claim on an attempt: in the row of its run, or in its own when it is a start. */
export interface Claim {
  owner: number
  attemptId: string
  /** Different for every claim. */
  leaseOwner: string
  place: { table: 'execution' | 'start_attempt'; id: string }
}

/** Keeps a claim alive until `until`; false when it is another's by now. */
export async function renewClaim(db: Queryable, claim: Claim, until: number): Promise<boolean> {
  const { owner, leaseOwner, place } = claim
  const changed = await db.run(
    `UPDATE ${place.table} SET lease_until = ?
      WHERE owner = ? AND id = ? AND attempt_state = 'processing' AND lease_owner = ?`,
    [until, owner, place.id, leaseOwner],
  )
  return changed > 0
}

/** Whether a claim is still held; others who want the attempt wait until this transaction is over. */
export async function holdsClaim(engine: Pick<Engine, 'forUpdate'>, tx: Queryable, claim: Claim): Promise<boolean> {
  const { owner, leaseOwner, place } = claim
  const row = await tx.get(
    `SELECT id FROM ${place.table} WHERE owner = ? AND id = ? AND attempt_state = 'processing'
      AND lease_owner = ?${engine.forUpdate(place.table)}`,
    [owner, place.id, leaseOwner],
  )
  return row !== undefined
}

/** Gives a claim back. An attempt that has done something outside stays bound to its input. */
export async function releaseClaim(
  tx: Queryable,
  { owner, attemptId, place }: Omit<Claim, 'leaseOwner'>,
  state: 'presented' | 'reserved' | 'outcome_unknown',
): Promise<void> {
  await tx.run(
    `UPDATE ${place.table} SET attempt_state = ?, lease_owner = NULL, lease_until = NULL,
      input_hash = CASE WHEN EXISTS (SELECT 1 FROM effect WHERE effect.owner = ? AND effect.attempt_id = ?)
        THEN input_hash ELSE NULL END
      WHERE owner = ? AND id = ?`,
    [state, owner, attemptId, owner, place.id],
  )
}

export interface EffectRow {
  ordinal: number
  state: 'started' | 'done'
  /** JSON, once done. */
  result: string | null
}

/** What an attempt has begun or done outside the database, in order. */
export async function loadEffects(db: Queryable, owner: number, attemptId: string): Promise<EffectRow[]> {
  return db.all<EffectRow>(
    'SELECT ordinal, state, result FROM effect WHERE owner = ? AND attempt_id = ? ORDER BY ordinal',
    [owner, attemptId],
  )
}

export async function startEffect(
  tx: Queryable,
  owner: number,
  effect: { attemptId: string; ordinal: number; nodeId: string; kind: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO effect (owner, attempt_id, ordinal, node_id, kind, state, started_at)
      VALUES (?, ?, ?, ?, ?, 'started', ?)`,
    [owner, effect.attemptId, effect.ordinal, effect.nodeId, effect.kind, effect.now],
  )
}

export async function finishEffect(
  tx: Queryable,
  owner: number,
  effect: { attemptId: string; ordinal: number; result: string; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE effect SET state = 'done', result = ?, done_at = ? WHERE owner = ? AND attempt_id = ? AND ordinal = ?`,
    [effect.result, effect.now, owner, effect.attemptId, effect.ordinal],
  )
}
