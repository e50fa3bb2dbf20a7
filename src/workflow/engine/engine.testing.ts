/** A workflow engine for tests: its own clock, on either database. */

import type { Caller } from '../../core/caller.ts'
import { UserError } from '../../core/errors.ts'
import type { Engine } from '../../store/index.ts'
import type { Json } from '../definition.testing.ts'
import {
  createWorkflowEngine,
  type Receipt,
  type RunAnswer,
  type WorkflowEngine,
  type WorkflowEngineOptions,
} from '../engine.ts'

export { TEST_ENGINES } from '../../store/archive.testing.ts'

/** The owner of this machine, and somebody else. */
export const ME: Caller = { owner: 1, admin: true, launchDirectory: '/', client: 'test' }
export const OTHER: Caller = { owner: 2, admin: false, launchDirectory: '/', client: 'test' }

export const NOON = Date.parse('2026-11-30T12:00:00.000Z')

export interface TestWorkflows {
  store: Engine
  workflows: WorkflowEngine
  /** Another engine on the same database, as another process would have it. */
  another(options?: Partial<WorkflowEngineOptions>): WorkflowEngine
  /** What the clock says; tests may set it. */
  time: { now: number }
  /** Stores a definition and gives its id. */
  define(definition: Json, caller?: Caller): Promise<string>
  /** Prepares and executes a start. */
  begin(definition: Json | string, caller?: Caller, more?: { note?: string; parent?: string }): Promise<RunAnswer>
  /** Submits an answer to the step of an answer given before. */
  answer(step: RunAnswer, input?: unknown, caller?: Caller): Promise<RunAnswer>
}

/** An engine on a database that is empty. The caller closes the database. */
export async function testWorkflows(
  open: () => Promise<Engine>,
  options: Partial<WorkflowEngineOptions> = {},
): Promise<TestWorkflows> {
  const store = await open()
  const time = { now: NOON }
  const another = (more: Partial<WorkflowEngineOptions> = {}) =>
    createWorkflowEngine({ engine: store, clock: () => time.now, ...options, ...more })
  const workflows = another()
  const define = async (definition: Json, caller = ME) => (await workflows.createWorkflow(caller, { definition })).id
  return {
    ...{ store, workflows, another, time, define },
    async begin(definition, caller = ME, { note, parent = 'none' } = {}) {
      const workflowId = typeof definition === 'string' ? definition : await define(definition, caller)
      const request = { workflowId, parentExecutionId: parent, ...(note === undefined ? {} : { note }) }
      const prepared = await workflows.prepareStart(caller, request)
      return runOf(await workflows.executeStart(caller, startAttemptOf(prepared)))
    },
    answer: async ({ processId, attemptId = '' }, input, caller = ME) =>
      runOf(await workflows.step(caller, { processId, attemptId, input })),
  }
}

export function startAttemptOf(prepared: Receipt): string {
  return String(prepared.structured['startAttemptId'])
}

/** The structured content of a call that went well. */
export function runOf(receipt: Receipt): RunAnswer {
  if (receipt.isError) throw new Error(`expected a run, got: ${receipt.text}`)
  return receipt.structured as unknown as RunAnswer
}

/** What a call that must be refused was refused with. */
export async function refusalOf(call: Promise<unknown>): Promise<UserError> {
  const result = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if ('error' in result && result.error instanceof UserError) return result.error
  throw new Error(`expected a refusal, got: ${'error' in result ? String(result.error) : JSON.stringify(result.value)}`)
}

/** Every row of the tables of workflows, for "nothing was changed". */
export async function everything(store: Engine): Promise<string> {
  const tables = [
    'workflow',
    'workflow_snapshot',
    'execution',
    'move',
    'start_attempt',
    'reminder',
    'outside_write',
    'note',
    'note_version',
    'effect',
  ]
  const rows: unknown[] = []
  for (const table of tables) {
    const found = await store.all<Record<string, unknown>>(`SELECT * FROM ${table}`)
    rows.push([table, ...found.map((row) => JSON.stringify(row)).sort()])
  }
  return JSON.stringify(rows)
}
