import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openStore } from '../../store/index.ts'
import { ask, compute, end, fork, type Json, raw, start, variable } from '../definition.testing.ts'
import type { RunAnswer } from '../engine.ts'
import { everything, ME, refusalOf, runOf, type TestWorkflows, testWorkflows } from './engine.testing.ts'

const SEED = 20261130

/** A chain of nodes that may lead back: each part is a step, a computation or a fork. */
const parts = fc.array(fc.constantFrom('ask', 'pick', 'sum', 'fork', 'note'), { minLength: 1, maxLength: 7 })

function workflowOf(kinds: readonly string[]): Json {
  const idAt = (index: number) => (index < kinds.length ? `n${index}` : 'fin')
  const nodes = kinds.map((kind, index): Json => {
    const [id, next] = [idAt(index), idAt(index + 1)]
    switch (kind) {
      case 'pick':
        return ask(id, next, {}, { inputSchema: { type: 'object', globalInputs: ['word'], required: ['word'] } })
      case 'sum':
        return compute(id, ['count = count + 1'], next)
      case 'fork':
        // Leads back to the beginning a few times.
        return fork(id, { operator: 'lt', left: { contextPath: 'laps' }, right: 2 }, 'lap', next)
      case 'note':
        return {
          id,
          type: 'upsert-note',
          keyTemplate: 'note-{{word}}',
          value: '{{count}}',
          connections: { default: next },
        }
      default:
        return ask(id, next, { name: { type: 'string' } })
    }
  })
  const lap = [compute('lap', ['laps = laps + 1'], 'pause'), ask('pause', 'n0')]
  return raw([start('n0'), ...nodes, ...lap, end({ finalOutput: ['count', 'word'] })], {
    variableRegistry: {
      count: variable('number', { default: 0 }),
      laps: variable('number', { default: 0 }),
      word: variable('string', { default: 'none' }),
    },
    runtimePolicy: { externalVariableWrites: { count: {} } },
  })
}

const word = fc.constantFrom('a', 'b', 'c')
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('answer' as const), word }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bad answer' as const) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('repeat' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('other input' as const), which: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('current step' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('set' as const), value: fc.integer({ min: 0, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('note' as const) }) },
)
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** What a model of one run expects, while operations are made on it. */
class Model {
  readonly done: { step: RunAnswer; input: unknown; receipt: string }[] = []
  steps = 0
  private readonly processId: string

  constructor(
    private readonly test_: TestWorkflows,
    private readonly workflowId: string,
    private readonly definition: Json,
    private run: RunAnswer,
  ) {
    this.processId = run.processId
  }

  private input(name: string): unknown {
    if (this.run.inputSchema === null) return undefined
    const properties = Object.keys((this.run.inputSchema?.['properties'] ?? {}) as Json)
    return Object.fromEntries(properties.map((property) => [property, name]))
  }

  private submit(step: RunAnswer, input: unknown) {
    return this.test_.workflows.step(ME, { processId: step.processId, attemptId: step.attemptId ?? '', input })
  }

  async make(operation: Operation): Promise<void> {
    const { workflows, store } = this.test_
    this.test_.time.now += 1
    switch (operation.kind) {
      case 'answer': {
        if (this.run.status !== 'waiting') return
        const [step, input] = [this.run, this.input(operation.word)]
        const receipt = await this.submit(step, input)
        this.done.push({ step, input, receipt: JSON.stringify(receipt) })
        this.run = runOf(receipt)
        this.steps++
        return
      }
      case 'bad answer':
        if (this.run.status !== 'waiting') return
        expect((await refusalOf(this.submit(this.run, { nonsense: true }))).code).toBe('VALIDATION_FAILED')
        return
      case 'repeat':
      case 'other input': {
        const earlier = this.done[operation.which % Math.max(1, this.done.length)]
        if (earlier === undefined) return
        const before = await everything(store)
        if (operation.kind === 'repeat') {
          expect(JSON.stringify(await this.submit(earlier.step, earlier.input))).toBe(earlier.receipt)
        } else {
          expect((await refusalOf(this.submit(earlier.step, { different: 1 }))).code).toBe('ATTEMPT_CONFLICT')
        }
        expect(await everything(store)).toBe(before)
        return
      }
      case 'current step':
        if (this.run.status === 'waiting') {
          expect(runOf(await workflows.currentStep(ME, this.processId)).attemptId).toBe(this.run.attemptId)
        } else expect((await refusalOf(workflows.currentStep(ME, this.processId))).code).toBe('EXECUTION_FINISHED')
        return
      case 'set': {
        if (this.run.status !== 'waiting') return
        const { contextRevision, revision } = await workflows.executionContext(ME, this.processId)
        await workflows.setVariable(ME, {
          ...{ executionId: this.processId, expectedRevision: revision, expectedContextRevision: contextRevision },
          variableName: 'count',
          variableValue: operation.value,
        })
        return
      }
      case 'edit': {
        const metadata = { name: 'Edited', version: '1.0.1', description: `at ${this.test_.time.now}` }
        await workflows.updateWorkflow(ME, this.workflowId, { definition: { ...this.definition, metadata } })
        return
      }
      case 'note':
        await workflows.updateNote(ME, this.processId, `note ${this.test_.time.now}`)
        return
      default:
        operation satisfies never
    }
  }

  /** What holds after every operation. */
  async check(): Promise<void> {
    const { workflows } = this.test_
    const context = await workflows.executionContext(ME, this.processId)
    expect(context.revision).toBe(this.steps)
    expect(context.status).toBe(this.run.status === 'completed' ? 'completed' : 'running')
    const { visits, writes } = await workflows.history(ME, this.processId)
    expect(visits.map((visit) => visit.seq)).toEqual(visits.map((_visit, index) => index + 1))
    const replayed = Object.fromEntries(writes.map(({ name, value }) => [name, value]))
    expect(replayed).toEqual(context.variables)
    if (this.run.status === 'waiting') expect((await workflows.diagnose(ME, this.processId)).continuable).toBe(true)
  }

  async cancel(): Promise<void> {
    if (this.run.status !== 'waiting') return
    await this.test_.workflows.cancel(ME, { executionId: this.processId, expectedRevision: this.steps })
    const before = await everything(this.test_.store)
    expect((await refusalOf(this.submit(this.run, this.input('a')))).code).toBe('EXECUTION_FINISHED')
    expect(
      (await refusalOf(this.test_.workflows.recover(ME, { executionId: this.processId, nodeId: 'n0' }))).code,
    ).toBe('EXECUTION_FINISHED')
    for (const { step, input, receipt } of this.done) {
      expect(JSON.stringify(await this.submit(step, input))).toBe(receipt)
    }
    expect(await everything(this.test_.store)).toBe(before)
  }
}

test('T53, T57, T77, T80, T103: whatever is done to a run, repeats equal originals, the revision counts steps, the logs give the state, and cancelling is final', {
  timeout: 120_000,
}, async () => {
  let steps = 0
  await fc.assert(
    fc.asyncProperty(parts, fc.array(operation, { minLength: 5, maxLength: 30 }), async (kinds, operations) => {
      const test_ = await testWorkflows(() => openStore({ url: ':memory:' }))
      try {
        const definition = workflowOf(kinds)
        const id = await test_.define(definition)
        const model = new Model(test_, id, definition, await test_.begin(id))
        await model.check()
        for (const each of operations) {
          await model.make(each)
          await model.check()
        }
        steps += model.steps
        await model.cancel()
      } finally {
        await test_.store.close()
      }
    }),
    { numRuns: 60, seed: SEED },
  )
  expect(steps).toBeGreaterThan(100)
})
