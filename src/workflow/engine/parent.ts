/** session set-parent: which run a run was started for. */

import type { Caller } from '../../core/caller.ts'
import { invalidRequest } from '../../core/errors.ts'
import { isUuid } from '../../core/uuid.ts'
import { type ExecutionRow, loadExecution, lockParents, parentOfExecution, type Queryable } from '../../store/index.ts'
import type { EngineContext } from './context.ts'
import { changeExecution } from './executions.ts'
import { executionNotFound } from './refusals.ts'
import { requireCurrent, targetRevisions } from './revisions.ts'
import type { Expected } from './types.ts'

/** @throws UserError `not_found`, `EXECUTION_FINISHED`, `REVISION_STALE`, `invalid_request` for a circle */
export async function setParent(
  ctx: EngineContext,
  caller: Caller,
  request: Expected & { expectedParentRevision: string; parentExecutionId: string },
): Promise<{ parentExecutionId: string | null; revision: number; parentRevision: string }> {
  const { executionId, expectedParentRevision } = request
  const wanted = request.parentExecutionId.trim().toLowerCase()
  const parentId = wanted === 'none' ? null : wanted
  let parentRevision = ''
  const change = async (row: ExecutionRow, tx: Queryable): Promise<ExecutionRow> => {
    requireCurrent(row, request, 'parentRevision', expectedParentRevision)
    if (parentId !== null) await requireParent(tx, caller.owner, executionId, parentId)
    const changed = { ...row, parent_id: parentId, parent_count: row.parent_count + 1 }
    parentRevision = targetRevisions(changed).parentRevision
    return changed
  }
  const { revision } = await changeExecution(ctx, caller, executionId, 'execution:set_parent', change, (tx) =>
    lockParents(tx, caller.owner),
  )
  return { parentExecutionId: parentId, revision, parentRevision }
}

async function requireParent(tx: Queryable, owner: number, executionId: string, parentId: string): Promise<void> {
  const parent = isUuid(parentId) ? await loadExecution(tx, owner, parentId) : undefined
  if (!parent) throw executionNotFound(parentId, 'parentExecutionId')
  if (parent.status !== 'running') {
    throw invalidRequest(`The run ${parentId} has finished; it can have no new children`, 'parentExecutionId', {
      remedy: 'name a running execution, or "none" to detach',
    })
  }
  let ancestor: string | null = parentId
  for (const seen = new Set<string>(); ancestor !== null && !seen.has(ancestor); ) {
    if (ancestor === executionId) {
      throw invalidRequest(
        `The run ${parentId} descends from this one; runs cannot be their own ancestors`,
        'parentExecutionId',
        {
          remedy: 'name a run that was not started for this one, or "none" to detach',
        },
      )
    }
    seen.add(ancestor)
    ancestor = (await parentOfExecution(tx, owner, ancestor))?.parent_id ?? null
  }
}
