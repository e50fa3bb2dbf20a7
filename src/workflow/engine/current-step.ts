/** session current_step: the step a run waits with, again; nothing is executed. */

import type { Caller } from '../../core/caller.ts'
import { lockExecution, type Queryable, runningChildren, updateExecution } from '../../store/index.ts'
import { waitingNodeId } from '../state.ts'
import { present as presentStep } from '../transition.ts'
import { newAttempt, presentAnew, surroundings } from './commit.ts'
import type { EngineContext } from './context.ts'
import {
  attemptProcessing,
  executionFinished,
  executionNotFound,
  outcomeUnknown,
  presentationStale,
} from './refusals.ts'
import { stepReceipt } from './render.ts'
import { openRun, type Run, runContext, surfaceHolds } from './run.ts'
import type { Receipt } from './types.ts'

/**
 * The step a run waits with and the attempt to submit it with. A missing attempt is made; one that lags behind the run's
 * revision alone is bound anew.
 * @throws UserError `not_found`, `EXECUTION_FINISHED`, `CURRENT_PRESENTATION_STALE`, `ATTEMPT_PROCESSING`,
 *   `ATTEMPT_OUTCOME_UNKNOWN`, and what presenting the step throws
 */
export async function currentStep(ctx: EngineContext, caller: Caller, executionId: string): Promise<Receipt> {
  return ctx.store.transaction(async (tx) => {
    const row = await lockExecution(ctx.store, tx, caller.owner, executionId)
    if (!row) throw executionNotFound(executionId)
    if (row.status !== 'running') {
      const [child] = row.running_children === 0 ? [] : await runningChildren(tx, caller.owner, executionId)
      throw executionFinished(executionId, row.outcome, child)
    }
    const run = await openRun(ctx, tx, row)
    const usable = await hasUsableAttempt(ctx, tx, run)
    const step = await presentStep(runContext(ctx, tx, run), run.state)
    const attempt = usable ? { ...row, attempt_revision: row.revision } : await newAttempt(ctx, tx, run, step)
    if (!usable) await presentAnew(tx, run, attempt)
    else if (row.attempt_revision !== row.revision) await updateExecution(tx, { ...row, ...attempt })
    return stepReceipt(await surroundings(ctx, tx, run), attempt.attempt_id ?? '', step)
  })
}

/** Whether the run has an attempt that can be submitted. @throws UserError when the one it has is in the way */
async function hasUsableAttempt(ctx: EngineContext, tx: Queryable, run: Run): Promise<boolean> {
  const { id, attempt_id, attempt_state, attempt_node, lease_until } = run.row
  if (attempt_id === null) return false
  if (attempt_state === 'outcome_unknown') throw outcomeUnknown(attempt_id, id)
  if (attempt_state === 'processing' && (lease_until ?? 0) >= ctx.clock()) throw attemptProcessing(id, attempt_id)
  const belongs = attempt_node === waitingNodeId(run.state) && (await surfaceHolds(ctx, tx, run))
  if (!belongs) throw presentationStale(id)
  return true
}
