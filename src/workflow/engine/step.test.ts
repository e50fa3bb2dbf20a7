import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, compute, end, fork, raw, start, teaWorkflow, variable } from '../definition.testing.ts'
import type { RunAnswer } from '../engine.ts'
import { MAX_STATE_BYTES, type RunState } from '../state.ts'
import { stateText } from './commit.ts'
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

const text = { type: 'string' }
const teleport = (id: string, to: string) => ({
  ...ask(id, to, { reason: text }),
  type: 'teleport',
  hint: 'Use when the user gives up',
})

const threeSteps = () =>
  raw([
    start('one'),
    ask('one', 'two', { name: text }),
    ask('two', 'three'),
    ask('three', 'fin', { done: { type: 'boolean' } }),
    end(),
  ])

const loop = () =>
  raw(
    [
      start('turn'),
      ask('turn', 'count', { word: text }),
      compute('count', ['i = i + 1'], 'more'),
      fork('more', { operator: 'lt', left: { contextPath: 'i' }, right: 5 }, 'turn', 'fin'),
      end({ finalOutput: ['i'] }),
    ],
    { variableRegistry: { i: variable('number', { default: 0 }) } },
  )

describe.each(TEST_ENGINES)('step on $name', ({ open }) => {
  let test_: TestWorkflows

  beforeEach(async () => {
    test_ = await testWorkflows(open)
  })
  afterEach(async () => test_.store.close())

  const submit = ({ processId, attemptId = '' }: RunAnswer, more: Record<string, unknown> = {}, caller = ME) =>
    test_.workflows.step(caller, { processId, attemptId, ...more })
  const revisionOf = async (run: RunAnswer) => (await test_.workflows.executionContext(ME, run.processId)).revision

  test('C2, C8: valid answers lead from directive to directive; after the last the run has completed', async () => {
    const one = await test_.begin(threeSteps())
    const two = await test_.answer(one, { name: 'Ada' })
    const three = await test_.answer(two)
    expect([one.nodeId, two.nodeId, three.nodeId]).toEqual(['one', 'two', 'three'])
    const last = await submit(three, { input: { done: true } })
    expect(last.text).toContain('Workflow completed successfully.')
    expect(runOf(last)).toMatchObject({ status: 'completed', output: { three: { done: true } }, revision: 3 })
  })

  test('C5: what earlier nodes got is visible under their ids', async () => {
    const one = await test_.begin(threeSteps())
    await test_.answer(one, { name: 'Ada' })
    const { variables } = await test_.workflows.executionContext(ME, one.processId)
    expect(variables['one']).toEqual({ name: 'Ada' })
  })

  test('C7: three runs of one workflow do not touch each other', async () => {
    const id = await test_.define(threeSteps())
    const runs = [await test_.begin(id), await test_.begin(id), await test_.begin(id)]
    expect(new Set(runs.map((run) => run.processId)).size).toBe(3)
    await Promise.all(runs.map((run, index) => test_.answer(run, { name: `name ${index}` })))
    for (const [index, run] of runs.entries()) {
      const { variables } = await test_.workflows.executionContext(ME, run.processId)
      expect(variables['one']).toEqual({ name: `name ${index}` })
    }
  })

  test('C9, T66: a loop stops after five turns, and each presentation has an attempt of its own', async () => {
    let run = await test_.begin(loop())
    const attempts = new Set<string | undefined>()
    for (let turn = 0; run.status === 'waiting'; turn++) {
      attempts.add(run.attemptId)
      run = await test_.answer(run, { word: `w${turn}` })
    }
    expect(attempts.size).toBe(5)
    expect(run.output).toEqual({ i: 5 })
  })

  test('T53, T54, T78: the same attempt and input repeats the stored answer byte for byte, from any process', async () => {
    const id = await test_.define(threeSteps())
    const one = await test_.begin(id)
    const first = await submit(one, { input: { name: 'Ada' } })
    const again = await submit(one, { input: { name: 'Ada' } })
    await test_.workflows.updateWorkflow(ME, id, { definition: { ...threeSteps(), systemReminder: 'new words' } })
    const restarted = await test_.another().step(ME, {
      processId: one.processId,
      attemptId: one.attemptId ?? '',
      input: { name: 'Ada' },
    })
    expect(JSON.stringify(again)).toBe(JSON.stringify(first))
    expect(JSON.stringify(restarted)).toBe(JSON.stringify(first))
    expect(await revisionOf(one)).toBe(1)
  })

  test('T53 before T60: a completed attempt is repeated after the run has moved on', async () => {
    const one = await test_.begin(threeSteps())
    const first = await submit(one, { input: { name: 'Ada' } })
    await test_.answer(await test_.answer(runOf(first)), { done: true })
    expect(JSON.stringify(await submit(one, { input: { name: 'Ada' } }))).toBe(JSON.stringify(first))
  })

  test('the order of keys does not make an input another one; any other difference does', async () => {
    const one = await test_.begin(
      raw([start('one'), ask('one', 'two', { a: text, b: text }), ask('two', 'fin'), end()]),
    )
    const first = await submit(one, { input: { a: '1', b: '2' } })
    expect(JSON.stringify(await submit(one, { input: { b: '2', a: '1' } }))).toBe(JSON.stringify(first))
    expect((await refusalOf(submit(one, { input: { a: '1', b: '3' } }))).code).toBe('ATTEMPT_CONFLICT')
  })

  test('T68: absent, null and nothing are the same where nothing is taken; {} is not where something is', async () => {
    const two = await test_.answer(await test_.begin(threeSteps()), { name: 'Ada' })
    const first = await submit(two)
    for (const input of [null, {}, '', '  ']) {
      expect(JSON.stringify(await submit(two, { input })), JSON.stringify(input)).toBe(JSON.stringify(first))
    }
    const optional = raw([
      start('one'),
      { ...ask('one', 'two'), inputSchema: { type: 'object', properties: { a: text } } },
      ask('two', 'fin'),
      end(),
    ])
    const one = await test_.begin(optional)
    const answered = await submit(one, { input: null })
    expect(JSON.stringify(await submit(one))).toBe(JSON.stringify(answered))
    expect((await refusalOf(submit(one, { input: {} }))).code).toBe('ATTEMPT_CONFLICT')
  })

  test('T55, T56, T310: 200 equal steps at the same time are one transition, and all get its answer', async () => {
    const one = await test_.begin(threeSteps())
    const engines = [test_.workflows, test_.another()]
    const receipts = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        engines[index % 2]?.step(ME, {
          processId: one.processId,
          attemptId: one.attemptId ?? '',
          input: { name: 'Ada' },
        }),
      ),
    )
    expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1)
    expect(await revisionOf(one)).toBe(1)
    const { visits } = await test_.workflows.history(ME, one.processId)
    expect(visits.map((visit) => visit.nodeId)).toEqual(['go', 'one'])
  })

  test('T57, T63: another input for a completed attempt is a conflict that sends to current_step', async () => {
    const one = await test_.begin(threeSteps())
    await submit(one, { input: { name: 'Ada' } })
    const refused = await refusalOf(submit(one, { input: { name: 'Eve' } }))
    expect(refused.code).toBe('ATTEMPT_CONFLICT')
    expect(refused.details).toMatchObject({
      processId: one.processId,
      retry: 'refresh',
      next: { tool: 'session', args: { action: 'current_step', executionId: one.processId } },
    })
    expect(refused.details.remedy).toMatch(/current_step.*drop this attempt.*do not replay/)
    expect((await refusalOf(submit(one, { teleportTo: 'two' }))).code).toBe('ATTEMPT_CONFLICT')
  })

  test('T59, T64: an attempt of another run, and one nobody handed out, send to current_step', async () => {
    const id = await test_.define(threeSteps())
    const [mine, other] = [await test_.begin(id), await test_.begin(id)]
    for (const attemptId of [other.attemptId ?? '', '00000000-0000-4000-8000-000000000000', 'nonsense', '']) {
      const refused = await refusalOf(submit({ ...mine, attemptId }, { input: { name: 'Ada' } }))
      expect(refused.code).toBe('ATTEMPT_INVALID_OR_EXPIRED')
      expect(refused.details).toMatchObject({ next: { tool: 'session' } })
    }
    expect(await revisionOf(mine)).toBe(0)
    expect(await revisionOf(other)).toBe(0)
  })

  test('T60, T62: an attempt that was never submitted and is out of use is stale', async () => {
    const id = await test_.define(threeSteps())
    const one = await test_.begin(id)
    await test_.workflows.updateWorkflow(ME, id, {
      definition: raw([start('other'), ask('other', 'fin', { name: text }), end()]),
    })
    expect((await refusalOf(submit(one, { input: { name: 'Ada' } }))).code).toBe('ATTEMPT_STALE')
    await test_.workflows.recover(ME, { executionId: one.processId, nodeId: 'other' })
    const stale = await refusalOf(submit(one, { input: { name: 'Ada' } }))
    expect(stale.code).toBe('ATTEMPT_STALE')
    expect(stale.details.remedy).toMatch(/current_step.*retry the intended submission once/)
    expect(stale.details).toMatchObject({ retry: 'refresh', next: { args: { action: 'current_step' } } })
  })

  test('T67, T77: a run that has completed hands out no attempt, repeats its last answer and refuses the rest', async () => {
    const one = await test_.begin(raw([start('one'), ask('one', 'fin'), end()]))
    const last = await submit(one)
    expect(runOf(last).attemptId).toBeUndefined()
    expect(last.text).not.toContain('Step attempt ID')
    expect(JSON.stringify(await submit(one))).toBe(JSON.stringify(last))
    expect((await refusalOf(submit(one, { input: { a: 1 } }))).code).toBe('ATTEMPT_CONFLICT')
    expect((await refusalOf(submit({ ...one, attemptId: 'x' }))).code).toBe('ATTEMPT_INVALID_OR_EXPIRED')
  })

  test('T77, T103: a cancelled run refuses the attempt it had', async () => {
    const one = await test_.begin(threeSteps())
    await test_.workflows.cancel(ME, { executionId: one.processId, expectedRevision: 0 })
    const refused = await refusalOf(submit(one, { input: { name: 'Ada' } }))
    expect([refused.code, refused.message]).toEqual(['EXECUTION_FINISHED', `The run ${one.processId} was cancelled`])
  })

  test('T68, T69, T70: a jump goes to a teleport only, without input, and uses up the attempt', async () => {
    const definition = raw([
      start('one'),
      ask('one', 'two', { name: text }),
      ask('two', 'fin'),
      teleport('stop', 'fin'),
      end(),
    ])
    const one = await test_.begin(definition)
    expect(one.teleports).toEqual([{ nodeId: 'stop', hint: 'Use when the user gives up' }])
    const before = await everything(test_.store)
    const both = await refusalOf(submit(one, { input: { name: 'Ada' }, teleportTo: 'stop' }))
    expect([both.code, both.details.field]).toEqual(['invalid_request', 'teleportTo'])
    expect(await everything(test_.store)).toBe(before)
    for (const teleportTo of ['two', 'nowhere']) {
      expect((await refusalOf(submit(one, { teleportTo }))).code).toBe('TELEPORT_INVALID')
      expect(await revisionOf(one)).toBe(0)
    }
    const jump = await submit(one, { teleportTo: 'stop', input: null })
    expect(runOf(jump)).toMatchObject({ nodeId: 'stop', revision: 1 })
    expect(jump.text).toContain(
      '**Available Teleport Jumps** (use teleportTo parameter in step() to jump):\n  - **stop**:',
    )
    expect(JSON.stringify(await submit(one, { teleportTo: 'stop' }))).toBe(JSON.stringify(jump))
    expect((await refusalOf(submit(one, { input: { name: 'Ada' } }))).code).toBe('ATTEMPT_CONFLICT')
  })

  test('T71, C14, C15: execution_note replaces the note, also of a refused answer; one of 501 characters does not', async () => {
    const definition = raw([
      start('one'),
      ask('one', 'two', { name: text, execution_note: text }),
      ask('two', 'fin', { name: text }),
      end(),
    ])
    const one = await test_.begin(definition, ME, { note: 'first' })
    const noteOf = async () => (await test_.workflows.executionContext(ME, one.processId)).note
    await refusalOf(submit(one, { input: { execution_note: 'n'.repeat(501) } }))
    expect(await noteOf()).toBe('first')
    await refusalOf(submit(one, { input: { execution_note: 'half way' } }))
    expect(await noteOf()).toBe('half way')
    const two = await test_.answer(one, { name: 'Ada', execution_note: 'n'.repeat(500) })
    expect(await noteOf()).toBe('n'.repeat(500))
    const refused = await refusalOf(submit(two, { input: { name: 'x', execution_note: 'not declared' } }))
    expect(refused.code).toBe('VALIDATION_FAILED')
    expect(await noteOf()).toBe('not declared')
    await test_.workflows.updateNote(ME, one.processId, '')
    expect(await noteOf()).toBeNull()
  })

  test('T72, T73, C4, C17, C18: a refused answer is recorded, moves nothing and binds nothing', async () => {
    const one = await test_.begin(threeSteps())
    for (const name of [1, 2]) {
      const refused = await refusalOf(submit(one, { input: { name } }))
      expect(refused.code).toBe('VALIDATION_FAILED')
      expect(refused.details['text']).toMatch(
        /VALIDATION ERROR[\s\S]*EXPECTED INPUT FORMAT[\s\S]*ERRORS[\s\S]*ACTION REQUIRED/,
      )
      expect(refused.details).toMatchObject({ attemptId: one.attemptId, example: { name: expect.any(String) } })
    }
    const context = await test_.workflows.executionContext(ME, one.processId)
    expect(context).toMatchObject({ revision: 0, errorCount: 2, currentNodeId: 'one' })
    expect(context.errors[0]).toMatchObject({
      timestamp: test_.time.now,
      nodeId: 'one',
      errorType: 'validation',
      input: '{"name":1}',
    })
    expect(await test_.answer(one, { name: 'Ada' })).toMatchObject({ nodeId: 'two', revision: 1 })
  })

  test('the errors of a run are counted, and the newest 50 kept with 500 characters of input each', async () => {
    const one = await test_.begin(threeSteps())
    for (let index = 0; index < 51; index++)
      await refusalOf(submit(one, { input: { name: index, long: 'x'.repeat(1000) } }))
    const { errors, errorCount } = await test_.workflows.executionContext(ME, one.processId)
    expect([errorCount, errors.length]).toEqual([51, 50])
    expect(errors[0]?.input?.startsWith('{"name":1,')).toBe(true)
    expect(errors[0]?.input).toHaveLength(500)
  })

  test('maxRetries counts the refusals of a visit, and the one too many moves the run on', async () => {
    const definition = raw([
      start('one'),
      ask('one', 'fin', { name: text }, { maxRetries: 1, connections: { success: 'fin', maxRetriesExceeded: 'help' } }),
      ask('help', 'fin'),
      end(),
    ])
    const one = await test_.begin(definition)
    const first = await refusalOf(submit(one, { input: { name: 1 } }))
    expect(first.details['retriesLeft']).toBe(0)
    const second = await submit(one, { input: { name: 2 } })
    expect(runOf(second)).toMatchObject({ nodeId: 'help', revision: 1 })
    expect(JSON.stringify(await submit(one, { input: { name: 2 } }))).toBe(JSON.stringify(second))
  })

  test('T75, C16: a run of somebody else and one that is not there are refused alike', async () => {
    const one = await test_.begin(threeSteps())
    const foreign = await refusalOf(submit(one, { input: { name: 'Eve' } }, OTHER))
    const missing = await refusalOf(submit({ ...one, processId: '00000000-0000-4000-8000-000000000000' }))
    expect(foreign.code).toBe('not_found')
    expect(foreign.message.replace(one.processId, 'ID')).toBe(
      missing.message.replace('00000000-0000-4000-8000-000000000000', 'ID'),
    )
    expect(await revisionOf(one)).toBe(0)
  })

  test('T76, T132, C11, C12: the end names active reminders and the parent; steps of the parent list running children', async () => {
    const id = await test_.define(raw([start('one'), ask('one', 'two'), ask('two', 'fin'), end()]))
    const parent = await test_.begin(id)
    const [child, sibling] = [
      await test_.begin(id, ME, { parent: parent.processId }),
      await test_.begin(id, ME, { parent: parent.processId }),
    ]
    const { remindersRevision } = await test_.workflows.listReminders(ME, child.processId)
    await test_.workflows.addReminder(ME, {
      ...{ executionId: child.processId, expectedRevision: 0, expectedRemindersRevision: remindersRevision },
      reminderText: 'tell the user about the tests',
    })
    const ended = await submit(await test_.answer(child))
    expect(ended.text).toContain('**Active Reminders** (1):\n  - tell the user about the tests')
    expect(ended.text).toContain(`**CONTINUATION REMINDER**: this run was started for the run ${parent.processId}`)
    expect(runOf(ended).next).toEqual({
      tool: 'session',
      args: { action: 'current_step', executionId: parent.processId },
    })
    const stepped = await submit(parent)
    expect(stepped.text).toContain(`**Active Child Workflows** (1):\n  - ${sibling.processId}`)
    expect(runOf(stepped).activeChildren).toEqual([sibling.processId])
    const done = await submit(runOf(stepped))
    expect(done.text).not.toContain('CONTINUATION REMINDER')
    const refused = await refusalOf(submit({ ...parent, attemptId: 'x' }))
    expect(refused.code).toBe('ATTEMPT_INVALID_OR_EXPIRED')
    const current = await refusalOf(test_.workflows.currentStep(ME, parent.processId))
    expect([current.code, current.details['activeChild']]).toEqual(['EXECUTION_FINISHED', sibling.processId])
  })

  test('a workflow’s own reminder comes before the one of the server; an empty one falls through', async () => {
    const engine = test_.another({ systemReminder: 'be brief' })
    const begin = async (systemReminder: string | undefined) => {
      const definition = { ...threeSteps(), ...(systemReminder === undefined ? {} : { systemReminder }) }
      const workflowId = await test_.define(definition)
      const prepared = await engine.prepareStart(ME, { workflowId, parentExecutionId: 'none' })
      return engine.executeStart(ME, String(prepared.structured['startAttemptId']))
    }
    expect((await begin('kettle off')).text).toContain('\n\nkettle off')
    expect((await begin('')).text).toContain('\n\nbe brief')
    expect((await begin(undefined)).structured['systemReminder']).toBe('be brief')
  })

  test('what an automatic node fails with leaves the run on its step, with the error recorded', async () => {
    const definition = raw(
      [start('one'), ask('one', 'sum', { n: { type: 'number' } }), compute('sum', ['a = 1 / one.n'], 'fin'), end()],
      { variableRegistry: { a: variable('number') } },
    )
    const one = await test_.begin(definition)
    const refused = await refusalOf(submit(one, { input: { n: 0 } }))
    expect(refused.code).toBe('NODE_FAILED')
    expect(refused.details).toMatchObject({ processId: one.processId, attemptId: one.attemptId, nodeId: 'sum' })
    const context = await test_.workflows.executionContext(ME, one.processId)
    expect(context).toMatchObject({ revision: 0, currentNodeId: 'one', errorCount: 1, variables: {} })
    expect(context.errors[0]).toMatchObject({ errorType: 'handler', code: 'NODE_FAILED' })
    expect(await test_.answer(one, { n: 2 })).toMatchObject({ status: 'completed' })
  })

  test('an automatic loop without an end is cut and leaves the run as it was', async () => {
    const definition = raw(
      [
        start('one'),
        ask('one', 'spin'),
        compute('spin', ['i = i + 1'], 'again'),
        fork('again', { operator: 'gt', left: { contextPath: 'i' }, right: 0 }, 'spin', 'fin'),
        end(),
      ],
      { variableRegistry: { i: variable('number', { default: 1 }) } },
    )
    const one = await test_.begin(definition)
    expect((await refusalOf(submit(one))).code).toBe('WORKFLOW_LOOP_LIMIT')
    expect(await test_.workflows.executionContext(ME, one.processId)).toMatchObject({
      revision: 0,
      variables: { i: 1 },
    })
  })

  test('a node this server cannot run is a clear refusal, and the run can still be answered after an edit', async () => {
    const lock = { id: 'gate', type: 'lock', reason: 'approve', connections: { unlocked: 'fin' } }
    const id = await test_.define(raw([start('one'), ask('one', 'gate'), lock, end()]))
    const one = await test_.begin(id)
    const refused = await refusalOf(submit(one))
    expect([refused.code, refused.details['nodeType']]).toEqual(['NODE_NOT_AVAILABLE', 'lock'])
    expect(await revisionOf(one)).toBe(0)
    await test_.workflows.updateWorkflow(ME, id, {
      definition: raw([start('one'), ask('one', 'gate'), ask('gate', 'fin'), end()]),
    })
    expect(await test_.answer(one)).toMatchObject({ nodeId: 'gate' })
  })

  test('an answer that makes the state larger than 10 MiB is refused, and the run left as it was', async () => {
    const steps = ['one', 'two', 'three'].map((id, index) =>
      ask(id, ['two', 'three', 'fin'][index] ?? '', { big: text }),
    )
    const one = await test_.begin(raw([start('one'), ...steps, end()]))
    const two = await test_.answer(one, { big: 'x'.repeat(9 * 1024 * 1024) })
    const refused = await refusalOf(submit(two, { input: { big: 'y'.repeat(1024 * 1024) } }))
    expect(refused.code).toBe('resource_exhausted')
    expect(await revisionOf(one)).toBe(1)
    expect(await test_.answer(two, { big: 'less' })).toMatchObject({ nodeId: 'three' })
  })

  test('C63, C64, C65: notes are read and written by nodes, in the step that leads through them', async () => {
    const definition = raw([
      start('one'),
      ask('one', 'save', { metric: { type: 'object' } }),
      {
        id: 'save',
        type: 'write-note',
        key: 'metrics',
        source: '{{one.metric}}',
        tags: ['m'],
        connections: { default: 'up' },
      },
      {
        id: 'up',
        type: 'upsert-note',
        search: { tag: 'm' },
        keyTemplate: 'unused',
        value: 'again {{one.metric.n}}',
        outputVariable: 'saved',
        connections: { default: 'load' },
      },
      {
        id: 'load',
        type: 'read-note',
        outputVariable: 'all',
        filter: { tag: 'm' },
        singleMode: true,
        connections: { default: 'show' },
      },
      ask('show', 'fin', {}, { directive: 'Metrics: {{load.all.value}} v{{load.all.version}}, {{note:metrics}}' }),
      end(),
    ])
    const show = await test_.answer(await test_.begin(definition), { metric: { n: 3 } })
    expect(show.directive).toBe('Metrics: again 3 v2, again 3')
    const { variables } = await test_.workflows.executionContext(ME, show.processId)
    expect(variables['save']).toEqual({ writeNoteResults: [{ key: 'metrics', version: 1, created: true }] })
    expect(variables['up']).toMatchObject({ saved: { key: 'metrics', version: 2, created: false } })
    const versions = await test_.store.all<{ version: number; value: string }>(
      'SELECT version, value FROM note_version ORDER BY version',
    )
    expect(versions).toEqual([
      { version: 1, value: '{"n":3}' },
      { version: 2, value: 'again 3' },
    ])
  })

  test('T79: notes of a step exist once, however often it is submitted', async () => {
    const definition = raw([
      start('one'),
      ask('one', 'save'),
      { id: 'save', type: 'write-note', key: 'once', source: 'text', connections: { default: 'fin' } },
      end(),
    ])
    const one = await test_.begin(definition)
    await Promise.all(Array.from({ length: 20 }, () => submit(one)))
    await submit(one)
    expect(await test_.store.all('SELECT version FROM note_version')).toEqual([{ version: 1 }])
  })

  test('C61, C62, Q12: an inline child is answered under the parent’s process id and hands its results back', async () => {
    const child = raw([start('inner'), ask('inner', 'fin', { found: text }), end()], {
      metadata: { name: 'Child flow', version: '1.0.0', description: 'child' },
    })
    await test_.define(child)
    const parent = raw(
      [
        start('plan'),
        ask('plan', 'sub', { topic: text }),
        {
          id: 'sub',
          type: 'subgraph',
          graphId: 'child-flow',
          inputMapping: { 'plan.topic': 'topic', 'plan.missing': 'gap' },
          outputMapping: { 'inner.found': 'answer' },
          connections: { success: 'tell' },
        },
        ask('tell', 'fin', {}, { directive: 'Tell {{answer}}' }),
        end(),
      ],
      { variableRegistry: { answer: variable('string') } },
    )
    const plan = await test_.begin(parent)
    const inner = await test_.answer(plan, { topic: 'varves' })
    expect(inner).toMatchObject({ processId: plan.processId, nodeId: 'inner', path: ['sub'] })
    expect(runOf(await test_.workflows.currentStep(ME, plan.processId))).toEqual(inner)
    expect(await test_.answer(inner, { found: 'mud' })).toMatchObject({ nodeId: 'tell', directive: 'Tell mud' })
  })

  test('the report’s tea is picked twice', async () => {
    const first = await test_.begin(teaWorkflow())
    expect(first.directive).toBe('Pick a tea for cup 0.')
    const second = await test_.answer(first, { kind: 'green' })
    expect(second.directive).toBe('Pick a tea for cup 1.')
    expect(await test_.answer(second, { kind: 'black' })).toMatchObject({ output: { cups: 2, kind: 'black' } })
  })

  test('T311: refusals show no path, SQL, stack or number of another user', async () => {
    const one = await test_.begin(threeSteps())
    const refusals = [
      await refusalOf(submit(one, { input: { name: 1 } })),
      await refusalOf(submit({ ...one, processId: "x' OR '1'='1" })),
      await refusalOf(submit({ ...one, attemptId: '../../etc/passwd' })),
    ]
    for (const { message, details } of refusals) {
      expect(`${message} ${JSON.stringify(details)}`).not.toMatch(/SELECT|UPDATE |at .*\.ts|node_modules|owner/)
    }
  })
})

test('T313: a state of exactly 10 MiB is stored, one byte more is not', () => {
  const state = (filler: string): RunState => ({
    ...{
      status: 'running',
      nodeId: 'one',
      variables: { filler },
      frames: [],
      visitCount: 1,
      visit: null,
      output: null,
    },
  })
  const room = MAX_STATE_BYTES - Buffer.byteLength(JSON.stringify(state('')))
  expect(Buffer.byteLength(stateText(state('x'.repeat(room))))).toBe(MAX_STATE_BYTES)
  expect(() => stateText(state('x'.repeat(room + 1)))).toThrow(/more than 10485760 bytes/)
  // Two bytes in UTF-8, one character.
  expect(() => stateText(state(`${'x'.repeat(room - 1)}é`))).toThrow(/more than 10485760 bytes/)
})
