/** The workflow engine: definitions and runs in the database, every call on a run safe to repeat. */

import type { Clock } from '../core/clock.ts'
import { type NewId, timeOrderedUuid } from '../core/uuid.ts'
import type { Engine } from '../store/index.ts'
import { localAccounts } from './accounts.ts'
import { type BundledWorkflow, readBundled } from './engine/bundled.ts'
import {
  createWorkflow,
  deleteWorkflow,
  getWorkflow,
  listWorkflows,
  setVisibility,
  updateWorkflow,
  validate,
} from './engine/catalog.ts'
import { type CheckStart, type EngineContext, type Timing, type Transit, usualTiming } from './engine/context.ts'
import { currentStep } from './engine/current-step.ts'
import { createDefinitionCache } from './engine/definition-cache.ts'
import { diagnose } from './engine/diagnose.ts'
import { executeStart } from './engine/execute-start.ts'
import { cancel, executionContext, history, listExecutions, updateNote } from './engine/executions.ts'
import { setParent } from './engine/parent.ts'
import { recover } from './engine/recover.ts'
import { addReminder, listReminders, removeReminder, updateReminder } from './engine/reminders.ts'
import { prepareStart } from './engine/start.ts'
import { step } from './engine/step.ts'
import type { Accounts, WorkflowEngine } from './engine/types.ts'
import { listVariables, setVariable } from './engine/variables.ts'
import { transition } from './transition.ts'

export type * from './engine/types.ts'

export interface WorkflowEngineOptions {
  engine: Engine
  clock: Clock
  /** Ids of workflows, runs and attempts; time-ordered UUIDs by default. */
  newId?: NewId
  /** A folder with the definitions that come with Varve, or the definitions; none by default. */
  bundled?: string | readonly BundledWorkflow[]
  /** By default the handle `varve` for what is bundled, `local` for the owner of this machine. */
  accounts?: Accounts
  /** Said with every step of workflows that have no reminder of their own. */
  systemReminder?: string
  /** What a start needs besides what the engine knows. */
  checkStart?: CheckStart
  timing?: Partial<Timing>
  /** How a call moves a run; for tests of acts outside the database. */
  transit?: Transit
}

export function createWorkflowEngine(options: WorkflowEngineOptions): WorkflowEngine {
  const { engine, clock, bundled } = options
  const ctx: EngineContext = {
    store: engine,
    clock,
    newId: options.newId ?? (() => timeOrderedUuid(clock())),
    accounts: options.accounts ?? localAccounts,
    timing: { ...usualTiming, ...options.timing },
    transit: options.transit ?? transition,
    checkStart: options.checkStart,
    systemReminder: options.systemReminder,
    definitions: createDefinitionCache(),
    readBundled: async () => (typeof bundled === 'string' ? readBundled(bundled) : (bundled ?? [])),
    bundleReady: { done: undefined },
    inFlight: new Map(),
  }
  return {
    listWorkflows: (caller, query) => listWorkflows(ctx, caller, query),
    getWorkflow: (caller, reference) => getWorkflow(ctx, caller, reference),
    createWorkflow: (caller, request) => createWorkflow(ctx, caller, request),
    updateWorkflow: (caller, reference, request) => updateWorkflow(ctx, caller, reference, request),
    setVisibility: (caller, reference, visibility) => setVisibility(ctx, caller, reference, visibility),
    deleteWorkflow: (caller, reference) => deleteWorkflow(ctx, caller, reference),
    validate: (caller, definition, selfId) => validate(ctx, caller, definition, selfId),
    prepareStart: (caller, request) => prepareStart(ctx, caller, request),
    executeStart: (caller, startAttemptId) => executeStart(ctx, caller, startAttemptId),
    step: (caller, request) => step(ctx, caller, request),
    currentStep: (caller, executionId) => currentStep(ctx, caller, executionId),
    diagnose: (caller, executionId) => diagnose(ctx, caller, executionId),
    recover: (caller, request) => recover(ctx, caller, request),
    cancel: (caller, request) => cancel(ctx, caller, request),
    listExecutions: (caller, query) => listExecutions(ctx, caller, query),
    executionContext: (caller, executionId) => executionContext(ctx, caller, executionId),
    history: (caller, executionId, until) => history(ctx, caller, executionId, until),
    updateNote: (caller, executionId, note) => updateNote(ctx, caller, executionId, note),
    setParent: (caller, request) => setParent(ctx, caller, request),
    listReminders: (caller, executionId, status) => listReminders(ctx, caller, executionId, status),
    addReminder: (caller, request) => addReminder(ctx, caller, request),
    updateReminder: (caller, request) => updateReminder(ctx, caller, request),
    removeReminder: (caller, request) => removeReminder(ctx, caller, request),
    listVariables: (caller, query) => listVariables(ctx, caller, query),
    setVariable: (caller, request) => setVariable(ctx, caller, request),
  }
}
