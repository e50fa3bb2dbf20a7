import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { start } from './start.ts'
import { advanceRun, begin, create, smallWorkflow, type TestServer, tea, testServer } from './workflows.testing.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let server: TestServer
let workflowId: string
beforeEach(async () => {
  server = await testServer()
  workflowId = await create(server, tea)
})
afterEach(() => server.close())

const prepare = (more: object = {}) =>
  server.get<{ startAttemptId: string; expiresAt: string }>('start', {
    action: 'prepare',
    workflowId,
    parentExecutionId: 'none',
    ...more,
  })
const execute = (startAttemptId: string) => server.ask('start', { action: 'execute', startAttemptId })
const refusedPrepare = (more: object) =>
  server.refused('start', { action: 'prepare', workflowId, parentExecutionId: 'none', ...more })
const runs = async () => (await server.get<{ total: number }>('session', { action: 'executions' })).total

describe('the published schema of start', () => {
  it('T21: has the fields of both phases, and only action is required', () => {
    expect(start.input.safeParse({ action: 'prepare' }).success).toBe(true)
    expect(start.input.safeParse({}).success).toBe(false)
    expect(Object.keys(start.input.shape).sort()).toEqual([
      'action',
      'note',
      'parentExecutionId',
      'skipNotificationCheck',
      'skipTelegramCheck',
      'startAttemptId',
      'workflowId',
    ])
  })
})

describe('start prepare', () => {
  it('T22: needs workflowId and parentExecutionId; execute needs startAttemptId', async () => {
    expect((await server.refused('start', { action: 'prepare', parentExecutionId: 'none' })).text).toContain(
      'workflowId is required',
    )
    expect((await server.refused('start', { action: 'prepare', workflowId })).text).toContain(
      'parentExecutionId is required',
    )
    expect((await server.refused('start', { action: 'execute' })).text).toContain('startAttemptId is required')
    expect((await server.refused('start', { workflowId })).text).toContain('- prepare: ')
  })

  it('T23: refuses the fields of the other phase, and unknown ones', async () => {
    expect(await refusedPrepare({ startAttemptId: UNKNOWN })).toMatchObject({
      code: 'invalid_request',
      details: { field: 'startAttemptId', belongsTo: ['execute'] },
    })
    const foreign = {
      workflowId,
      note: 'x',
      parentExecutionId: 'none',
      skipNotificationCheck: true,
      skipTelegramCheck: true,
    }
    for (const [field, value] of Object.entries(foreign)) {
      const refusal = await server.refused('start', { action: 'execute', startAttemptId: UNKNOWN, [field]: value })
      expect(refusal).toMatchObject({ details: { field, belongsTo: ['prepare'] } })
    }
    expect(await refusedPrepare({ wait: true })).toMatchObject({ details: { field: 'wait' } })
  })

  it('T24: a private workflow of somebody else is as absent as one that never was', async () => {
    const theirs = await create(server, smallWorkflow('Theirs'), server.stranger)
    const foreign = await refusedPrepare({ workflowId: theirs })
    const absent = await refusedPrepare({ workflowId: UNKNOWN })
    expect(foreign.code).toBe('not_found')
    expect(foreign.text.replaceAll(theirs, 'ID')).toBe(absent.text.replaceAll(UNKNOWN, 'ID'))
    expect(absent).toMatchObject({ next: { tool: 'list' } })
  })

  it('T25, T26: gives a Start attempt ID for 15 minutes, and starts nothing', async () => {
    const answer = await server.ask('start', { action: 'prepare', workflowId, parentExecutionId: 'none' })
    const { startAttemptId, next } = answer.structured
    expect(startAttemptId).toMatch(UUID)
    expect(answer.text).toContain(`Start attempt ID: ${String(startAttemptId)}`)
    expect(next).toEqual({ tool: 'start', args: { action: 'execute', startAttemptId } })
    expect(answer.structured['expiresAt']).toBe(new Date(server.services.clock() + 15 * 60_000).toISOString())
    expect(await runs()).toBe(0)
  })

  it('T28, T29: the parent is none or a run of the caller', async () => {
    const parent = await begin(server, workflowId)
    await prepare({ parentExecutionId: parent.processId })
    for (const parentExecutionId of [UNKNOWN, 'nobody', '']) {
      expect((await refusedPrepare({ parentExecutionId })).isError).toBeUndefined()
    }
    const theirs = await create(server, smallWorkflow('Theirs'), server.stranger)
    const foreign = await begin(server, theirs, {}, server.stranger)
    expect(await refusedPrepare({ parentExecutionId: foreign.processId })).toMatchObject({ code: 'not_found' })
  })

  it('T30: a note has at most 500 characters', async () => {
    await prepare({ note: 'n'.repeat(500) })
    expect((await refusedPrepare({ note: 'n'.repeat(501) })).text).toContain('at most 500 characters')
  })

  it('T31: skipTelegramCheck is the older name of skipNotificationCheck, and may not contradict it', async () => {
    await prepare({ skipTelegramCheck: true })
    await prepare({ skipNotificationCheck: true, skipTelegramCheck: true })
    expect(await refusedPrepare({ skipNotificationCheck: true, skipTelegramCheck: false })).toMatchObject({
      code: 'invalid_request',
    })
  })

  it('T33: preparing twice gives two starts', async () => {
    const [one, two] = [await prepare(), await prepare()]
    expect(one.startAttemptId).not.toBe(two.startAttemptId)
    await execute(one.startAttemptId)
    await execute(two.startAttemptId)
    expect(await runs()).toBe(2)
  })
})

describe('start execute', () => {
  it('T35, C1: gives the Process ID, the first task and its Step attempt ID', async () => {
    const answer = await execute((await prepare({ note: 'for Ada' })).startAttemptId)
    expect(answer.text).toMatch(/Process ID:\s*[a-f0-9-]+/)
    expect(answer.text).toMatch(/Step attempt ID:\s*[a-f0-9-]+/)
    for (const words of [
      'Your next task: Choose a tea for 1 cups.',
      'Success criteria: One is chosen.',
      'Input Schema:',
    ]) {
      expect(answer.text).toContain(words)
    }
    expect(answer.text).toContain('Mind the kettle.')
    expect(answer.text).toContain('**spill**')
    expect(answer.structured).toMatchObject({
      status: 'waiting',
      directive: 'Choose a tea for 1 cups.',
      inputSchema: { required: ['kind'] },
      next: { tool: 'step' },
    })
    const { executions } = await server.get<{ executions: object[] }>('session', { action: 'executions' })
    expect(executions).toEqual([expect.objectContaining({ note: 'for Ada', status: 'running' })])
  })

  it('T36, T37: repeated and at once, it answers the same byte for byte and begins one run', async () => {
    const { startAttemptId } = await prepare()
    const answers = await Promise.all(Array.from({ length: 10 }, () => execute(startAttemptId)))
    await server.ask('manage', { action: 'edit', workflowId, changes: { metadata: { version: '2.0.0' } } })
    answers.push(await execute(startAttemptId))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.isError).toBe(false)
    expect(await runs()).toBe(1)
  })

  it('T38, T39: a workflow edited in between is refused once and for all', async () => {
    const { startAttemptId } = await prepare()
    await server.get('manage', { action: 'edit', workflowId, changes: { metadata: { description: 'New' } } })
    const first = await execute(startAttemptId)
    expect(first).toMatchObject({ isError: true, structured: { code: 'START_PRECONDITION_CHANGED', retry: 'never' } })
    await server.get('manage', { action: 'edit', workflowId, changes: { metadata: { description: 'Brew a pot' } } })
    expect(JSON.stringify(await execute(startAttemptId))).toBe(JSON.stringify(first))
    expect(await runs()).toBe(0)
  })

  it('T40: so is one whose parent ended', async () => {
    const parent = await begin(server, await create(server, smallWorkflow('Parent')))
    const { startAttemptId } = await prepare({ parentExecutionId: parent.processId })
    await advanceRun(server, parent)
    expect((await execute(startAttemptId)).structured).toMatchObject({ code: 'START_PRECONDITION_CHANGED' })
  })

  it('T46, T47: an unknown, expired or foreign attempt is refused without a way back to current_step', async () => {
    const { startAttemptId } = await prepare()
    const foreign = await server.refused('start', { action: 'execute', startAttemptId }, server.stranger)
    server.advance(15 * 60_000 + 1)
    for (const refusal of [
      foreign,
      await server.refused('start', { action: 'execute', startAttemptId }),
      await server.refused('start', { action: 'execute', startAttemptId: UNKNOWN }),
    ]) {
      expect(refusal).toMatchObject({ code: 'ATTEMPT_INVALID_OR_EXPIRED', retry: 'never' })
      expect(JSON.stringify(refusal)).not.toContain('current_step')
    }
    expect((await server.refused('start', { action: 'execute', startAttemptId: 'mine' })).code).toBe('invalid_request')
  })

  it('T25, T48: executes at the last moment, and replays long after', async () => {
    const { startAttemptId } = await prepare()
    server.advance(15 * 60_000 - 1)
    const first = await execute(startAttemptId)
    expect(first.isError).toBe(false)
    server.advance(24 * 60 * 60_000)
    expect(await execute(startAttemptId)).toEqual(first)
  })
})
