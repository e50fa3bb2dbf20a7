import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  advanceRun,
  begin,
  create,
  type Presented,
  smallWorkflow,
  type TestServer,
  tea,
  testServer,
} from './workflows.testing.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let server: TestServer
let workflowId: string
let task: Presented
beforeEach(async () => {
  server = await testServer()
  workflowId = await create(server, tea)
  task = await begin(server, workflowId)
})
afterEach(() => server.close())

const submit = (input: unknown, at: Presented = task) =>
  server.ask('step', { processId: at.processId, attemptId: at.attemptId, input })
const refused = (args: object, at: Presented = task) =>
  server.refused('step', { processId: at.processId, attemptId: at.attemptId, ...args })
const context = () =>
  server.get<{ revision: number; note: string | null; context: { variables: object } }>('session', {
    action: 'execution_context',
    executionId: task.processId,
  })

describe('step', () => {
  it('C2, C8, C9: leads from task to task to the end, and hands out the result', async () => {
    const taste = await submit({ kind: 'green' })
    expect(taste.text).toContain('Your next task: Taste the green tea, round 1.')
    let next = taste.structured as unknown as Presented
    next = await advanceRun(server, next, { good: false })
    const end = await submit({ good: true }, next)
    expect(end.text).toMatch(/Workflow completed/)
    expect(end.structured).toMatchObject({ status: 'completed', output: { kind: 'green', rounds: 2 } })
    expect(end.structured).not.toHaveProperty('attemptId')
    expect(end.text).not.toContain('Step attempt ID')
  })

  it('T51: needs processId and attemptId, also where the input is empty', async () => {
    const { processId, attemptId } = task
    expect((await server.refused('step', { processId, input: {} })).text).toContain('attemptId is required')
    expect((await server.refused('step', { attemptId })).text).toContain('processId is required')
    expect((await refused({ wait: 1 })).text).toContain('unknown field: wait')
  })

  it('T52: the attempt is no input of the workflow', async () => {
    await submit({ kind: 'green' })
    expect(JSON.stringify((await context()).context.variables)).not.toContain(task.attemptId)
  })

  it('T53, T78: the same attempt and input replays the stored answer, whatever was edited since', async () => {
    const first = await submit({ kind: 'green', why: 'it is green' })
    const { revision } = await context()
    await server.get('manage', { action: 'edit', workflowId, changes: { systemReminder: 'Changed.' } })
    expect(await submit({ why: 'it is green', kind: 'green' })).toEqual(first)
    expect((await context()).revision).toBe(revision)
  })

  it('T55, T56, T310: identical calls at once make one move', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit({ kind: 'black' })))
    const bodies = new Set(
      answers.map(({ isError, structured }) => (isError ? structured['code'] : JSON.stringify(structured))),
    )
    expect([...bodies].filter((body) => body !== 'ATTEMPT_PROCESSING')).toHaveLength(1)
    expect((await context()).context.variables).toMatchObject({ rounds: 1 })
  })

  it('T57, T63: other input for an attempt that is done is a conflict', async () => {
    await submit({ kind: 'green' })
    const refusal = await refused({ input: { kind: 'black' } })
    expect(refusal).toMatchObject({
      code: 'ATTEMPT_CONFLICT',
      retry: 'refresh',
      processId: task.processId,
      attemptId: task.attemptId,
      next: { tool: 'session', args: { action: 'current_step', executionId: task.processId } },
    })
    expect(refusal.text).toContain('drop this attempt')
    expect(refusal.text).toContain('do not replay the old input')
  })

  it('T59, T64: an attempt of another run is refused, and points at current_step', async () => {
    const other = await begin(server, workflowId)
    for (const attemptId of [other.attemptId, UNKNOWN, 'x']) {
      expect(await refused({ attemptId, input: { kind: 'green' } })).toMatchObject({
        code: 'ATTEMPT_INVALID_OR_EXPIRED',
        retry: 'refresh',
        next: { tool: 'session', args: { action: 'current_step', executionId: task.processId } },
      })
    }
  })

  it('T60, T62: an older attempt that was never used is stale once the run has gone on', async () => {
    await server.get('manage', {
      action: 'edit',
      workflowId,
      changes: { updateNodes: [{ nodeId: 'choose', changes: { directive: 'Pick a tea.' } }] },
    })
    const refusal = await refused({ input: { kind: 'green' } })
    expect(refusal).toMatchObject({ code: 'ATTEMPT_STALE', retry: 'refresh' })
    expect(refusal.text).toContain('retry the intended submission once')
  })

  it('T66: a loop back to the same task brings a new attempt', async () => {
    const taste = await advanceRun(server, task, { kind: 'green' })
    const again = await advanceRun(server, taste, { good: false })
    expect(again.attemptId).not.toBe(taste.attemptId)
  })

  it('T68: teleportTo and input exclude each other; null is no input', async () => {
    expect(await refused({ teleportTo: 'spill', input: {} })).toMatchObject({ code: 'invalid_request' })
    const jumped = await server.get('step', {
      processId: task.processId,
      attemptId: task.attemptId,
      teleportTo: 'spill',
      input: null,
    })
    expect(jumped).toMatchObject({ directive: 'Clean up.' })
  })

  it('T69, T70: teleportTo leads to a teleport alone; the jump uses up the attempt', async () => {
    const before = await context()
    for (const teleportTo of ['taste', 'nowhere']) {
      const refusal = await refused({ teleportTo })
      expect(refusal).toMatchObject({ code: 'TELEPORT_INVALID', processId: task.processId })
      expect(refusal.text).toContain('spill')
    }
    expect((await context()).revision).toBe(before.revision)
    const { processId, attemptId } = task
    const jumped = await server.get<Presented>('step', { processId, attemptId, teleportTo: 'spill' })
    expect(jumped.attemptId).not.toBe(attemptId)
    expect(await refused({ input: { kind: 'green' } })).toMatchObject({ code: 'ATTEMPT_CONFLICT' })
  })

  it('T71: execution_note in the input becomes the note of the run', async () => {
    await server.ask('step', {
      processId: task.processId,
      attemptId: task.attemptId,
      input: { kind: 'green', execution_note: 'nearly' },
    })
    expect((await context()).note).toBe('nearly')
  })

  it('T72, T73, C4, C20: input that does not fit changes nothing, says why, and can be corrected', async () => {
    const { revision } = await context()
    const refusal = await refused({ input: { why: 'x', sugar: 2 } })
    expect(refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      attemptId: task.attemptId,
      details: { errors: expect.arrayContaining([expect.stringContaining('kind')]) },
      next: { tool: 'step', args: { attemptId: task.attemptId, input: { kind: 'green' } } },
    })
    for (const words of ['VALIDATION ERROR', 'kind', 'why', 'sugar']) expect(refusal.text).toContain(words)
    expect((await context()).revision).toBe(revision)
    const { input } = (refusal as unknown as { next: { args: { input: unknown } } }).next.args
    expect((await submit(input)).isError).toBe(false)
  })

  it('C21: a task without a schema takes an empty answer only', async () => {
    const small = await begin(server, await create(server, smallWorkflow('Small')))
    expect(await refused({ input: { a: 1 } }, small)).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect((await submit({}, small)).text).toContain('Workflow completed')
    expect((await submit(null, small)).text).toContain('Workflow completed')
  })

  it('T75, C16: somebody else’s run is as absent as one that never was', async () => {
    const args = { attemptId: task.attemptId, input: { kind: 'green' } }
    const foreign = await server.refused('step', { processId: task.processId, ...args }, server.stranger)
    const absent = await server.refused('step', { processId: UNKNOWN, ...args }, server.stranger)
    expect(foreign.code).toBe('not_found')
    expect(foreign.text.replaceAll(task.processId, 'ID')).toBe(absent.text.replaceAll(UNKNOWN, 'ID'))
  })

  it('T76, C11: the end names the parent and the active reminders', async () => {
    const child = await begin(server, await create(server, smallWorkflow('Child')), {
      parentExecutionId: task.processId,
    })
    const { revision, remindersRevision } = await server.get<Record<string, unknown>>('session', {
      action: 'reminders',
      executionId: child.processId,
    })
    await server.get('session', {
      action: 'add-reminder',
      executionId: child.processId,
      reminderText: 'Tell Ada.',
      expectedRevision: revision,
      expectedRemindersRevision: remindersRevision,
    })
    const end = await submit({}, child)
    expect(end.text).toContain('Tell Ada.')
    expect(end.text).toContain('CONTINUATION REMINDER')
    expect(end.text).toContain(task.processId)
    expect(end.structured).toMatchObject({
      parentExecutionId: task.processId,
      next: { tool: 'session', args: { action: 'current_step', executionId: task.processId } },
    })
  })

  it('T77: a finished run replays its last step and refuses all else', async () => {
    const small = await begin(server, await create(server, smallWorkflow('Small')))
    const end = await submit({}, small)
    expect(await submit({}, small)).toEqual(end)
    expect(await refused({ attemptId: UNKNOWN }, small)).toMatchObject({ code: 'ATTEMPT_INVALID_OR_EXPIRED' })
  })

  it('C12: a parent’s task lists the children that still run', async () => {
    const child = await begin(server, await create(server, smallWorkflow('Child')), {
      parentExecutionId: task.processId,
    })
    expect((await submit({ kind: 'green' })).text).toMatch(
      new RegExp(`Active Child Workflows\\W+\\(1\\)[^]*${child.processId}`),
    )
  })
})
