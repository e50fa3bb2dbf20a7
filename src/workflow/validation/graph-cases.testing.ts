/** Broken and whole definitions for the checks of the graph, of names and of subgraphs. */

import { ask, compute, end, fork, type Json, raw, start, variable, workflow } from '../definition.testing.ts'
import { around, type IssueCase } from './form-cases.testing.ts'
import type { WorkflowResolver } from './subgraphs.ts'

const teleport = (id: string, to: string): Json => ({
  id,
  type: 'teleport',
  hint: 'h',
  directive: 'd',
  completionCondition: 'c',
  connections: { success: to },
})

const sub = (graphId: string, more: Json = {}): Json => ({
  id: 'x',
  type: 'subgraph',
  graphId,
  inputMapping: {},
  outputMapping: {},
  connections: { success: 'fin' },
  ...more,
})

const eq: Json = { operator: 'eq', left: { contextPath: 'v' }, right: 1 }
const variables = (...names: string[]): Json => ({
  variableRegistry: Object.fromEntries(names.map((name) => [name, variable('number', { default: 0 })])),
})

/** A chain of `count` nodes, start and end included. */
function chain(count: number): Json {
  const asks = Array.from({ length: count - 2 }, (_, index) =>
    ask(`n${index}`, index === count - 3 ? 'fin' : `n${index + 1}`),
  )
  return raw([start('n0'), ...asks, end()])
}

/** Workflows by id for subgraphs; the checked definition itself is `self`. */
function known(workflows: Record<string, Json>): WorkflowResolver {
  return {
    selfId: 'self',
    resolve(reference) {
      const found = workflows[reference]
      return found === undefined ? null : { id: reference, definition: workflow(found['nodes'] as Json[]) }
    },
  }
}

const mappings = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, `b${index}`]))

const subs = (count: number): Json => {
  const nodes = Array.from({ length: count }, (_, index) => ({
    ...sub(`child-${index}`),
    id: `s${index}`,
    connections: { success: index === count - 1 ? 'fin' : `s${index + 1}` },
  }))
  return raw([start('s0'), ...nodes, end()])
}

const progress = (blocks: Json[]): Json => ({
  progress: { nodes: blocks.map((block) => ({ label: 'l', content: { summary: 's' }, ...block })) },
})
const policy = (writes: Json): Json => ({ ...variables('v'), runtimePolicy: { externalVariableWrites: writes } })
const file = (more: Json): Json => ({ id: 'x', type: 'materialize', files: [more], connections: { success: 'fin' } })
const simple = (more: Json = {}): Json => around(ask('x', 'fin'), more)

export const graphCases: IssueCase[] = [
  { code: 'V19', what: '301 nodes (C50)', broken: chain(301), whole: chain(300), field: 'nodes' },
  { code: 'V20', what: 'no start', broken: raw([ask('x', 'fin'), end()]), whole: simple() },
  { code: 'V21', what: 'two starts', broken: raw([start('fin'), start('fin', { id: 'go2' }), end()]), whole: simple() },
  { code: 'V22', what: 'no end', broken: raw([start('x'), ask('x', 'x')]), whole: simple() },
  {
    code: 'V23',
    what: 'two nodes with one id',
    broken: raw([start('x'), ask('x', 'fin'), ask('x', 'fin'), end()]),
    whole: simple(),
  },
  {
    code: 'V27',
    what: 'an edge to nowhere',
    broken: around(ask('x', 'nowhere')),
    whole: simple(),
    nodeId: 'x',
    field: 'connections.success',
  },
  {
    code: 'V35',
    what: 'an edge to a teleport (C57)',
    broken: raw([start('x'), ask('x', 'tele'), teleport('tele', 'fin'), end()]),
    whole: raw([start('x'), ask('x', 'fin'), teleport('tele', 'fin'), end()]),
    nodeId: 'x',
    field: 'connections.success',
  },
  {
    code: 'V42',
    what: 'a node nothing leads to (C52)',
    broken: raw([start('fin'), ask('x', 'fin'), end()]),
    whole: simple(),
    nodeId: 'x',
  },
  {
    code: 'V42',
    what: 'a node behind a node nothing leads to, while one behind a teleport is reached (weak point 16)',
    broken: raw([start('fin'), ask('y', 'x'), ask('x', 'fin'), end()]),
    whole: raw([start('fin'), teleport('y', 'x'), ask('x', 'fin'), end()]),
    nodeId: 'x',
  },
  { code: 'V43', what: '21 directives', broken: chain(23), whole: chain(22), field: 'nodes' },
  {
    code: 'V45',
    what: 'its own id',
    broken: around(sub('self-id'), { id: 'self-id' }),
    whole: around(sub('child'), { id: 'self-id' }),
    nodeId: 'x',
    field: 'graphId',
  },
  {
    code: 'V45',
    what: 'its own handle/slug',
    broken: around(sub('me/tea'), { owner: 'me', slug: 'tea' }),
    whole: around(sub('you/tea'), { owner: 'me', slug: 'tea' }),
    nodeId: 'x',
  },
  {
    code: 'V45',
    what: 'a reference that resolves to itself',
    broken: around(sub('self')),
    whole: around(sub('child')),
    nodeId: 'x',
    known: known({ self: simple(), child: simple() }),
  },
  {
    code: 'V46',
    what: '51 mappings (C59)',
    broken: around(sub('child', { inputMapping: mappings(51) })),
    whole: around(sub('child', { inputMapping: mappings(50) })),
    nodeId: 'x',
    field: 'inputMapping',
  },
  {
    code: 'V47',
    what: 'the same workflow twice (C59)',
    broken: raw([start('y'), sub('child', { id: 'y', connections: { success: 'x' } }), sub('child'), end()]),
    whole: raw([start('y'), sub('other', { id: 'y', connections: { success: 'x' } }), sub('child'), end()]),
    nodeId: 'x',
    field: 'graphId',
  },
  { code: 'V48', what: '11 subgraphs', broken: subs(11), whole: subs(10), field: 'nodes' },
  {
    code: 'V50',
    what: 'a node with the name of a variable (weak point 17)',
    broken: simple(variables('x')),
    whole: simple(variables('y')),
    nodeId: 'x',
    field: 'id',
  },
  {
    code: 'V51',
    what: 'a node with a reserved id',
    broken: raw([start('userId'), ask('userId', 'fin'), end()]),
    whole: simple(),
    nodeId: 'userId',
    field: 'id',
  },
  {
    code: 'V51',
    what: 'a variable with a reserved name',
    broken: simple(variables('_lockId')),
    whole: simple(variables('lockId')),
    field: 'variableRegistry._lockId',
  },
  {
    code: 'V51',
    what: 'a variable called __proto__',
    broken: simple({ variableRegistry: JSON.parse('{"__proto__":{"type":"number","description":"d"}}') }),
    whole: simple(variables('proto')),
  },
  {
    code: 'V55',
    what: 'an automatic loop without a way out',
    broken: raw([start('x'), compute('x', ['v = 1'], 'y'), compute('y', ['v = 2'], 'x'), end()], variables('v')),
    whole: raw([start('x'), compute('x', ['v = 1'], 'y'), ask('y', 'x'), end()], variables('v')),
  },
  {
    code: 'V56',
    what: 'an automatic loop that a condition may end',
    broken: raw([start('x'), compute('x', ['v = v + 1'], 'y'), fork('y', eq, 'fin', 'x'), end()], variables('v')),
    whole: raw([start('x'), ask('x', 'y'), fork('y', eq, 'fin', 'x'), end()], variables('v')),
  },
  { code: 'V57', what: 'a trap', broken: raw([start('x'), ask('x', 'x'), end()]), whole: simple() },
  {
    code: 'V59',
    what: 'a circle over another workflow',
    broken: around(sub('child')),
    whole: around(sub('leaf')),
    nodeId: 'x',
    field: 'graphId',
    known: known({ child: around(sub('self')), self: simple(), leaf: simple() }),
  },
  {
    code: 'V59',
    what: 'a circle among other workflows',
    broken: around(sub('a')),
    whole: around(sub('leaf')),
    nodeId: 'x',
    known: known({ a: around(sub('b')), b: around(sub('a')), leaf: simple() }),
  },
  {
    code: 'V60',
    what: 'a workflow that is not there',
    broken: around(sub('missing')),
    whole: around(sub('leaf')),
    nodeId: 'x',
    field: 'graphId',
    known: known({ leaf: simple() }),
  },
  {
    code: 'V61',
    what: 'a policy for a node that is not there',
    broken: simple(policy({ v: { allowedNodeIds: ['gone'] } })),
    whole: simple(policy({ v: { allowedNodeIds: ['x'] } })),
  },
  {
    code: 'V62',
    what: 'a policy for a node that does not wait',
    broken: simple(policy({ v: { allowedNodeIds: ['fin'] } })),
    whole: simple(policy({ v: { allowedNodeIds: [] } })),
  },
  {
    code: 'V63',
    what: 'a policy for an undeclared variable',
    broken: simple(policy({ w: {} })),
    whole: simple(policy({ v: {} })),
    field: 'runtimePolicy.externalVariableWrites.w',
  },
  ...['/etc/x', '../x', 'a/../../x', 'C:/x', 'a\\b', 'a//b', 'a\0b'].map(
    (path): IssueCase => ({
      code: 'V64',
      what: `the path ${JSON.stringify(path)} (T148)`,
      broken: around(file({ path, content: 'c' })),
      whole: around(file({ path: 'docs/a..b.md', content: 'c' })),
      nodeId: 'x',
      field: 'files[0].path',
    }),
  ),
  {
    code: 'V65',
    what: 'a file with two sources',
    broken: around(file({ path: 'a', content: 'c', fromVariable: 'x' })),
    whole: around(file({ path: 'a', fromVariable: 'x' })),
    nodeId: 'x',
    field: 'files[0]',
  },
  {
    code: 'V65',
    what: 'a file with none',
    broken: around(file({ path: 'a' })),
    whole: around(file({ path: 'a', content: '' })),
    nodeId: 'x',
  },
  {
    code: 'V66',
    what: 'maxRetries without a way out (weak point 14)',
    broken: around(ask('x', 'fin', {}, { maxRetries: 2 })),
    whole: around(ask('x', 'fin', {}, { maxRetries: 2, connections: { success: 'fin', error: 'fin' } })),
    nodeId: 'x',
    field: 'maxRetries',
  },
  {
    code: 'V66',
    what: 'a timeout without a way out',
    broken: around(ask('x', 'fin', {}, { timeout: 5 })),
    whole: around(ask('x', 'fin', {}, { timeout: 5, connections: { success: 'fin', timeout: 'fin' } })),
    nodeId: 'x',
    field: 'timeout',
  },
  {
    code: 'V67',
    what: 'edges that are never taken (weak point 14)',
    broken: around(ask('x', 'fin', {}, { connections: { success: 'fin', maxRetriesExceeded: 'fin' } })),
    whole: around(ask('x', 'fin', {}, { maxRetries: 0, connections: { success: 'fin', maxRetriesExceeded: 'fin' } })),
    nodeId: 'x',
    field: 'connections.maxRetriesExceeded',
  },
  {
    code: 'V67',
    what: 'a timeout edge without timeout',
    broken: around(ask('x', 'fin', {}, { connections: { success: 'fin', timeout: 'fin' } })),
    whole: simple(),
    nodeId: 'x',
  },
  {
    code: 'V69',
    what: 'two blocks with one id',
    broken: simple(progress([{ id: 'x' }, { id: 'x' }])),
    whole: simple(progress([{ id: 'x' }, { id: 'y' }])),
  },
  {
    code: 'V70',
    what: 'a block that leads nowhere',
    broken: simple(progress([{ id: 'x', connections: { default: 'y' } }])),
    whole: simple(progress([{ id: 'x', connections: { default: 'y' } }, { id: 'y' }])),
  },
  {
    code: 'V71',
    what: 'blocks that are no nodes',
    broken: simple(progress([{ id: 'a' }])),
    whole: simple(progress([{ id: 'a' }, { id: 'fin' }])),
  },
  {
    code: 'V72',
    what: 'a progress text with an unknown name',
    broken: simple(progress([{ id: 'x', label: '{{w}}' }])),
    whole: simple({ ...variables('w'), ...progress([{ id: 'x', label: '{{w}}' }]) }),
    field: 'progress.nodes[0].label',
  },
  {
    code: 'V75',
    what: 'more than 5 MB',
    broken: around(ask('x', 'fin', {}, { directive: 'd'.repeat(5 * 1024 * 1024) })),
    whole: around(ask('x', 'fin', {}, { directive: 'd'.repeat(5 * 1024 * 1024 - 1000) })),
  },
  {
    code: 'V77',
    what: 'a mapping that is no path',
    broken: around(sub('child', { outputMapping: { 'a..b': 'v' } })),
    whole: around(sub('child', { outputMapping: { 'a[0].b': 'v' } })),
    nodeId: 'x',
    field: 'outputMapping',
  },
  {
    code: 'V77',
    what: 'a mapping to __proto__',
    broken: around(sub('child', { inputMapping: { a: '__proto__.x' } })),
    whole: around(sub('child', { inputMapping: { a: 'proto.x' } })),
    nodeId: 'x',
  },
]
