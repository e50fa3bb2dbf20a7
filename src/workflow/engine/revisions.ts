/** The revisions of what stands beside a run's plan: opaque, and independent of one another. */

import { createHash } from 'node:crypto'
import type { ExecutionRow } from '../../store/index.ts'
import { currentStepCall, executionFinished, revisionStale } from './refusals.ts'
import type { Expected, NextCall, TargetRevisions } from './types.ts'

type Counted = Pick<ExecutionRow, 'id' | 'parent_count' | 'reminder_count' | 'context_count'>

/** Each counts the changes of its part, and says so in 64 characters that mean nothing to anybody else. */
export function targetRevisions(row: Counted): TargetRevisions {
  return {
    parentRevision: revisionOf('parent', row.id, row.parent_count),
    remindersRevision: revisionOf('reminders', row.id, row.reminder_count),
    contextRevision: revisionOf('context', row.id, row.context_count),
  }
}

function revisionOf(part: string, id: string, count: number): string {
  return createHash('sha256').update(`${part} ${id} ${count}`).digest('hex')
}

/** Where each part is read again. */
const READ_AGAIN: Record<keyof TargetRevisions, string> = {
  parentRevision: 'execution_context',
  remindersRevision: 'reminders',
  contextRevision: 'variables',
}

/**
 * Refuses a write beside the plan that was decided on an older picture, or on a finished run.
 * @throws UserError `EXECUTION_FINISHED`, `REVISION_STALE`
 */
export function requireCurrent(
  row: ExecutionRow,
  expected: Expected,
  target: keyof TargetRevisions,
  targetRevision: string,
): void {
  if (row.status !== 'running') throw executionFinished(row.id, row.outcome)
  requireRevision(row, expected)
  const current = targetRevisions(row)[target]
  if (current === targetRevision) return
  const field = `expected${target.charAt(0).toUpperCase()}${target.slice(1)}`
  const next: NextCall = { tool: 'session', args: { action: READ_AGAIN[target], executionId: row.id } }
  throw revisionStale(row.id, field, `This part of the run (${field})`, { revision: row.revision }, next)
}

/** @throws UserError `REVISION_STALE` */
export function requireRevision(row: ExecutionRow, { expectedRevision }: Expected): void {
  if (row.revision === expectedRevision) return
  const what = `The run is at revision ${row.revision}, not ${expectedRevision}: it`
  throw revisionStale(row.id, 'expectedRevision', what, { revision: row.revision }, currentStepCall(row.id))
}
