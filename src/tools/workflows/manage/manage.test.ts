import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { create, type Data, smallWorkflow, type TestServer, tea, testServer } from '../workflows.testing.ts'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let server: TestServer
let workflowId: string
beforeEach(async () => {
  server = await testServer()
  workflowId = await create(server, tea)
})
afterEach(() => server.close())

const manage = (action: string, more: object = {}) => server.get<Data>('manage', { action, workflowId, ...more })
const refused = (action: string, more: object = {}) => server.refused('manage', { action, workflowId, ...more })
const stored = () => manage('get') as Promise<Data & { revision: number; nodes: { id: string }[] }>
const nodeIds = async () => (await stored()).nodes.map(({ id }) => id)

describe('manage create', () => {
  it('C73: stores a private workflow, which reads back as it was written', async () => {
    const made = await server.get<Data>('manage', { action: 'create', workflow: { ...tea, id: 'more-tea' } })
    expect(made).toMatchObject({
      success: true,
      slug: 'more-tea',
      reference: 'local/more-tea',
      visibility: 'private',
      revision: 1,
      created: true,
      metadata: { name: 'Tea', version: '1.0.0', description: 'Brew a pot', nodeCount: 7 },
      systemReminder: 'Mind the kettle.',
      validation: { valid: true },
    })
    const read = await server.get<Data>('manage', { action: 'get', workflowId: 'more-tea' })
    const { metadata, variableRegistry, runtimePolicy, systemReminder, nodes } = tea
    expect(read).toMatchObject({ metadata, variableRegistry, runtimePolicy, systemReminder, nodes })
    expect(await server.get('manage', { action: 'get', workflowId: made['workflowId'] })).toEqual(read)
  })

  it('C73: keeps a visibility that is asked for', async () => {
    await create(server, smallWorkflow('Open', { id: 'open', visibility: 'public' }))
    expect(
      await server.get('manage', { action: 'get', workflowId: 'open' }, server.stranger).catch(() => null),
    ).toBeNull()
    expect(await server.get('manage', { action: 'get', workflowId: 'local/open' }, server.stranger)).toMatchObject({
      visibility: 'public',
    })
  })

  it('T165: an id that is taken is only overwritten when asked', async () => {
    const again = { ...tea, metadata: { ...tea.metadata, version: '2.0.0' } }
    expect(await server.refused('manage', { action: 'create', workflow: again })).toMatchObject({
      code: 'ALREADY_EXISTS',
    })
    expect(await server.refused('manage', { action: 'create', workflow: again, overwrite: false })).toMatchObject({
      code: 'ALREADY_EXISTS',
    })
    expect(await server.get('manage', { action: 'create', workflow: again, overwrite: true })).toMatchObject({
      workflowId,
      created: false,
      revision: 2,
      metadata: { version: '2.0.0' },
    })
  })

  it('T166: needs metadata with name, version and description, and nodes', async () => {
    const { metadata, nodes } = tea
    const create = (workflow: object) => server.refused('manage', { action: 'create', workflow })
    expect((await create({ metadata })).text).toContain('workflow.nodes is required')
    expect((await create({ nodes })).text).toContain('workflow.metadata is required')
    for (const field of ['name', 'version', 'description']) {
      const { [field as 'name']: _left, ...rest } = metadata
      expect((await create({ metadata: rest, nodes })).text).toContain(`workflow.metadata.${field} is required`)
    }
    expect((await create({ metadata, nodes, colour: 'red' })).text).toContain('colour')
    expect((await server.refused('manage', { action: 'create' })).text).toContain('workflow is required')
  })

  it('takes a workflow that came as the text of its JSON', async () => {
    const workflow = JSON.stringify(smallWorkflow('Text', { id: 'text' }))
    expect(await server.get('manage', { action: 'create', workflow })).toMatchObject({ slug: 'text' })
  })

  it('T164: a definition with errors is refused with every finding, and not stored', async () => {
    const nodes = [
      ...tea.nodes,
      {
        id: 'lost',
        type: 'agent-directive',
        directive: '{{nobody}}',
        completionCondition: 'x',
        connections: { success: 'nowhere' },
      },
    ]
    const refusal = await server.refused('manage', { action: 'create', workflow: { ...tea, id: 'broken', nodes } })
    expect(refusal).toMatchObject({ code: 'WORKFLOW_INVALID', retry: 'never' })
    const { issues } = (refusal as unknown as { details: { issues: { code: string }[] } }).details
    expect(issues.map(({ code }) => code)).toEqual(expect.arrayContaining(['V27', 'V38']))
    expect((await server.refused('manage', { action: 'get', workflowId: 'broken' })).code).toBe('not_found')
  })

  it('T190: progress and policy are held against their closed schemas, at the limits and past them', async () => {
    const block = (id: string) => ({ id, label: 'x', content: { summary: 'x' } })
    const progress = (more: object) => ({ nodes: [block('choose')], ...more })
    const long = (length: number) => 'x'.repeat(length)
    const limits: [object, object][] = [
      [{ title: long(200) }, { title: long(201) }],
      [{ goal: long(1000) }, { goal: long(1001) }],
      [
        { facts: Array(8).fill({ label: long(100), value: long(500) }) },
        { facts: Array(9).fill({ label: 'x', value: 'x' }) },
      ],
      [
        { facts: [{ label: 'x', value: 'x', tone: 'critical' }] },
        { facts: [{ label: 'x', value: 'x', tone: 'loud' }] },
      ],
      [
        { nodes: [{ ...block('choose'), content: { summary: 'x', details: Array(12).fill('x') } }] },
        { nodes: [{ ...block('choose'), content: { summary: 'x', details: Array(13).fill('x') } }] },
      ],
      [
        { nodes: Array.from({ length: 18 }, (_, index) => block(`b${index}`)) },
        { nodes: Array.from({ length: 19 }, (_, index) => block(`b${index}`)) },
      ],
    ]
    for (const [good, bad] of limits) {
      await manage('edit', { changes: { progress: progress(good) } })
      expect((await refused('edit', { changes: { progress: progress(bad) } })).code).toBe('invalid_request')
    }
    expect((await refused('edit', { changes: { progress: { ...progress({}), colour: 'red' } } })).text).toContain(
      'colour',
    )
    expect(
      (await refused('edit', { changes: { runtimePolicy: { externalVariableWrites: { cups: { nodes: [] } } } } })).text,
    ).toContain('nodes')
    expect((await refused('edit', { changes: { runtimePolicy: { externalVariableWrites: { milk: {} } } } })).code).toBe(
      'WORKFLOW_INVALID',
    )
  })
})

describe('manage edit', () => {
  const rename = (name: string) => ({ changes: { metadata: { name } } })

  it('C74, T170: changes parts, adds one to the revision, and says what it did', async () => {
    const changes = {
      metadata: { version: '1.1.0' },
      addNodes: [
        {
          id: 'serve',
          type: 'agent-directive',
          directive: 'Serve.',
          completionCondition: 'Served.',
          connections: { success: 'end' },
        },
      ],
      updateNodes: [{ nodeId: 'decide', changes: { connections: { true: 'serve', false: 'count' } } }],
    }
    const edited = await manage('edit', { changes })
    expect(edited).toMatchObject({
      success: true,
      workflowId,
      revision: 2,
      changes: { metadataUpdated: true, nodesAdded: 1, nodesUpdated: 1, nodesRemoved: 0 },
      metadata: { version: '1.1.0', nodeCount: 8 },
    })
    expect((await nodeIds()).at(-1)).toBe('serve')
  })

  it('T167: refuses changes that change nothing', async () => {
    expect((await refused('edit', { changes: {} })).text).toContain('holds no change')
    expect((await refused('edit')).text).toContain('changes is required')
    expect((await refused('edit', { changes: { colour: 'red' } })).text).toContain('colour')
  })

  it('T168, T188: refuses what does not fit, as a whole', async () => {
    const bad = [
      { ...rename('New').changes, removeNodes: ['milk'] },
      { ...rename('New').changes, updateNodes: [{ nodeId: 'milk', changes: { directive: 'x' } }] },
      { ...rename('New').changes, addNodes: [{ id: 'taste', type: 'end' }] },
      { ...rename('New').changes, removeNodes: ['taste'] },
      { ...rename('New').changes, removeConnections: [{ nodeId: 'taste', connectionKey: 'success' }] },
    ]
    const before = await stored()
    for (const changes of bad) await refused('edit', { changes })
    expect(await stored()).toEqual(before)
  })

  it('T169: is refused for a revision that is not the stored one', async () => {
    const { revision } = await stored()
    expect(await refused('edit', { ...rename('New'), expectedRevision: revision + 1 })).toMatchObject({
      code: 'REVISION_STALE',
      retry: 'refresh',
      next: { tool: 'manage', args: { action: 'get' } },
    })
    await manage('edit', { ...rename('New'), expectedRevision: revision })
    expect(await refused('edit', { ...rename('Newer'), expectedRevision: revision })).toMatchObject({
      code: 'REVISION_STALE',
    })
    for (const expectedRevision of [-1, 1.5, '1']) {
      expect((await refused('edit', { ...rename('New'), expectedRevision })).code).toBe('invalid_request')
    }
  })

  it('loses no edit when many come at once', async () => {
    const note = (index: number) => ({
      id: `t${index}`,
      type: 'teleport',
      hint: 'x',
      directive: 'x',
      completionCondition: 'x',
      connections: { success: 'end' },
    })
    const edits = Array.from({ length: 4 }, (_, index) => manage('edit', { changes: { addNodes: [note(index)] } }))
    await Promise.all(edits)
    expect(await nodeIds()).toEqual(expect.arrayContaining(['t0', 't1', 't2', 't3']))
    expect((await stored()).revision).toBe(5)
  })

  it('T177: edit, set-variable, delete-variable, clone-node and move-node keep a workflow public', async () => {
    await manage('set-visibility', { visibility: 'public' })
    await manage('edit', rename('New'))
    await manage('set-variable', { variableName: 'cups', variableValue: 4 })
    await manage('set-variable', { variableName: 'extra', variableValue: 4 })
    await manage('delete-variable', { variableName: 'extra' })
    await manage('clone-node', { nodeId: 'spill' })
    expect(await manage('move-node', { nodeId: 'spill', targetIndex: 0 })).toMatchObject({ visibility: 'public' })
    expect((await stored())['visibility']).toBe('public')
  })
})

describe('manage access', () => {
  it('T163, C75: others read and run what is public, and change nothing', async () => {
    const theirs = { action: 'get', workflowId: 'local/brew-tea' }
    const hidden = await server.refused('manage', theirs, server.stranger)
    expect(hidden.code).toBe('not_found')
    await manage('set-visibility', { visibility: 'public' })
    expect(await server.get('manage', theirs, server.stranger)).toMatchObject({ slug: 'brew-tea' })
    const writes = [
      { action: 'edit', changes: { metadata: { name: 'x' } } },
      { action: 'set-variable', variableName: 'cups', variableValue: 2 },
      { action: 'delete-variable', variableName: 'cups' },
      { action: 'clone-node', nodeId: 'spill' },
      { action: 'move-node', nodeId: 'spill', targetIndex: 0 },
      { action: 'set-visibility', visibility: 'private' },
      { action: 'create-invite' },
      { action: 'list-access' },
      { action: 'list-invites' },
      { action: 'revoke-access', targetUserId: '1' },
      { action: 'revoke-invite', inviteId: '1' },
    ]
    for (const write of writes) {
      const refusal = await server.refused('manage', { workflowId: 'local/brew-tea', ...write }, server.stranger)
      expect(refusal, write.action).toMatchObject({ code: 'WRITE_NOT_ALLOWED', next: { args: { action: 'copy' } } })
    }
    await server.get('manage', { action: 'copy', workflowId: 'local/brew-tea' }, server.stranger)
  })

  it('T163: every action treats a foreign private workflow as one that never was', async () => {
    const reads = [
      { action: 'get' },
      { action: 'get-structure' },
      { action: 'get-node', nodeId: 'start' },
      { action: 'get-nodes', nodeIds: ['start'] },
      { action: 'list-nodes' },
      { action: 'search-nodes', query: 'tea' },
      { action: 'validate' },
      { action: 'list-variables' },
      { action: 'get-variable', variableName: 'cups' },
      { action: 'analyze-variables' },
      { action: 'diff', compareWorkflowId: workflowId },
      { action: 'copy' },
      { action: 'edit', changes: { metadata: { name: 'x' } } },
      { action: 'set-visibility', visibility: 'public' },
      { action: 'list-access' },
    ]
    for (const read of reads) {
      const foreign = await server.refused('manage', { workflowId, ...read }, server.stranger)
      const absent = await server.refused('manage', { ...read, workflowId: UNKNOWN }, server.stranger)
      expect(foreign.code, read.action).toBe('not_found')
      expect(foreign.text.replaceAll(workflowId, 'ID'), read.action).toBe(absent.text.replaceAll(UNKNOWN, 'ID'))
    }
  })

  it('T176: set-visibility says what it was and is, and keeps the rest', async () => {
    const before = await stored()
    expect(await manage('set-visibility', { visibility: 'public' })).toMatchObject({
      previousVisibility: 'private',
      newVisibility: 'public',
    })
    expect(await stored()).toEqual({ ...before, visibility: 'public', revision: before.revision + 1 })
    expect((await refused('set-visibility', { visibility: 'secret' })).code).toBe('invalid_request')
  })

  it('T187, C80: sharing is the owner’s; without accounts nobody has access and an invite says so', async () => {
    expect(await manage('list-access')).toMatchObject({ totalCount: 0, users: [] })
    expect(await manage('list-invites')).toMatchObject({ activeOnly: true, invites: [] })
    expect(await refused('create-invite', { ttlMs: 1000 })).toMatchObject({
      code: 'NOT_AVAILABLE',
      next: { tool: 'manage', args: { action: 'set-visibility', visibility: 'public' } },
    })
    expect((await refused('create-invite', { ttlMs: 0 })).code).toBe('invalid_request')
    expect(await refused('revoke-access', { targetUserId: '2' })).toMatchObject({
      code: 'not_found',
      details: { field: 'targetUserId' },
    })
    expect(await refused('revoke-invite', { inviteId: UNKNOWN })).toMatchObject({
      code: 'not_found',
      details: { field: 'inviteId' },
    })
    expect((await refused('revoke-invite')).text).toContain('inviteId is required')
  })
})

describe('manage copy and diff', () => {
  it('T186, C79: copy makes a private one of one’s own, with all that was in it', async () => {
    await manage('set-visibility', { visibility: 'public' })
    const copied = await manage('copy')
    expect(copied).toMatchObject({
      sourceWorkflowId: workflowId,
      visibility: 'private',
      revision: 1,
      metadata: { name: 'Tea (copy)', nodeCount: 7 },
    })
    expect(copied['workflowId']).not.toBe(workflowId)
    const again = await manage('copy', { newName: 'Green tea' })
    expect(again).toMatchObject({ slug: 'green-tea', metadata: { name: 'Green tea' } })
    expect(await manage('diff', { compareWorkflowId: again['workflowId'] })).toMatchObject({
      identical: false,
      summary: {
        metadataChanges: 1,
        nodesAdded: 0,
        nodesModified: 0,
        variablesChanged: 0,
        runtimePolicyChanged: false,
      },
    })
  })

  it('T185, C78: diff covers registry, policy, progress, reminder and every field of every node', async () => {
    const other = (await manage('copy', { newName: 'Tea' }))['workflowId']
    expect(await manage('diff', { compareWorkflowId: other })).toMatchObject({ identical: true })
    expect(await manage('diff', { compareWorkflowId: other })).not.toHaveProperty('details')
    await server.get('manage', {
      action: 'edit',
      workflowId: other,
      changes: {
        variableRegistry: { ...tea.variableRegistry, milk: { type: 'boolean', description: 'with milk' } },
        runtimePolicy: {},
        progress: { nodes: [{ id: 'choose', label: 'Choose', content: { summary: 'x' } }] },
        systemReminder: 'Other.',
        removeNodes: ['spill'],
        addNodes: [
          {
            id: 'drop',
            type: 'teleport',
            hint: 'x',
            directive: 'x',
            completionCondition: 'x',
            connections: { success: 'end' },
          },
        ],
        updateNodes: [{ nodeId: 'taste', changes: { completionCondition: 'You know.' } }],
      },
    })
    const found = await manage('diff', { compareWorkflowId: other })
    expect(found).toMatchObject({
      identical: false,
      summary: {
        metadataChanges: 0,
        nodesAdded: 1,
        nodesRemoved: 1,
        nodesModified: 1,
        systemReminderChanged: true,
        variablesChanged: 1,
        runtimePolicyChanged: true,
        progressChanged: true,
      },
      details: { nodes: { changed: [{ name: 'taste', fields: [{ field: 'completionCondition' }] }] } },
    })
    expect((await refused('diff')).text).toContain('compareWorkflowId is required')
  })
})
