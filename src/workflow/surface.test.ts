import { describe, expect, it } from 'vitest'
import { ask, end, type Json, raw, start, teaWorkflow, workflow } from './definition.testing.ts'
import { parseDefinition } from './definition-schema.ts'
import { surfaceChanges, surfaceHash, surfaceOf } from './surface.ts'
import { startRun } from './transition.testing.ts'

/** The surface of a run paused on `ask`, against an edited definition. */
async function surfaceAfter(edit: (definition: Json, node: Json) => void) {
  const run = await startRun(parseDefinition(teaWorkflow()))
  const edited = teaWorkflow()
  edit(edited, (edited['nodes'] as Json[])[1] ?? {})
  const before = await surfaceOf(run.context(), run.state)
  const after = await surfaceOf({ ...run.context(), definition: parseDefinition(edited) }, run.state)
  return { same: surfaceHash(before) === surfaceHash(after), changes: surfaceChanges(before, after) }
}

describe('the continuation surface', () => {
  it.each<[string, (definition: Json, node: Json) => void]>([
    [
      'version, tags and description',
      (definition) => (definition['metadata'] = { name: 'T', version: '2.0.0', description: 'x', tags: ['t'] }),
    ],
    [
      'another node',
      (definition) =>
        ((definition['nodes'] as Json[])[2] = { ...(definition['nodes'] as Json[])[2], expressions: ['cups = 9'] }),
    ],
    ['display data of the node', (_definition, node) => (node['metadata'] = { displayName: 'Ask', color: 'red' })],
    ['an x- key of the node', (_definition, node) => (node['x-note'] = 'for me')],
    [
      'a variable the node does not take',
      (definition) => ((definition['variableRegistry'] as Json)['cups'] = { type: 'integer', description: 'other' }),
    ],
    ['the reminder', (definition) => (definition['systemReminder'] = 'other')],
  ])('T88: stays the same when %s changes', async (_what, edit) => {
    expect(await surfaceAfter(edit)).toEqual({ same: true, changes: [] })
  })

  it.each<[string, (definition: Json, node: Json) => void, string[]]>([
    ['the directive', (_definition, node) => (node['directive'] = 'Other.'), ['node ask: directive']],
    [
      'the schema',
      (_definition, node) => ((node['inputSchema'] as Json)['required'] = []),
      ['node ask: inputSchema.required[0]'],
    ],
    ['an edge', (_definition, node) => (node['connections'] = { success: 'fin' }), ['node ask: connections.success']],
    [
      'a variable it takes',
      (definition) =>
        ((definition['variableRegistry'] as Json)['kind'] = { type: 'string', description: 'a string variable' }),
      ['variable kind: enum'],
    ],
    ['the id', (_definition, node) => (node['id'] = 'renamed'), ['node ask: removed']],
  ])('T87 T89: changes with %s, and says so (T109)', async (_what, edit, changes) => {
    const broken = (definition: Json, node: Json) => edit(definition, node)
    expect(await surfaceAfter(broken)).toEqual({ same: false, changes })
  })

  it('T89: changes with the type of the node', async () => {
    const run = await startRun(workflow([start('ask'), ask('ask', 'fin'), end()]))
    const lock = { id: 'ask', type: 'lock', reason: 'why', connections: { unlocked: 'fin' } }
    const edited = parseDefinition(raw([start('ask'), lock, end()]))
    const before = await surfaceOf(run.context(), run.state)
    const after = await surfaceOf({ ...run.context(), definition: edited }, run.state)
    expect(surfaceChanges(before, after)).toContain('node ask: type')
  })

  it('is 64 hex digits, whatever the order of keys', async () => {
    const run = await startRun(parseDefinition(teaWorkflow()))
    const surface = await surfaceOf(run.context(), run.state)
    expect(surfaceHash(surface)).toMatch(/^[0-9a-f]{64}$/)
    const reversed = surface.map((level) => Object.fromEntries(Object.entries(level).reverse())) as typeof surface
    expect(surfaceHash(reversed)).toBe(surfaceHash(surface))
  })

  it('Q12: inside a subgraph covers the child’s step and the subgraph node around it', async () => {
    const sub = {
      id: 'sub',
      type: 'subgraph',
      graphId: 'child',
      inputMapping: {},
      outputMapping: {},
      connections: { success: 'fin' },
    }
    const outer = (more: Json) => workflow([start('sub'), { ...sub, ...more }, end()])
    const child = (directive: string) => workflow([start('ask'), ask('ask', 'fin', {}, { directive }), end()])
    const run = await startRun(outer({}), { workflows: { child: child('one') } })
    const surface = await surfaceOf(run.context(), run.state)
    expect(surface.map((level) => level.nodeId)).toEqual(['sub', 'ask'])
    const mapped = await surfaceOf({ ...run.context(), definition: outer({ outputMapping: { a: 'b' } }) }, run.state)
    expect(surfaceChanges(surface, mapped)).toEqual(['node sub: outputMapping.a'])
    const reads = { ...run.context().reads, workflow: async () => ({ id: 'child', definition: child('two') }) }
    expect(surfaceChanges(surface, await surfaceOf({ ...run.context(), reads }, run.state))).toEqual([
      'node ask: directive',
    ])
  })
})
