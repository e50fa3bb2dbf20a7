/** Broken and whole definitions for the checks of form (V1 to V18, V24 to V26, V28, V44, V68, V73). */

import { ask, compute, end, fork, type Json, raw, start, variable } from '../definition.testing.ts'
import type { IssueCode } from './codes.ts'
import type { WorkflowResolver } from './subgraphs.ts'

export interface IssueCase {
  code: IssueCode
  /** What is wrong, in the name of the test. */
  what: string
  broken: unknown
  /** The same with the fault mended. */
  whole: unknown
  /** The node and the field the finding must name. */
  nodeId?: string
  field?: string
  known?: WorkflowResolver
}

/** A whole definition around one node `x`. */
export const around = (node: Json, more: Json = {}): Json => raw([start('x'), node, end()], more)

const simple = (more: Json = {}): Json => around(ask('x', 'fin'), more)

const metadata = (more: Json): Json => ({ name: 'n', version: '1.0.0', description: 'd', ...more })

const lock: Json = { id: 'x', type: 'lock', reason: 'why', connections: { unlocked: 'fin' } }
const telegram: Json = { id: 'x', type: 'telegram-notification', message: 'hi', connections: { default: 'fin' } }
const subgraph: Json = {
  id: 'x',
  type: 'subgraph',
  graphId: 'child',
  inputMapping: {},
  outputMapping: {},
  connections: { success: 'fin' },
}
const button = (more: Json): Json => ({ ...telegram, replyMarkup: { inline_keyboard: [[{ text: 'b', ...more }]] } })
const writeNote: Json = { id: 'x', type: 'write-note', key: 'k', source: 's', connections: { default: 'fin' } }
const upsertNote: Json = { id: 'x', type: 'upsert-note', keyTemplate: 'k', value: 'v', connections: { default: 'fin' } }
const readNote: Json = { id: 'x', type: 'read-note', outputVariable: 'o', connections: { default: 'fin' } }
const teleport: Json = {
  id: 'x',
  type: 'teleport',
  hint: 'h',
  directive: 'd',
  completionCondition: 'c',
  connections: { success: 'fin' },
}
const eq = (more: Json = {}): Json => ({ operator: 'eq', left: 1, right: 1, ...more })
const registry = (entry: unknown): Json => simple({ variableRegistry: { v: entry } })
const block = (more: Json = {}): Json => ({ id: 'x', label: 'l', content: { summary: 's' }, ...more })

/** A node without one of its fields. */
const without = (node: Json, field: string): Json =>
  Object.fromEntries(Object.entries(node).filter(([name]) => name !== field))

const onNode = (code: IssueCode, what: string, field: string, broken: Json, whole: Json): IssueCase => ({
  code,
  what,
  broken: around(broken),
  whole: around(whole),
  nodeId: 'x',
  field,
})

const missing = (code: IssueCode, node: Json, field: string): IssueCase =>
  onNode(code, `${String(node['type'])} without ${field}`, field, without(node, field), node)

export const formCases: IssueCase[] = [
  { code: 'V1', what: 'the root is no object', broken: [], whole: simple() },
  {
    code: 'V1',
    what: 'metadata is missing',
    broken: without(simple(), 'metadata'),
    whole: simple(),
    field: 'metadata',
  },
  { code: 'V1', what: 'nodes are missing', broken: without(simple(), 'nodes'), whole: simple(), field: 'nodes' },
  { code: 'V2', what: 'an unknown root field', broken: simple({ variables: {} }), whole: simple(), field: 'variables' },
  {
    code: 'V2',
    what: 'an unknown field in metadata',
    broken: simple({ metadata: metadata({ licence: 'x' }) }),
    whole: simple({ metadata: metadata({ author: 'a', tags: ['t'] }) }),
    field: 'metadata.licence',
  },
  {
    code: 'V3',
    what: 'no description',
    broken: simple({ metadata: without(metadata({}), 'description') }),
    whole: simple(),
    field: 'metadata.description',
  },
  {
    code: 'V3',
    what: 'an empty description',
    broken: simple({ metadata: metadata({ description: '' }) }),
    whole: simple(),
  },
  {
    code: 'V4',
    what: 'a version of two numbers',
    broken: simple({ metadata: metadata({ version: '1.0' }) }),
    whole: simple({ metadata: metadata({ version: '10.20.30' }) }),
    field: 'metadata.version',
  },
  { code: 'V5', what: 'one node', broken: raw([end()]), whole: raw([start('fin'), end()]), field: 'nodes' },
  onNode('V6', 'a node without type', 'type', without(ask('x', 'fin'), 'type'), ask('x', 'fin')),
  onNode('V7', 'an unknown type', 'type', { ...ask('x', 'fin'), type: 'robot' }, ask('x', 'fin')),
  missing('V8', ask('x', 'fin'), 'directive'),
  missing('V8', ask('x', 'fin'), 'completionCondition'),
  missing('V8', telegram, 'message'),
  missing('V8', teleport, 'directive'),
  onNode('V9', 'an empty directive', 'directive', ask('x', 'fin', {}, { directive: '' }), ask('x', 'fin')),
  onNode('V9', 'an empty hint', 'hint', { ...teleport, hint: '' }, teleport),
  onNode(
    'V10',
    'an unknown field',
    'colour',
    { ...lock, colour: 'red' },
    { ...lock, metadata: { colour: 'red' }, 'x-colour': 1 },
  ),
  onNode('V10', 'an unknown field on a directive', 'hooks', ask('x', 'fin', {}, { hooks: [] }), ask('x', 'fin')),
  onNode(
    'V10',
    'an unknown field in a filter',
    'filter.tags',
    { ...readNote, filter: { tags: 't' } },
    { ...readNote, filter: { tag: 't' } },
  ),
  {
    code: 'V11',
    what: 'a third edge of a condition (C26)',
    broken: around({ ...fork('x', eq(), 'fin', 'fin'), connections: { true: 'fin', false: 'fin', maybe: 'fin' } }),
    whole: around(fork('x', eq(), 'fin', 'fin')),
    nodeId: 'x',
    field: 'connections.maybe',
  },
  onNode(
    'V11',
    'an unknown edge',
    'connections.failure',
    { ...lock, connections: { unlocked: 'fin', failure: 'fin' } },
    lock,
  ),
  onNode('V12', 'a number for a text', 'directive', ask('x', 'fin', {}, { directive: 3 }), ask('x', 'fin')),
  { code: 'V12', what: 'nodes that are no list', broken: raw([], { nodes: {} }), whole: simple(), field: 'nodes' },
  onNode(
    'V13',
    'maxRetries 11',
    'maxRetries',
    ask('x', 'fin', {}, { maxRetries: 11 }),
    ask('x', 'fin', {}, { maxRetries: 10 }),
  ),
  onNode(
    'V13',
    'maxRetries -1',
    'maxRetries',
    ask('x', 'fin', {}, { maxRetries: -1 }),
    ask('x', 'fin', {}, { maxRetries: 0 }),
  ),
  onNode('V13', 'half a retry', 'maxRetries', ask('x', 'fin', {}, { maxRetries: 1.5 }), ask('x', 'fin')),
  onNode(
    'V14',
    'a message of 4097 characters',
    'message',
    { ...telegram, message: 'm'.repeat(4097) },
    { ...telegram, message: 'm'.repeat(4096) },
  ),
  onNode(
    'V14',
    'an unknown parseMode',
    'parseMode',
    { ...telegram, parseMode: 'RTF' },
    { ...telegram, parseMode: 'HTML' },
  ),
  onNode(
    'V14',
    'callback data of 65 characters',
    'replyMarkup.inline_keyboard[0][0].callback_data',
    button({ callback_data: 'c'.repeat(65) }),
    button({ callback_data: 'c'.repeat(64) }),
  ),
  onNode(
    'V14',
    'a bad url',
    'replyMarkup.inline_keyboard[0][0].url',
    button({ url: 'no url' }),
    button({ url: 'https://example.org/' }),
  ),
  {
    code: 'V15',
    what: 'an entry without type',
    broken: registry({ description: 'd' }),
    whole: registry(variable('string')),
    field: 'variableRegistry.v.type',
  },
  {
    code: 'V15',
    what: 'an entry without description (C47)',
    broken: registry({ type: 'string' }),
    whole: registry(variable('null')),
  },
  {
    code: 'V15',
    what: 'an unknown type',
    broken: registry(variable('date')),
    whole: registry(variable('integer')),
    field: 'variableRegistry.v.type',
  },
  {
    code: 'V16',
    what: 'a slug with capitals',
    broken: simple({ slug: 'Tea' }),
    whole: simple({ slug: 'tea-2' }),
    field: 'slug',
  },
  {
    code: 'V16',
    what: 'an unknown visibility',
    broken: simple({ visibility: 'all' }),
    whole: simple({ visibility: 'public' }),
    field: 'visibility',
  },
  {
    code: 'V17',
    what: 'no name',
    broken: simple({ metadata: without(metadata({}), 'name') }),
    whole: simple(),
    field: 'metadata.name',
  },
  {
    code: 'V17',
    what: 'an empty name',
    broken: simple({ metadata: metadata({ name: '' }) }),
    whole: simple(),
    field: 'metadata.name',
  },
  {
    code: 'V17',
    what: 'a blank name',
    broken: simple({ metadata: metadata({ name: ' ' }) }),
    whole: simple(),
    field: 'metadata.name',
  },
  {
    code: 'V18',
    what: 'no version',
    broken: simple({ metadata: without(metadata({}), 'version') }),
    whole: simple(),
    field: 'metadata.version',
  },
  {
    code: 'V18',
    what: 'an empty version',
    broken: simple({ metadata: metadata({ version: '' }) }),
    whole: simple(),
    field: 'metadata.version',
  },
  onNode(
    'V24',
    'a directive without success',
    'connections.success',
    { ...ask('x', 'fin'), connections: {} },
    ask('x', 'fin'),
  ),
  onNode(
    'V24',
    'a condition without false',
    'connections.false',
    { ...fork('x', eq(), 'fin', 'fin'), connections: { true: 'fin' } },
    fork('x', eq(), 'fin', 'fin'),
  ),
  missing('V24', lock, 'connections'),
  missing('V24', compute('x', ['v = 1'], 'fin'), 'connections'),
  onNode('V24', 'a note node without default', 'connections.default', { ...readNote, connections: {} }, readNote),
  {
    code: 'V25',
    what: 'an end with an edge',
    broken: raw([start('fin'), end({ connections: { default: 'go' } })]),
    whole: raw([start('fin'), end({ connections: {} })]),
    nodeId: 'fin',
    field: 'connections.default',
  },
  onNode('V26', 'no expressions', 'expressions', compute('x', [], 'fin'), compute('x', ['v = 1'], 'fin')),
  missing('V26', compute('x', ['v = 1'], 'fin'), 'expressions'),
  missing('V26', readNote, 'outputVariable'),
  missing('V26', writeNote, 'source'),
  onNode('V26', 'write-note without key or batchMode', 'key', without(writeNote, 'key'), {
    ...without(writeNote, 'key'),
    batchMode: true,
  }),
  missing('V26', upsertNote, 'keyTemplate'),
  missing('V26', upsertNote, 'value'),
  missing('V26', teleport, 'hint'),
  missing('V26', lock, 'reason'),
  onNode('V44', 'an empty graphId', 'graphId', { ...subgraph, graphId: '' }, subgraph),
  onNode('V44', 'a mapping that is a list', 'inputMapping', { ...subgraph, inputMapping: [] }, subgraph),
  onNode(
    'V44',
    'an empty mapping value',
    'outputMapping.a',
    { ...subgraph, outputMapping: { a: '' } },
    { ...subgraph, outputMapping: { a: 'b' } },
  ),
  onNode(
    'V44',
    'an empty mapping key',
    'inputMapping.',
    { ...subgraph, inputMapping: { '': 'b' } },
    { ...subgraph, inputMapping: { a: 'b' } },
  ),
  missing('V44', subgraph, 'outputMapping'),
  onNode('V44', 'no success edge', 'connections.success', { ...subgraph, connections: {} }, subgraph),
  {
    code: 'V49',
    what: 'an entry that is no object',
    broken: registry('string'),
    whole: registry(variable('string')),
    field: 'variableRegistry.v',
  },
  {
    code: 'V49',
    what: 'a blank description',
    broken: registry({ type: 'string', description: '  ' }),
    whole: registry(variable('string')),
  },
  {
    code: 'V68',
    what: 'a fact without value',
    broken: simple({ progress: { facts: [{ label: 'l' }], nodes: [block()] } }),
    whole: simple({ progress: { facts: [{ label: 'l', value: 'v' }], nodes: [block()] } }),
    field: 'progress.facts[0].value',
  },
  {
    code: 'V68',
    what: 'an unknown key of a block',
    broken: simple({ progress: { nodes: [block({ color: 'red' })] } }),
    whole: simple({ progress: { nodes: [block()] } }),
  },
  {
    code: 'V68',
    what: 'nineteen blocks',
    broken: simple({ progress: { nodes: blocks(19) } }),
    whole: simple({ progress: { nodes: blocks(18) } }),
    field: 'progress.nodes',
  },
  {
    code: 'V68',
    what: 'a title of 201 characters',
    broken: simple({ progress: { title: 't'.repeat(201), nodes: [block()] } }),
    whole: simple({ progress: { title: 't'.repeat(200), nodes: [block()] } }),
  },
  {
    code: 'V73',
    what: 'an unknown policy',
    broken: simple({ runtimePolicy: { limits: {} } }),
    whole: simple({ runtimePolicy: {} }),
    field: 'runtimePolicy.limits',
  },
  {
    code: 'V73',
    what: 'node ids that are no list',
    broken: simple({ runtimePolicy: { externalVariableWrites: { v: { allowedNodeIds: 'x' } } } }),
    whole: simple({ runtimePolicy: { externalVariableWrites: {} } }),
  },
]

function blocks(count: number): Json[] {
  return Array.from({ length: count }, (_, index) => block({ id: index === 0 ? 'x' : `b${index}` }))
}
