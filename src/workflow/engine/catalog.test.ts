import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, end, type Json, raw, start } from '../definition.testing.ts'
import type { WorkflowDefinition } from '../definition.ts'
import type { WorkflowQuery } from '../engine.ts'
import {
  everything,
  ME,
  NOON,
  OTHER,
  refusalOf,
  TEST_ENGINES,
  type TestWorkflows,
  testWorkflows,
} from './engine.testing.ts'

const named = (name: string, more: Json = {}, description = 'a test workflow'): Json =>
  raw([start('one'), ask('one', 'fin'), end()], { metadata: { name, version: '1.0.0', description }, ...more })

describe.each(TEST_ENGINES)('the catalog on $name', ({ open }) => {
  let test_: TestWorkflows

  beforeEach(async () => {
    test_ = await testWorkflows(open)
  })
  afterEach(async () => test_.store.close())

  const w = () => test_.workflows
  const create = (definition: unknown, more: Json = {}, caller = ME) =>
    w().createWorkflow(caller, { definition, ...more })
  const names = async (query: WorkflowQuery = {}, caller = ME) =>
    (await w().listWorkflows(caller, query)).workflows.map((workflow) => workflow.name)

  test('T11, C75: own and public workflows are listed and read; private ones of others are not there', async () => {
    const mine = await create(named('Mine alone'))
    const shared = await create(named('Mine for all'), { visibility: 'public' })
    await create(named('Theirs alone'), {}, OTHER)
    expect((await names()).sort()).toEqual(['Mine alone', 'Mine for all'])
    expect((await names({}, OTHER)).sort()).toEqual(['Mine for all', 'Theirs alone'])
    for (const reference of [mine.id, mine.reference, mine.slug]) {
      expect((await refusalOf(w().getWorkflow(OTHER, reference))).code).toBe('not_found')
    }
    for (const reference of [shared.id, shared.id.toUpperCase(), 'local/mine-for-all']) {
      expect(await w().getWorkflow(OTHER, reference)).toMatchObject({ id: shared.id, own: false, ownerHandle: 'local' })
    }
    expect((await refusalOf(w().getWorkflow(OTHER, 'mine-for-all'))).code).toBe('not_found')
    const before = await everything(test_.store)
    for (const call of [
      w().updateWorkflow(OTHER, shared.id, { definition: named('Taken over') }),
      w().setVisibility(OTHER, shared.id, 'private'),
      w().deleteWorkflow(OTHER, shared.id),
    ]) {
      expect((await refusalOf(call)).code).toBe('WRITE_NOT_ALLOWED')
    }
    expect(await everything(test_.store)).toBe(before)
  })

  test('T12, T14, T15, C76: search, visibility, order and page go together', async () => {
    const all: [string, string, Json][] = [
      ['Bug-Hunting Flow', 'finds bugs', { visibility: 'public' }],
      ['apple pie', 'BAKES a pie', {}],
      ['Überprüfung', 'a review', {}],
      ['100% done', 'percent', {}],
    ]
    for (const [name, description, more] of all) {
      await create(named(name, {}, description), more)
      test_.time.now += 1000
    }
    expect(await names()).toEqual(['100% done', 'Überprüfung', 'apple pie', 'Bug-Hunting Flow'])
    expect(await names({ sortOrder: 'asc' })).toEqual(all.map(([name]) => name))
    expect(await names({ sort: 'name', sortOrder: 'asc' })).toEqual([
      '100% done',
      'apple pie',
      'Bug-Hunting Flow',
      'Überprüfung',
    ])
    expect(await names({ search: 'bug-h' })).toEqual(['Bug-Hunting Flow'])
    expect(await names({ search: 'bakes' })).toEqual(['apple pie'])
    expect(await names({ search: 'ÜBER' })).toEqual(['Überprüfung'])
    expect(await names({ search: '0%' })).toEqual(['100% done'])
    expect(await names({ search: '_' })).toEqual([])
    expect(await names({ visibility: 'public' })).toEqual(['Bug-Hunting Flow'])
    expect(await names({ visibility: 'private', search: 'a', limit: 1, offset: 1 })).toEqual(['apple pie'])
    expect(await names({ visibility: 'all' })).toHaveLength(4)
  })

  test('T13, T16 to T20, T312: pages say where they are, and walking them meets every workflow once', async () => {
    for (let index = 0; index < 23; index++)
      await create(named(`Number ${index}`), index % 2 ? { visibility: 'public' } : {})
    for (let index = 0; index < 4; index++) await create(named(`Theirs ${index}`), { visibility: 'public' }, OTHER)
    expect(await w().listWorkflows(ME, {})).toMatchObject({
      total: 27,
      offset: 0,
      limit: 20,
      returnedCount: 20,
      hasMore: true,
      nextOffset: 20,
    })
    expect(await w().listWorkflows(ME, { offset: 20 })).toMatchObject({
      returnedCount: 7,
      hasMore: false,
      nextOffset: null,
    })
    expect(await w().listWorkflows(ME, { offset: 27 })).toMatchObject({
      total: 27,
      returnedCount: 0,
      hasMore: false,
      nextOffset: null,
    })
    for (const sort of ['createdAt', 'name'] as const) {
      const seen: string[] = []
      for (let offset: number | null = 0; offset !== null; ) {
        const page = await w().listWorkflows(ME, { sort, limit: 5, offset })
        seen.push(...page.workflows.map((workflow) => workflow.id))
        offset = page.nextOffset
      }
      expect(new Set(seen).size).toBe(27)
      expect(seen).toHaveLength(27)
    }
    for (const limit of [0, 101])
      expect((await refusalOf(w().listWorkflows(ME, { limit }))).details.field).toBe('limit')
    expect((await w().listWorkflows(ME, { limit: 100 })).returnedCount).toBe(27)
  })

  test('T164, T166, T188, C73: what is not valid is refused with its issues, and nothing is stored', async () => {
    const before = await everything(test_.store)
    for (const definition of [null, {}, raw([start('nowhere'), end()]), { ...named('Odd'), strange: 1 }]) {
      const refused = await refusalOf(create(definition))
      expect(refused.code).toBe('WORKFLOW_INVALID')
      expect(refused.details['issues']).toEqual(
        expect.arrayContaining([expect.objectContaining({ severity: 'error' })]),
      )
    }
    expect(await everything(test_.store)).toBe(before)
    const saved = await create(named('Sound flow'))
    expect(saved).toMatchObject({ visibility: 'private', revision: 1, created: true, slug: 'sound-flow', own: true })
    const refused = await refusalOf(w().updateWorkflow(ME, saved.id, { definition: raw([start('nowhere'), end()]) }))
    expect(refused.code).toBe('WORKFLOW_INVALID')
    expect((await w().getWorkflow(ME, saved.id)).revision).toBe(1)
  })

  test('T165: an id or slug that is taken is overwritten only when that is asked for', async () => {
    const id = '11111111-1111-4111-8111-111111111111'
    const first = await create({ ...named('First flow'), id, slug: 'my-own-slug' }, { visibility: 'public' })
    expect(first).toMatchObject({ id, slug: 'my-own-slug', reference: 'local/my-own-slug' })
    for (const again of [
      { ...named('Again'), id },
      { ...named('Again'), slug: 'my-own-slug' },
    ]) {
      expect((await refusalOf(create(again))).code).toBe('ALREADY_EXISTS')
    }
    const replaced = await create({ ...named('Replaced flow'), id }, { overwrite: true })
    expect(replaced).toMatchObject({ id, created: false, revision: 2, name: 'Replaced flow', visibility: 'public' })
    const theirs = await create({ ...named('Theirs too'), id }, {}, OTHER)
    expect(theirs.created).toBe(true)
  })

  test('slugs come from names, or are made up, and stay unique', async () => {
    const slugs: string[] = []
    for (const name of ['Straße nach Süden!', 'Straße nach Süden?', 'Кириллица', 'ab', `${'long '.repeat(30)}name`]) {
      slugs.push((await create(named(name))).slug)
    }
    expect(slugs[0]).toBe('stra-e-nach-suden')
    expect(slugs[1]).toMatch(/^stra-e-nach-suden-[0-9a-f]{8}$/)
    expect(slugs[2]).toMatch(/^workflow-[0-9a-f]{8}$/)
    expect(slugs[3]).toMatch(/^workflow-[0-9a-f]{8}$/)
    expect(slugs[4]?.length).toBeLessThanOrEqual(80)
    for (const slug of slugs) expect((await w().getWorkflow(ME, slug)).slug).toBe(slug)
  })

  test('T169, T170, T177: each edit adds one to the revision, keeps the visibility, and can insist on a revision', async () => {
    const { id } = await create(named('Edited flow'), { visibility: 'public' })
    expect(await w().updateWorkflow(ME, id, { definition: named('Edited flow 2') })).toMatchObject({
      revision: 2,
      visibility: 'public',
    })
    const stale = await refusalOf(w().updateWorkflow(ME, id, { definition: named('Late'), expectedRevision: 1 }))
    expect([stale.code, stale.details.field]).toEqual(['REVISION_STALE', 'expectedRevision'])
    expect(await w().updateWorkflow(ME, id, { definition: named('In time'), expectedRevision: 2 })).toMatchObject({
      revision: 3,
    })
    const [first, second] = await Promise.allSettled([
      w().updateWorkflow(ME, id, { definition: named('Racer 1'), expectedRevision: 3 }),
      w().updateWorkflow(ME, id, { definition: named('Racer 2'), expectedRevision: 3 }),
    ])
    expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
    expect((await w().getWorkflow(ME, id)).revision).toBe(4)
  })

  test('T176: visibility is changed alone', async () => {
    const saved = await create(named('Shown flow', { systemReminder: 'calm' }))
    expect(await w().setVisibility(ME, saved.id, 'public')).toMatchObject({
      previousVisibility: 'private',
      visibility: 'public',
      revision: 2,
    })
    expect((await w().getWorkflow(OTHER, saved.id)).definition).toEqual(saved.definition)
  })

  test('T171: a definition comes back as it was written', async () => {
    const definition = named('Kept flow', {
      metadata: { name: 'Kept flow', version: '1.0.0', description: 'd', author: 'Ada', tags: ['a', 'b'] },
      systemReminder: 'r',
      variableRegistry: { a: { type: 'string', description: 'a', default: 'x', 'x-own': 1 } },
      runtimePolicy: { externalVariableWrites: { a: {} } },
    })
    const { id } = await create({ ...definition, slug: 'kept-flow', visibility: 'private', owner: 'someone' })
    expect((await w().getWorkflow(ME, id)).definition).toEqual(definition)
  })

  test('a deleted workflow is gone, its slug free and its id not used again', async () => {
    const { id, slug } = await create(named('Gone flow'))
    await w().deleteWorkflow(ME, id)
    expect(await names()).toEqual([])
    expect((await refusalOf(w().getWorkflow(ME, slug))).code).toBe('not_found')
    const again = await create({ ...named('Gone flow'), id })
    expect(again.slug).toBe(slug)
    expect(again.id).not.toBe(id)
  })

  test('definitions that neither a workflow nor a run uses are not kept', async () => {
    const stored = async () => (await test_.store.all('SELECT hash FROM workflow_snapshot WHERE owner = 1')).length
    const { id } = await create(named('Kept once'))
    await w().updateWorkflow(ME, id, { definition: named('Kept twice') })
    expect(await stored()).toBe(1)
    const run = await test_.begin(id)
    await w().updateWorkflow(ME, id, { definition: named('Kept thrice') })
    expect(await stored()).toBe(2)
    await test_.answer(run)
    expect(await stored()).toBe(1)
  })

  test('subgraphs are looked up for whoever validates', async () => {
    const sub = (graphId: string) => ({
      id: 'sub',
      type: 'subgraph',
      graphId,
      inputMapping: {},
      outputMapping: {},
      connections: { success: 'fin' },
    })
    const child = await create(named('Child flow'))
    const parent = (graphId: string) =>
      raw([start('sub'), sub(graphId), end()], {
        metadata: { name: 'Parent flow', version: '1.0.0', description: 'p' },
      })
    expect(await w().validate(ME, parent(child.slug))).toEqual([])
    expect((await w().validate(OTHER, parent(child.id))).map((issue) => issue.code)).toEqual(['V60'])
    const saved = await create(parent(child.id))
    const circle = raw([start('sub'), sub(saved.id), end()], {
      metadata: { name: 'Child flow', version: '1.0.1', description: 'c' },
    })
    const refused = await refusalOf(w().updateWorkflow(ME, child.id, { definition: circle }))
    expect(refused.details['issues']).toMatchObject([{ code: 'V59' }])
  })
})

describe.each(TEST_ENGINES)('bundled workflows on $name', ({ open }) => {
  const bundle = (...definitions: Json[]) =>
    definitions.map((definition) => ({
      slug: String(definition['slug']),
      definition: definition as unknown as WorkflowDefinition,
    }))
  const quick = (more: Json = {}) => ({ ...named('Quick task', more), slug: 'quick-task' })

  test('are public, belong to varve, have the same id everywhere and can be run by anybody', async () => {
    const test_ = await testWorkflows(open, { bundled: bundle(quick()) })
    const [listed] = (await test_.workflows.listWorkflows(OTHER, {})).workflows
    expect(listed).toMatchObject({
      reference: 'varve/quick-task',
      visibility: 'public',
      own: false,
      revision: 1,
      createdAt: NOON,
    })
    expect(listed?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const run = await test_.begin('varve/quick-task')
    expect((await test_.workflows.executionContext(ME, run.processId)).workflowOwnerHandle).toBe('varve')
    expect(await test_.answer(run)).toMatchObject({ status: 'completed' })
    expect((await refusalOf(test_.begin('moira/quick-task'))).code).toBe('not_found')
    expect((await refusalOf(test_.workflows.deleteWorkflow(ME, 'varve/quick-task'))).code).toBe('WRITE_NOT_ALLOWED')
    await test_.store.close()
  })

  test('are renewed by a newer Varve, in place; what was edited there is left alone', async () => {
    const test_ = await testWorkflows(open)
    const get = (definition: Json) => test_.another({ bundled: bundle(definition) }).getWorkflow(ME, 'varve/quick-task')
    const first = await get(quick())
    const newer = await get(quick({ systemReminder: 'newer' }))
    expect(newer).toMatchObject({ id: first.id, revision: 2, definition: { systemReminder: 'newer' } })
    const again = await get(quick({ systemReminder: 'newer' }))
    expect(again.revision).toBe(2)
    await test_.store.run('UPDATE workflow SET bundle_hash = ? WHERE owner = 0', [Buffer.alloc(32)])
    expect(await get(quick({ systemReminder: 'newest' }))).toMatchObject({
      revision: 2,
      definition: { systemReminder: 'newer' },
    })
    await test_.store.close()
  })

  test('are read from a folder by file; a broken one is our mistake and said so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-bundled-'))
    writeFileSync(join(folder, 'from-file.json'), JSON.stringify(named('From file')))
    const test_ = await testWorkflows(open, { bundled: folder })
    expect((await test_.workflows.getWorkflow(ME, 'varve/from-file')).name).toBe('From file')
    writeFileSync(join(folder, 'broken.json'), '{}')
    await expect(test_.another().listWorkflows(ME, {})).rejects.toThrow(/bundled workflow broken\.json/)
    expect((await test_.another({ bundled: join(folder, 'missing') }).listWorkflows(ME, {})).total).toBe(1)
    rmSync(folder, { recursive: true })
    await test_.store.close()
  })
})
