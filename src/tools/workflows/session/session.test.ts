import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  advanceRun,
  begin,
  create,
  type Data,
  type Presented,
  smallWorkflow,
  type TestServer,
  tea,
  testServer,
} from '../workflows.testing.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let server: TestServer
let workflowId: string
let task: Presented
beforeEach(async () => {
  server = await testServer()
  workflowId = await create(server, tea)
  task = await begin(server, workflowId, { note: 'first' })
})
afterEach(() => server.close())

const session = (action: string, more: object = {}) =>
  server.get<Data>('session', { action, executionId: task.processId, ...more })
const refused = (action: string, more: object = {}) =>
  server.refused('session', { action, executionId: task.processId, ...more })
const context = () =>
  session('execution_context') as Promise<
    Data & { revision: number; parentRevision: string; remindersRevision: string; contextRevision: string }
  >
const executions = async (more: object = {}) => {
  const page = await server.get<{ executions: Data[] }>('session', { action: 'executions', ...more })
  return page.executions
}
const edit = (changes: object) => server.get('manage', { action: 'edit', workflowId, changes })

/** What every action on a run takes besides the run, so that each can be tried on runs there are not. */
async function goodArguments(): Promise<Record<string, object>> {
  const { revision, parentRevision, remindersRevision, contextRevision } = await context()
  const reminders = { expectedRevision: revision, expectedRemindersRevision: remindersRevision }
  return {
    execution_context: {},
    current_step: {},
    diagnose: {},
    recover: { nodeId: 'taste' },
    'cancel-execution': { expectedRevision: revision },
    'update-note': { note: 'x' },
    'set-parent': { parentExecutionId: 'none', expectedRevision: revision, expectedParentRevision: parentRevision },
    'add-reminder': { reminderText: 'x', ...reminders },
    reminders: {},
    'update-reminder': { reminderId: UNKNOWN, reminderText: 'x', ...reminders },
    'remove-reminder': { reminderId: UNKNOWN, ...reminders },
    variables: {},
    'set-variable': {
      variableName: 'cups',
      variableValue: 2,
      expectedRevision: revision,
      expectedContextRevision: contextRevision,
    },
    progress: {},
    'progress-image-token': {},
    materialize: {},
  }
}

describe('session reads', () => {
  it('T91: a foreign run looks like one that never was, to every action', async () => {
    for (const [action, more] of Object.entries(await goodArguments())) {
      const foreign = await server.refused('session', { action, executionId: task.processId, ...more }, server.stranger)
      const absent = await server.refused('session', { action, executionId: UNKNOWN, ...more }, server.stranger)
      expect(foreign.code, action).toBe('not_found')
      expect(foreign.text.replaceAll(task.processId, 'ID'), action).toBe(absent.text.replaceAll(UNKNOWN, 'ID'))
    }
    expect((await server.refused('session', { action: 'current_step' })).text).toContain('executionId is required')
  })

  it('T92: user says who is asking', async () => {
    expect(await server.get('session', { action: 'user' })).toEqual({
      userId: '1',
      name: 'local',
      handle: 'local',
      email: null,
      admin: true,
    })
    expect(await server.get('session', { action: 'user' }, server.stranger)).toMatchObject({
      handle: 'user-2',
      admin: false,
    })
  })

  it('T93, C19: executions filters, sorts and pages; running ones when nothing is said', async () => {
    server.advance(1000)
    const done = await begin(server, await create(server, smallWorkflow('Small')), { note: 'second' })
    await advanceRun(server, done)
    expect((await executions()).map(({ note }) => note)).toEqual(['first'])
    expect((await executions({ status: ['completed'] })).map(({ note }) => note)).toEqual(['second'])
    expect((await executions({ status: ['waiting'] })).map(({ note }) => note)).toEqual(['first'])
    expect((await executions({ status: ['failed'] })).map(({ note }) => note)).toEqual(['second'])
    expect(await executions({ status: ['locked'] })).toEqual([])
    const both = { status: ['running', 'completed'] }
    expect((await executions(both)).map(({ note }) => note)).toEqual(['second', 'first'])
    expect((await executions({ ...both, sort: 'createdAt', sortOrder: 'asc' })).map(({ note }) => note)).toEqual([
      'first',
      'second',
    ])
    expect((await executions({ ...both, search: 'SEC' })).map(({ note }) => note)).toEqual(['second'])
    expect((await executions({ ...both, workflowId })).map(({ note }) => note)).toEqual(['first'])
    expect(await server.get('session', { action: 'executions', ...both, limit: 1 })).toMatchObject({
      total: 2,
      limit: 1,
      returnedCount: 1,
      hasMore: true,
      nextOffset: 1,
    })
    for (const bad of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { status: ['gone'] }, { status: 'running' }]) {
      expect(await server.refused('session', { action: 'executions', ...bad })).toMatchObject({
        code: 'invalid_request',
      })
    }
    expect(await server.get('session', { action: 'executions', limit: 100 })).toMatchObject({ limit: 100 })
    const [first] = await executions()
    expect(first).toMatchObject({
      workflowSlug: 'brew-tea',
      workflowOwnerHandle: 'local',
      errorCount: 0,
      status: 'running',
    })
    expect(first).not.toHaveProperty('completedAt')
  })

  it('T94, C5, C17: execution_context has variables, status, errors, lock and revisions', async () => {
    await server.refused('step', { processId: task.processId, attemptId: task.attemptId, input: { sugar: 1 } })
    await advanceRun(server, task, { kind: 'green', why: 'it is green' })
    const found = await context()
    expect(found).toMatchObject({
      status: 'running',
      waitingForInputNodeId: 'taste',
      activeLock: null,
      errorCount: 1,
      revision: 1,
      context: { variables: { kind: 'green', rounds: 1, choose: { why: 'it is green' } } },
    })
    expect(found['errors']).toEqual([
      expect.objectContaining({ errorType: 'validation', nodeId: 'choose', input: '{"sugar":1}' }),
    ])
    for (const name of ['parentRevision', 'remindersRevision', 'contextRevision'])
      expect(found[name]).toMatch(/^.{64}$/)
  })

  it('T95, T96, T101, C3: current_step shows the task again, with the attempt, and moves nothing', async () => {
    const before = await context()
    const shown = await server.ask('session', { action: 'current_step', executionId: task.processId })
    expect(shown.text).toContain('Your next task: Choose a tea')
    expect(shown.structured).toMatchObject({ attemptId: task.attemptId, processId: task.processId })
    for (let again = 0; again < 3; again++) expect(await session('current_step')).toEqual(shown.structured)
    expect(await context()).toEqual(before)
    expect((await advanceRun(server, shown.structured as unknown as Presented, { kind: 'green' })).revision).toBe(1)
  })

  it('T99, T100: a task that changed under the run is not shown, and points at diagnose', async () => {
    await edit({ updateNodes: [{ nodeId: 'choose', changes: { directive: 'Pick.' } }] })
    const refusal = await refused('current_step')
    expect(refusal).toMatchObject({
      code: 'CURRENT_PRESENTATION_STALE',
      next: { tool: 'session', args: { action: 'diagnose', executionId: task.processId } },
    })
    expect(refusal.text).not.toContain('Your next task')
    expect((await server.refused('step', { ...pick(task), input: { kind: 'green' } })).code).toBe('ATTEMPT_STALE')
  })

  it('T102, C15, T81: update-note changes the note alone', async () => {
    const { revision } = await context()
    expect(await session('update-note', { note: 'n'.repeat(500) })).toMatchObject({ note: 'n'.repeat(500), revision })
    expect((await refused('update-note', { note: 'n'.repeat(501) })).code).toBe('invalid_request')
    expect((await refused('update-note')).text).toContain('note is required')
    expect(await session('current_step')).toMatchObject({ attemptId: task.attemptId })
    expect(await session('update-note', { note: '' })).toMatchObject({ note: null })
  })
})

const pick = ({ processId, attemptId }: Presented) => ({ processId, attemptId })

describe('session cancel-execution', () => {
  it('T85, T103: needs the revision of now, and ends the run for good', async () => {
    expect((await refused('cancel-execution')).text).toContain('expectedRevision is required')
    expect(await refused('cancel-execution', { expectedRevision: 7 })).toMatchObject({ code: 'REVISION_STALE' })
    expect(await session('cancel-execution', { expectedRevision: 0 })).toMatchObject({
      success: true,
      status: 'completed',
      outcome: 'cancelled',
    })
    expect((await server.refused('step', { ...pick(task), input: { kind: 'green' } })).code).toBe('EXECUTION_FINISHED')
    expect((await refused('current_step')).code).toBe('EXECUTION_FINISHED')
    expect(await executions()).toEqual([])
  })
})

describe('session diagnose and recover', () => {
  it('T105, T106: a healthy run is continuable without causes, and diagnosing changes nothing', async () => {
    const before = await context()
    expect(await session('diagnose')).toMatchObject({
      continuable: true,
      causes: [],
      nodeId: 'choose',
      nodeExists: true,
    })
    expect(await context()).toEqual(before)
  })

  it('T107, T109, T118: a changed task blocks, says what changed, and recover moves the run on', async () => {
    await edit({ updateNodes: [{ nodeId: 'choose', changes: { directive: 'Pick.' } }] })
    const found = (await session('diagnose')) as { continuable: boolean; causes: { blocks: boolean }[] }
    expect(found.continuable).toBe(false)
    expect(found.causes.some(({ blocks }) => blocks)).toBe(true)
    expect(JSON.stringify(found.causes)).toContain('directive')
    const recovered = await session('recover', { nodeId: 'taste', variableValues: { kind: 'black' } })
    expect(recovered).toMatchObject({ directive: 'Taste the black tea, round 0.', nodeId: 'taste' })
    expect(recovered['attemptId']).not.toBe(task.attemptId)
    expect(await advanceRun(server, recovered as unknown as Presented, { good: true })).toMatchObject({
      status: 'completed',
    })
  })

  it('T108, T114: a task that is gone blocks', async () => {
    const nodes = tea.nodes.filter(({ id }) => id !== 'choose')
    await edit({
      removeNodes: ['choose'],
      updateNodes: [{ nodeId: 'start', changes: { connections: { default: 'count' } } }],
    })
    expect(nodes).toHaveLength(6)
    expect(await session('diagnose')).toMatchObject({ continuable: false, nodeExists: false })
  })

  it('T116, T117, T121, T123: recover refuses what cannot be, touches nothing, and names the next call', async () => {
    expect((await refused('recover')).text).toContain('nodeId is required')
    expect(await refused('recover', { nodeId: 'taste' })).toMatchObject({
      code: 'RECOVERY_REFUSED',
      next: { tool: 'session', args: { action: 'current_step' } },
    })
    await edit({ updateNodes: [{ nodeId: 'choose', changes: { directive: 'Pick.' } }] })
    const before = await context()
    const bad = [
      { nodeId: 'count' },
      { nodeId: 'nowhere' },
      { nodeId: 'taste', variableValues: { kind: 'coffee' } },
      { nodeId: 'taste', variableValues: { milk: true } },
      { nodeId: 'taste', variableValues: { kind: 'green', rounds: 'two' } },
    ]
    for (const more of bad) expect(await refused('recover', more)).toMatchObject({ next: { tool: 'session' } })
    expect(await context()).toEqual(before)
  })

  it('T115, T119: a finished run can be diagnosed and not recovered', async () => {
    await session('cancel-execution', { expectedRevision: 0 })
    expect(await session('diagnose')).toMatchObject({ continuable: false, status: 'completed' })
    expect((await refused('recover', { nodeId: 'taste' })).code).toBe('EXECUTION_FINISHED')
  })
})

describe('session set-parent', () => {
  it('T82, T83, T84, T124, T125: attaches and detaches under both revisions', async () => {
    const parent = await begin(server, workflowId)
    const { revision, parentRevision } = await context()
    const request = {
      parentExecutionId: parent.processId,
      expectedRevision: revision,
      expectedParentRevision: parentRevision,
    }
    const attached = await session('set-parent', request)
    expect(attached).toMatchObject({ success: true, parentExecutionId: parent.processId, revision })
    expect(await refused('set-parent', { ...request, parentExecutionId: 'none' })).toMatchObject({
      code: 'REVISION_STALE',
    })
    const detach = { ...request, parentExecutionId: 'none', expectedParentRevision: attached['parentRevision'] }
    expect(await session('set-parent', detach)).toMatchObject({ parentExecutionId: null })
    for (const length of [63, 65]) {
      expect(await refused('set-parent', { ...request, expectedParentRevision: 'a'.repeat(length) })).toMatchObject({
        code: 'invalid_request',
        details: { field: 'expectedParentRevision' },
      })
    }
  })

  it('T126: refuses itself and its own children as parents', async () => {
    const child = await begin(server, workflowId, { parentExecutionId: task.processId })
    const { revision, parentRevision } = await context()
    for (const parentExecutionId of [task.processId, child.processId]) {
      const request = { parentExecutionId, expectedRevision: revision, expectedParentRevision: parentRevision }
      expect((await refused('set-parent', request)).code).toBe('invalid_request')
    }
  })
})

describe('session reminders', () => {
  it('T86, T127 to T130: are added once, changed and cancelled, each under the revision seen last', async () => {
    const before = await context()
    const seen = { expectedRevision: before.revision, expectedRemindersRevision: before.remindersRevision }
    const added = await session('add-reminder', { reminderText: 'Tell Ada.', idempotencyKey: 'k', ...seen })
    const { reminderId } = added['reminder'] as { reminderId: string }
    const again = {
      reminderText: 'Tell Ada.',
      idempotencyKey: 'k',
      ...seen,
      expectedRemindersRevision: added['remindersRevision'],
    }
    expect(await session('add-reminder', again)).toMatchObject({ reminder: { reminderId } })
    expect(await refused('add-reminder', { ...again, reminderText: 'Other.' })).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    expect(await refused('add-reminder', { reminderText: 'Late.', ...seen })).toMatchObject({ code: 'REVISION_STALE' })
    expect((await refused('add-reminder', seen)).text).toContain('reminderText is required')

    const changed = await session('update-reminder', {
      ...again,
      idempotencyKey: undefined,
      reminderId,
      reminderText: 'Tell all.',
    })
    const removal = { reminderId, ...seen, expectedRemindersRevision: changed['remindersRevision'] }
    expect(await session('remove-reminder', removal)).toMatchObject({
      reminder: { status: 'cancelled', text: 'Tell all.' },
    })
    expect(await session('reminders')).toMatchObject({ total: 1 })
    expect(await session('reminders', { reminderStatus: 'active' })).toMatchObject({ total: 0, reminders: [] })
    expect(await session('reminders', { reminderStatus: 'cancelled' })).toMatchObject({ total: 1 })

    const after = await context()
    expect(after.revision).toBe(before.revision)
    expect([after.parentRevision, after.contextRevision]).toEqual([before.parentRevision, before.contextRevision])
    expect(after.remindersRevision).not.toBe(before.remindersRevision)
    expect(await session('current_step')).toMatchObject({ attemptId: task.attemptId })
  })
})

describe('session variables', () => {
  it('T133: lists what is declared, by name, type, value and who may write it', async () => {
    const names = async (more: object = {}) =>
      ((await session('variables', more))['variables'] as { name: string }[]).map(({ name }) => name)
    expect(await names()).toEqual(['kind', 'rounds', 'cups'])
    expect(await names({ names: ['cups', 'milk'] })).toEqual(['cups'])
    expect(await names({ types: ['string'] })).toEqual(['kind'])
    expect(await names({ hasValue: false })).toEqual(['kind'])
    expect(await names({ editable: true })).toEqual(['cups'])
    expect(await names({ writePhase: 'current' })).toEqual([])
    expect(await names({ writePhase: 'other' })).toEqual(['cups'])
  })

  it('T134 to T139: set-variable writes what the policy allows, where it allows it, and moves nothing', async () => {
    const write = async (variableName: string, variableValue: unknown) => {
      const { revision, contextRevision } = await context()
      return { variableName, variableValue, expectedRevision: revision, expectedContextRevision: contextRevision }
    }
    expect(await refused('set-variable', await write('kind', 'green'))).toMatchObject({ code: 'WRITE_NOT_ALLOWED' })
    expect(await refused('set-variable', await write('cups', 2))).toMatchObject({ code: 'WRITE_NOT_ALLOWED' })
    const taste = await advanceRun(server, task, { kind: 'green' })
    expect(await refused('set-variable', await write('cups', 'two'))).toMatchObject({ code: 'invalid_request' })
    for (const name of ['milk', 'choose'])
      expect((await refused('set-variable', await write(name, 1))).code).not.toBe('internal_error')
    const request = await write('cups', 3)
    expect(await session('set-variable', request)).toMatchObject({
      success: true,
      name: 'cups',
      oldValue: 1,
      newValue: 3,
      revision: 1,
    })
    expect(await refused('set-variable', request)).toMatchObject({ code: 'REVISION_STALE' })
    expect((await refused('set-variable', { ...request, variableValue: undefined })).text).toContain(
      'variableValue is required',
    )
    expect(await session('current_step')).toMatchObject({ attemptId: taste.attemptId })
    expect(await context()).toMatchObject({ context: { variables: { cups: 3 } } })
  })
})
