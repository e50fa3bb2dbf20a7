/** Failures a caller can do something about. Anything else that is thrown is our bug. */

/** The codes of the tool interface (spec: Required error codes), plus `usage` for the command line. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_id'
  | 'not_found'
  | 'unsupported_event_type'
  | 'cancelled'
  | 'deadline_exceeded'
  | 'busy'
  | 'resource_exhausted'
  | 'backend_failure'
  | 'internal_error'
  | 'usage'
  | ContextErrorCode
  | WorkflowRunErrorCode
  | WorkflowRequestErrorCode

/** Refusals of the context tools: an id that names several things; search by meaning is off. */
export type ContextErrorCode = 'ambiguous' | 'semantic_unavailable'

/** Why a workflow's run could not be carried on from where it stands. The run itself is left as it was. */
export type WorkflowRunErrorCode =
  | 'WORKFLOW_INVALID'
  | 'WORKFLOW_LOOP_LIMIT'
  | 'NODE_FAILED'
  | 'NODE_NOT_AVAILABLE'
  | 'SUBGRAPH_NOT_FOUND'
  | 'SUBGRAPH_CYCLE'
  | 'SUBGRAPH_TOO_DEEP'
  | 'TELEPORT_INVALID'
  | 'EXECUTION_FINISHED'
  | 'CURRENT_NODE_MISSING'

/** Why a request about a workflow or a run was refused. What it was about is left as it was. */
export type WorkflowRequestErrorCode =
  | 'VALIDATION_FAILED'
  | 'ALREADY_EXISTS'
  | 'START_PRECONDITION_CHANGED'
  | 'ATTEMPT_PROCESSING'
  | 'ATTEMPT_STALE'
  | 'ATTEMPT_CONFLICT'
  | 'ATTEMPT_INVALID_OR_EXPIRED'
  | 'ATTEMPT_OUTCOME_UNKNOWN'
  | 'CURRENT_PRESENTATION_STALE'
  | 'REVISION_STALE'
  | 'RECOVERY_REFUSED'
  | 'WRITE_NOT_ALLOWED'
  | 'IDEMPOTENCY_CONFLICT'
  | 'NOT_AVAILABLE'

export interface ErrorDetails {
  [key: string]: unknown
  /** The argument to blame. */
  field?: string
  /** What to do about it. */
  remedy?: string
}

/** An error the caller can fix: a code for programs, a message for people, details that say where and what to do. */
export class UserError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UserError'
    this.code = code
    this.details = details
  }
}

/** The usual refusal of a bad argument. */
export function invalidRequest(message: string, field?: string, details: ErrorDetails = {}): UserError {
  return new UserError('invalid_request', message, field === undefined ? details : { field, ...details })
}
