import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, end, raw, start, variable } from '../definition.testing.ts'
import type { RunAnswer } from '../engine.ts'
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
import { MAX_IDEMPOTENCY_KEY, MAX_REMINDER, MAX_REMINDERS } from './reminders.ts'

const text = { type: 'string' }

const policed = () =>
  raw(
    [start('one'), ask('one', 'two', { name: text }), ask('two', 'fin', {}, { directive: 'Budget {{budget}}' }), end()],
    {
      variableRegistry: {
        budget: variable('number', { minimum: 0, default: 10 }),
        late: variable('string'),
        never: variable('string'),
        shut: variable('string'),
      },
      runtimePolicy: {
        externalVariableWrites: { budget: {}, late: { allowedNodeIds: ['two'] }, never: { allowedNodeIds: [] } },
      },
    },
  )

describe.each(TEST_ENGINES)('session on $name', ({ open }) => {
  let test_: TestWorkflows

  beforeEach(async () => {
    test_ = await testWorkflows(open)
  })
  afterEach(async () => test_.store.close())

  const w = () => test_.workflows
  const contextOf = (run: RunAnswer) => w().executionContext(ME, run.processId)

  test('T91: every action of the session treats a foreign run as a missing one', async () => {
    const run = await test_.begin(policed())
    const executionId = run.processId
    const expected = { executionId, expectedRevision: 0 }
    const hex = '0'.repeat(64)
    const before = await everything(test_.store)
    const calls: Promise<unknown>[] = [
      w().executionContext(OTHER, executionId),
      w().currentStep(OTHER, executionId),
      w().diagnose(OTHER, executionId),
      w().recover(OTHER, { executionId, nodeId: 'one' }),
      w().cancel(OTHER, expected),
      w().history(OTHER, executionId),
      w().updateNote(OTHER, executionId, 'x'),
      w().setParent(OTHER, { ...expected, expectedParentRevision: hex, parentExecutionId: 'none' }),
      w().listReminders(OTHER, executionId),
      w().addReminder(OTHER, { ...expected, expectedRemindersRevision: hex, reminderText: 'x' }),
      w().updateReminder(OTHER, { ...expected, expectedRemindersRevision: hex, reminderId: 'x', reminderText: 'x' }),
      w().removeReminder(OTHER, { ...expected, expectedRemindersRevision: hex, reminderId: 'x' }),
      w().listVariables(OTHER, { executionId }),
      w().setVariable(OTHER, { ...expected, expectedContextRevision: hex, variableName: 'budget', variableValue: 1 }),
    ]
    for (const call of calls) expect((await refusalOf(call)).code).toBe('not_found')
    expect(await everything(test_.store)).toBe(before)
  })

  test('T93, C18, C19: runs are listed by status, workflow and note, in pages that meet', async () => {
    const id = await test_.define(policed())
    const runs: RunAnswer[] = []
    for (const note of ['Alpha 50%', 'beta', 'ALPHA_2', 'gamma', 'alphabet']) {
      runs.push(await test_.begin(id, ME, { note }))
      test_.time.now += 1000
    }
    const other = await test_.begin(raw([start('one'), ask('one', 'fin'), end()]))
    await test_.answer(other)
    await test_.begin(await test_.define(policed(), OTHER), OTHER)
    const list = async (query: Parameters<typeof test_.workflows.listExecutions>[1]) =>
      (await w().listExecutions(ME, query)).executions.map((each) => each.note)
    expect(await list({})).toEqual(['alphabet', 'gamma', 'ALPHA_2', 'beta', 'Alpha 50%'])
    expect(await list({ status: ['waiting'], sort: 'createdAt', sortOrder: 'asc', limit: 2 })).toEqual([
      'Alpha 50%',
      'beta',
    ])
    expect(await list({ search: 'alpha' })).toEqual(['alphabet', 'ALPHA_2', 'Alpha 50%'])
    expect(await list({ search: '0%' })).toEqual(['Alpha 50%'])
    expect(await list({ search: 'a_2' })).toEqual(['ALPHA_2'])
    expect(await list({ status: ['completed'] })).toEqual([null])
    expect(await list({ status: ['failed'] })).toEqual([null])
    expect(await list({ status: ['locked'] })).toEqual([])
    expect(await list({ status: ['running', 'completed'], workflowId: id })).toHaveLength(5)
    expect(await list({ workflowId: 'nothing-here' })).toEqual([])
    const walked: (string | null)[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page = await w().listExecutions(ME, { limit: 2, offset })
      expect(page).toMatchObject({ total: 5, limit: 2, offset, returnedCount: page.executions.length })
      walked.push(...page.executions.map((each) => each.note))
      offset = page.nextOffset
    }
    expect(walked).toEqual(await list({}))
    await refusalOf(test_.answer(runs[0] ?? other, { name: 1 }).then(() => undefined))
    const [listed] = (await w().listExecutions(ME, { search: '50%' })).executions
    expect(listed).toMatchObject({
      errorCount: 1,
      workflowSlug: expect.stringMatching(/^workflow-[0-9a-f]{8}$/),
      workflowOwnerHandle: 'local',
      currentNodeId: 'one',
    })
  })

  test('T313: pages of executions have 1 to 100 items', async () => {
    for (const limit of [0, 101, 1.5])
      expect((await refusalOf(w().listExecutions(ME, { limit }))).details.field).toBe('limit')
    for (const limit of [1, 100]) expect((await w().listExecutions(ME, { limit })).limit).toBe(limit)
    expect((await refusalOf(w().listExecutions(ME, { offset: -1 }))).details.field).toBe('offset')
  })

  test('T94: the context has variables, status, errors, lock and revisions of 64 characters', async () => {
    const run = await test_.begin(policed())
    const context = await contextOf(run)
    expect(context).toMatchObject({
      status: 'running',
      variables: { budget: 10 },
      errors: [],
      activeLock: null,
      revision: 0,
    })
    const revisions = [context.parentRevision, context.remindersRevision, context.contextRevision]
    for (const revision of revisions) expect(revision).toMatch(/^[0-9a-f]{64}$/)
    expect(new Set(revisions).size).toBe(3)
  })

  test('T95, T96, T101, C3: current_step repeats the step and its attempt, and changes nothing', async () => {
    const run = await test_.begin(policed())
    const before = await everything(test_.store)
    for (let time = 0; time < 3; time++) expect(runOf(await w().currentStep(ME, run.processId))).toEqual(run)
    expect(await everything(test_.store)).toBe(before)
    const two = await test_.answer(run, { name: 'x' })
    expect(runOf(await w().currentStep(ME, run.processId))).toEqual(two)
  })

  test('T97: without an attempt current_step makes one, and executes nothing', async () => {
    const run = await test_.begin(policed())
    await test_.store.run('UPDATE execution SET attempt_id = NULL, attempt_state = NULL')
    const anew = runOf(await w().currentStep(ME, run.processId))
    expect(anew).toEqual({ ...run, attemptId: anew.attemptId, next: anew.next })
    expect(anew.attemptId).not.toBe(run.attemptId)
    expect(runOf(await w().currentStep(ME, run.processId))).toEqual(anew)
    expect(await contextOf(run)).toMatchObject({ revision: 0 })
    expect(await test_.answer(anew, { name: 'x' })).toMatchObject({ nodeId: 'two' })
  })

  test('T98: an attempt that lags behind the revision alone is bound anew', async () => {
    const run = await test_.begin(policed())
    await test_.store.run('UPDATE execution SET attempt_revision = 7')
    expect((await refusalOf(test_.answer(run, { name: 'x' }))).code).toBe('ATTEMPT_STALE')
    expect(runOf(await w().currentStep(ME, run.processId)).attemptId).toBe(run.attemptId)
    expect(await test_.answer(run, { name: 'x' })).toMatchObject({ nodeId: 'two' })
  })

  test('T99, T100: an attempt for another node or a changed surface is not shown, and cannot be submitted', async () => {
    const id = await test_.define(policed())
    const moved = await test_.begin(id)
    await test_.store.run("UPDATE execution SET attempt_node = 'two'")
    const elsewhere = await refusalOf(w().currentStep(ME, moved.processId))
    const changed = await test_.begin(id)
    const { runtimePolicy: _policy, ...edited } = policed()
    await w().updateWorkflow(ME, id, {
      definition: {
        ...edited,
        nodes: [start('one'), ask('one', 'fin', { name: text }, { directive: 'Other' }), end()],
      },
    })
    const stale = await refusalOf(w().currentStep(ME, changed.processId))
    for (const [refused, run] of [
      [elsewhere, moved],
      [stale, changed],
    ] as const) {
      expect(refused.code).toBe('CURRENT_PRESENTATION_STALE')
      expect(refused.details).toMatchObject({ next: { args: { action: 'diagnose', executionId: run.processId } } })
      expect(`${refused.message}${JSON.stringify(refused.details)}`).not.toContain(run.attemptId)
    }
    expect((await refusalOf(test_.answer(changed, { name: 'x' }))).code).toBe('ATTEMPT_STALE')
  })

  test('T81, T102: a note changes neither revision nor attempt; it has at most 500 characters', async () => {
    const run = await test_.begin(policed())
    expect(await w().updateNote(ME, run.processId, 'n'.repeat(500))).toMatchObject({
      note: 'n'.repeat(500),
      revision: 0,
    })
    expect((await refusalOf(w().updateNote(ME, run.processId, 'n'.repeat(501)))).details.field).toBe('note')
    expect(await test_.answer(run, { name: 'x' })).toMatchObject({ nodeId: 'two' })
  })

  test('T103: cancel needs the revision, is final, and takes the attempt out of use', async () => {
    const run = await test_.begin(policed())
    const two = await test_.answer(run, { name: 'x' })
    const request = { executionId: run.processId, expectedRevision: 0 }
    const stale = await refusalOf(w().cancel(ME, request))
    expect([stale.code, stale.details.field, stale.details['revision']]).toEqual([
      'REVISION_STALE',
      'expectedRevision',
      1,
    ])
    expect(await w().cancel(ME, { ...request, expectedRevision: 1 })).toMatchObject({
      ...{ status: 'completed', outcome: 'cancelled', errorCount: 1, revision: 1 },
    })
    expect((await contextOf(run)).errors).toMatchObject([{ errorType: 'system', code: 'CANCELLED' }])
    expect((await refusalOf(test_.answer(two))).code).toBe('EXECUTION_FINISHED')
    expect((await refusalOf(w().cancel(ME, { ...request, expectedRevision: 1 }))).code).toBe('EXECUTION_FINISHED')
    expect((await refusalOf(w().currentStep(ME, run.processId))).code).toBe('EXECUTION_FINISHED')
    expect((await w().listExecutions(ME, { status: ['running'] })).total).toBe(0)
  })

  test('T124, T125, T126: a parent is an own running run, never a descendant; none detaches', async () => {
    const id = await test_.define(policed())
    const [top, middle, leaf] = [await test_.begin(id), await test_.begin(id), await test_.begin(id)]
    const setParent = async (run: RunAnswer, parentExecutionId: string) => {
      const { revision, parentRevision } = await contextOf(run)
      return w().setParent(ME, {
        ...{ executionId: run.processId, expectedRevision: revision, expectedParentRevision: parentRevision },
        parentExecutionId,
      })
    }
    expect(await setParent(middle, top.processId)).toMatchObject({ parentExecutionId: top.processId, revision: 0 })
    await setParent(leaf, middle.processId)
    for (const descendant of [top, middle, leaf]) {
      const refused = await refusalOf(setParent(top, descendant.processId))
      expect([refused.code, refused.details.field]).toEqual(['invalid_request', 'parentExecutionId'])
    }
    expect((await contextOf(top)).parentExecutionId).toBeNull()
    expect(await setParent(leaf, 'none')).toMatchObject({ parentExecutionId: null })
    const foreign = await test_.begin(await test_.define(policed(), OTHER), OTHER)
    expect((await refusalOf(setParent(leaf, foreign.processId))).code).toBe('not_found')
    await w().cancel(ME, { executionId: top.processId, expectedRevision: 0 })
    expect((await refusalOf(setParent(leaf, top.processId))).message).toContain('has finished')
    expect((await refusalOf(setParent(top, 'none'))).code).toBe('EXECUTION_FINISHED')
  })

  test('T82 to T86: a write beside the plan needs its own revision, and the three do not touch each other', async () => {
    const run = await test_.begin(policed())
    const executionId = run.processId
    const before = await contextOf(run)
    const base = { executionId, expectedRevision: 0 }
    const add = (expectedRemindersRevision: string, expectedRevision = 0) =>
      w().addReminder(ME, { ...base, expectedRevision, expectedRemindersRevision, reminderText: 'x' })
    const write = (expectedContextRevision: string) =>
      w().setVariable(ME, { ...base, expectedContextRevision, variableName: 'budget', variableValue: 5 })
    const attach = (expectedParentRevision: string) =>
      w().setParent(ME, { ...base, expectedParentRevision, parentExecutionId: 'none' })

    const added = await add(before.remindersRevision)
    const afterReminder = await contextOf(run)
    expect(afterReminder).toMatchObject({
      ...{ parentRevision: before.parentRevision, contextRevision: before.contextRevision },
    })
    expect(afterReminder.remindersRevision).toBe(added.remindersRevision)

    const written = await write(before.contextRevision)
    const attached = await attach(before.parentRevision)
    expect(await contextOf(run)).toMatchObject({
      remindersRevision: added.remindersRevision,
      contextRevision: written.contextRevision,
      parentRevision: attached.parentRevision,
      revision: 0,
    })
    const stored = await everything(test_.store)
    for (const [call, field] of [
      [add(before.remindersRevision), 'expectedRemindersRevision'],
      [write(before.contextRevision), 'expectedContextRevision'],
      [attach(before.parentRevision), 'expectedParentRevision'],
      [add(added.remindersRevision, 1), 'expectedRevision'],
    ] as const) {
      const refused = await refusalOf(call)
      expect([refused.code, refused.details.field]).toEqual(['REVISION_STALE', field])
    }
    expect(await everything(test_.store)).toBe(stored)
    expect(await test_.answer(run, { name: 'x' })).toMatchObject({ nodeId: 'two', revision: 1 })
  })

  test('T80: the revision counts persisted steps and nothing else; a step changes the context’s revision', async () => {
    const run = await test_.begin(policed())
    const before = await contextOf(run)
    await refusalOf(test_.answer(run, { name: 1 }))
    await test_.answer(run, { name: 'x' })
    await test_.answer(run, { name: 'x' })
    const after = await contextOf(run)
    expect([before.revision, after.revision]).toEqual([0, 1])
    expect(after.contextRevision).not.toBe(before.contextRevision)
    expect(after.remindersRevision).toBe(before.remindersRevision)
  })

  test('T127 to T131: reminders are added once per key, changed, cancelled, and listed by status', async () => {
    const run = await test_.begin(policed())
    const executionId = run.processId
    const base = { executionId, expectedRevision: 0 }
    const first = await w().listReminders(ME, executionId)
    const add = (reminderText: string, idempotencyKey: string, expectedRemindersRevision: string) =>
      w().addReminder(ME, { ...base, expectedRemindersRevision, reminderText, idempotencyKey })
    const a = await add('a', 'key-a', first.remindersRevision)
    // The answer was lost: the same call again, with the revision of before.
    expect(await add('a', 'key-a', first.remindersRevision)).toEqual(a)
    expect((await refusalOf(add('other', 'key-a', a.remindersRevision))).code).toBe('IDEMPOTENCY_CONFLICT')
    test_.time.now += 1
    const b = await add('b', 'key-b', a.remindersRevision)
    const changed = await w().updateReminder(ME, {
      ...{ ...base, expectedRemindersRevision: b.remindersRevision },
      reminderId: a.reminder.id,
      reminderText: 'a, again',
    })
    const removed = await w().removeReminder(ME, {
      ...{ ...base, expectedRemindersRevision: changed.remindersRevision },
      reminderId: b.reminder.id,
    })
    expect(removed.reminder.status).toBe('cancelled')
    const texts = async (status?: 'active' | 'cancelled') =>
      (await w().listReminders(ME, executionId, status)).reminders.map((reminder) => reminder.text)
    expect([await texts(), await texts('active'), await texts('cancelled')]).toEqual([
      ['a, again', 'b'],
      ['a, again'],
      ['b'],
    ])
    expect((await w().listReminders(ME, executionId)).remindersRevision).toBe(removed.remindersRevision)
    const missing = await refusalOf(
      w().removeReminder(ME, { ...base, expectedRemindersRevision: removed.remindersRevision, reminderId: 'none' }),
    )
    expect([missing.code, missing.details.field]).toEqual(['not_found', 'reminderId'])
  })

  test('T313: reminders keep their limits', async () => {
    const run = await test_.begin(policed())
    let { remindersRevision } = await w().listReminders(ME, run.processId)
    const add = async (reminderText: string, idempotencyKey?: string) => {
      const request = { executionId: run.processId, expectedRevision: 0, expectedRemindersRevision: remindersRevision }
      const keyed = idempotencyKey === undefined ? {} : { idempotencyKey }
      const added = await w().addReminder(ME, { ...request, reminderText, ...keyed })
      remindersRevision = added.remindersRevision
    }
    await add('r'.repeat(MAX_REMINDER), 'k'.repeat(MAX_IDEMPOTENCY_KEY))
    expect((await refusalOf(add('r'.repeat(MAX_REMINDER + 1)))).details.field).toBe('reminderText')
    expect((await refusalOf(add('x', 'k'.repeat(MAX_IDEMPOTENCY_KEY + 1)))).details.field).toBe('idempotencyKey')
    expect((await refusalOf(add('  '))).details.field).toBe('reminderText')
    for (let count = 1; count < MAX_REMINDERS; count++) await add(`reminder ${count}`)
    expect((await refusalOf(add('one too many'))).message).toContain(`at most ${MAX_REMINDERS}`)
  })

  test('T133: variables are listed with what may be written, now or elsewhere', async () => {
    const run = await test_.begin(policed())
    const list = async (query: Record<string, unknown> = {}) =>
      (await w().listVariables(ME, { executionId: run.processId, ...query })).variables
    expect(await list()).toMatchObject([
      {
        name: 'budget',
        type: 'number',
        hasValue: true,
        value: 10,
        editable: true,
        writePhase: 'current',
        allowedNodeIds: null,
      },
      { name: 'late', hasValue: false, editable: true, writePhase: 'other', allowedNodeIds: ['two'] },
      { name: 'never', editable: false, writePhase: null, allowedNodeIds: [] },
      { name: 'shut', editable: false, writePhase: null, allowedNodeIds: [] },
    ])
    const names = async (query: Record<string, unknown>) => (await list(query)).map((one) => one.name)
    expect(await names({ names: ['late', 'unknown'] })).toEqual(['late'])
    expect(await names({ types: ['number'] })).toEqual(['budget'])
    expect(await names({ editable: true })).toEqual(['budget', 'late'])
    expect(await names({ hasValue: false, writePhase: 'other' })).toEqual(['late'])
  })

  test('T134 to T139: a variable is written where the policy says, if its schema takes it, and is seen by the next step', async () => {
    const run = await test_.begin(policed())
    const set = async (variableName: string, variableValue: unknown) => {
      const { revision, contextRevision } = await contextOf(run)
      return w().setVariable(ME, {
        ...{ executionId: run.processId, expectedRevision: revision, expectedContextRevision: contextRevision },
        variableName,
        variableValue,
      })
    }
    for (const name of ['shut', 'never', 'late'])
      expect((await refusalOf(set(name, 'x'))).code).toBe('WRITE_NOT_ALLOWED')
    for (const name of ['one', 'unknown', '__proto__']) {
      const refused = await refusalOf(set(name, 'x'))
      expect([refused.code, refused.details.field]).toEqual(['invalid_request', 'variableName'])
    }
    for (const value of ['many', -1, null])
      expect((await refusalOf(set('budget', value))).details.field).toBe('variableValue')
    expect(await set('budget', 99)).toMatchObject({ name: 'budget', oldValue: 10, newValue: 99, revision: 0 })
    const two = await test_.answer(run, { name: 'x' })
    expect(two.directive).toBe('Budget 99')
    expect(await set('late', 'now')).toMatchObject({ newValue: 'now', revision: 1 })
    const { writes } = await w().history(ME, run.processId)
    expect(writes.filter((write) => write.name !== 'one')).toEqual([
      { seq: 1, name: 'budget', value: 10 },
      { seq: 1, name: 'budget', value: 99 },
      { seq: 2, name: 'late', value: 'now' },
    ])
    expect((await w().history(ME, run.processId, 1)).writes.map((write) => write.name)).toEqual(['budget', 'budget'])
  })

  test('the history has every visit in order, and can be read up to one', async () => {
    const run = await test_.begin(policed())
    await test_.answer(await test_.answer(run, { name: 'x' }))
    const { visits, execution } = await w().history(ME, run.processId)
    expect(visits.map(({ seq, nodeId, edge }) => [seq, nodeId, edge])).toEqual([
      [1, 'go', 'default'],
      [2, 'one', 'success'],
      [3, 'two', 'success'],
      [4, 'fin', null],
    ])
    expect(execution.outcome).toBe('completed')
    expect((await w().history(ME, run.processId, 2)).visits).toEqual(visits.slice(0, 2))
  })
})
