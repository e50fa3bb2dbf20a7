/** start.execute: a reservation becomes a run, or a stored refusal, and is answered the same way ever after. */

import type { Caller } from '../../core/caller.ts'
import { isUuid } from '../../core/uuid.ts'
import {
  type Claim,
  claimStart,
  findWorkflow,
  finishStartAttempt,
  holdsClaim,
  type LoadedExecution,
  loadExecution,
  loadStartAttempt,
  lockStartAttempt,
  NO_ATTEMPT,
  type Queryable,
  releaseClaim,
  type StartAttempt,
} from '../../store/index.ts'
import type { Completed, Presented } from '../transition.ts'
import {
  ClaimLost,
  ClaimNeeded,
  hasOpenEffect,
  OutcomeUnknown,
  type Perform,
  performLater,
  workUnderClaim,
} from './claim.ts'
import { coalesce, pause, rerunWhenNotesChange } from './coalesce.ts'
import { commitMove } from './commit.ts'
import { audit, type EngineContext } from './context.ts'
import { attemptProcessing, outcomeUnknown, startAttemptInvalid } from './refusals.ts'
import { preconditionReceipt } from './render.ts'
import { type Run, runContext } from './run.ts'
import type { BoundStart } from './start.ts'
import type { Receipt } from './types.ts'

/** A reservation whose preconditions hold. */
interface Ready {
  caller: Caller
  attempt: StartAttempt
  /** The run that is to be: no transition has been made yet. */
  run: Run
}

type Look =
  | { kind: 'answer'; receipt: Receipt }
  | { kind: 'unknown'; executionId: string | null }
  | { kind: 'processing' }
  | { kind: 'claimed'; ready: Ready; leaseOwner: string }

/** @throws UserError `ATTEMPT_INVALID_OR_EXPIRED`, `ATTEMPT_PROCESSING`, `ATTEMPT_OUTCOME_UNKNOWN`, or what the first nodes of the workflow throw: then the reservation stays */
export async function executeStart(ctx: EngineContext, caller: Caller, startAttemptId: string): Promise<Receipt> {
  const id = startAttemptId.trim().toLowerCase()
  if (!isUuid(id)) throw startAttemptInvalid(startAttemptId)
  const late = () => attemptProcessing(null, id)
  return coalesce(ctx, JSON.stringify(['start', caller.owner, id]), late, async () => {
    const advice = await adviceOf(ctx, caller, id)
    let looks = Math.ceil(ctx.timing.wait / ctx.timing.poll)
    for (;;) {
      const look = await rerunWhenNotesChange(() =>
        ctx.store.transaction((tx) => lookAt(ctx, tx, caller, id, advice), { durable: true }),
      )
      switch (look.kind) {
        case 'answer':
          return look.receipt
        case 'unknown':
          throw outcomeUnknown(id, look.executionId)
        case 'claimed':
          return carryOut(ctx, look.ready, look.leaseOwner)
        case 'processing':
          if (looks-- <= 0) throw late()
          await pause(ctx.timing.poll)
          break
        default:
          look satisfies never
      }
    }
  })
}

/** What the user has to set up first; asked before the transaction, since it may look outside the database. */
async function adviceOf(ctx: EngineContext, caller: Caller, id: string): Promise<string | null> {
  if (ctx.checkStart === undefined) return null
  const attempt = await loadStartAttempt(ctx.store, caller.owner, id)
  if (attempt?.attempt_state !== 'reserved') return null
  const bound = JSON.parse(attempt.request) as BoundStart
  const workflow = await findWorkflow(ctx.store, caller.owner, bound.workflowId)
  if (!workflow) return null
  const definition = await ctx.definitions.load(ctx.store, workflow.owner, workflow.hash)
  return ctx.checkStart(caller, { definition, skipNotificationCheck: bound.skipNotificationCheck })
}

async function lookAt(
  ctx: EngineContext,
  tx: Queryable,
  caller: Caller,
  id: string,
  advice: string | null,
): Promise<Look> {
  const attempt = await lockStartAttempt(ctx.store, tx, caller.owner, id)
  if (!attempt) throw startAttemptInvalid(id)
  const now = ctx.clock()
  switch (attempt.attempt_state) {
    case 'completed':
    case 'precondition_changed':
      return { kind: 'answer', receipt: JSON.parse(attempt.receipt ?? '') as Receipt }
    case 'outcome_unknown':
      return { kind: 'unknown', executionId: attempt.execution_id }
    case 'processing':
      if ((attempt.lease_until ?? 0) >= now) return { kind: 'processing' }
      if (await hasOpenEffect(tx, caller.owner, id)) {
        await releaseClaim(tx, placeOf(caller, id), 'outcome_unknown')
        return { kind: 'unknown', executionId: attempt.execution_id }
      }
      return begin(ctx, tx, caller, attempt, advice)
    case 'reserved':
      if (attempt.expires_at < now) throw startAttemptInvalid(id)
      return begin(ctx, tx, caller, attempt, advice)
    default:
      return attempt.attempt_state satisfies never
  }
}

async function begin(
  ctx: EngineContext,
  tx: Queryable,
  caller: Caller,
  attempt: StartAttempt,
  advice: string | null,
): Promise<Look> {
  const bound = JSON.parse(attempt.request) as BoundStart
  const problem = (await changedPrecondition(tx, caller.owner, bound)) ?? advice
  if (problem !== null) return { kind: 'answer', receipt: await refuse(ctx, tx, caller, attempt, bound, problem) }
  const ready = { caller, attempt, run: await newRun(ctx, tx, caller.owner, attempt, bound) }
  try {
    const result = await firstMove(ctx, tx, ready, performLater)
    return { kind: 'answer', receipt: await settle(ctx, tx, ready, result) }
  } catch (error) {
    if (!(error instanceof ClaimNeeded)) throw error
    const leaseOwner = ctx.newId()
    const until = ctx.clock() + ctx.timing.lease
    await claimStart(tx, caller.owner, { id: attempt.id, executionId: ready.run.row.id, leaseOwner, until })
    return { kind: 'claimed', ready, leaseOwner }
  }
}

async function carryOut(ctx: EngineContext, ready: Ready, leaseOwner: string): Promise<Receipt> {
  const { caller, attempt } = ready
  const claim: Claim = { ...placeOf(caller, attempt.id), leaseOwner }
  try {
    return await workUnderClaim(ctx, claim, 'reserved', (newPerform) =>
      rerunWhenNotesChange(async () => {
        const result = await firstMove(ctx, ctx.store, ready, await newPerform())
        return ctx.store.transaction(
          async (tx) => {
            if (!(await holdsClaim(ctx.store, tx, claim))) throw new ClaimLost()
            return settle(ctx, tx, ready, result)
          },
          { durable: true },
        )
      }),
    )
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw outcomeUnknown(attempt.id, ready.run.row.id)
    if (error instanceof ClaimLost) throw attemptProcessing(null, attempt.id)
    throw error
  }
}

function placeOf({ owner }: Caller, id: string): Omit<Claim, 'leaseOwner'> {
  return { owner, attemptId: id, place: { table: 'start_attempt', id } }
}

async function firstMove(
  ctx: EngineContext,
  db: Queryable,
  { run }: Ready,
  perform: Perform,
): Promise<Presented | Completed> {
  const result = await ctx.transit({ ...runContext(ctx, db, run), state: null, perform })
  if (result.kind === 'refused') throw new Error('a start cannot be refused: it brings no answer')
  return result
}

async function settle(
  ctx: EngineContext,
  tx: Queryable,
  { caller, attempt, run }: Ready,
  result: Presented | Completed,
): Promise<Receipt> {
  const receipt = await commitMove(ctx, tx, {
    ...{ run, result, caller, kind: 'start', attemptId: attempt.id, inputHash: null },
  })
  await finishStartAttempt(tx, caller.owner, {
    id: attempt.id,
    state: 'completed',
    executionId: run.row.id,
    receipt: JSON.stringify(receipt),
  })
  return receipt
}

/** Why the start may not be made any more; null when everything is as it was prepared. */
async function changedPrecondition(tx: Queryable, owner: number, bound: BoundStart): Promise<string | null> {
  const workflow = await findWorkflow(tx, owner, bound.workflowId)
  if (!workflow || workflow.owner !== bound.workflowOwner) {
    return `the workflow ${bound.reference} is not there any more, or you may not use it any more`
  }
  if (workflow.hash.toString('hex') !== bound.hash) {
    return `the workflow ${bound.reference} was changed after the start was prepared`
  }
  if (bound.parentId === null) return null
  const parent = await loadExecution(tx, owner, bound.parentId)
  return parent?.status === 'running' ? null : `the parent run ${bound.parentId} is not running any more`
}

async function refuse(
  ctx: EngineContext,
  tx: Queryable,
  caller: Caller,
  attempt: StartAttempt,
  bound: BoundStart,
  problem: string,
): Promise<Receipt> {
  const args = { action: 'prepare', workflowId: bound.reference, parentExecutionId: bound.parentId ?? 'none' }
  const receipt = preconditionReceipt(attempt.id, problem, { tool: 'start', args })
  await finishStartAttempt(tx, caller.owner, {
    id: attempt.id,
    state: 'precondition_changed',
    executionId: null,
    receipt: JSON.stringify(receipt),
  })
  await audit(ctx, tx, caller, 'workflow:start_refused', bound.workflowId, { startAttemptId: attempt.id })
  return receipt
}

async function newRun(
  ctx: EngineContext,
  tx: Queryable,
  owner: number,
  attempt: StartAttempt,
  bound: BoundStart,
): Promise<Run> {
  const hash = Buffer.from(bound.hash, 'hex')
  const now = ctx.clock()
  const row: LoadedExecution = {
    owner,
    id: attempt.execution_id ?? ctx.newId(),
    workflow_owner: bound.workflowOwner,
    workflow_id: bound.workflowId,
    hash,
    status: 'running',
    outcome: null,
    node_id: null,
    revision: 0,
    parent_id: bound.parentId,
    parent_count: 0,
    reminder_count: 0,
    context_count: 0,
    error_count: 0,
    note: bound.note,
    created_at: now,
    updated_at: now,
    ended_at: null,
    state: '',
    ...NO_ATTEMPT,
    current_hash: hash,
    running_children: 0,
  }
  const definition = await ctx.definitions.load(tx, bound.workflowOwner, hash)
  const state = { status: 'running', nodeId: null, variables: {}, frames: [], visitCount: 0, visit: null, output: null }
  return { row, definition, hash, state: state as Run['state'] }
}
