/** What a failure is called outside. Of what is not the caller's to fix, nothing but the fact leaves the process. */

import type { Caller } from '../core/caller.ts'
import { type ErrorCode, type ErrorDetails, UserError } from '../core/errors.ts'
import { databaseFailure } from '../store/index.ts'

export interface Failure {
  code: ErrorCode
  message: string
  details: ErrorDetails
  /** What was thrown, when the failure is ours or the database's. For the log of the edge; never sent to a client. */
  cause?: unknown
}

export function describeFailure(error: unknown, caller: Caller): Failure {
  if (error instanceof UserError) {
    const { code, message, details } = error
    return { code, message, details }
  }
  const failure = databaseFailure(error)
  if (caller.signal?.aborted || failure === 'cancelled' || (error instanceof Error && error.name === 'AbortError')) {
    return { code: 'cancelled', message: 'the call was cancelled', details: {} }
  }
  switch (failure) {
    case 'exhausted':
      return { code: 'resource_exhausted', message: 'the database has no room left', details: {}, cause: error }
    case 'failed':
      return { code: 'backend_failure', message: 'the database request failed', details: {}, cause: error }
    case undefined:
      return { code: 'internal_error', message: 'Varve failed to answer; its log says why', details: {}, cause: error }
    default:
      return failure satisfies never
  }
}
