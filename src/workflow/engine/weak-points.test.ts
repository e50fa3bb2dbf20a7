/** Mistakes engines of this kind are known to make, by the number of the list we keep of them: none is ours. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { watchedEngine } from '../../store/watched-engine.testing.ts'
import { ask, compute, end, fork, type Json, raw, start, variable } from '../definition.testing.ts'
import type { RunAnswer, WorkflowEngine } from '../engine.ts'
import { validateDefinition } from '../validate.ts'
import {
  everything,
  ME,
  OTHER,
  refusalOf,
  runOf,
  TEST_ENGINES,
  type TestWorkflows,
  testWorkflows,
} from './engine.testing.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'
const metadata = { name: 'Tea', version: '1.0.0', description: 'brew tea' }
const text = { type: 'string' }
const wordAndKind = {
  inputSchema: { type: 'object', globalInputs: ['kind'], properties: { word: text }, required: ['word'] },
}
const teleport = (id: string, to: string): Json => ({ ...ask(id, to), type: 'teleport', hint: 'Give up' })

/** Asks for a word again and again, counts the answers and keeps the last in a note. */
const rounds = (first: Json = ask('turn', 'count', {}, wordAndKind), more: Json[] = []): Json =>
  raw(
    [
      start('turn'),
      first,
      compute('count', ['i = i + 1'], 'save'),
      { id: 'save', type: 'write-note', key: 'last', source: '{{turn.word}}', connections: { default: 'more' } },
      fork('more', { operator: 'lt', left: { contextPath: 'i' }, right: 1000 }, 'turn', 'fin'),
      teleport('quit', 'fin'),
      ...more,
      end(),
    ],
    { variableRegistry: { i: variable('number', { default: 0 }), kind: variable('string', { default: 'green' }) } },
  )

describe.each(TEST_ENGINES)('weak points on $name', ({ open }) => {
  let test_: TestWorkflows

  beforeEach(async () => {
    test_ = await testWorkflows(open)
  })
  afterEach(async () => test_.store.close())

  const w = () => test_.workflows
  const submit = (run: RunAnswer, more: Json = {}, by: WorkflowEngine = w(), caller = ME) =>
    by.step(caller, { processId: run.processId, attemptId: run.attemptId ?? '', ...more })
  const contextOf = (run: RunAnswer) => w().executionContext(ME, run.processId)
  const count = async (from: string) =>
    (await test_.store.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${from}`))?.count

  /** Every row a call on a run could leave behind, logs included. */
  const allRows = async () => {
    const logs = [await test_.store.all('SELECT * FROM execution_error'), await test_.store.all('SELECT * FROM audit')]
    return `${await everything(test_.store)}${JSON.stringify(logs)}`
  }

  /** What a call asks of the database: the statements, and how many characters it sends along. */
  const costOf = async (call: (engine: WorkflowEngine) => Promise<unknown>) => {
    const statements: string[] = []
    let characters = 0
    const watched = watchedEngine(test_.store, (sql, parameters) => {
      statements.push(sql)
      for (const one of parameters) characters += typeof one === 'string' ? one.length : 0
    })
    const result = await call(test_.another({ engine: watched }))
    return { statements, characters, result }
  }

  test('weak point 1: steps at once on one attempt make one transition, whoever wins', async () => {
    const run = await test_.begin(rounds())
    const engines = [w(), test_.another(), test_.another(), w()]
    const answers = await Promise.all(engines.map((engine) => submit(run, { input: { word: 'same' } }, engine)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await contextOf(run)).toMatchObject({ revision: 1, variables: { i: 1 } })

    const second = runOf(answers[0] ?? { text: '', structured: {}, isError: true })
    const words = ['a', 'b', 'c', 'd']
    const ends = await Promise.allSettled(
      words.map((word, index) => submit(second, { input: { word } }, engines[index])),
    )
    expect(ends.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of ends)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'ATTEMPT_CONFLICT' })
    const winner = words[ends.findIndex((one) => one.status === 'fulfilled')]
    expect(await contextOf(run)).toMatchObject({ revision: 2, variables: { i: 2, turn: { word: winner } } })
    expect(await count(`move WHERE state = 'completed'`)).toBe(2)
    expect(await count('note_version')).toBe(2)
  })

  test('weak point 3: a key that is not declared is refused before anything is written', async () => {
    const run = await test_.begin(rounds())
    const before = await contextOf(run)
    const state = () => test_.store.get('SELECT state, revision, attempt_id FROM execution')
    const stored = await state()
    const refused = await refusalOf(submit(run, { input: { word: 'x', kind: 'black', i: 9, extra: 1 } }))
    expect(refused.code).toBe('VALIDATION_FAILED')
    expect(JSON.stringify(refused.details['errors'])).toContain('extra')
    const { variables, contextRevision, revision } = await contextOf(run)
    expect({ variables, contextRevision, revision }).toEqual({
      variables: before.variables,
      contextRevision: before.contextRevision,
      revision: before.revision,
    })
    expect(await state()).toEqual(stored)
    expect(await test_.answer(run, { word: 'x', kind: 'black' })).toMatchObject({ nodeId: 'turn', revision: 1 })
  })

  test.each([
    ['a step', { word: 'x', kind: 'black' }, true],
    ['a refused step with its error', { word: 1 }, false],
  ])('weak point 4: %s is stored whole or not at all, whichever statement fails', async (_what, input, good) => {
    const run = await test_.begin(rounds())
    const before = await allRows()
    let failures = 0
    for (let failing = 1; ; failing++) {
      let writes = 0
      const broken = watchedEngine(test_.store, (sql) => {
        if (!/^\s*(INSERT|UPDATE|DELETE)/i.test(sql)) return
        if (++writes === failing) throw new Error('the disk is full')
      })
      const outcome = await submit(run, { input }, test_.another({ engine: broken })).catch((error: unknown) => error)
      if (!String(outcome).includes('the disk is full')) break
      failures++
      expect(await allRows(), `statement ${failing}`).toBe(before)
    }
    expect(failures).toBeGreaterThanOrEqual(3)
    const { errorCount, errors, revision } = await contextOf(run)
    expect([errorCount, errors.length, revision]).toEqual(good ? [0, 0, 1] : [1, 1, 0])
  })

  test('weak point 9: an edit under a paused run leaves its attempt usable, or says that it is not', async () => {
    const id = await test_.define(rounds())
    const run = await test_.begin(id)
    const elsewhere = rounds(ask('turn', 'count', {}, wordAndKind), [ask('new', 'fin')])
    await w().updateWorkflow(ME, id, { definition: { ...elsewhere, metadata: { ...metadata, version: '2.0.0' } } })
    expect(runOf(await w().currentStep(ME, run.processId)).attemptId).toBe(run.attemptId)
    const again = await test_.answer(run, { word: 'x' })

    const changed = rounds(ask('turn', 'count', {}, { ...wordAndKind, directive: 'Other words.' }))
    await w().updateWorkflow(ME, id, { definition: changed })
    const before = await everything(test_.store)
    expect((await refusalOf(w().currentStep(ME, run.processId))).code).toBe('CURRENT_PRESENTATION_STALE')
    expect((await refusalOf(submit(again, { input: { word: 'y' } }))).code).toBe('ATTEMPT_STALE')
    expect(await w().diagnose(ME, run.processId)).toMatchObject({
      continuable: false,
      causes: [{ code: 'surface_changed', blocks: true }],
    })
    expect(await everything(test_.store)).toBe(before)
  })

  test('weak point 20: a stranger who knows run and attempt sees neither, and drives nothing', async () => {
    const run = await test_.begin(rounds())
    const before = await allRows()
    for (const more of [{ input: { word: 'x' } }, { teleportTo: 'quit' }, {}]) {
      const foreign = await refusalOf(submit(run, more, w(), OTHER))
      const absent = await refusalOf(submit({ ...run, processId: UNKNOWN }, more, w(), OTHER))
      expect([foreign.code, foreign.message.replaceAll(run.processId, UNKNOWN)]).toEqual(['not_found', absent.message])
      expect(JSON.parse(JSON.stringify(foreign.details).replaceAll(run.processId, UNKNOWN))).toEqual(absent.details)
    }
    expect(await allRows()).toBe(before)
  })

  test('weak point 21: the run of somebody else is no parent, and looks like one that never was', async () => {
    const parent = await test_.begin(rounds(), OTHER)
    const id = await test_.define(rounds())
    const prepare = (parentExecutionId: string) =>
      refusalOf(w().prepareStart(ME, { workflowId: id, parentExecutionId }))
    const before = await allRows()
    const foreign = await prepare(parent.processId)
    const absent = await prepare(UNKNOWN)
    expect([foreign.code, foreign.message.replaceAll(parent.processId, UNKNOWN)]).toEqual([absent.code, absent.message])
    expect(JSON.parse(JSON.stringify(foreign.details).replaceAll(parent.processId, UNKNOWN))).toEqual(absent.details)
    expect(await allRows()).toBe(before)
  })

  test('weak point 31: reading one workflow costs the same beside 300 others', async () => {
    const id = await test_.define(rounds())
    const { slug } = await w().getWorkflow(ME, id)
    const read = async () => {
      const costs = [await costOf((engine) => engine.getWorkflow(ME, id))]
      costs.push(await costOf((engine) => engine.getWorkflow(ME, slug)))
      return costs.map(({ statements }) => statements)
    }
    const alone = await read()
    for (let number = 0; number < 300; number++) await test_.define({ ...rounds(), slug: `other-${number}` })
    expect(await read()).toEqual(alone)
    for (const statements of alone) {
      expect(statements.length).toBeLessThanOrEqual(4)
      expect(statements.filter((sql) => sql.includes('workflow_snapshot'))).toHaveLength(1)
    }
  })

  test('weak point 32: a step costs a handful of statements, however large the workflow', async () => {
    const padding = Array.from({ length: 290 }, (_, index) => ask(`spare${index}`, 'fin'))
    const costs = []
    // The first step of all makes the note; later ones find it.
    await test_.answer(await test_.begin(rounds()), { word: 'x' })
    for (const more of [[], padding]) {
      const run = await test_.begin(rounds(undefined, more))
      costs.push(await costOf((engine) => submit(run, { input: { word: 'x' } }, engine)))
    }
    const [small, large] = costs.map(({ statements }) => statements.length)
    expect(large).toBe(small)
    expect(small).toBeLessThanOrEqual(16)
  })

  test('weak point 33: a long history of steps and errors makes no step dearer, and reading writes nothing', async () => {
    let run = await test_.begin(rounds())
    const step = async () => {
      const { statements, characters, result } = await costOf((engine) =>
        submit(run, { input: { word: 'word' } }, engine),
      )
      run = runOf(result as Awaited<ReturnType<typeof submit>>)
      return { statements, characters }
    }
    await step()
    const early = await step()
    for (let round = 0; round < 60; round++) {
      await refusalOf(submit(run, { input: { wrong: 'w'.repeat(2000) } }))
      await step()
    }
    const late = await step()
    expect(late.statements.filter((sql) => !early.statements.includes(sql))).toEqual([
      // The note has all the versions that are kept, and drops its oldest.
      expect.stringMatching(/^DELETE FROM note_version /),
    ])
    expect(late.statements.length).toBe(early.statements.length + 1)
    // Numbers may have grown by a digit or two.
    expect(late.characters).toBeLessThan(early.characters + 40)

    const before = await allRows()
    const { errorCount, errors } = await contextOf(run)
    expect([errorCount, errors.length]).toEqual([60, 50])
    for (const error of errors) expect(error.input?.length).toBeLessThanOrEqual(500)
    await w().currentStep(ME, run.processId)
    await w().diagnose(ME, run.processId)
    await w().history(ME, run.processId)
    await w().listExecutions(ME, {})
    await w().listVariables(ME, { executionId: run.processId })
    expect(await allRows()).toBe(before)
  })

  test('weak point 34: a page of runs costs the same whether it has 2 or 50, each of its own workflow', async () => {
    const list = async () => {
      const { statements, result } = await costOf((engine) => engine.listExecutions(ME, { limit: 100 }))
      return { statements, executions: (result as Awaited<ReturnType<WorkflowEngine['listExecutions']>>).executions }
    }
    const fill = async (to: number) => {
      for (let number = (await list()).executions.length; number < to; number++) {
        await test_.begin({ ...rounds(), metadata: { ...metadata, name: `Tea ${number}` } })
      }
    }
    await fill(2)
    const few = await list()
    await fill(50)
    const many = await list()
    expect(many.statements).toEqual(few.statements)
    expect(many.statements.length).toBeLessThanOrEqual(2)
    expect(new Set(many.executions.map((one) => one.workflowName)).size).toBe(50)
    expect(JSON.stringify(many.executions)).not.toContain('Do turn.')
  })
})

describe('weak points of validation', () => {
  test('weak point 16: what a teleport leads to is reachable', () => {
    const nodes = [start('fin'), teleport('out', 'behind'), ask('behind', 'fin'), ask('lost', 'fin'), end()]
    const unreachable = validateDefinition(raw(nodes)).filter((issue) => issue.code === 'V42')
    expect(unreachable.map((issue) => issue.nodeId)).toEqual(['lost'])
  })

  test.each<[string, Json]>([
    ['reason', { type: 'lock', reason: '{{ghost}}', connections: { unlocked: 'fin' } }],
    ['key', { type: 'write-note', key: '{{ghost}}', source: 'x', connections: { default: 'fin' } }],
    ['chatId', { type: 'telegram-notification', message: 'x', chatId: '{{ghost}}', connections: { default: 'fin' } }],
  ])('weak point 16: the template in %s is checked', (field, node) => {
    const issues = validateDefinition(raw([start('it'), { id: 'it', ...node }, end()]))
    expect(issues).toContainEqual(expect.objectContaining({ code: 'V38', severity: 'error', nodeId: 'it', field }))
    const mended = Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, value === '{{ghost}}' ? 'x' : value]),
    )
    const rest = validateDefinition(raw([start('it'), { id: 'it', ...mended }, end()]))
    expect(rest.filter((issue) => issue.severity === 'error')).toEqual([])
  })
})
