/** How session shows runs, reminders and errors: times are readable, names are those of the interface. */

import { formatTime } from '../../../core/time.ts'
import type {
  Diagnosis,
  ExecutionContext,
  ExecutionError,
  ExecutionSummary,
  Reminder,
} from '../../../workflow/engine.ts'

export function showExecution(execution: ExecutionSummary) {
  const { executionId, workflowId, workflowName, workflowSlug, workflowOwnerHandle, status, outcome } = execution
  const { currentNodeId, note, parentExecutionId, revision, createdAt, updatedAt, completedAt, errorCount } = execution
  return {
    executionId,
    workflowId,
    workflowName,
    workflowSlug,
    workflowOwnerHandle,
    status,
    outcome,
    currentNodeId,
    note,
    parentExecutionId,
    revision,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
    ...(completedAt === null ? {} : { completedAt: formatTime(completedAt) }),
    errorCount,
  }
}

export function showContext(context: ExecutionContext) {
  const { variables, output, errors, activeLock, activeChildren, currentNodeId, status } = context
  const { parentRevision, remindersRevision, contextRevision } = context
  return {
    ...showExecution(context),
    waitingForInputNodeId: status === 'running' ? currentNodeId : null,
    parentRevision,
    remindersRevision,
    contextRevision,
    context: { variables, nodeStates: {} },
    output,
    errors: errors.map(showError),
    activeLock,
    activeChildren,
  }
}

function showError({ timestamp, nodeId, errorType, code, message, input }: ExecutionError) {
  return { timestamp: formatTime(timestamp), nodeId, errorType, code, message, input }
}

export function showReminder({ id, text, status, idempotencyKey, createdAt, updatedAt }: Reminder) {
  return {
    reminderId: id,
    text,
    status,
    idempotencyKey,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
  }
}

/** A diagnosis is data for programs already; only the call to make is left out when there is none. */
export function showDiagnosis({ next, ...diagnosis }: Diagnosis) {
  return { ...diagnosis, ...(next === null ? {} : { next }) }
}
