/** What a durable step costs, alone and over HTTP, and whether the engine stays fast and small. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { type Caller, LOCAL_OWNER } from '../../src/core/caller.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type Engine, openStore } from '../../src/store/index.ts'
import { createWorkflowEngine, type RunAnswer, type WorkflowEngine } from '../../src/workflow/engine.ts'
import { milliseconds, percentile, type Row, timeEach } from '../row.ts'

const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }

/** Answers a run gives in one measurement. */
const STEPS = 120

/** Steps after which memory must not have grown. */
const LONG_RUN = 20_000
const GROWTH = 30e6

/** One task for ever: each answer leads to the same node again. */
const LOOP = {
  metadata: { name: 'Loop', version: '1.0.0', description: 'One task for ever' },
  variableRegistry: { count: { type: 'number', description: 'answers so far', default: 0 } },
  nodes: [
    { id: 'start', type: 'start', connections: { default: 'work' } },
    {
      id: 'work',
      type: 'agent-directive',
      directive: 'Do the next thing. {{count}} are done.',
      completionCondition: 'It is done, and the command that shows it was run.',
      inputSchema: {
        type: 'object',
        properties: { command: { type: 'string' }, output: { type: 'string' }, last: { type: 'boolean' } },
        required: ['command', 'output', 'last'],
      },
      connections: { success: 'add' },
    },
    { id: 'add', type: 'expression', expressions: ['count = count + 1'], connections: { default: 'more' } },
    {
      id: 'more',
      type: 'condition',
      condition: { operator: 'eq', left: { contextPath: 'work.last' }, right: true },
      connections: { true: 'end', false: 'work' },
    },
    { id: 'end', type: 'end' },
  ],
}

const ANSWER = { command: 'npm test', output: '512 passed, 0 failed. '.repeat(20), last: false }

export async function workflowRows(folder: string): Promise<Row[]> {
  const rows: Row[] = []
  const store = await openStore({ url: join(folder, 'workflow.db') })
  const workflows = createWorkflowEngine({ engine: store, clock: systemClock })
  const { id } = await workflows.createWorkflow(caller, { definition: LOOP })
  const bare = await bareTransactions(join(folder, 'bare-workflow.db'), await bytesOfStep(workflows, store, id))
  for (const runs of [1, 8, 32]) rows.push(await stepRow(workflows, id, runs, bare))
  rows.push(await memoryRow(workflows, id))
  rows.push(await listRow(workflows))
  rows.push(await validateRow(workflows))
  await store.close()
  return rows
}

async function begin(workflows: WorkflowEngine, workflowId: string): Promise<RunAnswer> {
  const prepared = await workflows.prepareStart(caller, { workflowId, parentExecutionId: 'none' })
  const started = await workflows.executeStart(caller, String(prepared.structured['startAttemptId']))
  return started.structured as unknown as RunAnswer
}

async function answer(workflows: WorkflowEngine, { processId, attemptId = '' }: RunAnswer): Promise<RunAnswer> {
  const receipt = await workflows.step(caller, { processId, attemptId, input: ANSWER })
  if (receipt.isError) throw new Error(receipt.text)
  return receipt.structured as unknown as RunAnswer
}

/** Bytes one step adds to the database, over many. */
async function bytesOfStep(workflows: WorkflowEngine, store: Engine, id: string): Promise<number> {
  const steps = 200
  let run = await begin(workflows, id)
  await store.checkpoint()
  const before = await store.size()
  for (let done = 0; done < steps; done++) run = await answer(workflows, run)
  await store.checkpoint()
  return Math.max(500, Math.round(((await store.size()) - before) / steps))
}

/** Milliseconds of single transactions that write as many bytes and wait for the disk. */
async function bareTransactions(database: string, bytes: number): Promise<number[]> {
  const db = new BetterSqlite3(database)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('CREATE TABLE written (pk INTEGER PRIMARY KEY, bytes BLOB)')
  const insert = db.prepare('INSERT INTO written (bytes) VALUES (?)')
  const blob = Buffer.alloc(bytes, 7)
  const times = await timeEach(Array.from({ length: 400 }), () => insert.run(blob))
  db.close()
  return times
}

async function stepRow(workflows: WorkflowEngine, id: string, runs: number, bare: readonly number[]): Promise<Row> {
  const times: number[] = []
  const started = performance.now()
  const one = async (): Promise<void> => {
    let run = await begin(workflows, id)
    for (let done = 0; done < STEPS; done++) {
      const asked = performance.now()
      run = await answer(workflows, run)
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: runs }, one))
  const rate = times.length / ((performance.now() - started) / 1000)
  const bareRate = 1000 / (bare.reduce((sum, time) => sum + time, 0) / bare.length)
  return {
    name: `durable steps, ${runs} run${runs === 1 ? '' : 's'}`,
    figure: `${rate.toFixed(0)}/s, p95 ${milliseconds(percentile(times, 0.95))}`,
    baseline: `${bareRate.toFixed(0)}/s, p95 ${milliseconds(percentile(bare, 0.95))} bare transaction`,
    ratio: rate / bareRate,
    aim: { least: 0.5 },
  }
}

async function memoryRow(workflows: WorkflowEngine, id: string): Promise<Row> {
  let run = await begin(workflows, id)
  for (let done = 0; done < 2_000; done++) run = await answer(workflows, run)
  const before = await settledMemory()
  for (let done = 0; done < LONG_RUN; done++) run = await answer(workflows, run)
  const grown = (await settledMemory()) - before
  return {
    name: `private memory over ${LONG_RUN} steps`,
    figure: `${(grown / 1e6).toFixed(1)} MB more`,
    baseline: `${GROWTH / 1e6} MB allowed`,
    ratio: grown / GROWTH,
    aim: { most: 1 },
  }
}

/**
 * Private bytes: what the database maps of its file is the system's to take back. What the collector freed is given back
 * a moment later.
 */
async function settledMemory(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    globalThis.gc?.()
    await pause(150)
  }
  if (process.platform !== 'linux') return process.memoryUsage.rss()
  return Number(/RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024
}

/** `list` reads no definitions, so their number and size must not matter. */
async function listRow(workflows: WorkflowEngine): Promise<Row> {
  const add = async (from: number, to: number): Promise<void> => {
    for (let number = from; number < to; number++) {
      await workflows.createWorkflow(caller, { definition: chain(`Flow ${number}`, 98) })
    }
  }
  const ask = () => timeEach(Array.from({ length: 60 }), () => workflows.listWorkflows(caller, { limit: 20 }))
  await add(0, 20)
  const few = percentile(await ask(), 0.5)
  await add(20, 500)
  const many = percentile(await ask(), 0.5)
  return {
    name: 'list, 500 workflows of 100 nodes',
    figure: `p50 ${milliseconds(many)}`,
    baseline: `p50 ${milliseconds(few)} with 20`,
    ratio: many / few,
    aim: { most: 2 },
  }
}

async function validateRow(workflows: WorkflowEngine): Promise<Row> {
  const ask = (nodes: number) =>
    timeEach(Array.from({ length: 10 }), () => workflows.validate(caller, chain('Chain', nodes - 2)))
  const [small, large] = [percentile(await ask(30), 0.5), percentile(await ask(300), 0.5)]
  return {
    name: 'validate, 300 nodes',
    figure: milliseconds(large),
    baseline: `${milliseconds(small)} with 30 nodes`,
    ratio: large / small,
  }
}

/** A workflow of `tasks` tasks, one after the other. */
function chain(name: string, tasks: number): object {
  const id = (number: number): string => (number === tasks ? 'end' : `task-${number}`)
  return {
    metadata: { name, version: '1.0.0', description: `${tasks} tasks in a row` },
    nodes: [
      { id: 'start', type: 'start', connections: { default: id(0) } },
      ...Array.from({ length: tasks }, (_, number) => ({
        id: id(number),
        type: 'agent-directive',
        directive: `Do task ${number}.`,
        completionCondition: 'It is done.',
        inputSchema: { type: 'object', properties: { evidence: { type: 'string' } }, required: ['evidence'] },
        connections: { success: id(number + 1) },
      })),
      { id: 'end', type: 'end' },
    ],
  }
}
