import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { create, type Data, type TestServer, tea, testServer } from '../workflows.testing.ts'

let server: TestServer
let workflowId: string
beforeEach(async () => {
  server = await testServer()
  workflowId = await create(server, tea)
})
afterEach(() => server.close())

const manage = (action: string, more: object = {}) => server.get<Data>('manage', { action, workflowId, ...more })
const refused = (action: string, more: object = {}) => server.refused('manage', { action, workflowId, ...more })
const order = async () => ((await manage('list-nodes'))['nodes'] as { id: string }[]).map(({ id }) => id)

describe('reading a workflow', () => {
  it('T171: get has metadata, registry, policy, progress, reminder, facts and revision', async () => {
    const found = await manage('get')
    expect(found).toMatchObject({
      workflowId,
      reference: 'local/brew-tea',
      ownerHandle: 'local',
      metadata: tea.metadata,
      variableRegistry: tea.variableRegistry,
      runtimePolicy: tea.runtimePolicy,
      progress: null,
      systemReminder: 'Mind the kettle.',
      structure: {
        nodeCount: 7,
        connectionCount: 7,
        hasStartNode: true,
        hasEndNode: true,
        agentDirectiveCount: 2,
        conditionCount: 1,
        telegramCount: 0,
      },
      totalNodes: 7,
      nodes: tea.nodes,
      validation: { valid: true, errorCount: 0, errors: [] },
      revision: 1,
    })
  })

  it('T172: includeNodes and includeValidation leave out just that', async () => {
    const { nodes: _nodes, ...withoutNodes } = await manage('get')
    expect(await manage('get', { includeNodes: false })).toEqual(withoutNodes)
    const { validation: _validation, ...neither } = withoutNodes
    expect(await manage('get', { includeNodes: false, includeValidation: false })).toEqual(neither)
  })

  it('C77: get pages the nodes', async () => {
    expect(await manage('get', { offset: 1, limit: 2 })).toMatchObject({
      offset: 1,
      limit: 2,
      returnedNodes: 2,
      hasMore: true,
      totalNodes: 7,
      nodes: [{ id: 'choose' }, { id: 'count' }],
    })
    expect(await manage('get', { offset: 6 })).toMatchObject({ returnedNodes: 1, hasMore: false })
    expect(await manage('get', { offset: 99, limit: 1 })).toMatchObject({ returnedNodes: 0, hasMore: false, nodes: [] })
    for (const bad of [{ offset: -1 }, { limit: 0 }, { limit: 1.5 }])
      expect((await refused('get', bad)).code).toBe('invalid_request')
  })

  it('T173: list-nodes filters by type and shows as much of each node as asked', async () => {
    const listed = await manage('list-nodes')
    expect(listed).toMatchObject({ nodeCount: 7 })
    expect(listed['nodes']).toContainEqual({ id: 'decide', type: 'condition', connections: ['end', 'count'] })
    expect(await manage('list-nodes', { typeFilter: 'agent-directive' })).toMatchObject({
      nodeCount: 2,
      nodes: [{ id: 'choose' }, { id: 'taste' }],
    })
    const long = { updateNodes: [{ nodeId: 'choose', changes: { directive: 'x'.repeat(300) } }] }
    await manage('edit', { changes: long })
    const preview = async (more: object = {}) => {
      const { nodes } = (await manage('list-nodes', { includePreview: true, ...more })) as {
        nodes: { directivePreview: string }[]
      }
      return nodes[1]?.directivePreview.length
    }
    expect(await preview()).toBe(100)
    expect(await preview({ previewLength: 20 })).toBe(20)
    expect((await refused('list-nodes', { typeFilter: 'kettle' })).text).toContain('agent-directive')
  })

  it('T174: get-nodes gives those there are and names the others; get-node gives one', async () => {
    expect(await manage('get-nodes', { nodeIds: ['end', 'milk', 'start'] })).toMatchObject({
      requestedCount: 3,
      foundCount: 2,
      nodes: [{ id: 'end', node: { type: 'end' } }, { id: 'start' }],
      notFound: ['milk'],
    })
    expect(await manage('get-nodes', { nodeIds: ['end'] })).not.toHaveProperty('notFound')
    expect(await manage('get-node', { nodeId: 'taste' })).toMatchObject({ node: tea.nodes[3] })
    expect((await refused('get-node', { nodeId: 'milk' })).code).toBe('not_found')
  })

  it('T178, T179: search-nodes takes words, expressions, broken expressions, and costly ones', async () => {
    const found = async (query: string, more: object = {}) => {
      const { results } = (await manage('search-nodes', { query, ...more })) as {
        results: { nodeId: string; matchedIn: string[] }[]
      }
      return results.map(({ nodeId }) => nodeId)
    }
    expect(await found('TASTE')).toEqual(['taste'])
    expect(await found('^(choose|end)$')).toEqual(['choose', 'end'])
    expect(await found('rounds \\+')).toEqual(['count'])
    expect(await found('rounds + 1')).toEqual([])
    expect(await found('(unclosed')).toEqual([])
    expect(await found('One is chosen.')).toEqual(['choose'])
    expect(await found('pot broke')).toEqual(['spill'])
    await manage('edit', {
      changes: { updateNodes: [{ nodeId: 'choose', changes: { directive: `${'a'.repeat(50_000)}!` } }] },
    })
    const began = performance.now()
    expect(await found('(a+)+$')).toEqual([])
    expect(performance.now() - began).toBeLessThan(2000)
    expect((await refused('search-nodes', { query: ' ' })).text).toContain('must not be blank')
  })

  it('search-nodes shows where it matched, with or without the node, and looks in variables when asked', async () => {
    const whole = await manage('search-nodes', { query: 'tea', includeVariables: true })
    expect(whole).toMatchObject({ resultCount: 2, truncated: false })
    expect(whole['results']).toMatchObject([
      { nodeId: 'choose', matchedIn: ['directive'], node: { type: 'agent-directive' } },
      { nodeId: 'taste', matchedIn: ['directive'], snippet: 'Taste the {{kind}} tea, round {{rounds}}.' },
    ])
    expect(whole['variables']).toMatchObject([{ name: 'kind', matchedIn: ['description'] }])
    const { results } = (await manage('search-nodes', { query: 'tea', snippetMode: true })) as { results: object[] }
    expect(results[0]).not.toHaveProperty('node')
    await manage('edit', {
      changes: {
        updateNodes: [{ nodeId: 'choose', changes: { directive: `${'x '.repeat(200)}kettle${' y'.repeat(200)}` } }],
      },
    })
    const { results: long } = (await manage('search-nodes', { query: 'kettle' })) as { results: { snippet: string }[] }
    expect(long[0]?.snippet).toHaveLength(100)
    expect(long[0]?.snippet).toContain('kettle')
  })

  it('T189: get-structure has the edges; graph draws them, detailed adds previews', async () => {
    const plain = await manage('get-structure')
    expect(plain).toMatchObject({ stats: { totalNodes: 7, connectionCount: 7, byType: { 'agent-directive': 2 } } })
    expect(plain['graph']).toContainEqual({
      nodeId: 'decide',
      type: 'condition',
      connections: { true: 'end', false: 'count' },
    })
    expect(plain).not.toHaveProperty('flowVisualization')
    const drawn = await manage('get-structure', { graph: true, detailed: true })
    expect(drawn['flowVisualization']).toContain('decide')
    expect(drawn['nodesPreview']).toContainEqual({ nodeId: 'spill', preview: 'Clean up.' })
  })

  it('C53: validate checks what is stored, or a draft, and says what to do about each finding', async () => {
    expect(await manage('validate')).toMatchObject({ workflowId, valid: true, errorCount: 0, errors: [] })
    const draft = { ...tea, nodes: tea.nodes.filter(({ id }) => id !== 'end') }
    const found = await server.get<{ errors: object[] }>('manage', { action: 'validate', workflow: draft })
    expect(found).toMatchObject({ success: true, valid: false })
    for (const error of found.errors)
      expect(error).toMatchObject({
        type: expect.any(String),
        code: expect.any(String),
        message: expect.any(String),
        remedy: expect.any(String),
      })
    expect((await server.refused('manage', { action: 'validate' })).text).toContain('one of them')
    expect((await refused('validate', { workflow: tea })).text).toContain('one of them')
  })
})

describe('moving nodes around', () => {
  it('T180, C79: clone-node puts a copy behind the node, under the id given or a new one', async () => {
    const cloned = await manage('clone-node', { nodeId: 'spill', newId: 'drop' })
    expect(cloned).toMatchObject({
      sourceNodeId: 'spill',
      clonedNodeId: 'drop',
      clonedNode: { ...tea.nodes[5], id: 'drop' },
      revision: 2,
    })
    expect((await order()).slice(5)).toEqual(['spill', 'drop', 'end'])
    const again = await manage('clone-node', { nodeId: 'spill' })
    expect(again['clonedNodeId']).toMatch(/^spill-clone-[0-9a-f]{4}$/)
    expect((await manage('clone-node', { nodeId: 'spill' }))['clonedNodeId']).not.toBe(again['clonedNodeId'])
  })

  it('T180: refuses a node that is not there, an id that is taken, and a result that is not valid', async () => {
    expect(await refused('clone-node', { nodeId: 'milk' })).toMatchObject({ code: 'not_found' })
    expect(await refused('clone-node', { nodeId: 'spill', newId: 'end' })).toMatchObject({
      details: { field: 'newId' },
    })
    expect(await refused('clone-node', { nodeId: 'start' })).toMatchObject({ code: 'WORKFLOW_INVALID' })
    expect((await manage('get'))['revision']).toBe(1)
  })

  it('T181, C79: move-node changes the order alone, to a place or behind a node', async () => {
    const ids = await order()
    expect(await manage('move-node', { nodeId: 'end', targetIndex: 0 })).toMatchObject({ fromIndex: 6, toIndex: 0 })
    expect(await order()).toEqual(['end', ...ids.filter((id) => id !== 'end')])
    expect(await manage('move-node', { nodeId: 'end', afterNodeId: 'start' })).toMatchObject({
      fromIndex: 0,
      toIndex: 1,
    })
    expect(await manage('move-node', { nodeId: 'end', afterNodeId: 'spill' })).toMatchObject({ toIndex: 6 })
    expect(await manage('get')).toMatchObject({ nodes: tea.nodes })
    await manage('move-node', { nodeId: 'start', targetIndex: 6 })
    expect((await order()).at(-1)).toBe('start')
  })

  it('T181: refuses places and nodes that are not there, and both or neither', async () => {
    const bad = [
      {},
      { targetIndex: 1, afterNodeId: 'end' },
      { targetIndex: 7 },
      { targetIndex: -1 },
      { afterNodeId: 'milk' },
      { afterNodeId: 'spill' },
    ]
    for (const more of bad) await refused('move-node', { nodeId: 'spill', ...more })
    expect((await refused('move-node', { nodeId: 'milk', targetIndex: 0 })).code).toBe('not_found')
    expect((await manage('get'))['revision']).toBe(1)
  })
})

describe('variables of a definition', () => {
  const names = async (more: object = {}) =>
    ((await manage('list-variables', more))['variables'] as { name: string }[]).map(({ name }) => name)

  it('T182: list-variables filters by name, type, default and who may write', async () => {
    expect(await names()).toEqual(['kind', 'rounds', 'cups'])
    expect(await names({ variableNames: ['cups', 'milk'] })).toEqual(['cups'])
    expect(await names({ variableTypes: ['number'] })).toEqual(['rounds', 'cups'])
    expect(await names({ hasDefault: false })).toEqual(['kind'])
    expect(await names({ externallyWritable: true })).toEqual(['cups'])
    expect(await names({ hasDefault: true, externallyWritable: false })).toEqual(['rounds'])
    expect((await manage('list-variables'))['variables']).toContainEqual({
      name: 'cups',
      type: 'number',
      description: 'how many cups',
      hasDefault: true,
      externallyWritable: true,
      preview: '1',
    })
  })

  it('T182: get-variable reads one', async () => {
    expect(await manage('get-variable', { variableName: 'cups' })).toMatchObject({
      value: 1,
      type: 'number',
      description: 'how many cups',
      externallyWritable: true,
    })
    expect(await manage('get-variable', { variableName: 'kind' })).toMatchObject({ value: null, hasDefault: false })
    for (const variableName of ['milk', 'toString'])
      expect((await refused('get-variable', { variableName })).code).toBe('not_found')
  })

  it('T183: set-variable gives a declared one another default, if it fits', async () => {
    expect(await manage('set-variable', { variableName: 'cups', variableValue: 4 })).toMatchObject({
      oldValue: 1,
      newValue: 4,
      declared: false,
      revision: 2,
    })
    expect(await manage('get-variable', { variableName: 'cups' })).toMatchObject({
      value: 4,
      description: 'how many cups',
    })
    expect(await refused('set-variable', { variableName: 'cups', variableValue: 'four' })).toMatchObject({
      code: 'invalid_request',
      details: { field: 'variableValue' },
    })
    expect(await refused('set-variable', { variableName: 'kind', variableValue: 'coffee' })).toMatchObject({
      code: 'invalid_request',
    })
    expect((await refused('set-variable', { variableName: 'cups' })).text).toContain('variableValue is required')
  })

  it('T183: set-variable declares one that is not there, of the type of its value', async () => {
    const values: [string, unknown, string][] = [
      ['a', 'x', 'string'],
      ['b', 1.5, 'number'],
      ['c', false, 'boolean'],
      ['d', [1], 'array'],
      ['e', { f: 1 }, 'object'],
      ['g', null, 'null'],
    ]
    for (const [variableName, variableValue, type] of values) {
      expect(await manage('set-variable', { variableName, variableValue })).toMatchObject({
        declared: true,
        newValue: variableValue,
      })
      expect(await manage('get-variable', { variableName })).toMatchObject({ value: variableValue, type })
    }
    expect(await refused('set-variable', { variableName: 'executionId', variableValue: 1 })).toMatchObject({
      code: 'WORKFLOW_INVALID',
    })
  })

  it('T184: delete-variable is refused while something refers to it', async () => {
    for (const variableName of ['kind', 'cups', 'rounds']) {
      expect((await refused('delete-variable', { variableName })).code, variableName).toBe('WORKFLOW_INVALID')
    }
    await manage('set-variable', { variableName: 'milk', variableValue: true })
    expect(await manage('delete-variable', { variableName: 'milk' })).toMatchObject({
      deletedValue: true,
      deletedDeclaration: { type: 'boolean' },
    })
    expect((await refused('delete-variable', { variableName: 'milk' })).code).toBe('not_found')
  })

  it('T175: analyze-variables shows every source and use', async () => {
    const { analysis, variableCount } = (await manage('analyze-variables')) as {
      analysis: Record<string, { sources: object[]; usages: object[] }>
      variableCount: number
    }
    expect(variableCount).toBe(3)
    expect(analysis['kind']?.sources.map((source) => (source as { type: string }).type)).toEqual([
      'registry',
      'globalInput',
    ])
    expect(analysis['kind']?.usages).toEqual([
      { nodeId: 'taste', field: 'directive', context: 'template' },
      { nodeId: 'end', field: 'finalOutput[0]', context: 'finalOutput' },
    ])
    expect(analysis['rounds']?.sources).toContainEqual({ type: 'expression', nodeId: 'count', description: 'assigned' })
    expect(analysis['rounds']?.usages).toContainEqual({
      nodeId: 'count',
      field: 'expressions[0]',
      context: 'expression',
    })
    expect(analysis['cups']?.sources).toContainEqual(expect.objectContaining({ type: 'externalWrite' }))
    expect(Object.keys((await manage('analyze-variables', { variableNames: ['cups'] }))['analysis'] as object)).toEqual(
      ['cups'],
    )
  })

  it('T175: looks into nested conditions, subgraphs, notes and every text', async () => {
    const nodes = [
      {
        id: 'start',
        type: 'start',
        initialData: { variables: { old: { description: 'old', value: 1 } } },
        connections: { default: 'if' },
      },
      {
        id: 'if',
        type: 'condition',
        condition: {
          operator: 'and',
          conditions: [
            { operator: 'not', condition: { operator: 'exists', value: { contextPath: 'list[index].x' } } },
            { operator: 'eq', left: 1, right: { contextPath: 'old' } },
          ],
        },
        connections: { true: 'save', false: 'sub' },
      },
      {
        id: 'save',
        type: 'write-note',
        batchMode: true,
        source: 'list',
        tags: ['t-{{old}}'],
        connections: { default: 'end' },
      },
      {
        id: 'sub',
        type: 'subgraph',
        graphId: 'local/brew-tea',
        inputMapping: { 'list[0]': 'kind' },
        outputMapping: { kind: 'got.kind' },
        connections: { success: 'end' },
      },
      { id: 'end', type: 'end' },
    ]
    const variable = (type: string) => ({ type, description: 'x' })
    const registry = {
      list: { ...variable('array'), default: [] },
      index: { ...variable('number'), default: 0 },
      got: variable('object'),
    }
    const id = await create(server, {
      metadata: { name: 'All', version: '1.0.0', description: 'x' },
      variableRegistry: registry,
      nodes,
    })
    const { analysis } = (await manage('analyze-variables', { workflowId: id })) as {
      analysis: Record<string, { sources: { type: string }[]; usages: { nodeId: string; context: string }[] }>
    }
    const uses = (name: string) => analysis[name]?.usages.map(({ nodeId, context }) => `${nodeId} ${context}`)
    expect(uses('list')).toEqual(expect.arrayContaining(['if condition', 'save source', 'sub inputMapping']))
    expect(uses('index')).toEqual(['if condition'])
    expect(uses('old')).toEqual(expect.arrayContaining(['if condition', 'save template']))
    expect(analysis['old']?.sources.map(({ type }) => type)).toEqual(['initialData'])
    expect(analysis['got']?.sources.map(({ type }) => type)).toEqual(['registry', 'outputMapping'])
  })
})
