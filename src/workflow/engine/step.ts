/** step: one submitted attempt becomes one move of its run, however often it is submitted. */

import type { Caller } from '../../core/caller.ts'
import { invalidRequest, UserError } from '../../core/errors.ts'
import {
  type Claim,
  type ErrorRow,
  loadFinishedAttempt,
  lockExecution,
  moveExecution,
  type Queryable,
  releaseClaim,
  runningChildren,
} from '../../store/index.ts'
import { executionNoteIn } from '../input.ts'
import type { Refusal } from '../nodes/node-type.ts'
import { waitingNodeId } from '../state.ts'
import type { Transition } from '../transition.ts'
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
import { commitMove, recordError, stateText } from './commit.ts'
import { audit, type EngineContext } from './context.ts'
import { decideFinished, decideLive } from './decide.ts'
import { inputHash } from './input-hash.ts'
import {
  attemptConflict,
  attemptInvalid,
  attemptProcessing,
  attemptStale,
  executionFinished,
  executionNotFound,
  outcomeUnknown,
} from './refusals.ts'
import { openRun, type Run, runContext, surfaceHolds } from './run.ts'
import type { Receipt, StepRequest } from './types.ts'

/** Characters of an input that are kept with an error. */
const KEPT_INPUT = 500

/** A submission with all that belongs to it. */
interface Submission {
  caller: Caller
  request: StepRequest
  run: Run
  hash: Buffer
}

/** How one look at the database ended. */
type Look =
  | { kind: 'answer'; receipt: Receipt }
  /** Refused, with what is to be remembered about it already stored. */
  | { kind: 'refused'; error: UserError }
  | { kind: 'processing' }
  | { kind: 'claimed'; submission: Submission; leaseOwner: string }

/** @throws UserError as the rules of attempts have it; the run is then as it was */
export async function step(ctx: EngineContext, caller: Caller, request: StepRequest): Promise<Receipt> {
  const { processId, attemptId, input, teleportTo } = request
  if (teleportTo !== undefined && input !== undefined && input !== null) {
    throw invalidRequest('input and teleportTo exclude each other', 'teleportTo', {
      remedy: 'send teleportTo alone; the teleport node asks for its own answer in the next step',
    })
  }
  const hash = inputHash(request, true)
  const key = JSON.stringify(['step', caller.owner, processId, attemptId, hash.toString('hex')])
  return coalesce(
    ctx,
    key,
    () => attemptProcessing(processId, attemptId),
    () => submit(ctx, caller, request, hash),
  )
}

/** @param given the hash of the input, as long as it is not known to be a step that takes none */
async function submit(ctx: EngineContext, caller: Caller, request: StepRequest, given: Buffer): Promise<Receipt> {
  let looks = Math.ceil(ctx.timing.wait / ctx.timing.poll)
  for (;;) {
    const look = await rerunWhenNotesChange(() =>
      ctx.store.transaction((tx) => lookAt(ctx, tx, caller, request, given), { durable: true }),
    )
    switch (look.kind) {
      case 'answer':
        return look.receipt
      case 'refused':
        throw look.error
      case 'claimed':
        return carryOut(ctx, look.submission, look.leaseOwner)
      case 'processing':
        if (looks-- <= 0) throw attemptProcessing(request.processId, request.attemptId)
        await pause(ctx.timing.poll)
        break
      default:
        look satisfies never
    }
  }
}

/** One transaction: decides, and when it is this call's turn, carries the step out and stores it. */
async function lookAt(
  ctx: EngineContext,
  tx: Queryable,
  caller: Caller,
  request: StepRequest,
  given: Buffer,
): Promise<Look> {
  const { processId, attemptId } = request
  const row = await lockExecution(ctx.store, tx, caller.owner, processId)
  if (!row) throw executionNotFound(processId, 'processId')
  const live = row.attempt_id === attemptId
  const finished = live ? undefined : await loadFinishedAttempt(tx, caller.owner, processId, attemptId)
  const takesInput = (live ? row.takes_input : finished?.takes_input) !== 0
  const hash = takesInput ? given : inputHash(request, false)
  const decision =
    live && row.status === 'running' ? decideLive(row, hash, ctx.clock()) : decideFinished(row, finished, hash)
  switch (decision) {
    case 'replay':
      return { kind: 'answer', receipt: JSON.parse(finished?.receipt ?? '') as Receipt }
    case 'processing':
      return { kind: 'processing' }
    case 'invalid':
      throw attemptInvalid(processId, attemptId)
    case 'conflict':
      throw attemptConflict(processId, attemptId)
    case 'unknown':
      throw outcomeUnknown(attemptId, processId)
    case 'stale':
      throw attemptStale(processId, attemptId)
    case 'finished': {
      const [child] = row.running_children === 0 ? [] : await runningChildren(tx, caller.owner, processId)
      throw executionFinished(processId, row.outcome, child)
    }
    case 'proceed':
    case 'take-over': {
      if (decision === 'take-over' && (await hasOpenEffect(tx, caller.owner, attemptId))) {
        await releaseClaim(tx, placeOf(caller, request), 'outcome_unknown')
        return { kind: 'refused', error: outcomeUnknown(attemptId, processId) }
      }
      const run = await openRun(ctx, tx, row)
      if (!(await surfaceHolds(ctx, tx, run))) throw attemptStale(processId, attemptId)
      return tryIn(ctx, tx, { caller, request, run, hash })
    }
    default:
      return decision satisfies never
  }
}

/** Carries the step out inside the transaction, unless a node has to act outside: then the attempt is claimed. */
async function tryIn(ctx: EngineContext, tx: Queryable, submission: Submission): Promise<Look> {
  try {
    return await settle(ctx, tx, submission, await walk(ctx, tx, submission, performLater))
  } catch (error) {
    if (!(error instanceof ClaimNeeded)) throw error
    const leaseOwner = ctx.newId()
    await moveExecution(tx, {
      ...submission.run.row,
      attempt_state: 'processing',
      input_hash: submission.hash,
      lease_owner: leaseOwner,
      lease_until: ctx.clock() + ctx.timing.lease,
    })
    return { kind: 'claimed', submission, leaseOwner }
  }
}

/** Carries a claimed step out, acts outside included, and stores it. */
async function carryOut(ctx: EngineContext, submission: Submission, leaseOwner: string): Promise<Receipt> {
  const { caller, request } = submission
  const claim: Claim = { ...placeOf(caller, request), leaseOwner }
  try {
    return await workUnderClaim(ctx, claim, 'presented', async (newPerform) => {
      const look = await rerunWhenNotesChange(async () => {
        const walked = await walk(ctx, ctx.store, submission, await newPerform())
        return ctx.store.transaction(
          async (tx) => {
            const row = await lockExecution(ctx.store, tx, caller.owner, request.processId)
            if (row?.attempt_state !== 'processing' || row.lease_owner !== leaseOwner) throw new ClaimLost()
            return settle(ctx, tx, { ...submission, run: { ...submission.run, row } }, walked)
          },
          { durable: true },
        )
      })
      if (look.kind === 'answer') return look.receipt
      if (look.kind === 'refused') throw look.error
      throw new Error(`a claimed step cannot end as ${look.kind}`)
    })
  } catch (error) {
    if (error instanceof OutcomeUnknown) throw outcomeUnknown(request.attemptId, request.processId)
    if (error instanceof ClaimLost) throw attemptProcessing(request.processId, request.attemptId)
    throw error
  }
}

function placeOf({ owner }: Caller, { processId, attemptId }: StepRequest): Omit<Claim, 'leaseOwner'> {
  return { owner, attemptId, place: { table: 'execution', id: processId } }
}

/** The move of a submission, or why there is none. */
type Walked = { kind: 'moved'; transition: Transition } | { kind: 'failed'; error: UserError }

async function walk(
  ctx: EngineContext,
  db: Queryable,
  { request, run }: Submission,
  perform: Perform,
): Promise<Walked> {
  const { input, teleportTo } = request
  try {
    const transition = await ctx.transit({
      ...runContext(ctx, db, run),
      state: run.state,
      ...(teleportTo === undefined ? { input } : { teleportTo }),
      perform,
    })
    return { kind: 'moved', transition }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { kind: 'failed', error }
  }
}

/** Stores what a submission led to. */
async function settle(ctx: EngineContext, tx: Queryable, submission: Submission, walked: Walked): Promise<Look> {
  const { caller, request, run, hash } = submission
  // PostgreSQL cannot store U+0000 in a text.
  const note = executionNoteIn(request.input)?.replaceAll('\0', '') ?? null
  if (walked.kind === 'failed') {
    const { error } = walked
    await remember(ctx, tx, submission, { type: 'handler', code: error.code, message: error.message })
    return { kind: 'refused', error: withIds(error, request) }
  }
  const { transition } = walked
  if (transition.kind === 'refused') {
    const { refusal, state } = transition
    const row = { ...run.row, state: stateText(state), note: note ?? run.row.note }
    await remember(
      ctx,
      tx,
      { ...submission, run: { ...run, row } },
      { type: 'validation', code: 'VALIDATION_FAILED', message: refusal.errors.join(' ') },
    )
    return { kind: 'refused', error: validationFailed(request, refusal) }
  }
  const receipt = await commitMove(ctx, tx, {
    run,
    result: transition,
    caller,
    kind: 'step',
    attemptId: request.attemptId,
    inputHash: hash,
    ...(note === null ? {} : { note }),
  })
  return { kind: 'answer', receipt }
}

/** Keeps what a refused submission leaves: the error, the visit's count of refusals and the note. No step was made. */
async function remember(
  ctx: EngineContext,
  tx: Queryable,
  { caller, request, run }: Submission,
  error: Pick<ErrorRow, 'type' | 'code' | 'message'>,
): Promise<void> {
  await recordError(ctx, tx, run, {
    ...error,
    node_id: waitingNodeId(run.state),
    input: request.input === undefined ? null : (JSON.stringify(request.input) ?? '').slice(0, KEPT_INPUT),
  })
  await moveExecution(tx, { ...run.row, error_count: run.row.error_count + 1, updated_at: ctx.clock() })
  await audit(ctx, tx, caller, 'execution:step_fail', run.row.id, { code: error.code })
}

function validationFailed({ processId, attemptId }: StepRequest, refusal: Refusal): UserError {
  const { nodeId, errors, expected, example, retryMessage, retriesLeft } = refusal
  const text = [
    `Process ID: ${processId}\nStep attempt ID: ${attemptId}`,
    refusal.text,
    ...(retryMessage === null ? [] : [retryMessage]),
    ...(retriesLeft === null ? [] : [`Answers that may still be refused before the run moves on: ${retriesLeft}`]),
  ].join('\n\n')
  return new UserError('VALIDATION_FAILED', errors.join(' '), {
    processId,
    attemptId,
    text,
    nodeId,
    errors,
    expected,
    example,
    ...(retriesLeft === null ? {} : { retriesLeft }),
    remedy: 'the run was not changed; correct the input and send it again with the same attempt',
    retry: 'never',
    next: { tool: 'step', args: { processId, attemptId, input: example } },
  })
}

function withIds(error: UserError, { processId, attemptId }: StepRequest): UserError {
  return new UserError(error.code, error.message, { processId, attemptId, ...error.details }, { cause: error })
}
