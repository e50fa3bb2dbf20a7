import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../src/core/caller.ts'
import { UserError } from '../../src/core/errors.ts'
import { type Engine, openStore } from '../../src/store/index.ts'
import { postgresEngine } from '../../src/store/postgres.ts'
import { connectPostgres } from '../../src/store/postgres-driver.ts'
import { createWorkflowEngine, type Receipt, type RunAnswer, type WorkflowEngine } from '../../src/workflow/engine.ts'
import { bundleProgram, runProgram } from './bundled-program.ts'

const ME: Caller = { owner: 1, admin: true, launchDirectory: '/' }
const INPUT = { name: 'Ada' }

/** Steps that two processes race for. */
const TURNS = 150

/** Two steps; leaving the first writes two notes and a variable. */
const definition = {
  metadata: { name: 'Crash test', version: '1.0.0', description: 'steps that are killed' },
  variableRegistry: { count: { type: 'number', description: 'turns', default: 0 } },
  nodes: [
    { id: 'go', type: 'start', connections: { default: 'one' } },
    step('one', 'save'),
    { id: 'save', type: 'write-note', key: 'name', source: '{{one.name}}', connections: { default: 'keep' } },
    { id: 'keep', type: 'upsert-note', keyTemplate: 'run', value: '{{executionId}}', connections: { default: 'sum' } },
    { id: 'sum', type: 'expression', expressions: ['count = count + 1'], connections: { default: 'two' } },
    step('two', 'fin'),
    { id: 'fin', type: 'end', finalOutput: ['count'] },
  ],
}

/** Turns of one step, each saving the next version of a note. */
const turns = {
  ...definition,
  metadata: { name: 'Race test', version: '1.0.0', description: 'steps that are raced' },
  nodes: [
    { id: 'go', type: 'start', connections: { default: 'one' } },
    step('one', 'save'),
    { id: 'save', type: 'write-note', key: 'race', source: '{{one.name}}', connections: { default: 'sum' } },
    { id: 'sum', type: 'expression', expressions: ['count = count + 1'], connections: { default: 'more' } },
    {
      id: 'more',
      type: 'condition',
      condition: { operator: 'lt', left: { contextPath: 'count' }, right: TURNS },
      connections: { true: 'one', false: 'fin' },
    },
    { id: 'fin', type: 'end', finalOutput: ['count'] },
  ],
}

function step(id: string, success: string) {
  return {
    id,
    type: 'agent-directive',
    directive: `Do ${id}`,
    completionCondition: `${id} is done`,
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    connections: { success },
  }
}

let folder = ''
let program = ''
let template = ''
let begun: RunAnswer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'varve-workflow-crash-'))
  program = await bundleProgram('test/crash/workflow-child.ts', 'workflow-crash')
  template = join(folder, 'template.db')
  begun = await using(template, (workflows) => begin(workflows, ME, definition))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(program, { force: true })
})

async function begin(workflows: WorkflowEngine, caller: Caller, what: unknown): Promise<RunAnswer> {
  const { id } = await workflows.createWorkflow(caller, { definition: what })
  const prepared = await workflows.prepareStart(caller, { workflowId: id, parentExecutionId: 'none' })
  return runOf(await workflows.executeStart(caller, String(prepared.structured['startAttemptId'])))
}

function runOf({ structured }: Receipt): RunAnswer {
  return structured as unknown as RunAnswer
}

/** A database in a process that was not killed. Its clock is ahead, so that the claims of the dead have run out. */
async function using<T>(url: string, work: (workflows: WorkflowEngine, engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openStore({ url })
  try {
    return await work(createWorkflowEngine({ engine, clock: () => Date.now() + 120_000 }), engine)
  } finally {
    await engine.close()
  }
}

/** Submits the first step in a process that is killed at a point; 0 lets it end. */
async function submitKilledAt(killAt: number, name: string, more: Record<string, unknown> = {}) {
  const url = join(folder, `${name}-${killAt}.db`)
  copyFileSync(template, url)
  const { processId, attemptId } = begun
  const task = { url, owner: 1, mode: 'once', processId, attemptId, input: INPUT, killAt, ...more }
  const ended = await runProgram(program, [JSON.stringify(task)])
  if (killAt === 0) expect(ended.errors).toBe('')
  return { url, killed: ended.signal === 'SIGKILL', output: ended.output }
}

test('T54, T79, T309: a step killed at any point is made or not made, never in part, and its answer is repeated', {
  timeout: 120_000,
}, async () => {
  const whole = await submitKilledAt(0, 'step')
  const { points } = JSON.parse(whole.output) as { points: number }
  expect(points).toBeGreaterThan(10)
  const revisions: number[] = []
  for (let killAt = 1; killAt <= points; killAt++) {
    const { url, killed } = await submitKilledAt(killAt, 'step')
    expect(killed, `point ${killAt}`).toBe(true)
    await using(url, async (workflows, engine) => {
      const context = await workflows.executionContext(ME, begun.processId)
      const notes = await engine.all('SELECT key, version FROM note ORDER BY key')
      revisions.push(context.revision)
      if (context.revision === 0) {
        expect(context).toMatchObject({ currentNodeId: 'one', variables: { count: 0 } })
        expect(notes).toEqual([])
      } else expect(context).toMatchObject({ currentNodeId: 'two', variables: { count: 1, one: INPUT } })
      expect(await workflows.diagnose(ME, begun.processId)).toMatchObject({ continuable: true, causes: [] })

      const submission = { processId: begun.processId, attemptId: begun.attemptId ?? '', input: INPUT }
      const receipt = await workflows.step(ME, submission)
      expect(JSON.stringify(await workflows.step(ME, submission))).toBe(JSON.stringify(receipt))
      expect(await engine.all('SELECT key, version FROM note_version ORDER BY key')).toEqual([
        { key: 'name', version: 1 },
        { key: 'run', version: 1 },
      ])
      const next = runOf(receipt)
      const last = await workflows.step(ME, { ...submission, attemptId: next.attemptId ?? '' })
      expect(runOf(last)).toMatchObject({ status: 'completed', revision: 2, output: { count: 1 } })
      const { visits } = await workflows.history(ME, begun.processId)
      expect(visits.map((visit) => visit.nodeId)).toEqual(['go', 'one', 'save', 'keep', 'sum', 'two', 'fin'])
    })
  }
  // Killed before the commit the step was not made; after it, it was.
  expect(revisions).toEqual([...Array<number>(points - 1).fill(0), 1])
})

test('T49, T65, T79, T309: an act outside is done at most once, wherever its step is killed; what is unknown is said to be', {
  timeout: 120_000,
}, async () => {
  const acted = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').length / 'acted\n'.length : 0)
  const fileAt = (killAt: number) => join(folder, `acts-${killAt}`)
  const whole = await submitKilledAt(0, 'act', { actFile: fileAt(0) })
  const { points } = JSON.parse(whole.output) as { points: number }
  expect(acted(fileAt(0))).toBe(1)
  const outcomes = new Set<string>()
  for (let killAt = 1; killAt <= points; killAt++) {
    const actFile = fileAt(killAt)
    const { url, killed } = await submitKilledAt(killAt, 'act', { actFile })
    expect(killed, `point ${killAt}`).toBe(true)
    // Another process tries the same step; it acts only where nothing was begun.
    const again = await using(url, async (workflows) => {
      const before = acted(actFile)
      const submission = { processId: begun.processId, attemptId: begun.attemptId ?? '', input: INPUT }
      const outcome = await workflows.step(ME, submission).then(
        (receipt) => `node ${runOf(receipt).nodeId}`,
        (error: unknown) => (error instanceof UserError ? error.code : String(error)),
      )
      return { before, outcome, revision: (await workflows.executionContext(ME, begun.processId)).revision }
    })
    outcomes.add(`${again.before} ${again.outcome}`)
    expect(acted(actFile)).toBeLessThanOrEqual(1)
    expect(again.revision).toBe(again.outcome === 'node two' ? 1 : 0)
  }
  expect([...outcomes].sort()).toEqual([
    '0 ATTEMPT_OUTCOME_UNKNOWN',
    '0 node two',
    '1 ATTEMPT_OUTCOME_UNKNOWN',
    '1 node two',
  ])
})

test('T309: steps that were acknowledged before a kill at any moment are there, and repeated', {
  timeout: 120_000,
}, async () => {
  let acknowledged = 0
  for (let round = 0; round < 8; round++) {
    const url = join(folder, `moment-${round}.db`)
    const run = await using(url, (workflows) => begin(workflows, ME, turns))
    const task = { url, owner: 1, mode: 'race', processId: run.processId, killAt: 0 }
    const { output } = await runProgram(program, [JSON.stringify(task)], (child) => {
      child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), 2 + round * 5))
    })
    const lines = output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { attemptId: string; receipt: Receipt })
    acknowledged += lines.length
    await using(url, async (workflows) => {
      const { revision } = await workflows.executionContext(ME, run.processId)
      expect(revision).toBeGreaterThanOrEqual(lines.length)
      for (const [index, { attemptId, receipt }] of lines.entries()) {
        const again = await workflows.step(ME, { processId: run.processId, attemptId, input: { name: `at ${index}` } })
        expect(JSON.stringify(again)).toBe(JSON.stringify(receipt))
      }
      expect((await workflows.executionContext(ME, run.processId)).revision).toBe(revision)
    })
  }
  expect(acknowledged).toBeGreaterThan(8)
})

/** `postgres://user@host:port/database`; the test makes and drops a schema of its own. */
const server = process.env['VARVE_TEST_PG']

async function onServer(statement: string): Promise<void> {
  const engine = postgresEngine(await connectPostgres(server ?? '', 1))
  await engine.run(statement)
  await engine.close()
}

async function makeSchema(): Promise<{ url: string; drop: () => Promise<void> }> {
  const schema = `varve_race_${randomBytes(6).toString('hex')}`
  await onServer(`CREATE SCHEMA ${schema}`)
  const url = new URL(server ?? '')
  url.searchParams.set('options', `-c search_path=${schema}`)
  return { url: url.href, drop: () => onServer(`DROP SCHEMA ${schema} CASCADE`) }
}

const databases = [
  { name: 'SQLite', make: async () => ({ url: join(folder, 'race.db'), drop: async () => {} }) },
  ...(server === undefined ? [] : [{ name: 'PostgreSQL', make: makeSchema }]),
]

describe.each(databases)('two processes on one $name database', ({ make }) => {
  test('T37, T55, T310: make each transition once and get the same answers', { timeout: 120_000 }, async () => {
    const { url, drop } = await make()
    const run = await using(url, (workflows) => begin(workflows, ME, turns))
    const task = { url, owner: 1, mode: 'race', processId: run.processId, killAt: 0, startAt: Date.now() + 1_500 }
    const ended = await Promise.all([1, 2].map(() => runProgram(program, [JSON.stringify(task)])))
    const answers = new Map<string, Set<string>>()
    for (const { code, errors, output } of ended) {
      expect([code, errors]).toEqual([0, ''])
      // Both took part.
      expect(output).not.toBe('')
      for (const line of output.split('\n').slice(0, -1)) {
        const { attemptId, receipt } = JSON.parse(line) as { attemptId: string; receipt: Receipt }
        answers.set(attemptId, (answers.get(attemptId) ?? new Set()).add(JSON.stringify(receipt)))
      }
    }
    expect([...answers.values()].map((receipts) => receipts.size)).toEqual(Array<number>(TURNS).fill(1))
    await using(url, async (workflows, engine) => {
      const context = await workflows.executionContext(ME, run.processId)
      expect(context).toMatchObject({ status: 'completed', revision: TURNS, output: { count: TURNS } })
      // The newest 50 are kept.
      const versions = await engine.all<{ version: number }>(
        'SELECT version FROM note_version WHERE owner = ? ORDER BY version',
        [ME.owner],
      )
      expect(versions.map((row) => row.version)).toEqual(Array.from({ length: 50 }, (_, index) => TURNS - 49 + index))
    })
    await drop()
  })
})
