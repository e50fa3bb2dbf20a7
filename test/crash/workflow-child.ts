/**
 * Works on one run of a workflow in a process of its own; started, and killed, by the crash test.
 * `once`: submits one step. `race`: answers every step the run waits with, until it has completed.
 */

import { appendFileSync } from 'node:fs'
import type { Caller } from '../../src/core/caller.ts'
import { UserError } from '../../src/core/errors.ts'
import { type Engine, openStore, type Queryable } from '../../src/store/index.ts'
import { createWorkflowEngine, type RunAnswer, type WorkflowEngineOptions } from '../../src/workflow/engine.ts'
import { waitingNodeId } from '../../src/workflow/state.ts'
import { transition } from '../../src/workflow/transition.ts'

interface Task {
  url: string
  owner: number
  mode: 'once' | 'race'
  processId: string
  attemptId: string
  input: unknown
  /** Ends the process at this point between two statements, counted from 1; 0 for none. */
  killAt: number
  /** Unix milliseconds to wait for, so that racers begin together. */
  startAt?: number
  /** Leaving node `one` adds a line to this file, as an act outside the database. */
  actFile?: string
}

const task = JSON.parse(process.argv[2] ?? '{}') as Task
const caller: Caller = { owner: task.owner, admin: true, launchDirectory: '/' }

let points = 0
function point(): void {
  points++
  if (points === task.killAt) process.kill(process.pid, 'SIGKILL')
}

/** The database, with a point before and after every statement of a transaction and around its commit. */
function withPoints(engine: Engine): Engine {
  const around = async <T>(work: () => Promise<T>): Promise<T> => {
    point()
    return work()
  }
  const watched = (tx: Queryable): Queryable => ({
    all: (sql, params) => around(() => tx.all(sql, params)),
    get: (sql, params) => around(() => tx.get(sql, params)),
    run: (sql, params) => around(() => tx.run(sql, params)),
    runMany: (sql, rows) => around(() => tx.runMany(sql, rows)),
  })
  return {
    ...engine,
    async transaction(work, options) {
      const result = await engine.transaction(async (tx) => {
        const value = await work(watched(tx))
        point()
        return value
      }, options)
      point()
      return result
    },
  }
}

const actFile = task.actFile
const acting: Pick<WorkflowEngineOptions, 'transit'> =
  actFile === undefined
    ? {}
    : {
        transit: async (request) => {
          if (request.state !== null && waitingNodeId(request.state) === 'one') {
            await request.perform({ nodeId: 'one', kind: 'line' }, async () => {
              point()
              appendFileSync(actFile, 'acted\n')
              point()
            })
          }
          return transition(request)
        },
      }

const engine = await openStore({ url: task.url })
const workflows = createWorkflowEngine({ engine: withPoints(engine), clock: () => Date.now(), ...acting })
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)

if (task.mode === 'once') {
  const receipt = await workflows.step(caller, task)
  say({ receipt, points })
} else {
  await new Promise((resolve) => setTimeout(resolve, (task.startAt ?? 0) - Date.now()))
  for (;;) {
    // An agent thinks between steps; without it one process would hold SQLite's lock all the time.
    await new Promise((resolve) => setTimeout(resolve, 2))
    try {
      const receipt = await workflows.currentStep(caller, task.processId)
      const { processId, attemptId = '', revision } = receipt.structured as unknown as RunAnswer
      say({
        attemptId,
        receipt: await workflows.step(caller, { processId, attemptId, input: { name: `at ${revision}` } }),
      })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (error.code === 'EXECUTION_FINISHED') break
      // The other was faster: what is the step now?
      if (error.code !== 'ATTEMPT_STALE' && error.code !== 'ATTEMPT_PROCESSING') throw error
    }
  }
}
await engine.close()
