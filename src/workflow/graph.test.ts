import { describe, expect, it } from 'vitest'
import { ask, end, type Json, raw, start, teaWorkflow, variable, workflow } from './definition.testing.ts'
import { parseDefinition } from './definition-schema.ts'
import { edgesOf, loopsAmong, structureFacts, successors } from './graph.ts'
import { diffDefinitions } from './graph-diff.ts'
import { asciiFlow, conditionText } from './graph-flow.ts'

const tea = parseDefinition(teaWorkflow())

describe('structure facts', () => {
  it('count nodes, edges and types', () => {
    expect(structureFacts(tea)).toEqual({
      nodeCount: 5,
      connectionCount: 5,
      nodeTypes: { start: 1, 'agent-directive': 1, expression: 1, condition: 1, end: 1 },
      hasStartNode: true,
      hasEndNode: true,
      agentDirectiveCount: 1,
      conditionCount: 1,
      telegramCount: 0,
    })
  })
})

describe('loopsAmong', () => {
  const loops = (text: string) => {
    const edges = text.split(' ').map((pair) => ({ from: pair.charAt(0), name: 'e', to: pair.charAt(1) }))
    const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].sort()
    return loopsAmong(ids, successors(edges)).map((loop) => [...loop].sort().join(''))
  }

  it('finds loops, nodes that lead to themselves, and loops that share nodes as one', () => {
    expect(loops('ab bc ca cd')).toEqual(['abc'])
    expect(loops('aa ab')).toEqual(['a'])
    expect(loops('ab ba bc cb de ed').sort()).toEqual(['abc', 'de'])
    expect(loops('ab bc ac')).toEqual([])
  })

  it('does not overflow on a long chain', () => {
    const ids = Array.from({ length: 50_000 }, (_, index) => `n${index}`)
    const next = new Map(ids.map((id, index) => [id, [ids[(index + 1) % ids.length] ?? '']]))
    expect(loopsAmong(ids, next)[0]).toHaveLength(50_000)
  })
})

describe('asciiFlow', () => {
  it('T189: draws each node once, with every edge and where it leads', () => {
    expect(asciiFlow(tea)).toBe(
      [
        '1 ( )  go                           start',
        '   |',
        '2 [ ]  ask                          agent-directive',
        '   |',
        '3 [ ]  inc                          expression',
        '   |',
        '4 < >  more                         condition',
        '   +-- true -> 2 ask ^',
        '   +-- false -> 5 fin',
        '5 (x)  fin                          end',
      ].join('\n'),
    )
  })

  it('T189: adds previews, and shows teleports, unreachable nodes and missing targets', () => {
    const teleport = {
      id: 'abort',
      type: 'teleport',
      hint: 'h',
      directive: 'Say\nwhy.',
      completionCondition: 'c',
      connections: { success: 'fin' },
    }
    const lines = asciiFlow(workflow([start('gone'), end(), teleport, ask('lost', 'fin')]), { previews: true }).split(
      '\n',
    )
    expect(lines).toContain('   +-- default -> gone (missing)')
    expect(lines.find((line) => line.includes('abort'))).toMatch(/^2 \[\^\] {2}abort +teleport +Say why\.$/)
    expect(lines.at(-2)).toMatch(/^4 \[ \] {2}lost/)
    expect(lines.at(-1)).toBe('   +-- success -> 3 fin ^')
  })

  it('says conditions the way an author would', () => {
    expect(
      conditionText({
        operator: 'and',
        conditions: [
          { operator: 'eq', left: { contextPath: 'verdict' }, right: 'yes' },
          { operator: 'not', condition: { operator: 'exists', value: { contextPath: 'a.b' } } },
        ],
      }),
    ).toBe('(verdict eq "yes") and (not (exists a.b))')
  })
})

describe('diffDefinitions', () => {
  const changed = (change: (json: Json, nodes: Json[]) => void) => {
    const json = teaWorkflow()
    change(json, json['nodes'] as Json[])
    return diffDefinitions(tea, parseDefinition(json))
  }

  it('C78: knows a definition as identical to itself, whatever its catalogue fields', () => {
    expect(diffDefinitions(tea, tea).identical).toBe(true)
    expect(
      changed((json) => Object.assign(json, { id: 'i', slug: 's', owner: 'o', visibility: 'public' })).identical,
    ).toBe(true)
  })

  it('T185 C78: covers metadata, registry, policy, progress and reminder', () => {
    const diff = changed((json) => {
      json['metadata'] = { name: 'Tea', version: '1.1.0', description: 'brew tea', tags: ['hot'] }
      json['variableRegistry'] = {
        cups: variable('number', { default: 1 }),
        milk: variable('boolean'),
      }
      json['runtimePolicy'] = { externalVariableWrites: { cups: {} } }
      json['progress'] = { nodes: [{ id: 'ask', label: 'l', content: { summary: 's' } }] }
      json['systemReminder'] = 'New.'
      const nodes = json['nodes'] as Json[]
      nodes[1] = ask('ask', 'inc')
      nodes[4] = end({ finalOutput: ['cups'] })
    })
    expect(diff.identical).toBe(false)
    expect(diff.metadata).toEqual([
      { field: 'version', before: '1.0.0', after: '1.1.0' },
      { field: 'tags', after: ['hot'] },
    ])
    expect(diff.registry).toEqual({
      added: ['milk'],
      removed: ['kind'],
      changed: [{ name: 'cups', fields: [{ field: 'default', before: 0, after: 1 }] }],
    })
    expect(diff.runtimePolicy).toHaveLength(1)
    expect(diff.progress).toHaveLength(1)
    expect(diff.systemReminder).toEqual([
      { field: 'systemReminder', before: 'Answer only when the kettle is off.', after: 'New.' },
    ])
  })

  it('T185: covers every field of a node, added and removed nodes, and their order', () => {
    const diff = changed((_json, nodes) => {
      nodes[1] = {
        ...nodes[1],
        directive: 'Other.',
        maxRetries: 2,
        connections: { success: 'more' },
        metadata: { color: 'red' },
      }
      nodes[2] = ask('extra', 'more')
      nodes.reverse()
    })
    expect(diff.nodes.added).toEqual(['extra'])
    expect(diff.nodes.removed).toEqual(['inc'])
    expect(diff.nodes.changed.map(({ name, fields }) => [name, fields.map((change) => change.field)])).toEqual([
      ['ask', ['directive', 'connections.success', 'maxRetries', 'metadata']],
    ])
    expect(diff.reordered).toBe(true)
  })

  it('finds a change in the place where it is', () => {
    const diff = changed((_json, nodes) => {
      const node = nodes[1] as Json
      node['inputSchema'] = { ...(node['inputSchema'] as Json), required: ['kind', 'why'] }
    })
    expect(diff.nodes.changed).toEqual([{ name: 'ask', fields: [{ field: 'inputSchema.required[1]', after: 'why' }] }])
  })
})

it('edgesOf lists every edge of every node', () => {
  expect(edgesOf(parseDefinition(raw([start('fin'), end()])))).toEqual([{ from: 'go', name: 'default', to: 'fin' }])
})
