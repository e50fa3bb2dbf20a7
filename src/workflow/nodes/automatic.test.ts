/** The node types that run through by themselves: start, end, condition, expression. */

import { describe, expect, it } from 'vitest'
import { ask, compute, end, fork, start, variable, workflow } from '../definition.testing.ts'
import { route, startRun } from '../transition.testing.ts'

describe('start', () => {
  const initialData = (variables: Record<string, unknown>) => ({ initialData: { variables } })

  it('C43: seeds defaults of the registry; initialData comes before them; without either there is nothing', async () => {
    const definition = workflow(
      [start('ask', initialData({ lang: { description: 'language', value: 'en' } })), ask('ask', 'fin'), end()],
      {
        variableRegistry: {
          lang: variable('string', { default: 'de' }),
          count: variable('number', { default: 0 }),
          late: variable('string'),
        },
      },
    )
    const run = await startRun(definition)
    expect(run.state.variables).toEqual({ lang: 'en', count: 0 })
  })

  it('gives a name that initialData declares without a value its default, or null', async () => {
    const definition = workflow(
      [
        start('ask', initialData({ old: { description: 'older' }, kind: { description: 'kind' } })),
        ask('ask', 'fin'),
        end(),
      ],
      { variableRegistry: { kind: variable('string', { default: 'green' }) } },
    )
    expect((await startRun(definition)).state.variables).toEqual({ old: null, kind: 'green' })
  })
})

describe('end', () => {
  it('hands out the listed variables that exist, or all when none is listed', async () => {
    const registry = { variableRegistry: { a: variable('number', { default: 1 }), b: variable('string') } }
    const listed = await startRun(workflow([start('fin'), end({ finalOutput: ['a', 'b', 'toString'] })], registry))
    expect(listed.state.output).toEqual({ a: 1 })
    const all = await startRun(workflow([start('fin'), end({ finalOutput: [] })], registry))
    expect(all.state.output).toEqual({ a: 1 })
  })
})

describe('condition', () => {
  it('C6 C24: goes on over true or false and short-circuits', async () => {
    const read = (name: string) => ({ operator: 'eq', left: { contextPath: name }, right: true })
    const definition = workflow(
      [
        start('gate'),
        fork('gate', { operator: 'or', conditions: [read('on'), read('off')] }, 'fin', 'other'),
        end({ finalOutput: ['gate'] }),
        { id: 'other', type: 'end' },
      ],
      { variableRegistry: { on: variable('boolean', { default: true }), off: variable('boolean', { default: true }) } },
    )
    const run = await startRun(definition)
    expect(route(run.visits)).toEqual(['go default', 'gate true', 'fin end'])
    expect(run.state.output).toEqual({ gate: { conditionResult: true, evaluatedValues: { on: true } } })
  })
})

describe('expression', () => {
  const numbers = (names: Record<string, number>) => ({
    variableRegistry: Object.fromEntries(
      Object.entries(names).map(([name, value]) => [name, variable('number', { default: value })]),
    ),
  })

  it('C9: a loop of expressions stops when its condition says so, and the run ends', async () => {
    const definition = workflow(
      [
        start('inc'),
        compute('inc', ['i = i + 1'], 'more'),
        fork('more', { operator: 'lt', left: { contextPath: 'i' }, right: 5 }, 'inc', 'fin'),
        end({ finalOutput: ['i'] }),
      ],
      numbers({ i: 0 }),
    )
    const run = await startRun(definition)
    expect(run.state.output).toEqual({ i: 5 })
    expect(run.visits.filter((visit) => visit.nodeId === 'inc')).toHaveLength(5)
  })

  it('C10 C30: later lines see earlier ones; nested paths can be read', async () => {
    const definition = workflow(
      [
        start('calc'),
        compute('calc', ['i = i + 1', 'sum = i * 10 + data.rows', 'share = (sum - i) / 2'], 'fin'),
        end({ finalOutput: ['i', 'sum', 'share'] }),
      ],
      {
        variableRegistry: {
          ...numbers({ i: 1, sum: 0, share: 0 }).variableRegistry,
          data: variable('object', { default: { rows: 5 } }),
        },
      },
    )
    expect((await startRun(definition)).state.output).toEqual({ i: 2, sum: 25, share: 11.5 })
  })

  it('C29: a failure takes the error edge with its details, and none of the node’s assignments stays', async () => {
    const definition = workflow(
      [
        start('calc'),
        compute('calc', ['i = i + 1', 'i = i / zero', 'i = 99'], 'fin', {
          connections: { default: 'fin', error: 'sad' },
        }),
        end(),
        end({ id: 'sad', finalOutput: ['i', 'calc'] }),
      ],
      numbers({ i: 1, zero: 0 }),
    )
    const run = await startRun(definition)
    expect(route(run.visits)).toEqual(['go default', 'calc error', 'sad end'])
    expect(run.state.output).toMatchObject({
      i: 1,
      calc: { failedExpression: 'i = i / zero', failedIndex: 1, expressionError: expect.stringContaining('zero') },
    })
  })

  it.each(['i = missing + 1', 'i = word * 2', 'i = i / zero', 'i = nothing'])(
    'C29: without an error edge "%s" is an error of the call',
    async (expression) => {
      const definition = workflow([start('calc'), compute('calc', [expression], 'fin'), end()], {
        variableRegistry: {
          ...numbers({ i: 1, zero: 0 }).variableRegistry,
          word: variable('string', { default: 'abc' }),
          nothing: variable('null', { default: null }),
        },
      })
      await expect(startRun(definition)).rejects.toMatchObject({ code: 'NODE_FAILED', details: { nodeId: 'calc' } })
    },
  )
})

describe('node types that this server cannot run', () => {
  const loop = { connections: { default: 'fin' } }
  it.each([
    { id: 'x', type: 'lock', reason: 'why', connections: { unlocked: 'fin' } },
    { id: 'x', type: 'telegram-notification', message: 'hi', connections: { default: 'fin', error: 'fin' } },
    { id: 'x', type: 'user-notification', message: 'hi', ...loop },
    { id: 'x', type: 'materialize', files: [{ path: 'a.md', content: 'x' }], connections: { success: 'fin' } },
  ])('$type: the call fails with a clear error and the run stays where it was', async (node) => {
    const run = await startRun(workflow([start('ask'), ask('ask', 'x'), node, end()]))
    const before = structuredClone(run.state)
    await expect(run.answer({})).rejects.toMatchObject({
      code: 'NODE_NOT_AVAILABLE',
      message: expect.stringContaining(node.type),
      details: { nodeId: 'x', nodeType: node.type, remedy: expect.stringContaining('run was not changed') },
    })
    expect(run.state).toEqual(before)
    expect(run.shown?.nodeId).toBe('ask')
  })
})
