/** session diagnose: everything that keeps a run from going on, or explains what one sees. It changes nothing. */

import type { Caller } from '../../core/caller.ts'
import { UserError } from '../../core/errors.ts'
import { listErrors, loadExecution, loadNote, type Queryable } from '../../store/index.ts'
import { findNode } from '../definition.ts'
import { nodeTypeOf } from '../nodes/index.ts'
import { waitingNodeId } from '../state.ts'
import { type Surface, surfaceChanges, surfaceOf } from '../surface.ts'
import { systemNames, templateReferences } from '../template.ts'
import { type Level, levelsOf } from '../transition-levels.ts'
import type { EngineContext } from './context.ts'
import { currentStepCall, executionNotFound } from './refusals.ts'
import { attemptSurface, openRun, type Run, runContext } from './run.ts'
import type { Cause, CauseCode, Diagnosis } from './types.ts'

/** @throws UserError `not_found` */
export async function diagnose(ctx: EngineContext, caller: Caller, executionId: string): Promise<Diagnosis> {
  const row = await loadExecution(ctx.store, caller.owner, executionId)
  if (!row) throw executionNotFound(executionId)
  return diagnoseRun(ctx, ctx.store, await openRun(ctx, ctx.store, row))
}

/** The same of a run that was opened, inside a transaction or out of it. */
export async function diagnoseRun(ctx: EngineContext, db: Queryable, run: Run): Promise<Diagnosis> {
  const { owner, id, status, revision, outcome } = run.row
  const nodeId = waitingNodeId(run.state)
  const facts = { executionId: id, status, nodeId, revision, attemptId: run.row.attempt_id }
  if (status !== 'running') {
    const how = outcome === 'cancelled' ? 'was cancelled' : 'has completed'
    const finished = cause('execution_finished', true, `The run ${how}; it stays finished.`, { outcome })
    return { ...facts, nodeExists: false, continuable: false, causes: [finished], next: { tool: 'list', args: {} } }
  }
  const levels = await levelsOrProblem(ctx, db, run)
  const top = Array.isArray(levels) ? levels.at(-1) : undefined
  const node = top === undefined ? null : findNode(top.definition, top.nodeId)
  const causes = [
    ...(Array.isArray(levels) ? [] : [levels]),
    ...(top !== undefined && node === null ? [nodeMissing(top.nodeId)] : []),
    ...(await attemptCauses(ctx, db, run, Array.isArray(levels))),
    ...(top === undefined || node === null ? [] : await unresolved(db, owner, top)),
    ...(await recordedErrors(db, run)),
  ]
  const continuable = !causes.some((one) => one.blocks)
  const next = continuable
    ? currentStepCall(id)
    : { tool: 'session', args: { action: 'recover', executionId: id, nodeId: '<a node the run can wait on>' } }
  return { ...facts, nodeExists: node !== null, continuable, causes, next }
}

function cause(code: CauseCode, blocks: boolean, message: string, details: Record<string, unknown> = {}): Cause {
  return { code, blocks, message, details }
}

async function levelsOrProblem(ctx: EngineContext, db: Queryable, run: Run): Promise<Level[] | Cause> {
  try {
    return await levelsOf(runContext(ctx, db, run), run.state)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return cause('subgraph_missing', true, error.message, { workflowId: error.details['workflowId'] })
  }
}

function nodeMissing(nodeId: string): Cause {
  return cause('node_missing', true, `The run stands on node "${nodeId}", which the workflow has no more.`, { nodeId })
}

/** What is to be said about the attempt that was handed out. */
async function attemptCauses(ctx: EngineContext, db: Queryable, run: Run, readable: boolean): Promise<Cause[]> {
  const { revision, attempt_id: attemptId, attempt_state, attempt_node, attempt_revision, lease_until } = run.row
  if (attemptId === null) {
    return [cause('attempt_missing', false, 'No attempt is handed out; current_step makes one.')]
  }
  const causes: Cause[] = []
  if (attempt_state === 'outcome_unknown') {
    const message = 'Work on the attempt broke off after something outside may have happened; it is not repeated.'
    causes.push(cause('outcome_unknown', true, message, { attemptId }))
  }
  if (attempt_state === 'processing') {
    const message = 'Another caller is working on the attempt, or broke off; its claim runs out by itself.'
    causes.push(cause('attempt_processing', false, message, { attemptId, until: lease_until }))
  }
  const nodeId = waitingNodeId(run.state)
  if (attempt_node !== nodeId) {
    const message = `The attempt belongs to node "${attempt_node}", the run stands on "${nodeId}".`
    causes.push(cause('attempt_other_node', true, message, { attemptId, attemptNodeId: attempt_node }))
  } else if (readable) {
    const changes = changedFacts(attemptSurface(run.row), await surfaceOf(runContext(ctx, db, run), run.state))
    if (changes.length > 0) {
      const message = `What the step depends on has changed: ${changes.join('; ')}.`
      causes.push(cause('surface_changed', true, message, { changes }))
    }
  }
  if (attempt_revision !== revision) {
    const message = `The attempt is bound to revision ${attempt_revision}, the run is at ${revision}; current_step mends it.`
    causes.push(cause('attempt_revision_stale', false, message, { attemptId, boundRevision: attempt_revision }))
  }
  return causes
}

function changedFacts(before: Surface | null, now: Surface): string[] {
  return before === null ? ['the step was handed out without its surface'] : surfaceChanges(before, now)
}

/** Names and notes that the texts of the step use and that have no value. */
async function unresolved(db: Queryable, owner: number, level: Level): Promise<Cause[]> {
  const node = findNode(level.definition, level.nodeId)
  if (node === null) return []
  const names = new Set<string>()
  const notes = new Set<string>()
  for (const { text } of nodeTypeOf(node).templates(node)) {
    const references = templateReferences(text)
    for (const { name, inEach } of references.roots) {
      const known = level.variables[name] !== undefined && level.variables[name] !== null
      const system = (systemNames as readonly string[]).includes(name)
      if (!inEach && !system && !known) names.add(name)
    }
    for (const key of references.notes) {
      const note = await loadNote(db, owner, key)
      if (!note || note.deleted_at !== null) notes.add(key)
    }
  }
  const references = [...names, ...[...notes].map((key) => `note:${key}`)]
  if (references.length === 0) return []
  const message = `The step uses what has no value: ${references.join(', ')}.`
  return [cause('unresolved_reference', false, message, { references })]
}

/** Errors of the visit that is under way; those of earlier ones are history. */
async function recordedErrors(db: Queryable, { row, state }: Run): Promise<Cause[]> {
  if (row.error_count === 0) return []
  const nodeId = waitingNodeId(state)
  const since = state.visit?.enteredAt ?? 0
  const errors = (await listErrors(db, row.owner, row.id)).filter((one) => one.node_id === nodeId && one.at >= since)
  const last = errors.at(-1)
  if (last === undefined) return []
  const message = `The last answer to this step was refused: ${last.message}`
  return [cause('recorded_error', false, message, { errorType: last.type, code: last.code, count: errors.length })]
}
