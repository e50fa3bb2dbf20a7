/** Runtime variables: the globals a workflow declares, and writing them from outside where its policy lets one. */

import type { Caller } from '../../core/caller.ts'
import { UserError } from '../../core/errors.ts'
import { appendOutsideWrite, loadExecution, lockExecution, updateExecution } from '../../store/index.ts'
import { findNode, registryOf, type WorkflowDefinition } from '../definition.ts'
import { nodeTypeOf } from '../nodes/index.ts'
import { stateText } from './commit.ts'
import { audit, type EngineContext } from './context.ts'
import { requireValue, undeclared } from './recover.ts'
import { attemptProcessing, executionNotFound } from './refusals.ts'
import { requireCurrent, targetRevisions } from './revisions.ts'
import { openRun, type Run } from './run.ts'
import type { Expected, RuntimeVariable, VariableQuery } from './types.ts'

/** @throws UserError `not_found` */
export async function listVariables(
  ctx: EngineContext,
  caller: Caller,
  query: VariableQuery,
): Promise<{ variables: RuntimeVariable[]; revision: number; contextRevision: string }> {
  const row = await loadExecution(ctx.store, caller.owner, query.executionId)
  if (!row) throw executionNotFound(query.executionId)
  const run = await openRun(ctx, ctx.store, row)
  const variables = Object.keys(registryOf(run.definition)).map((name) => variableOf(run, name))
  const { names, types, editable, hasValue, writePhase } = query
  return {
    variables: variables.filter(
      (variable) =>
        (names === undefined || names.includes(variable.name)) &&
        (types === undefined || types.includes(variable.type)) &&
        (editable === undefined || editable === variable.editable) &&
        (hasValue === undefined || hasValue === variable.hasValue) &&
        (writePhase === undefined || writePhase === variable.writePhase),
    ),
    revision: row.revision,
    contextRevision: targetRevisions(row).contextRevision,
  }
}

function variableOf({ definition, state, row }: Run, name: string): RuntimeVariable {
  const entry = registryOf(definition)[name]
  const policy = policyOf(definition, name)
  const hasValue = Object.hasOwn(state.variables, name)
  const now = row.status === 'running' && mayWriteOn(definition, name, state.nodeId)
  const somewhere = policy !== null && (policy.allowedNodeIds === null || policy.allowedNodeIds.length > 0)
  return {
    name,
    type: entry?.type ?? 'null',
    description: entry?.description ?? '',
    hasValue,
    ...(hasValue ? { value: state.variables[name] } : {}),
    editable: somewhere,
    writePhase: now ? 'current' : somewhere ? 'other' : null,
    allowedNodeIds: policy === null ? [] : policy.allowedNodeIds,
  }
}

/** Null: the policy does not name the variable. Without a list of nodes it may be written on any. */
function policyOf(definition: WorkflowDefinition, name: string): { allowedNodeIds: string[] | null } | null {
  const writes = definition.runtimePolicy?.externalVariableWrites ?? {}
  const policy = Object.hasOwn(writes, name) ? writes[name] : undefined
  return policy === undefined ? null : { allowedNodeIds: policy.allowedNodeIds ?? null }
}

/** Whether a variable may be written while the run waits on a node of its own workflow. */
function mayWriteOn(definition: WorkflowDefinition, name: string, nodeId: string | null): boolean {
  const policy = policyOf(definition, name)
  const node = nodeId === null ? null : findNode(definition, nodeId)
  if (policy === null || node === null || !nodeTypeOf(node).waits) return false
  return policy.allowedNodeIds === null || policy.allowedNodeIds.includes(node.id)
}

/**
 * Writes a variable of a paused run. The graph stays where it is, and so does the attempt that is handed out.
 * @throws UserError `not_found`, `EXECUTION_FINISHED`, `REVISION_STALE`, `WRITE_NOT_ALLOWED`, `invalid_request`,
 *   `ATTEMPT_PROCESSING`
 */
export async function setVariable(
  ctx: EngineContext,
  caller: Caller,
  request: Expected & { expectedContextRevision: string; variableName: string; variableValue: unknown },
): Promise<{ name: string; oldValue: unknown; newValue: unknown; revision: number; contextRevision: string }> {
  const { executionId, variableName: name, variableValue: value } = request
  const { owner } = caller
  return ctx.store.transaction(
    async (tx) => {
      const row = await lockExecution(ctx.store, tx, owner, executionId)
      if (!row) throw executionNotFound(executionId)
      requireCurrent(row, request, 'contextRevision', request.expectedContextRevision)
      const run = await openRun(ctx, tx, row)
      const { definition, state } = run
      const registry = registryOf(definition)
      const entry = Object.hasOwn(registry, name) ? registry[name] : undefined
      if (entry === undefined) throw undeclared(name, 'variableName', Object.keys(registry))
      if (!mayWriteOn(definition, name, state.nodeId)) throw notAllowed(run, name)
      requireValue(name, entry, value, 'variableValue')
      // Whoever works on the step outside a transaction has read the variables as they were.
      if (row.attempt_state === 'processing') throw attemptProcessing(executionId, row.attempt_id ?? '')
      const now = ctx.clock()
      const changed = {
        ...row,
        context_count: row.context_count + 1,
        updated_at: now,
        state: stateText({ ...state, variables: { ...state.variables, [name]: value } }),
      }
      await updateExecution(tx, changed)
      const written = { seq: state.visitCount, name, value: JSON.stringify(value), at: now }
      await appendOutsideWrite(tx, owner, executionId, written)
      await audit(ctx, tx, caller, 'execution:update_context', executionId, { variable: name })
      const oldValue = state.variables[name]
      const { contextRevision } = targetRevisions(changed)
      return { name, oldValue, newValue: value, revision: row.revision, contextRevision }
    },
    { durable: true },
  )
}

function notAllowed({ definition, state, row }: Run, name: string): UserError {
  const policy = policyOf(definition, name)
  const where = policy?.allowedNodeIds?.join(', ')
  const reason =
    policy === null
      ? 'its workflow does not let it be written from outside'
      : where === ''
        ? 'its workflow lets it be written on no node'
        : `it may be written on ${where}, and the run waits on ${state.nodeId}`
  return new UserError('WRITE_NOT_ALLOWED', `The variable "${name}" cannot be set now: ${reason}`, {
    field: 'variableName',
    processId: row.id,
    remedy:
      policy === null
        ? 'only runtimePolicy.externalVariableWrites of the workflow can allow it; answer the steps instead'
        : 'set it when the run waits there, or answer the step instead',
  })
}
