/** start: prepare reserves one start, execute makes it a run, once. */

import type { Caller } from '../../core/caller.ts'
import { invalidRequest, UserError } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import { insertStartAttempt, loadExecution } from '../../store/index.ts'
import { errorText, validationResult } from '../validate.ts'
import { resolveOrRefuse, validate } from './catalog.ts'
import { audit, type EngineContext } from './context.ts'
import { executionNotFound } from './refusals.ts'
import { preparedReceipt } from './render.ts'
import { runNote } from './run-text.ts'
import type { PrepareStart, Receipt } from './types.ts'

/** What a start was prepared with, as it is stored with its attempt. */
export interface BoundStart {
  workflowOwner: number
  workflowId: string
  reference: string
  /** Of the definition, in hex: the run begins with this one or not at all. */
  hash: string
  note: string | null
  parentId: string | null
  skipNotificationCheck: boolean
}

/**
 * Reserves a start. Nothing runs yet, and two calls make two reservations.
 * @throws UserError `not_found`, `WORKFLOW_INVALID`, `invalid_request`
 */
export async function prepareStart(ctx: EngineContext, caller: Caller, request: PrepareStart): Promise<Receipt> {
  const { owner } = caller
  const skipNotificationCheck = skips(request)
  const note = runNote(request.note)
  const parentId = await parentOf(ctx, owner, request.parentExecutionId)
  const workflow = await resolveOrRefuse(ctx, ctx.store, owner, request.workflowId)
  const definition = await ctx.definitions.load(ctx.store, workflow.owner, workflow.hash)
  const { valid, issues } = validationResult(await validate(ctx, caller, definition, workflow.id))
  if (!valid) {
    throw new UserError('WORKFLOW_INVALID', errorText(issues), {
      issues,
      remedy: 'the workflow cannot be run as it is; mend it with manage edit, then prepare again',
    })
  }
  const startAttemptId = ctx.newId()
  const now = ctx.clock()
  const expiresAt = now + ctx.timing.reservation
  const reference = `${ctx.accounts.handleOf(workflow.owner)}/${workflow.slug}`
  const bound: BoundStart = {
    workflowOwner: workflow.owner,
    workflowId: workflow.id,
    reference,
    hash: workflow.hash.toString('hex'),
    note,
    parentId,
    skipNotificationCheck,
  }
  await ctx.store.transaction(async (tx) => {
    await insertStartAttempt(tx, owner, { id: startAttemptId, request: JSON.stringify(bound), expiresAt, now })
    await audit(ctx, tx, caller, 'workflow:start_attempt', workflow.id, { startAttemptId })
  })
  const { name, version, revision: workflowRevision } = workflow
  return preparedReceipt({
    ...{ startAttemptId, expiresAt, workflowId: workflow.id, reference, name, version, workflowRevision },
  })
}

function skips({ skipNotificationCheck, skipTelegramCheck }: PrepareStart): boolean {
  const disagree =
    skipNotificationCheck !== undefined &&
    skipTelegramCheck !== undefined &&
    skipNotificationCheck !== skipTelegramCheck
  if (disagree) {
    throw invalidRequest('skipTelegramCheck and skipNotificationCheck say different things', 'skipTelegramCheck', {
      remedy: 'they mean the same; give skipNotificationCheck alone',
    })
  }
  return skipNotificationCheck ?? skipTelegramCheck ?? false
}

async function parentOf(ctx: EngineContext, owner: number, parentExecutionId: string): Promise<string | null> {
  const wanted = parentExecutionId.trim().toLowerCase()
  if (wanted === 'none') return null
  const parent = isUuid(wanted) ? await loadExecution(ctx.store, owner, wanted) : undefined
  if (!parent) throw executionNotFound(parentExecutionId, 'parentExecutionId')
  if (parent.status === 'running') return wanted
  throw invalidRequest(`The run ${wanted} has finished; it can have no new children`, 'parentExecutionId', {
    remedy: 'pass "none", or the process ID of a running execution',
  })
}
