import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, end, raw, start } from '../definition.testing.ts'
import {
  everything,
  ME,
  OTHER,
  refusalOf,
  runOf,
  startAttemptOf,
  TEST_ENGINES,
  type TestWorkflows,
  testWorkflows,
} from './engine.testing.ts'

const MINUTE = 60_000

const twoSteps = () =>
  raw([start('one'), ask('one', 'two', { name: { type: 'string' } }), ask('two', 'fin'), end()], {
    metadata: { name: 'Two steps', version: '1.2.3', description: 'two steps' },
  })

describe.each(TEST_ENGINES)('start on $name', ({ open }) => {
  let test_: TestWorkflows
  let id: string

  beforeEach(async () => {
    test_ = await testWorkflows(open)
    id = await test_.define(twoSteps())
  })
  afterEach(async () => test_.store.close())

  const prepare = (more: Record<string, unknown> = {}, caller = ME) =>
    test_.workflows.prepareStart(caller, { workflowId: id, parentExecutionId: 'none', ...more })
  const execute = (attemptId: string, caller = ME) => test_.workflows.executeStart(caller, attemptId)
  const executions = async (caller = ME) => test_.workflows.listExecutions(caller, { status: [] })

  test('T24, C16: an unknown workflow and a private one of another owner are refused alike, by name', async () => {
    const unknown = await refusalOf(prepare({ workflowId: 'nobody/nothing' }))
    expect(unknown.code).toBe('not_found')
    expect(unknown.message).toBe('Workflow not found: "nobody/nothing"')
    const foreign = await refusalOf(prepare({}, OTHER))
    expect([foreign.code, foreign.message.replace(id, '…')]).toEqual(['not_found', 'Workflow not found: "…"'])
  })

  test('T25, T26: prepare answers a start attempt that lasts 15 minutes, and starts nothing', async () => {
    const prepared = await prepare()
    expect(prepared.text).toMatch(
      /^Start attempt ID: [0-9a-f-]{36}\n\nWorkflow: Two steps 1\.2\.3 \(local\/two-steps\)/,
    )
    expect(prepared.structured).toMatchObject({
      expiresAt: '2026-11-30T12:15:00.000Z',
      workflowId: id,
      next: { tool: 'start', args: { action: 'execute', startAttemptId: startAttemptOf(prepared) } },
    })
    expect((await executions()).total).toBe(0)
  })

  test('T25, T46: an attempt can be executed at its last millisecond and not one later', async () => {
    const [first, second] = [startAttemptOf(await prepare()), startAttemptOf(await prepare())]
    test_.time.now += 15 * MINUTE
    expect((await execute(first)).isError).toBe(false)
    test_.time.now += 1
    const late = await refusalOf(execute(second))
    expect(late.code).toBe('ATTEMPT_INVALID_OR_EXPIRED')
    expect(JSON.stringify(late.details)).not.toContain('current_step')
    expect((await executions()).total).toBe(1)
  })

  test('T27, C13: the run has what was bound: the note and the parent', async () => {
    const parent = await test_.begin(id)
    const child = await test_.begin(id, ME, { note: 'for the release', parent: parent.processId })
    const context = await test_.workflows.executionContext(ME, child.processId)
    expect(context).toMatchObject({ note: 'for the release', parentExecutionId: parent.processId })
    expect(await test_.workflows.executionContext(ME, parent.processId)).toMatchObject({
      note: null,
      parentExecutionId: null,
    })
    const stepped = await test_.answer(child, { name: 'x' })
    expect(await test_.workflows.executionContext(ME, stepped.processId)).toMatchObject({ note: 'for the release' })
  })

  test('T28, T29: a parent is an own run that is running, or none', async () => {
    expect((await refusalOf(prepare({ parentExecutionId: 'no-such-run' }))).details.field).toBe('parentExecutionId')
    const foreign = await test_.begin(await test_.define(twoSteps(), OTHER), OTHER)
    expect((await refusalOf(prepare({ parentExecutionId: foreign.processId }))).code).toBe('not_found')
    const finished = await test_.begin(raw([start('fin'), end()]))
    expect((await refusalOf(prepare({ parentExecutionId: finished.processId }))).message).toContain('has finished')
  })

  test('T30, T313: a note of 500 characters is taken, one of 501 refused', async () => {
    expect((await prepare({ note: 'n'.repeat(500) })).isError).toBe(false)
    const refused = await refusalOf(prepare({ note: 'n'.repeat(501) }))
    expect([refused.code, refused.details.field]).toEqual(['invalid_request', 'note'])
  })

  test('T31: the older name of the skip flag counts; both must agree', async () => {
    expect((await prepare({ skipTelegramCheck: true, skipNotificationCheck: true })).isError).toBe(false)
    const refused = await refusalOf(prepare({ skipTelegramCheck: true, skipNotificationCheck: false }))
    expect(refused.details.field).toBe('skipTelegramCheck')
  })

  test('T33: two prepares are two starts', async () => {
    const [first, second] = [await prepare(), await prepare()]
    const runs = [runOf(await execute(startAttemptOf(first))), runOf(await execute(startAttemptOf(second)))]
    expect(runs[0]?.processId).not.toBe(runs[1]?.processId)
    expect((await executions()).total).toBe(2)
  })

  test('T35, C1: execute answers the process, the first attempt and the first directive', async () => {
    const receipt = await execute(startAttemptOf(await prepare()))
    const run = runOf(receipt)
    expect(receipt.text.match(/Process ID:\s*([a-f0-9-]+)/)?.[1]).toBe(run.processId)
    expect(receipt.text.match(/Step attempt ID:\s*([a-f0-9-]+)/)?.[1]).toBe(run.attemptId)
    expect(receipt.text).toContain('Your next task: Do one.')
    expect(receipt.text).toContain('Success criteria: one is done.')
    expect(receipt.text).toContain('Input Schema:\n```json\n{')
    expect(run).toMatchObject({ status: 'waiting', nodeId: 'one', revision: 0 })
    expect(run.next).toEqual({ tool: 'step', args: { processId: run.processId, attemptId: run.attemptId } })
  })

  test('T36, T78: a duplicate execute repeats the answer byte for byte, whatever became of run and workflow', async () => {
    const attempt = startAttemptOf(await prepare())
    const first = await execute(attempt)
    const again = async () => JSON.stringify(await test_.another().executeStart(ME, attempt))
    expect(await again()).toBe(JSON.stringify(first))
    await test_.answer(runOf(first), { name: 'x' })
    await test_.workflows.deleteWorkflow(ME, id)
    expect(await again()).toBe(JSON.stringify(first))
    expect((await executions()).total).toBe(1)
  })

  test('T48: an attempt that was executed is repeated after its reservation would have expired', async () => {
    const attempt = startAttemptOf(await prepare())
    const first = await execute(attempt)
    test_.time.now += 16 * MINUTE
    expect(JSON.stringify(await execute(attempt))).toBe(JSON.stringify(first))
  })

  test('T37: executes at the same time, of one process and of two, make one run', async () => {
    const attempt = startAttemptOf(await prepare())
    const engines = [test_.workflows, test_.workflows, test_.another(), test_.another()]
    const receipts = await Promise.all(engines.map((engine) => engine.executeStart(ME, attempt)))
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
    expect((await executions()).total).toBe(1)
  })

  test('T38, T39, T50: a workflow edited in between is a refusal that stays, also when the edit is undone', async () => {
    const attempt = startAttemptOf(await prepare())
    const edited = { ...twoSteps(), systemReminder: 'edited' }
    await test_.workflows.updateWorkflow(ME, id, { definition: edited })
    const refused = await execute(attempt)
    expect(refused.isError).toBe(true)
    expect(refused.structured).toMatchObject({
      code: 'START_PRECONDITION_CHANGED',
      retry: 'never',
      next: { tool: 'start', args: { action: 'prepare', workflowId: 'local/two-steps', parentExecutionId: 'none' } },
    })
    await test_.workflows.updateWorkflow(ME, id, { definition: twoSteps() })
    expect(JSON.stringify(await test_.another().executeStart(ME, attempt))).toBe(JSON.stringify(refused))
    expect((await executions()).total).toBe(0)
  })

  test('T40: a workflow deleted or withdrawn, and a parent that has finished, are changed preconditions', async () => {
    const parent = await test_.begin(id)
    const forParent = startAttemptOf(await prepare({ parentExecutionId: parent.processId }))
    await test_.workflows.cancel(ME, { executionId: parent.processId, expectedRevision: 0 })
    expect((await execute(forParent)).structured['message']).toContain('is not running any more')

    await test_.workflows.setVisibility(ME, id, 'public')
    const lent = startAttemptOf(await prepare({}, OTHER))
    await test_.workflows.setVisibility(ME, id, 'private')
    expect((await execute(lent, OTHER)).structured['code']).toBe('START_PRECONDITION_CHANGED')

    const doomed = startAttemptOf(await prepare())
    await test_.workflows.deleteWorkflow(ME, id)
    expect((await execute(doomed)).structured['message']).toContain('is not there any more')
  })

  test('T46, T47: an unknown attempt and another user’s are refused alike, without a way over current_step', async () => {
    const foreign = await refusalOf(execute(startAttemptOf(await prepare()), OTHER))
    const unknown = await refusalOf(execute('00000000-0000-4000-8000-000000000000'))
    expect(foreign.code).toBe('ATTEMPT_INVALID_OR_EXPIRED')
    expect([foreign.code, foreign.details]).toEqual([unknown.code, unknown.details])
    expect(JSON.stringify(foreign.details)).not.toContain('current_step')
    expect((await refusalOf(execute('not an id'))).code).toBe('ATTEMPT_INVALID_OR_EXPIRED')
  })

  test('a start whose first nodes fail keeps its reservation and leaves no run', async () => {
    const broken = raw(
      [
        start('sum'),
        { id: 'sum', type: 'expression', expressions: ['a = b + 1'], connections: { default: 'fin' } },
        end(),
      ],
      {
        variableRegistry: { a: { type: 'number', description: 'a' }, b: { type: 'number', description: 'b' } },
      },
    )
    const attempt = startAttemptOf(await prepare({ workflowId: await test_.define(broken) }))
    const before = await everything(test_.store)
    expect((await refusalOf(execute(attempt))).code).toBe('NODE_FAILED')
    expect(await everything(test_.store)).toBe(before)
  })

  test('a workflow without a step completes at once', async () => {
    const run = await test_.begin(
      raw([start('fin', { initialData: { variables: { lang: { description: 'l', value: 'en' } } } }), end()]),
    )
    expect(run).toMatchObject({ status: 'completed', output: { lang: 'en' }, next: null })
    expect(run.attemptId).toBeUndefined()
  })
})

describe('start with preconditions of others', () => {
  test('T32, T34: what a start needs is asked when it is executed, not when it is prepared', async () => {
    const [{ open } = { open: () => Promise.reject(new Error('no engine')) }] = TEST_ENGINES
    const asked: boolean[] = []
    const test_ = await testWorkflows(open, {
      checkStart: async (_caller, { skipNotificationCheck }) => {
        asked.push(skipNotificationCheck)
        return null
      },
    })
    const request = { workflowId: await test_.define(twoSteps()), parentExecutionId: 'none' }
    const plain = startAttemptOf(await test_.workflows.prepareStart(ME, request))
    const skipping = startAttemptOf(await test_.workflows.prepareStart(ME, { ...request, skipNotificationCheck: true }))
    expect(asked).toEqual([])
    await test_.workflows.executeStart(ME, plain)
    await test_.workflows.executeStart(ME, skipping)
    expect(asked).toEqual([false, true])
    await test_.workflows.executeStart(ME, plain)
    expect(asked).toHaveLength(2)
    await test_.store.close()
  })

  test('T41, T42, T43, T50: what a start still needs is a stored refusal; a skip flag reaches who decides', async () => {
    const [{ open } = { open: () => Promise.reject(new Error('no engine')) }] = TEST_ENGINES
    let channel = false
    const test_ = await testWorkflows(open, {
      checkStart: async (_caller, { skipNotificationCheck, definition }) =>
        channel || skipNotificationCheck || definition.nodes.length < 3
          ? null
          : 'set up a notification channel in Settings first',
    })
    const id = await test_.define(twoSteps())
    const prepare = async (more = {}) =>
      startAttemptOf(await test_.workflows.prepareStart(ME, { workflowId: id, parentExecutionId: 'none', ...more }))
    const refused = await prepare()
    const receipt = await test_.workflows.executeStart(ME, refused)
    expect(receipt.isError).toBe(true)
    expect(receipt.text).toContain('set up a notification channel in Settings first')
    const skipping = await test_.workflows.executeStart(ME, await prepare({ skipNotificationCheck: true }))
    expect(skipping.isError).toBe(false)
    channel = true
    expect(JSON.stringify(await test_.workflows.executeStart(ME, refused))).toBe(JSON.stringify(receipt))
    expect((await test_.workflows.executeStart(ME, await prepare())).isError).toBe(false)
    await test_.store.close()
  })
})
