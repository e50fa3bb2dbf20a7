import { describe, expect, it } from 'vitest'
import { applyChanges, type Changes } from './apply-changes.ts'

const tea = {
  metadata: { name: 'Tea', version: '1.0.0', description: 'Brew', author: 'Ada' },
  systemReminder: 'Careful.',
  variableRegistry: { cups: { type: 'number', description: 'how many' } },
  nodes: [
    { id: 'start', type: 'start', connections: { default: 'brew' } },
    {
      id: 'brew',
      type: 'agent-directive',
      directive: 'Brew.',
      maxRetries: 2,
      connections: { success: 'end', error: 'end' },
    },
    { id: 'end', type: 'end' },
  ],
}

const edit = (changes: Changes) => applyChanges(tea, changes)
const refusal = (changes: Changes) => {
  try {
    edit(changes)
  } catch (error) {
    return String(error)
  }
  return 'was taken'
}

describe('an edit of a definition', () => {
  it('C74: sets metadata fields, keeping the others', () => {
    const { definition, counts } = edit({ metadata: { version: '1.1.0', tags: ['hot'] } })
    expect(definition['metadata']).toEqual({ ...tea.metadata, version: '1.1.0', tags: ['hot'] })
    expect(definition['nodes']).toEqual(tea.nodes)
    expect(counts).toMatchObject({ metadataUpdated: true, systemReminderUpdated: false, nodesUpdated: 0 })
  })

  it('C74: replaces the registry, policy and progress as a whole', () => {
    const registry = { kind: { type: 'string', description: 'which' } }
    const { definition } = edit({ variableRegistry: registry, runtimePolicy: {}, progress: { nodes: [] } })
    expect(definition).toMatchObject({ runtimePolicy: {}, progress: { nodes: [] } })
    expect(definition['variableRegistry']).toEqual(registry)
  })

  it('sets the reminder, and takes it away with an empty one', () => {
    expect(edit({ systemReminder: 'New.' }).definition['systemReminder']).toBe('New.')
    expect(edit({ systemReminder: '' }).definition).not.toHaveProperty('systemReminder')
  })

  it('C74: removes, updates and adds nodes, then removes connections', () => {
    const { definition, counts } = edit({
      removeNodes: ['end'],
      updateNodes: [{ nodeId: 'brew', changes: { directive: 'Brew well.', maxRetries: null } }],
      addNodes: [{ id: 'end', type: 'end', finalOutput: ['cups'] }],
      removeConnections: [{ nodeId: 'brew', connectionKey: 'error' }],
    })
    expect(definition['nodes']).toEqual([
      tea.nodes[0],
      { id: 'brew', type: 'agent-directive', directive: 'Brew well.', connections: { success: 'end' } },
      { id: 'end', type: 'end', finalOutput: ['cups'] },
    ])
    expect(counts).toMatchObject({ nodesAdded: 1, nodesRemoved: 1, nodesUpdated: 1, connectionsRemoved: 1 })
  })

  it('leaves the definition it was given alone', () => {
    const before = structuredClone(tea)
    edit({
      updateNodes: [{ nodeId: 'brew', changes: { directive: 'x' } }],
      removeConnections: [{ nodeId: 'brew', connectionKey: 'error' }],
    })
    expect(tea).toEqual(before)
  })

  it('T167: refuses changes that change nothing', () => {
    expect(refusal({})).toContain('holds no change')
    expect(refusal({ metadata: {}, addNodes: [], removeNodes: [], updateNodes: [], removeConnections: [] })).toContain(
      'holds no change',
    )
    expect(edit({ variableRegistry: {} }).counts.variableRegistryUpdated).toBe(true)
  })

  it('T168: refuses nodes that are not there, ids there already, and ids given twice', () => {
    expect(refusal({ removeNodes: ['milk'] })).toContain('there is no node "milk"')
    expect(refusal({ updateNodes: [{ nodeId: 'milk', changes: { directive: 'x' } }] })).toContain(
      'there is no node "milk"',
    )
    expect(refusal({ addNodes: [{ id: 'brew', type: 'end' }] })).toContain('already a node "brew"')
    expect(
      refusal({
        addNodes: [
          { id: 'a', type: 'end' },
          { id: 'a', type: 'end' },
        ],
      }),
    ).toContain('already a node "a"')
    expect(refusal({ removeNodes: ['end', 'end'] })).toContain('given twice')
    expect(
      refusal({ removeNodes: ['brew'], updateNodes: [{ nodeId: 'brew', changes: { directive: 'x' } }] }),
    ).toContain('no node')
    expect(refusal({ updateNodes: [{ nodeId: 'brew' }] })).toContain('needs an object')
    expect(refusal({ updateNodes: [{ nodeId: 'brew', changes: 'x' }] })).toContain('needs an object')
    expect(refusal({ removeConnections: [{ nodeId: 'brew', connectionKey: 'timeout' }] })).toContain(
      'no connection "timeout"',
    )
    expect(refusal({ removeConnections: [{ nodeId: 'milk', connectionKey: 'x' }] })).toContain(
      'there is no node "milk"',
    )
  })
})
