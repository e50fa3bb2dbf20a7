import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadEffects } from '../../store/index.ts'
import { ask, end, raw, start, variable } from '../definition.testing.ts'
import type { RunAnswer, WorkflowEngineOptions } from '../engine.ts'
import { waitingNodeId } from '../state.ts'
import { transition } from '../transition.ts'
import { ActFailed } from './claim.ts'
import type { Transit } from './context.ts'
import {
  ME,
  refusalOf,
  runOf,
  startAttemptOf,
  TEST_ENGINES,
  type TestWorkflows,
  testWorkflows,
} from './engine.testing.ts'

const text = { type: 'string' }

const definition = () =>
  raw([start('one'), ask('one', 'two', { name: text }), ask('two', 'fin'), end()], {
    variableRegistry: { spare: variable('string') },
    runtimePolicy: { externalVariableWrites: { spare: {} } },
  })

/** Something that can be let go from outside. */
function gate() {
  let open: () => void = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

describe.each(TEST_ENGINES)('acts outside the database on $name', ({ open }) => {
  let test_: TestWorkflows
  /** Messages that went out, by node. */
  let sent: string[]
  /** What sending does besides. */
  let sending: () => Promise<void>

  /** Leaving node `one`, and starting when `atStart` is set, sends a message. */
  let atStart = false
  const transit: Transit = async (request) => {
    const nodeId = request.state === null ? 'go' : waitingNodeId(request.state)
    if (nodeId === 'one' || (nodeId === 'go' && atStart)) {
      await request.perform({ nodeId, kind: 'message' }, async () => {
        await sending()
        sent.push(nodeId)
        return { id: sent.length }
      })
    }
    return transition(request)
  }
  const options: Partial<WorkflowEngineOptions> = { transit, timing: { wait: 300, poll: 10 } }

  beforeEach(async () => {
    test_ = await testWorkflows(open, options)
    sent = []
    sending = async () => {}
    atStart = false
  })
  afterEach(async () => test_.store.close())

  const submit = (run: RunAnswer, input: unknown = { name: 'Ada' }, engine = test_.workflows) =>
    engine.step(ME, { processId: run.processId, attemptId: run.attemptId ?? '', input })
  const effects = (run: RunAnswer) => loadEffects(test_.store, 1, run.attemptId ?? '')
  const brokenOff = async (run: RunAnswer, effect?: 'started' | 'done') => {
    await test_.store.run(`UPDATE execution SET attempt_state = 'processing', lease_owner = 'dead', lease_until = 0`)
    if (effect === undefined) return
    await test_.store.run(
      `INSERT INTO effect (owner, attempt_id, ordinal, node_id, kind, state, result, started_at)
        VALUES (1, ?, 1, 'one', 'message', ?, '{"value":7}', 0)`,
      [run.attemptId ?? '', effect],
    )
  }

  test('T79: a step acts once, however often and from wherever it is submitted', async () => {
    const run = await test_.begin(definition())
    const other = test_.another()
    const receipts = await Promise.all([
      submit(run),
      submit(run),
      submit(run, undefined, other),
      submit(run, undefined, other),
    ])
    receipts.push(await submit(run))
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
    expect(sent).toEqual(['one'])
    expect(await effects(run)).toMatchObject([{ ordinal: 1, state: 'done', result: '{"value":{"id":1}}' }])
    expect(runOf(await submit(runOf(receipts[0] ?? { text: '', structured: {}, isError: true }), null))).toMatchObject({
      status: 'completed',
    })
  })

  test('T55, T58, T61: while one works, the same input waits, then is told to try again; another is a conflict', async () => {
    const run = await test_.begin(definition())
    const { open: letGo, passed } = gate()
    sending = () => passed
    const first = submit(run)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const other = test_.another()
    expect((await refusalOf(submit(run, { name: 'Eve' }, other))).code).toBe('ATTEMPT_CONFLICT')
    const processing = await refusalOf(submit(run, undefined, other))
    expect([processing.code, processing.details['retry']]).toEqual(['ATTEMPT_PROCESSING', 'same'])
    expect((await refusalOf(submit(run))).code).toBe('ATTEMPT_PROCESSING')
    expect((await refusalOf(test_.workflows.currentStep(ME, run.processId))).code).toBe('ATTEMPT_PROCESSING')
    const waiting = submit(run, undefined, other)
    letGo()
    expect(JSON.stringify(await waiting)).toBe(JSON.stringify(await first))
    expect(sent).toEqual(['one'])
  })

  test('a variable is not written under a step that is being worked on', async () => {
    const run = await test_.begin(definition())
    const { open: letGo, passed } = gate()
    sending = () => passed
    const first = submit(run)
    await new Promise((resolve) => setTimeout(resolve, 50))
    const { contextRevision } = await test_.workflows.executionContext(ME, run.processId)
    const write = test_.workflows.setVariable(ME, {
      ...{ executionId: run.processId, expectedRevision: 0, expectedContextRevision: contextRevision },
      variableName: 'spare',
      variableValue: 'x',
    })
    expect((await refusalOf(write)).code).toBe('ATTEMPT_PROCESSING')
    await test_.workflows.updateNote(ME, run.processId, 'written meanwhile')
    letGo()
    await first
    expect(await test_.workflows.executionContext(ME, run.processId)).toMatchObject({
      note: 'written meanwhile',
      revision: 1,
    })
  })

  test('T65, T79, T104: an act that broke off is never repeated: the outcome is unknown until the owner decides (fault 106)', async () => {
    const run = await test_.begin(definition())
    sending = async () => {
      throw new Error('connection lost')
    }
    for (let time = 0; time < 3; time++) {
      const unknown = await refusalOf(submit(run))
      expect([unknown.code, unknown.details['processId'], unknown.details['retry']]).toEqual([
        'ATTEMPT_OUTCOME_UNKNOWN',
        run.processId,
        'never',
      ])
      sending = async () => {}
    }
    expect((await refusalOf(submit(run, { name: 'Eve' }))).code).toBe('ATTEMPT_OUTCOME_UNKNOWN')
    expect((await refusalOf(test_.workflows.currentStep(ME, run.processId))).code).toBe('ATTEMPT_OUTCOME_UNKNOWN')
    expect(await test_.workflows.diagnose(ME, run.processId)).toMatchObject({
      continuable: false,
      causes: [{ code: 'outcome_unknown', blocks: true }],
    })
    expect(sent).toEqual([])
    const cancelled = await test_.workflows.cancel(ME, { executionId: run.processId, expectedRevision: 0 })
    expect(cancelled.outcome).toBe('cancelled')
  })

  test('a run whose outcome is unknown can be moved on', async () => {
    const run = await test_.begin(definition())
    await brokenOff(run, 'started')
    expect((await refusalOf(submit(run))).code).toBe('ATTEMPT_OUTCOME_UNKNOWN')
    const two = runOf(await test_.workflows.recover(ME, { executionId: run.processId, nodeId: 'two' }))
    expect((await refusalOf(submit(run))).code).toBe('ATTEMPT_STALE')
    expect(await test_.answer(two)).toMatchObject({ status: 'completed' })
    expect(sent).toEqual([])
  })

  test('T79, T309: whoever dies before acting is taken over when the claim runs out; the act is done once (fault 103)', async () => {
    const run = await test_.begin(definition())
    await brokenOff(run)
    expect(runOf(await submit(run))).toMatchObject({ nodeId: 'two' })
    expect(sent).toEqual(['one'])
  })

  test('a cancelled run whose claim has run out blocks nothing (fault 107)', async () => {
    const run = await test_.begin(definition())
    await brokenOff(run)
    const cancelled = await test_.workflows.cancel(ME, { executionId: run.processId, expectedRevision: 0 })
    expect(cancelled.outcome).toBe('cancelled')
    expect((await refusalOf(submit(run))).code).toBe('EXECUTION_FINISHED')
    const next = await test_.begin(definition())
    expect(runOf(await submit(next))).toMatchObject({ nodeId: 'two' })
    expect(sent).toEqual(['one'])
    expect((await test_.workflows.listExecutions(ME, { status: ['running'] })).executions).toMatchObject([
      { executionId: next.processId },
    ])
  })

  test('T309: whoever dies after acting is taken over with the act’s result', async () => {
    const run = await test_.begin(definition())
    await brokenOff(run, 'done')
    expect(runOf(await submit(run))).toMatchObject({ nodeId: 'two' })
    expect(sent).toEqual([])
  })

  test('T65: whoever dies while acting leaves an unknown outcome', async () => {
    const run = await test_.begin(definition())
    await brokenOff(run, 'started')
    expect((await refusalOf(submit(run))).code).toBe('ATTEMPT_OUTCOME_UNKNOWN')
    expect((await refusalOf(submit(run, undefined, test_.another()))).code).toBe('ATTEMPT_OUTCOME_UNKNOWN')
    expect(sent).toEqual([])
  })

  test('an answer refused after an act binds the attempt to it; the act is not done again', async () => {
    const run = await test_.begin(definition())
    expect((await refusalOf(submit(run, { name: 1 }))).code).toBe('VALIDATION_FAILED')
    expect((await refusalOf(submit(run, { name: 'Ada' }))).code).toBe('ATTEMPT_CONFLICT')
    expect((await refusalOf(submit(run, { name: 1 }))).code).toBe('VALIDATION_FAILED')
    expect(sent).toEqual(['one'])
  })

  test('an act that certainly failed is not tried again, and fails the step the same way', async () => {
    const run = await test_.begin(definition())
    sending = async () => {
      throw new ActFailed('no such recipient')
    }
    await expect(submit(run)).rejects.toThrow(ActFailed)
    sending = async () => {}
    await expect(submit(run)).rejects.toThrow('no such recipient')
    expect(sent).toEqual([])
    expect(await effects(run)).toMatchObject([{ state: 'done', result: '{"failed":"no such recipient"}' }])
  })

  test('a claim is kept alive while its holder works, and lost when it was taken over (fault 104)', async () => {
    const timing = { wait: 300, poll: 10, lease: 1_000 }
    const clock = () => Date.now()
    const [slow, other] = [test_.another({ clock, timing }), test_.another({ clock, timing })]
    const run = await test_.begin(definition())
    const { open: letGo, passed } = gate()
    sending = () => passed
    const first = submit(run, undefined, slow)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect((await refusalOf(submit(run, undefined, other))).code).toBe('ATTEMPT_PROCESSING')
    await test_.store.run("UPDATE execution SET lease_owner = 'another'")
    letGo()
    expect((await refusalOf(first)).code).toBe('ATTEMPT_PROCESSING')
    expect((await test_.workflows.executionContext(ME, run.processId)).revision).toBe(0)
  })

  test('T36, T37, T49: a start acts once; broken off, its outcome is unknown and its run is named', async () => {
    atStart = true
    const id = await test_.define(definition())
    const prepare = async () =>
      startAttemptOf(await test_.workflows.prepareStart(ME, { workflowId: id, parentExecutionId: 'none' }))
    const good = await prepare()
    const other = test_.another()
    const receipts = await Promise.all(
      [test_.workflows, other, test_.workflows].map((engine) => engine.executeStart(ME, good)),
    )
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
    expect(sent).toEqual(['go'])

    const bad = await prepare()
    sending = async () => {
      throw new Error('connection lost')
    }
    for (let time = 0; time < 2; time++) {
      const unknown = await refusalOf(test_.workflows.executeStart(ME, bad))
      expect(unknown.code).toBe('ATTEMPT_OUTCOME_UNKNOWN')
      expect(unknown.details['processId']).toMatch(/^[0-9a-f-]{36}$/)
    }
    expect((await test_.workflows.listExecutions(ME, {})).total).toBe(1)

    const dead = await prepare()
    sending = async () => {}
    await test_.store.run(
      `UPDATE start_attempt SET attempt_state = 'processing', execution_id = 'e', lease_owner = 'dead', lease_until = 0 WHERE id = ?`,
      [dead],
    )
    expect(runOf(await test_.workflows.executeStart(ME, dead))).toMatchObject({ processId: 'e', nodeId: 'one' })
    expect(sent).toEqual(['go', 'go'])
  })
})
