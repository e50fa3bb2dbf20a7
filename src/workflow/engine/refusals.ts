/** Why a call on a run is refused: each with its code, what to do, and the call that does it. */

import { type ErrorCode, type ErrorDetails, UserError } from '../../core/errors.ts'
import type { NextCall } from './types.ts'

/** Longest text of a caller that is repeated in an answer. */
const SHOWN = 100

export function currentStepCall(executionId: string): NextCall {
  return { tool: 'session', args: { action: 'current_step', executionId } }
}

export function diagnoseCall(executionId: string): NextCall {
  return { tool: 'session', args: { action: 'diagnose', executionId } }
}

/** The same for a run that is not there and one of another owner (T75, T91). */
export function executionNotFound(executionId: string, field = 'executionId'): UserError {
  return new UserError('not_found', `There is no execution "${executionId.slice(0, SHOWN)}"`, {
    field,
    remedy: 'session executions lists your runs with their ids',
    next: { tool: 'session', args: { action: 'executions' } },
  })
}

/** @param activeChild a run started for this one that still goes on */
export function executionFinished(executionId: string, outcome: string | null, activeChild?: string): UserError {
  const how = outcome === 'cancelled' ? 'was cancelled' : 'has completed'
  const child = activeChild === undefined ? '' : `; its child run ${activeChild} is still active`
  return new UserError('EXECUTION_FINISHED', `The run ${executionId} ${how}${child}`, {
    processId: executionId,
    remedy:
      activeChild === undefined
        ? 'nothing is left to do in it; start a new run if the work is to be done again'
        : 'go on with the child run: read its current step',
    ...(activeChild === undefined
      ? { next: { tool: 'list', args: {} } }
      : { activeChild, next: currentStepCall(activeChild) }),
  })
}

function attemptRefusal(
  code: ErrorCode,
  message: string,
  ids: { processId?: string; attemptId: string },
  details: ErrorDetails,
): UserError {
  return new UserError(code, message, { ...ids, ...details })
}

/** @param processId null for a start, whose run is not there yet */
export function attemptProcessing(processId: string | null, attemptId: string): UserError {
  return attemptRefusal(
    'ATTEMPT_PROCESSING',
    'Another caller is still working on this attempt',
    { ...(processId === null ? {} : { processId }), attemptId },
    {
      remedy: 'send the same attempt with the same input again in a moment: you will get the stored answer',
      retry: 'same',
    },
  )
}

export function attemptStale(processId: string, attemptId: string): UserError {
  return attemptRefusal(
    'ATTEMPT_STALE',
    'The run has moved on, or its step has changed, since this attempt was handed out; nothing was done',
    { processId, attemptId },
    {
      remedy:
        'read session current_step for this executionId and retry the intended submission once with the new Step attempt ID',
      retry: 'refresh',
      next: currentStepCall(processId),
    },
  )
}

export function attemptConflict(processId: string, attemptId: string): UserError {
  return attemptRefusal(
    'ATTEMPT_CONFLICT',
    'This attempt is already bound to different input; nothing was done',
    { processId, attemptId },
    {
      remedy:
        'read session current_step, drop this attempt, and continue from the directive and schema it returns; ' +
        'do not replay the old input',
      retry: 'refresh',
      next: currentStepCall(processId),
    },
  )
}

export function attemptInvalid(processId: string, attemptId: string): UserError {
  const shown = attemptId.slice(0, SHOWN)
  return attemptRefusal(
    'ATTEMPT_INVALID_OR_EXPIRED',
    `The run has no step attempt "${shown}"; nothing was done`,
    { processId, attemptId: shown },
    {
      remedy: 'discard this attempt and read session current_step for the one that holds',
      retry: 'refresh',
      next: currentStepCall(processId),
    },
  )
}

/** A start attempt has no current step to go back to. */
export function startAttemptInvalid(startAttemptId: string): UserError {
  return new UserError(
    'ATTEMPT_INVALID_OR_EXPIRED',
    `There is no start attempt "${startAttemptId.slice(0, SHOWN)}" that can be executed: it is unknown or has expired`,
    {
      field: 'startAttemptId',
      remedy: 'prepare the start anew and execute the attempt that returns',
      retry: 'never',
    },
  )
}

export function outcomeUnknown(attemptId: string, processId: string | null): UserError {
  return new UserError(
    'ATTEMPT_OUTCOME_UNKNOWN',
    'Work on this attempt broke off after something outside may already have happened; it is not repeated',
    {
      ...(processId === null ? {} : { processId, next: diagnoseCall(processId) }),
      attemptId,
      remedy:
        'do not retry by yourself: inspect the Process ID, find out what happened, then retire the run with ' +
        'session cancel-execution or move it on with session recover',
      retry: 'never',
    },
  )
}

export function presentationStale(executionId: string): UserError {
  return new UserError(
    'CURRENT_PRESENTATION_STALE',
    'The step that was handed out is not the step the run stands on, or the workflow has changed under it',
    {
      processId: executionId,
      remedy: 'see what changed with session diagnose, then move the run on with session recover',
      retry: 'never',
      next: diagnoseCall(executionId),
    },
  )
}

export function revisionStale(
  executionId: string,
  field: string,
  what: string,
  current: Record<string, unknown>,
  next: NextCall,
): UserError {
  return new UserError('REVISION_STALE', `${what} has changed since you read it; nothing was written`, {
    field,
    processId: executionId,
    ...current,
    remedy: 'read it again and decide anew with what it is now',
    retry: 'refresh',
    next,
  })
}
