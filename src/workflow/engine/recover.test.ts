import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../store/index.ts'
import { ask, end, type Json, raw, start, variable } from '../definition.testing.ts'
import type { RunAnswer } from '../engine.ts'
import { everything, ME, refusalOf, runOf, TEST_ENGINES, type TestWorkflows, testWorkflows } from './engine.testing.ts'

const text = { type: 'string' }

const registry = { kind: variable('string', { enum: ['green', 'black'] }), other: variable('number') }

const brew = (one: Json = ask('one', 'two', {}, oneAsks)): Json =>
  raw([start('one'), one, ask('two', 'fin', {}, { directive: 'Brew {{kind}}' }), end()], { variableRegistry: registry })

const oneAsks = {
  inputSchema: { type: 'object', globalInputs: ['kind'], properties: { why: text }, required: ['kind'] },
}

describe.each(TEST_ENGINES)('diagnose and recover on $name', ({ open }) => {
  let test_: TestWorkflows
  let id: string
  let run: RunAnswer

  beforeEach(async () => {
    test_ = await testWorkflows(open)
    id = await test_.define(brew())
    run = await test_.begin(id)
  })
  afterEach(async () => test_.store.close())

  const edit = (definition: Json) => test_.workflows.updateWorkflow(ME, id, { definition })
  const diagnose = () => test_.workflows.diagnose(ME, run.processId)
  const recover = (nodeId: string, variableValues?: Json) =>
    test_.workflows.recover(ME, { executionId: run.processId, nodeId, ...(variableValues && { variableValues }) })
  const codes = async () => (await diagnose()).causes.map((cause) => [cause.code, cause.blocks])

  test('T105, T106: a healthy run can go on and has no causes; asking changes nothing', async () => {
    const before = await everything(test_.store)
    expect(await diagnose()).toMatchObject({
      ...{ continuable: true, causes: [], nodeId: 'one', nodeExists: true, attemptId: run.attemptId },
      next: { args: { action: 'current_step' } },
    })
    expect(await everything(test_.store)).toBe(before)
  })

  test('T88: version, description, tags, other nodes and cosmetics leave the attempt usable', async () => {
    const metadata = { name: 'Tea', version: '2.0.0', description: 'rewritten', tags: ['hot'] }
    const cosmetic = ask('one', 'two', {}, { ...oneAsks, metadata: { displayName: 'Pick', color: 'red' } })
    const nodes = [start('one'), cosmetic, ask('two', 'fin', {}, { directive: 'Brew {{kind}} well' }), end()]
    await edit({ ...brew(), metadata, nodes, variableRegistry: { ...registry, other: variable('string') } })
    expect(await codes()).toEqual([])
    expect(runOf(await test_.workflows.currentStep(ME, run.processId)).attemptId).toBe(run.attemptId)
    expect(await test_.answer(run, { kind: 'green' })).toMatchObject({ nodeId: 'two', directive: 'Brew green well' })
  })

  test.each<[string, Json, string[]]>([
    ['directive', brew(ask('one', 'two', {}, { ...oneAsks, directive: 'Choose' })), ['node one: directive']],
    [
      'schema',
      brew(ask('one', 'two', {}, { inputSchema: { ...oneAsks.inputSchema, required: [] } })),
      ['node one: inputSchema'],
    ],
    ['edges', brew(ask('one', 'fin', {}, oneAsks)), ['node one: connections']],
    [
      'type',
      brew({ id: 'one', type: 'materialize', files: [{ path: 'a', content: 'b' }], connections: { success: 'two' } }),
      ['node one: type'],
    ],
    [
      'registry entry',
      { ...brew(), variableRegistry: { ...registry, kind: variable('string', { enum: ['green'] }) } },
      ['variable kind: enum[1]'],
    ],
  ])('T89, T109, T114: a change of the %s blocks and is named', async (_what, definition, changes) => {
    await edit(definition)
    const { causes, continuable } = await diagnose()
    const changed = causes.find((cause) => cause.code === 'surface_changed')
    expect([continuable, changed?.blocks]).toEqual([false, true])
    const named = (changed?.details['changes'] ?? []) as string[]
    expect(named.map((one) => one.split('.')[0])).toEqual(expect.arrayContaining(changes))
    expect((await refusalOf(test_.answer(run, { kind: 'green' }))).code).toBe('ATTEMPT_STALE')
  })

  test('T90, T108, T114: a deleted node blocks, and recover moves the run on', async () => {
    await edit(raw([start('pick'), ask('pick', 'fin', {}, oneAsks), end()], { variableRegistry: registry }))
    const diagnosis = await diagnose()
    expect(diagnosis).toMatchObject({
      continuable: false,
      nodeExists: false,
      nodeId: 'one',
      next: { args: { action: 'recover' } },
    })
    expect(await codes()).toContainEqual(['node_missing', true])
    expect((await refusalOf(test_.workflows.currentStep(ME, run.processId))).code).toBe('CURRENT_PRESENTATION_STALE')
    const moved = runOf(await recover('pick'))
    expect(moved).toMatchObject({ nodeId: 'pick', revision: 0 })
    expect(moved.attemptId).not.toBe(run.attemptId)
    expect((await diagnose()).causes).toEqual([])
    expect(await test_.answer(moved, { kind: 'green' })).toMatchObject({ status: 'completed', revision: 1 })
    const { visits } = await test_.workflows.history(ME, run.processId)
    expect(visits.map(({ nodeId, nodeType, jumpTo }) => [nodeId, nodeType, jumpTo])).toEqual([
      ['go', 'start', undefined],
      ['one', 'removed', 'pick'],
      ['pick', 'agent-directive', undefined],
      ['fin', 'end', undefined],
    ])
  })

  test('T116: recover goes to nodes a run can wait on, and to no others', async () => {
    await edit(brew(ask('one', 'two', {}, { ...oneAsks, directive: 'Choose' })))
    for (const nodeId of ['go', 'fin', 'nowhere']) {
      const refused = await refusalOf(recover(nodeId))
      expect([refused.code, refused.details.field]).toEqual(['invalid_request', 'nodeId'])
    }
    expect(runOf(await recover('two'))).toMatchObject({ nodeId: 'two' })
  })

  test('T117, T118, T123: values are checked against the registry, all or nothing, and then seen by the step', async () => {
    await edit(brew(ask('one', 'two', {}, { ...oneAsks, directive: 'Choose' })))
    const before = await everything(test_.store)
    for (const values of [{ kind: 'red' }, { kind: 'green', other: 'x' }, { kind: 'green', unknown: 1 }]) {
      expect((await refusalOf(recover('two', values))).code).toBe('invalid_request')
      expect(await everything(test_.store)).toBe(before)
    }
    const context = await test_.workflows.executionContext(ME, run.processId)
    const moved = runOf(await recover('two', { kind: 'black', one: { why: 'known' } }))
    expect(moved.directive).toBe('Brew black')
    const after = await test_.workflows.executionContext(ME, run.processId)
    expect(after.variables).toMatchObject({ kind: 'black', one: { why: 'known' } })
    expect(after.contextRevision).not.toBe(context.contextRevision)
    expect(await test_.answer(moved)).toMatchObject({ status: 'completed' })
  })

  test('T115, T119: a finished run is explained and stays finished', async () => {
    await test_.workflows.cancel(ME, { executionId: run.processId, expectedRevision: 0 })
    expect(await diagnose()).toMatchObject({
      continuable: false,
      causes: [{ code: 'execution_finished', blocks: true }],
    })
    expect((await refusalOf(recover('two'))).code).toBe('EXECUTION_FINISHED')
    const completed = await test_.answer(await test_.answer(await test_.begin(id), { kind: 'green' }))
    expect(await test_.workflows.diagnose(ME, completed.processId)).toMatchObject({ continuable: false })
    const refused = await refusalOf(test_.workflows.recover(ME, { executionId: completed.processId, nodeId: 'two' }))
    expect(refused.code).toBe('EXECUTION_FINISHED')
  })

  test('T120, T121: a healthy run is refused, untouched, and the refusal names the next call', async () => {
    const before = await everything(test_.store)
    const refused = await refusalOf(recover('two'))
    expect(refused.code).toBe('RECOVERY_REFUSED')
    expect(refused.details).toMatchObject({
      next: { tool: 'session', args: { action: 'current_step', executionId: run.processId } },
    })
    expect(await everything(test_.store)).toBe(before)
    expect((await refusalOf(test_.workflows.recover(ME, { executionId: 'none', nodeId: 'two' }))).code).toBe(
      'not_found',
    )
  })

  test('T122, T307: recoveries are audited, done and refused; so are starts, steps and other changes', async () => {
    await refusalOf(recover('two'))
    await edit(brew(ask('one', 'two', {}, { ...oneAsks, directive: 'Choose' })))
    test_.time.now += 1
    const two = runOf(await recover('two'))
    test_.time.now += 1
    await test_.answer(two)
    test_.time.now += 1
    await test_.workflows.updateNote(ME, run.processId, 'done')
    const audit = await listAudit(test_.store, 1, 100)
    const actions = audit.map((entry) => entry.action)
    expect(actions[0]).toBe('execution:update_note')
    expect(actions.slice(1, 3).sort()).toEqual(['execution:complete', 'execution:step'])
    for (const action of [
      ...['workflow:create', 'workflow:edit', 'workflow:start_attempt', 'execution:start', 'execution:step'],
      ...['execution:complete', 'execution:recover', 'execution:recover_refused', 'execution:update_note'],
    ]) {
      expect(actions).toContain(action)
    }
    expect(new Set(audit.map((entry) => entry.source))).toEqual(new Set(['test']))
    expect(audit.find((entry) => entry.action === 'execution:recover_refused')?.resource).toBe(run.processId)
  })

  test('T107, T110, T111, T113: what does not block is told and leaves the run usable', async () => {
    await edit(
      raw(
        [
          start('one'),
          ask('one', 'two', {}, oneAsks),
          ask('two', 'fin', {}, { directive: 'Brew {{kind}} {{note:recipe}} {{other}}' }),
          end(),
        ],
        { variableRegistry: registry },
      ),
    )
    const two = await test_.answer(run, { kind: 'green' })
    expect((await diagnose()).causes).toEqual([
      {
        code: 'unresolved_reference',
        blocks: false,
        message: expect.any(String),
        details: { references: ['other', 'note:recipe'] },
      },
    ])
    await refusalOf(test_.answer(two, { some: 'thing' }))
    expect(await codes()).toEqual([
      ['unresolved_reference', false],
      ['recorded_error', false],
    ])
    await test_.store.run('UPDATE execution SET attempt_revision = 9')
    expect(await codes()).toContainEqual(['attempt_revision_stale', false])
    await test_.store.run("UPDATE execution SET attempt_state = 'processing', lease_until = 0")
    expect(await codes()).toContainEqual(['attempt_processing', false])
    await test_.store.run('UPDATE execution SET attempt_id = NULL')
    expect(await codes()).toContainEqual(['attempt_missing', false])
    expect((await diagnose()).continuable).toBe(true)
  })

  test('T111: an error of an earlier step is history, not a cause', async () => {
    await refusalOf(test_.answer(run, { kind: 'red' }))
    expect(await codes()).toEqual([['recorded_error', false]])
    test_.time.now += 1
    await test_.answer(run, { kind: 'green' })
    expect(await codes()).toEqual([])
  })

  test('T112, T114: an attempt bound to another node blocks', async () => {
    await test_.store.run("UPDATE execution SET attempt_node = 'two'")
    expect(await codes()).toEqual([['attempt_other_node', true]])
    expect(runOf(await recover('one'))).toMatchObject({ nodeId: 'one' })
    expect(await codes()).toEqual([])
  })

  test('a run whose workflow was deleted or withdrawn goes on with the definition it stands in', async () => {
    await test_.workflows.deleteWorkflow(ME, id)
    expect(await codes()).toEqual([])
    const two = await test_.answer(run, { kind: 'green' })
    expect(await test_.answer(two)).toMatchObject({ status: 'completed' })
    const [listed] = (await test_.workflows.listExecutions(ME, { status: ['completed'], workflowId: id })).executions
    expect(listed).toMatchObject({ workflowName: 'Tea' })
  })

  test('Q12, T109: a change inside a subgraph the run stands in blocks; one elsewhere in it does not', async () => {
    const named = (name: string) => ({ metadata: { name, version: '1.0.0', description: name } })
    const inner = (directive: string, last = 'b') =>
      raw(
        [start('a'), ask('a', 'b', {}, { directive }), ask('b', 'fin', {}, { directive: last }), end()],
        named('Inner flow'),
      )
    const innerId = await test_.define(inner('Do a.'))
    const sub = {
      id: 'sub',
      type: 'subgraph',
      graphId: innerId,
      inputMapping: {},
      outputMapping: {},
      connections: { success: 'fin' },
    }
    run = await test_.begin(raw([start('sub'), sub, end()], named('Outer flow')))
    expect(run).toMatchObject({ nodeId: 'a', path: ['sub'] })
    await test_.workflows.updateWorkflow(ME, innerId, { definition: inner('Do a.', 'other') })
    expect(await codes()).toEqual([])
    await test_.workflows.updateWorkflow(ME, innerId, { definition: inner('Changed') })
    expect((await refusalOf(test_.answer(run))).code).toBe('ATTEMPT_STALE')
    expect((await diagnose()).causes).toMatchObject([
      { code: 'surface_changed', details: { changes: ['node a: directive'] } },
    ])
    expect(runOf(await recover('sub'))).toMatchObject({ nodeId: 'a', directive: 'Changed' })
    await test_.workflows.deleteWorkflow(ME, innerId)
    expect(await codes()).toContainEqual(['subgraph_missing', true])
    expect((await refusalOf(test_.workflows.currentStep(ME, run.processId))).code).toBe('SUBGRAPH_NOT_FOUND')
  })
})
