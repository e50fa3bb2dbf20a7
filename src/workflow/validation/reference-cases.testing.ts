/** Broken and whole definitions for the checks of what is read and written. */

import { ask, compute, end, fork, type Json, raw, start, variable } from '../definition.testing.ts'
import { around, type IssueCase } from './form-cases.testing.ts'

const says = (directive: string, more: Json = {}): Json => around(ask('x', 'fin', {}, { directive }), more)
const number = variable('number', { default: 0 })
const registry = (names: Json): Json => ({ variableRegistry: names })
const takes = (inputSchema: unknown, names: Json = { v: variable('string') }): Json =>
  around({ ...ask('x', 'fin'), inputSchema }, registry(names))
const calc = (expression: string, names: Json = { v: number, w: number }): Json =>
  around(compute('x', [expression], 'fin'), registry(names))
const reads = (path: string, more: Json = {}): Json =>
  around(fork('x', { operator: 'eq', left: { contextPath: path }, right: 1 }, 'fin', 'fin'), more)

/** Every template field of every node type that has one (weak point 16). */
const templateFields: [string, string, Json][] = [
  ['directive', 'directive', ask('x', 'fin', {}, { directive: '{{T}}' })],
  ['completionCondition', 'completionCondition', ask('x', 'fin', {}, { completionCondition: '{{T}}' })],
  ['retryMessage', 'retryMessage', ask('x', 'fin', {}, { retryMessage: '{{T}}' })],
  ['a lock’s reason', 'reason', { id: 'x', type: 'lock', reason: '{{T}}', connections: { unlocked: 'fin' } }],
  [
    'a Telegram message',
    'message',
    { id: 'x', type: 'telegram-notification', message: '{{T}}', connections: { default: 'fin' } },
  ],
  [
    'a chatId',
    'chatId',
    { id: 'x', type: 'telegram-notification', message: 'm', chatId: '{{T}}', connections: { default: 'fin' } },
  ],
  [
    'a user notification',
    'message',
    { id: 'x', type: 'user-notification', message: '{{T}}', connections: { default: 'fin' } },
  ],
  [
    'a filter',
    'filter.tag',
    { id: 'x', type: 'read-note', outputVariable: 'o', filter: { tag: '{{T}}' }, connections: { default: 'fin' } },
  ],
  ['a note’s key', 'key', { id: 'x', type: 'write-note', key: '{{T}}', source: 's', connections: { default: 'fin' } }],
  [
    'a note’s source',
    'source',
    { id: 'x', type: 'write-note', key: 'k', source: '{{T}}', connections: { default: 'fin' } },
  ],
  [
    'a note’s tag',
    'tags[0]',
    { id: 'x', type: 'write-note', key: 'k', source: 's', tags: ['{{T}}'], connections: { default: 'fin' } },
  ],
  [
    'a search',
    'search.tag',
    {
      id: 'x',
      type: 'upsert-note',
      search: { tag: '{{T}}' },
      keyTemplate: 'k',
      value: 'v',
      connections: { default: 'fin' },
    },
  ],
  [
    'a file',
    'files[0].content',
    { id: 'x', type: 'materialize', files: [{ path: 'p', content: '{{T}}' }], connections: { success: 'fin' } },
  ],
]

const fill = (node: Json, text: string): Json => JSON.parse(JSON.stringify(node).replace('{{T}}', text))

export const referenceCases: IssueCase[] = [
  {
    code: 'V29',
    what: 'a schema that does not compile',
    broken: takes({ type: 'text' }),
    whole: takes({ type: 'string' }),
    nodeId: 'x',
    field: 'inputSchema',
  },
  {
    code: 'V29',
    what: 'a bad pattern',
    broken: takes({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }),
    whole: takes({ type: 'object', properties: { a: { type: 'string', pattern: '()' } } }),
    nodeId: 'x',
  },
  {
    code: 'V30',
    what: 'a number among globalInputs',
    broken: takes({ globalInputs: [3] }),
    whole: takes({ globalInputs: ['v'] }),
    nodeId: 'x',
    field: 'inputSchema.globalInputs[0]',
  },
  {
    code: 'V30',
    what: 'globalInputs that are no list',
    broken: takes({ globalInputs: 'v' }),
    whole: takes({ globalInputs: [] }),
    nodeId: 'x',
  },
  {
    code: 'V31',
    what: 'an undeclared global input (C45)',
    broken: takes({ globalInputs: ['w'] }),
    whole: takes({ globalInputs: ['v'] }),
    nodeId: 'x',
    field: 'inputSchema.globalInputs[0]',
  },
  {
    code: 'V32',
    what: 'a global input that is a property too (C45)',
    broken: takes({ globalInputs: ['v'], properties: { v: {} } }),
    whole: takes({ globalInputs: ['v'], properties: { w: {} } }),
    nodeId: 'x',
  },
  {
    code: 'V33',
    what: 'an open parenthesis (C56)',
    broken: calc('v = (1 + 2'),
    whole: calc('v = (1 + 2)'),
    nodeId: 'x',
    field: 'expressions[0]',
  },
  { code: 'V33', what: 'a closing one too many', broken: calc('v = 1) + (2'), whole: calc("v = ')'"), nodeId: 'x' },
  {
    code: 'V34',
    what: 'unusual characters',
    broken: calc('v = 3 % 2'),
    whole: calc("v = '3 % 2'"),
    nodeId: 'x',
    field: 'expressions[0]',
  },
  ...templateFields.flatMap(([what, field, node]): IssueCase[] => [
    {
      code: 'V36',
      what: `an unclosed brace in ${what} (C54)`,
      broken: around(fill(node, 'a {{x')),
      whole: around(fill(node, 'a {{x}}')),
      nodeId: 'x',
      field,
    },
    {
      code: 'V38',
      what: `an undeclared name in ${what} (C55)`,
      broken: around(fill(node, '{{w}}')),
      whole: around(fill(node, '{{w}}'), registry({ w: number })),
      nodeId: 'x',
      field,
    },
  ]),
  {
    code: 'V37',
    what: 'a stray }} (C54)',
    broken: says('a }} b'),
    whole: says('a \\{{b}} c'),
    nodeId: 'x',
    field: 'directive',
  },
  {
    code: 'V38',
    what: 'an undeclared name in a block',
    broken: says('{{#if w}}a{{/if}}'),
    whole: says('{{#each x.list}}{{name}} {{this.b}} {{@index}}{{/each}} {{executionId}} {{workflowId}} {{userId}}'),
    nodeId: 'x',
  },
  {
    code: 'V39',
    what: 'an undeclared name in a condition',
    broken: reads('w.a'),
    whole: reads('x.a'),
    nodeId: 'x',
    field: 'condition.left.contextPath',
  },
  {
    code: 'V40',
    what: 'a default that reads an undeclared name',
    broken: says('a', registry({ v: variable('string', { default: 'see {{w}}' }) })),
    whole: says('a', registry({ v: variable('string', { default: 'see {{x}} {' }) })),
    field: 'variableRegistry.v.default',
  },
  {
    code: 'V41',
    what: 'a variable that is never written',
    broken: says('{{v}}', registry({ v: variable('string') })),
    whole: says('{{v}}', registry({ v: variable('string', { default: '' }) })),
    nodeId: 'x',
    field: 'directive',
  },
  {
    code: 'V41',
    what: 'a variable read by a condition, while a global input counts as a writer',
    broken: reads('v', registry({ v: variable('number') })),
    whole: raw(
      [
        start('y'),
        { ...ask('y', 'x'), inputSchema: { globalInputs: ['v'] } },
        fork('x', { operator: 'eq', left: { contextPath: 'v' }, right: 1 }, 'fin', 'fin'),
        end(),
      ],
      registry({ v: variable('number') }),
    ),
    nodeId: 'x',
  },
  {
    code: 'V41',
    what: 'a variable read by an expression, while an expression counts as a writer',
    broken: calc('v = w', { v: number, w: variable('number') }),
    whole: calc('v = 1', { v: variable('number') }),
    nodeId: 'x',
  },
  {
    code: 'V49',
    what: 'malformed items (C47)',
    broken: takes({}, { v: variable('array', { items: 3 }) }),
    whole: takes({}, { v: variable('array', { items: {} }) }),
    field: 'variableRegistry.v',
  },
  {
    code: 'V49',
    what: 'a bad pattern (C47)',
    broken: takes({}, { v: variable('string', { pattern: '[' }) }),
    whole: takes({}, { v: variable('string', { pattern: '[a]' }) }),
  },
  {
    code: 'V52',
    what: 'an expression that does not parse',
    broken: calc('v = 1 +'),
    whole: calc('v = 1 + 1'),
    nodeId: 'x',
    field: 'expressions[0]',
  },
  { code: 'V52', what: 'two signs', broken: calc('v = 3 - - 2'), whole: calc('v = 3 - (0 - 2)'), nodeId: 'x' },
  { code: 'V53', what: 'an undeclared target', broken: calc('u = 1'), whole: calc('v = 1'), nodeId: 'x' },
  { code: 'V54', what: 'an undeclared name', broken: calc('v = u + 1'), whole: calc('v = x.u + 1'), nodeId: 'x' },
  {
    code: 'V58',
    what: 'an undeclared final output',
    broken: raw([start('fin'), end({ finalOutput: ['u'] })]),
    whole: raw([start('fin'), end({ finalOutput: ['u'] })], registry({ u: number })),
    nodeId: 'fin',
    field: 'finalOutput[0]',
  },
  {
    code: 'V74',
    what: 'a default of another type',
    broken: says('a', registry({ v: variable('number', { default: 'zero' }) })),
    whole: says('a', registry({ v: variable('number', { default: 0 }) })),
    field: 'variableRegistry.v.default',
  },
  {
    code: 'V76',
    what: 'a required name that is nowhere',
    broken: takes({ properties: { a: {} }, required: ['b'] }),
    whole: takes({ properties: { a: {} }, required: ['a', 'v'], globalInputs: ['v'] }),
    nodeId: 'x',
    field: 'inputSchema.required[0]',
  },
]
