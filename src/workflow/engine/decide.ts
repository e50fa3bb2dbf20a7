/** What becomes of a submitted attempt, in the order of the rules; pure. */

import type { ExecutionRow, FinishedAttempt } from '../../store/index.ts'

export type Decision =
  /** The stored answer again. */
  | 'replay'
  | 'conflict'
  | 'invalid'
  | 'stale'
  /** Another works on the same submission: wait for it. */
  | 'processing'
  | 'unknown'
  | 'finished'
  /** To be carried out, unless the step has changed in the meantime. */
  | 'proceed'
  /** The same, after one who broke off: first see whether something was begun outside. */
  | 'take-over'

/** What of a run matters here. */
type Run = Pick<
  ExecutionRow,
  'status' | 'revision' | 'attempt_id' | 'attempt_state' | 'attempt_revision' | 'input_hash' | 'lease_until'
>

/** The submitted attempt is over, or the run never had it. */
export function decideFinished(
  run: Pick<Run, 'status'>,
  attempt: Pick<FinishedAttempt, 'state' | 'input_hash'> | undefined,
  hash: Buffer,
): Decision {
  if (attempt === undefined) return 'invalid'
  if (attempt.state === 'superseded') return run.status === 'running' ? 'stale' : 'finished'
  return attempt.input_hash?.equals(hash) ? 'replay' : 'conflict'
}

/**
 * The submitted attempt is the one the run waits for.
 * @param hash of what was submitted
 * @param now Unix milliseconds
 */
export function decideLive(run: Run, hash: Buffer, now: number): Decision {
  const same = run.input_hash?.equals(hash) ?? true
  switch (run.attempt_state) {
    case 'outcome_unknown':
      return 'unknown'
    case 'processing':
      if ((run.lease_until ?? 0) < now) return 'take-over'
      return same ? 'processing' : 'conflict'
    case 'presented':
      if (run.attempt_revision !== run.revision) return 'stale'
      // Bound although it is only presented: something was done outside before it was given back.
      return same ? 'proceed' : 'conflict'
    case null:
      return 'invalid'
    default:
      return run.attempt_state satisfies never
  }
}
