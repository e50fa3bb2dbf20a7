/** session recover: moves a run that cannot go on to a step it can go on from. */

import type { Caller } from '../../core/caller.ts'
import { invalidRequest, UserError } from '../../core/errors.ts'
import { lockExecution, type Queryable, runningChildren } from '../../store/index.ts'
import { findNode, type RegistryEntry, registryOf, type WorkflowDefinition } from '../definition.ts'
import { schemas } from '../schema-check.ts'
import { moveTo } from '../transition.ts'
import { commitMove } from './commit.ts'
import { audit, type EngineContext } from './context.ts'
import { diagnoseRun } from './diagnose.ts'
import { currentStepCall, diagnoseCall, executionFinished, executionNotFound } from './refusals.ts'
import { openRun, runContext } from './run.ts'
import type { Receipt, RecoverRequest } from './types.ts'

/**
 * Moves the run to a node it can wait on, writes the values given and presents the node; the revision stays. A refusal
 * leaves the run untouched, and is audited too.
 * @throws UserError `not_found`, `EXECUTION_FINISHED`, `RECOVERY_REFUSED` for a run that can go on, `invalid_request`
 */
export async function recover(ctx: EngineContext, caller: Caller, request: RecoverRequest): Promise<Receipt> {
  const { executionId, nodeId } = request
  try {
    return await ctx.store.transaction((tx) => tryRecover(ctx, tx, caller, request), { durable: true })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const detail = { code: error.code, nodeId: nodeId.slice(0, 200) }
    await ctx.store.transaction((tx) =>
      audit(ctx, tx, caller, 'execution:recover_refused', executionId.slice(0, 100), detail),
    )
    throw new UserError(
      error.code,
      error.message,
      { processId: executionId, next: diagnoseCall(executionId), ...error.details },
      { cause: error },
    )
  }
}

async function tryRecover(
  ctx: EngineContext,
  tx: Queryable,
  caller: Caller,
  { executionId, nodeId, variableValues = {} }: RecoverRequest,
): Promise<Receipt> {
  const row = await lockExecution(ctx.store, tx, caller.owner, executionId)
  if (!row) throw executionNotFound(executionId)
  if (row.status !== 'running') {
    const [child] = row.running_children === 0 ? [] : await runningChildren(tx, caller.owner, executionId)
    throw executionFinished(executionId, row.outcome, child)
  }
  const run = await openRun(ctx, tx, row)
  const diagnosis = await diagnoseRun(ctx, tx, run)
  if (diagnosis.continuable) {
    throw new UserError('RECOVERY_REFUSED', 'The run can go on as it is; it was not moved', {
      processId: executionId,
      remedy: 'read its current step and answer it',
      next: currentStepCall(executionId),
    })
  }
  requireValues(run.definition, variableValues)
  const result = await moveTo(runContext(ctx, tx, run), run.state, nodeId, variableValues)
  const attemptId = row.attempt_id
  return commitMove(ctx, tx, { run, result, caller, kind: 'recover', attemptId, inputHash: null })
}

/** @throws UserError `invalid_request` for a name that is none, or a value that its registry entry does not take */
function requireValues(definition: WorkflowDefinition, values: Record<string, unknown>): void {
  const registry = registryOf(definition)
  for (const [name, value] of Object.entries(values)) {
    const entry = Object.hasOwn(registry, name) ? registry[name] : undefined
    if (entry !== undefined) requireValue(name, entry, value, `variableValues.${name}`)
    else if (findNode(definition, name) === null) throw undeclared(name, 'variableValues', Object.keys(registry))
  }
}

export function undeclared(name: string, field: string, declared: readonly string[]): UserError {
  return invalidRequest(`The workflow declares no variable "${name.slice(0, 100)}"`, field, {
    remedy:
      declared.length === 0
        ? 'it declares none; add them to its variableRegistry'
        : `it declares: ${declared.join(', ')}`,
  })
}

/** @throws UserError `invalid_request` when the variable's registry entry does not take the value */
export function requireValue(name: string, entry: RegistryEntry, value: unknown, field: string): void {
  const findings = schemas.check(entry, value)
  if (findings.length === 0) return
  const problems = findings.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  throw invalidRequest(`The variable "${name}" does not take this value: ${problems.join('; ')}`, field, {
    problems,
    remedy: `it is declared as ${JSON.stringify(entry).slice(0, 500)}`,
  })
}
