/** Runs as their owner sees them: lists, what one holds, its note, and ending it. */

import type { Caller } from '../../core/caller.ts'
import { describePage, pageRequest } from '../../core/page.ts'
import {
  appendError,
  type ErrorRow,
  type ExecutionListing,
  type ExecutionListRow,
  type ExecutionRow,
  insertMove,
  listErrors,
  listExecutionRows,
  listMoveVisits,
  listOutsideWrites,
  loadExecution,
  loadExecutionListRow,
  lockExecution,
  NO_ATTEMPT,
  type OutsideWriteRow,
  type Queryable,
  runningChildren,
  updateExecution,
} from '../../store/index.ts'
import type { RunState, VariableWrite } from '../state.ts'
import { resolveWorkflow } from './catalog.ts'
import type { LoggedVisit } from './commit.ts'
import { audit, type EngineContext, sourceOf } from './context.ts'
import { executionFinished, executionNotFound } from './refusals.ts'
import { requireRevision, targetRevisions } from './revisions.ts'
import { openRun } from './run.ts'
import { runNote } from './run-text.ts'
import type {
  ExecutionContext,
  ExecutionError,
  ExecutionQuery,
  ExecutionSummary,
  Expected,
  Page,
  RunHistory,
} from './types.ts'

const USUAL_PAGE = 20

/** What older clients call the two statuses. No run is locked before there are locks. */
const STATUSES = {
  running: 'running',
  waiting: 'running',
  completed: 'completed',
  failed: 'completed',
  locked: undefined,
} as const

export async function listExecutions(
  ctx: EngineContext,
  caller: Caller,
  query: ExecutionQuery,
): Promise<Page & { executions: ExecutionSummary[] }> {
  const { limit, offset } = pageRequest(query, USUAL_PAGE)
  const wanted = query.status ?? ['running']
  const statuses = [...new Set(wanted.map((status) => STATUSES[status]))].filter((status) => status !== undefined)
  const workflowId = query.workflowId === undefined ? undefined : await idOf(ctx, caller, query.workflowId)
  const listing: ExecutionListing = {
    owner: caller.owner,
    // An empty list asks for nothing in particular.
    ...(wanted.length === 0 ? {} : { statuses }),
    ...(workflowId === undefined ? {} : { workflowId }),
    ...(query.search === undefined ? {} : { search: query.search }),
    sort: query.sort ?? 'updatedAt',
    descending: query.sortOrder !== 'asc',
    limit,
    offset,
  }
  const { rows, total } = await listExecutionRows(ctx.store, listing)
  return { executions: rows.map((row) => summaryOf(ctx, row)), ...describePage(total, limit, offset, rows.length) }
}

/** Runs of a workflow that is gone are still found by its id. */
async function idOf(ctx: EngineContext, caller: Caller, reference: string): Promise<string> {
  const row = await resolveWorkflow(ctx, ctx.store, caller.owner, reference)
  return row?.id ?? reference.trim().toLowerCase()
}

export function summaryOf(ctx: EngineContext, row: ExecutionListRow): ExecutionSummary {
  return {
    executionId: row.id,
    workflowId: row.workflow_id,
    workflowName: row.workflow_name ?? '',
    workflowSlug: row.workflow_slug ?? '',
    workflowOwnerHandle: ctx.accounts.handleOf(row.workflow_owner),
    status: row.status,
    outcome: row.outcome,
    currentNodeId: row.node_id,
    note: row.note,
    parentExecutionId: row.parent_id,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.ended_at,
    errorCount: row.error_count,
  }
}

/** @throws UserError `not_found` */
export async function executionContext(
  ctx: EngineContext,
  caller: Caller,
  executionId: string,
): Promise<ExecutionContext> {
  const { owner } = caller
  const row = await loadExecution(ctx.store, owner, executionId)
  if (!row) throw executionNotFound(executionId)
  const state = JSON.parse(row.state) as RunState
  return {
    ...(await summary(ctx, ctx.store, caller, executionId)),
    ...targetRevisions(row),
    variables: state.variables,
    output: state.output,
    errors: (await listErrors(ctx.store, owner, executionId)).map(errorOf),
    activeLock: null,
    activeChildren: row.running_children === 0 ? [] : await runningChildren(ctx.store, owner, executionId),
  }
}

function errorOf({ at, node_id, type, code, message, input }: ErrorRow): ExecutionError {
  return { timestamp: at, nodeId: node_id, errorType: type, code, message, input }
}

/** @throws UserError `not_found` */
export async function history(
  ctx: EngineContext,
  caller: Caller,
  executionId: string,
  until?: number,
): Promise<RunHistory> {
  const row = await loadExecution(ctx.store, caller.owner, executionId)
  if (!row) throw executionNotFound(executionId)
  const { definition, state } = await openRun(ctx, ctx.store, row)
  const moves = await listMoveVisits(ctx.store, caller.owner, executionId)
  const visits = moves
    .flatMap((json) => JSON.parse(json) as LoggedVisit[])
    .filter(({ seq }) => until === undefined || seq <= until)
    .sort((a, b) => a.seq - b.seq)
  const outside = await listOutsideWrites(ctx.store, caller.owner, executionId, until)
  return {
    execution: await summary(ctx, ctx.store, caller, executionId),
    definition,
    state,
    visits: visits.map(({ writes: _writes, ...visit }) => visit),
    writes: writesInOrder(visits, outside),
  }
}

/** What a visit wrote, then what was written from outside before the next one. */
function writesInOrder(visits: readonly LoggedVisit[], outside: readonly OutsideWriteRow[]): VariableWrite[] {
  const inside = visits.flatMap(({ seq, writes }) =>
    Object.entries(writes).map(([name, value]) => ({ seq, name, value })),
  )
  const fromOutside = outside.map(({ seq, name, value }) => ({ seq, name, value: JSON.parse(value) as unknown }))
  // A stable sort: of equal numbers, the visit's own come first.
  return [...inside, ...fromOutside].sort((a, b) => a.seq - b.seq)
}

/** @throws UserError `not_found`, `invalid_request` beyond 500 characters */
export async function updateNote(
  ctx: EngineContext,
  caller: Caller,
  executionId: string,
  note: string,
): Promise<ExecutionSummary> {
  const text = runNote(note)
  return changeExecution(ctx, caller, executionId, 'execution:update_note', (row) => ({ ...row, note: text }))
}

/**
 * Ends a run for good, whatever it is blocked by.
 * @throws UserError `not_found`, `EXECUTION_FINISHED`, `REVISION_STALE`
 */
export async function cancel(ctx: EngineContext, caller: Caller, request: Expected): Promise<ExecutionSummary> {
  const { executionId } = request
  return changeExecution(ctx, caller, executionId, 'execution:cancel', async (row, tx) => {
    if (row.status !== 'running') throw executionFinished(executionId, row.outcome)
    requireRevision(row, request)
    const now = ctx.clock()
    if (row.attempt_id !== null) {
      await insertMove(tx, caller.owner, {
        ...{ id: row.attempt_id, execution_id: executionId, state: 'superseded', takes_input: row.takes_input ?? 1 },
        ...{ input_hash: null, at: now, source: sourceOf(caller), visits: null, receipt: null },
      })
    }
    await appendError(tx, caller.owner, executionId, {
      number: row.error_count + 1,
      at: now,
      node_id: row.node_id,
      type: 'system',
      code: 'CANCELLED',
      message: 'The run was cancelled by its owner.',
      input: null,
    })
    const state = JSON.parse(row.state) as RunState
    return {
      ...row,
      ...NO_ATTEMPT,
      status: 'completed',
      outcome: 'cancelled',
      ended_at: now,
      error_count: row.error_count + 1,
      state: JSON.stringify({ ...state, status: 'completed' } satisfies RunState),
    }
  })
}

/** Changes a run beside its plan: the revision stays, and so does the attempt that is handed out. */
export async function changeExecution(
  ctx: EngineContext,
  caller: Caller,
  executionId: string,
  action: string,
  change: (row: ExecutionRow, tx: Queryable) => ExecutionRow | Promise<ExecutionRow>,
  /** What has to be locked before the run. */
  lockFirst?: (tx: Queryable) => Promise<void>,
): Promise<ExecutionSummary> {
  return ctx.store.transaction(
    async (tx) => {
      await lockFirst?.(tx)
      const row = await lockExecution(ctx.store, tx, caller.owner, executionId)
      if (!row) throw executionNotFound(executionId)
      await updateExecution(tx, { ...(await change(row, tx)), updated_at: ctx.clock() })
      await audit(ctx, tx, caller, action, executionId)
      return summary(ctx, tx, caller, executionId)
    },
    { durable: true },
  )
}

async function summary(ctx: EngineContext, db: Queryable, caller: Caller, id: string): Promise<ExecutionSummary> {
  const row = await loadExecutionListRow(db, caller.owner, id)
  if (!row) throw executionNotFound(id)
  return summaryOf(ctx, row)
}
