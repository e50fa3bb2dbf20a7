/** What the workflow engine takes and gives. Times are Unix milliseconds; ids are UUIDs. */

import type { Caller } from '../../core/caller.ts'
import type { Page } from '../../core/page.ts'
import type { Issue, WorkflowDefinition } from '../definition.ts'
import type { RunState, VariableWrite, VisitEntry } from '../state.ts'

export type { Page } from '../../core/page.ts'

/** What a call on a run answers, and answers again, byte for byte, when it is repeated. */
export interface Receipt {
  text: string
  structured: Record<string, unknown>
  /** A failure that was stored: the same call fails the same way later. */
  isError: boolean
}

/** The structured content of a start.execute, step, current_step or recover that went well. */
export interface RunAnswer {
  status: 'waiting' | 'completed'
  processId: string
  revision: number
  /** What to submit the step with; only while waiting, like all down to `teleports`. */
  attemptId?: string
  nodeId?: string
  nodeType?: string
  /** Ids of the subgraph nodes around it, outermost first. */
  path?: string[]
  directive?: string
  completionCondition?: string
  /** Null: only an empty answer is taken. */
  inputSchema?: Record<string, unknown> | null
  teleports?: { nodeId: string; hint: string }[]
  /** What the end node handed out; only when completed, like the two below. */
  output?: Record<string, unknown>
  reminders?: { id: string; text: string }[]
  /** The run this one was started for. */
  parentExecutionId?: string
  /** Runs started for this one that are still running. */
  activeChildren: string[]
  systemReminder?: string
  next: NextCall | null
}

/** The structured content of a start.prepare that went well. */
export interface PreparedAnswer {
  startAttemptId: string
  /** RFC 3339. */
  expiresAt: string
  workflowId: string
  reference: string
  name: string
  version: string
  workflowRevision: number
  next: NextCall
}

/** The structured content of a stored failure: of a start whose preconditions had changed. */
export interface FailedAnswer {
  code: 'START_PRECONDITION_CHANGED'
  message: string
  startAttemptId: string
  retry: 'never'
  next: NextCall | null
}

export interface WorkflowSummary {
  id: string
  /** `handle/slug`. */
  reference: string
  slug: string
  ownerHandle: string
  /** Whether the caller may change it. */
  own: boolean
  name: string
  version: string
  description: string
  visibility: Visibility
  revision: number
  createdAt: number
  updatedAt: number
}

export type Visibility = 'public' | 'private'

export interface WorkflowRecord extends WorkflowSummary {
  definition: WorkflowDefinition
}

export interface SavedWorkflow extends WorkflowRecord {
  /** Whether the workflow is new. */
  created: boolean
  warnings: Issue[]
}

export interface WorkflowQuery {
  search?: string
  visibility?: Visibility | 'all'
  sort?: 'createdAt' | 'name'
  sortOrder?: 'asc' | 'desc'
  /** 1 to 100; 20 when absent. */
  limit?: number
  offset?: number
}

export interface SaveWorkflow {
  /** Not trusted; validated before anything is stored. */
  definition: unknown
  visibility?: Visibility
}

export interface CreateWorkflow extends SaveWorkflow {
  /** Replace the caller's workflow that already has the definition's id or slug. */
  overwrite?: boolean
}

export interface UpdateWorkflow extends SaveWorkflow {
  /** Refuse when the stored revision is another one. */
  expectedRevision?: number
}

export interface PrepareStart {
  workflowId: string
  /** A running execution of the caller, or `none`. */
  parentExecutionId: string
  /** At most 500 characters. */
  note?: string
  skipNotificationCheck?: boolean
  /** Older name of `skipNotificationCheck`; both may be given when they agree. */
  skipTelegramCheck?: boolean
}

export interface StepRequest {
  processId: string
  attemptId: string
  input?: unknown
  teleportTo?: string
}

/** Everything that can keep a run from going on, and what one sees when nothing does. */
export type CauseCode =
  | 'execution_finished'
  | 'node_missing'
  | 'surface_changed'
  | 'attempt_other_node'
  | 'outcome_unknown'
  | 'subgraph_missing'
  | 'attempt_missing'
  | 'attempt_revision_stale'
  | 'attempt_processing'
  | 'unresolved_reference'
  | 'recorded_error'

export interface Cause {
  code: CauseCode
  /** A blocking cause keeps the run from its next step until it is repaired. */
  blocks: boolean
  message: string
  details: Record<string, unknown>
}

export interface Diagnosis {
  executionId: string
  status: ExecutionStatus
  nodeId: string | null
  nodeExists: boolean
  revision: number
  attemptId: string | null
  /** True when no cause blocks. */
  continuable: boolean
  causes: Cause[]
  next: NextCall | null
}

/** The call to make now. */
export interface NextCall {
  tool: string
  args: Record<string, unknown>
}

export interface RecoverRequest {
  executionId: string
  /** A node a run can wait on. */
  nodeId: string
  /** Written to the run's variables; checked against the registry. */
  variableValues?: Record<string, unknown>
}

export type ExecutionStatus = 'running' | 'completed'

export interface ExecutionSummary {
  executionId: string
  workflowId: string
  workflowName: string
  workflowSlug: string
  workflowOwnerHandle: string
  status: ExecutionStatus
  /** How a completed run ended. */
  outcome: 'completed' | 'cancelled' | null
  currentNodeId: string | null
  note: string | null
  parentExecutionId: string | null
  revision: number
  createdAt: number
  updatedAt: number
  completedAt: number | null
  errorCount: number
}

export interface ExecutionQuery {
  /** `waiting` means running and `failed` means completed, as older clients have it; absent: running. */
  status?: readonly ('running' | 'waiting' | 'completed' | 'failed' | 'locked')[]
  workflowId?: string
  /** Part of the note. */
  search?: string
  sort?: 'createdAt' | 'updatedAt'
  sortOrder?: 'asc' | 'desc'
  /** 1 to 100; 20 when absent. */
  limit?: number
  offset?: number
}

/** An error a run recorded. */
export interface ExecutionError {
  timestamp: number
  nodeId: string | null
  errorType: 'validation' | 'handler' | 'system'
  code: string
  message: string
  /** The beginning of what was submitted, as JSON. */
  input: string | null
}

export interface TargetRevisions {
  parentRevision: string
  remindersRevision: string
  contextRevision: string
}

export interface ExecutionContext extends ExecutionSummary, TargetRevisions {
  variables: Record<string, unknown>
  /** What the end node handed out. */
  output: Record<string, unknown> | null
  /** The newest 50, the oldest first. */
  errors: ExecutionError[]
  /** Locks come with the lock tool; until then none is ever active. */
  activeLock: null
  activeChildren: string[]
}

export interface Reminder {
  id: string
  text: string
  status: 'active' | 'cancelled'
  idempotencyKey: string | null
  createdAt: number
  updatedAt: number
}

export interface ReminderChange {
  reminder: Reminder
  revision: number
  remindersRevision: string
}

/** What a write beside the plan must know of the run, so that an older picture never overwrites a newer one. */
export interface Expected {
  executionId: string
  expectedRevision: number
}

export interface RuntimeVariable {
  name: string
  type: string
  description: string
  hasValue: boolean
  value?: unknown
  /** Whether the policy lets it be written from outside at all. */
  editable: boolean
  /** `current`: it may be written now; `other`: on another node; null: never. */
  writePhase: 'current' | 'other' | null
  /** Nodes it may be written on; null: any the run can wait on. */
  allowedNodeIds: string[] | null
}

export interface VariableQuery {
  executionId: string
  names?: readonly string[]
  types?: readonly string[]
  editable?: boolean
  hasValue?: boolean
  writePhase?: 'current' | 'other'
}

/** Everything a run went through, to look at it as of any visit. */
export interface RunHistory {
  execution: ExecutionSummary
  definition: WorkflowDefinition
  state: RunState
  visits: VisitEntry[]
  /** In the order they were written; `seq` is the visit that wrote, or the last one before a write from outside. */
  writes: VariableWrite[]
}

/** Whose workflows and runs there are, by the names people use for them. */
export interface Accounts {
  /** The name before the slash of a workflow's reference. */
  handleOf(owner: number): string
  ownerOf(handle: string): number | undefined
}

export interface WorkflowEngine {
  listWorkflows(caller: Caller, query: WorkflowQuery): Promise<Page & { workflows: WorkflowSummary[] }>
  /** By id, `handle/slug`, or the slug of an own workflow. @throws UserError `not_found` */
  getWorkflow(caller: Caller, reference: string): Promise<WorkflowRecord>
  /** @throws UserError `WORKFLOW_INVALID` with `issues`, `ALREADY_EXISTS`, `not_found` */
  createWorkflow(caller: Caller, request: CreateWorkflow): Promise<SavedWorkflow>
  /** Adds one to the revision. @throws UserError `WORKFLOW_INVALID`, `REVISION_STALE`, `not_found`, `WRITE_NOT_ALLOWED` */
  updateWorkflow(caller: Caller, reference: string, request: UpdateWorkflow): Promise<SavedWorkflow>
  setVisibility(
    caller: Caller,
    reference: string,
    visibility: Visibility,
  ): Promise<WorkflowSummary & { previousVisibility: Visibility }>
  /** Runs of it go on with the definition they stand in. */
  deleteWorkflow(caller: Caller, reference: string): Promise<void>
  /** Every finding about a definition, its subgraphs looked up for the caller. `selfId`: the id it is stored under. */
  validate(caller: Caller, definition: unknown, selfId?: string): Promise<Issue[]>

  prepareStart(caller: Caller, request: PrepareStart): Promise<Receipt>
  executeStart(caller: Caller, startAttemptId: string): Promise<Receipt>
  step(caller: Caller, request: StepRequest): Promise<Receipt>
  currentStep(caller: Caller, executionId: string): Promise<Receipt>

  diagnose(caller: Caller, executionId: string): Promise<Diagnosis>
  recover(caller: Caller, request: RecoverRequest): Promise<Receipt>
  cancel(caller: Caller, request: Expected): Promise<ExecutionSummary>
  listExecutions(caller: Caller, query: ExecutionQuery): Promise<Page & { executions: ExecutionSummary[] }>
  executionContext(caller: Caller, executionId: string): Promise<ExecutionContext>
  /** What happened up to visit number `until`; absent: everything. */
  history(caller: Caller, executionId: string, until?: number): Promise<RunHistory>
  /** At most 500 characters; empty takes the note away. */
  updateNote(caller: Caller, executionId: string, note: string): Promise<ExecutionSummary>
  /** `none` detaches. */
  setParent(
    caller: Caller,
    request: Expected & { expectedParentRevision: string; parentExecutionId: string },
  ): Promise<{ parentExecutionId: string | null; revision: number; parentRevision: string }>
  listReminders(
    caller: Caller,
    executionId: string,
    status?: Reminder['status'],
  ): Promise<{ reminders: Reminder[]; revision: number; remindersRevision: string }>
  addReminder(
    caller: Caller,
    request: Expected & { expectedRemindersRevision: string; reminderText: string; idempotencyKey?: string },
  ): Promise<ReminderChange>
  updateReminder(
    caller: Caller,
    request: Expected & { expectedRemindersRevision: string; reminderId: string; reminderText: string },
  ): Promise<ReminderChange>
  removeReminder(
    caller: Caller,
    request: Expected & { expectedRemindersRevision: string; reminderId: string },
  ): Promise<ReminderChange>
  listVariables(
    caller: Caller,
    query: VariableQuery,
  ): Promise<{ variables: RuntimeVariable[]; revision: number; contextRevision: string }>
  setVariable(
    caller: Caller,
    request: Expected & { expectedContextRevision: string; variableName: string; variableValue: unknown },
  ): Promise<{ name: string; oldValue: unknown; newValue: unknown; revision: number; contextRevision: string }>
}
