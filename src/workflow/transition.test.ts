import { describe, expect, it } from 'vitest'
import { ask, compute, end, fork, start, teaWorkflow, variable, workflow } from './definition.testing.ts'
import { parseDefinition } from './definition-schema.ts'
import { MAX_AUTOMATIC_HOPS } from './state.ts'
import { refusalOf, route, START_TIME, startRun } from './transition.testing.ts'
import { moveTo, present, transition } from './transition.ts'

const tea = parseDefinition(teaWorkflow())
const text = { type: 'string' }

/** Makes every part of a value unchangeable, so that a write to it throws. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}

describe('a transition', () => {
  it('C1 C2 C8: shows the first step, moves on with a valid answer, and ends with the final output', async () => {
    const run = await startRun(tea)
    expect(run.shown).toMatchObject({
      nodeId: 'ask',
      nodeType: 'agent-directive',
      directive: 'Pick a tea for cup 0.',
      completionCondition: 'A kind is chosen.',
    })
    expect(run.shown?.inputSchema).toMatchObject({
      properties: { kind: { enum: ['green', 'black'], type: 'string' }, why: text },
      required: ['kind'],
    })
    await run.answer({ kind: 'green', why: 'calm' })
    expect(run.shown?.directive).toBe('Pick a tea for cup 1.')
    const last = await run.answer({ kind: 'black' })
    expect(last).toMatchObject({ kind: 'completed', output: { cups: 2, kind: 'black' } })
    expect(run.state).toMatchObject({ status: 'completed', nodeId: null, visit: null, output: { cups: 2 } })
  })

  it('logs every visit with its edge, and every write of a variable, under contiguous numbers', async () => {
    const run = await startRun(tea)
    run.now += 5000
    await run.answer({ kind: 'green' })
    expect(route(run.visits)).toEqual(['go default', 'ask success', 'inc default', 'more true'])
    expect(run.visits.map((visit) => visit.seq)).toEqual([1, 2, 3, 4])
    expect(run.visits[1]).toMatchObject({ enteredAt: START_TIME, at: START_TIME + 5000 })
    expect(run.writes).toEqual([
      { seq: 1, name: 'cups', value: 0 },
      { seq: 2, name: 'kind', value: 'green' },
      { seq: 2, name: 'ask', value: { kind: 'green' } },
      { seq: 3, name: 'cups', value: 1 },
      { seq: 4, name: 'more', value: { conditionResult: true, evaluatedValues: { cups: 1 } } },
    ])
    expect(run.state).toMatchObject({ nodeId: 'ask', visitCount: 4, visit: { enteredAt: START_TIME + 5000 } })
  })

  it('T95: presents the current step again without changing anything', async () => {
    const run = await startRun(tea)
    const before = structuredClone(run.state)
    expect(await present(run.context(), freeze(run.state))).toEqual(run.shown)
    expect(await present(run.context(), run.state)).toEqual(run.shown)
    expect(run.state).toEqual(before)
  })

  it('T72 T73 C44: a refused answer changes nothing, and says what was wrong', async () => {
    const run = await startRun(tea)
    const before = freeze(structuredClone(run.state))
    const result = await transition({ ...run.context(), state: before, input: { kind: 'red', undeclared: 1 } })
    const refusal = refusalOf(result)
    expect(refusal.nodeId).toBe('ask')
    expect(refusal.errors.join('\n')).toMatch(/kind[\s\S]*undeclared|undeclared[\s\S]*kind/)
    expect(refusal.retriesLeft).toBeNull()
    expect(result.state).toEqual(before)
  })

  it('C21: a step without a schema takes only an empty answer', async () => {
    const definition = workflow([start('ask'), ask('ask', 'fin'), end()])
    const run = await startRun(definition)
    expect((await run.answer({ any: 1 })).kind).toBe('refused')
    expect((await run.answer(null)).kind).toBe('completed')
  })

  it('weak point 17: results of an earlier visit do not show through in a later one', async () => {
    const definition = workflow(
      [
        start('ask'),
        {
          ...ask('ask', 'more', { done: { type: 'boolean' } }),
          inputSchema: { type: 'object', properties: { done: { type: 'boolean' }, why: text }, required: ['done'] },
        },
        fork('more', { operator: 'eq', left: { contextPath: 'ask.done' }, right: true }, 'fin', 'ask'),
        end({ finalOutput: ['ask'] }),
      ],
      { variableRegistry: {} },
    )
    const run = await startRun(definition)
    await run.answer({ done: false, why: 'not yet' })
    await run.answer({ done: true })
    expect(run.state.output).toEqual({ ask: { done: true } })
  })

  it('weak point 17: a variable with the name of a node keeps the value the answer gave it', async () => {
    const definition = workflow(
      [
        start('risks'),
        { ...ask('risks', 'fin'), inputSchema: { type: 'object', globalInputs: ['risks'], required: ['risks'] } },
        end({ finalOutput: ['risks'] }),
      ],
      { variableRegistry: { risks: variable('array') } },
    )
    const run = await startRun(definition)
    await run.answer({ risks: ['late'] })
    expect(run.state.output).toEqual({ risks: ['late'] })
  })

  it('weak points 2 and 6: a failing node later in the call leaves the state and the waiting node as they were', async () => {
    const definition = workflow(
      [
        start('ask'),
        ask('ask', 'count', { by: { type: 'number' } }),
        compute('count', ['n = n + 1', 'x = n / zero'], 'fin'),
        end(),
      ],
      {
        variableRegistry: {
          n: variable('number', { default: 0 }),
          zero: variable('number', { default: 0 }),
          x: variable('number'),
        },
      },
    )
    const run = await startRun(definition)
    const before = structuredClone(run.state)
    await expect(transition({ ...run.context(), state: freeze(run.state), input: { by: 1 } })).rejects.toMatchObject({
      code: 'NODE_FAILED',
      details: { nodeId: 'count' },
    })
    expect(run.state).toEqual(before)
    expect((await present(run.context(), run.state)).nodeId).toBe('ask')
  })

  it('refuses to go on with a finished run, and from a node the definition has no more', async () => {
    const run = await startRun(workflow([start('fin'), end()]))
    await expect(run.answer({})).rejects.toMatchObject({ code: 'EXECUTION_FINISHED' })
    const other = await startRun(tea)
    const edited = workflow([start('else-where'), ask('else-where', 'fin'), end()])
    await expect(transition({ ...other.context(), definition: edited, state: other.state })).rejects.toMatchObject({
      code: 'CURRENT_NODE_MISSING',
      details: { nodeId: 'ask' },
    })
  })
})

describe('the bound on automatic nodes (weak point 5)', () => {
  const chain = (length: number) =>
    workflow(
      [
        start('ask'),
        ask('ask', 'n1'),
        ...Array.from({ length }, (_, index) =>
          compute(`n${index + 1}`, ['n = n + 1'], index + 1 === length ? 'loop' : `n${index + 2}`),
        ),
        fork('loop', { operator: 'lt', left: { contextPath: 'n' }, right: { contextPath: 'limit' } }, 'n1', 'fin'),
        end({ finalOutput: ['n'] }),
      ],
      { variableRegistry: { n: variable('number', { default: 0 }), limit: variable('number', { default: 1 }) } },
    )

  it('lets a call pass exactly 1000 nodes, and refuses the next one', async () => {
    // 27 rounds of 37 nodes and the end: 1000 nodes after the answered one.
    const length = 36
    const rounds = (MAX_AUTOMATIC_HOPS - 1) / (length + 1)
    expect(Number.isInteger(rounds)).toBe(true)
    const run = await startRun(chain(length))
    const passes = { ...run.state, variables: { ...run.state.variables, limit: rounds * length } }
    expect(await transition({ ...run.context(), state: passes, input: {} })).toMatchObject({
      kind: 'completed',
      output: { n: rounds * length },
    })
    const exceeds = freeze({ ...run.state, variables: { ...run.state.variables, limit: rounds * length + 1 } })
    await expect(transition({ ...run.context(), state: exceeds, input: {} })).rejects.toMatchObject({
      code: 'WORKFLOW_LOOP_LIMIT',
      message: expect.stringContaining('1000'),
      details: { remedy: expect.stringContaining('run was not changed') },
    })
  })
})

describe('teleports', () => {
  const definition = workflow([
    start('ask'),
    ask('ask', 'fin', { note: text }),
    {
      id: 'abort',
      type: 'teleport',
      hint: 'The user cancels',
      directive: 'Say why.',
      completionCondition: 'Said.',
      inputSchema: { type: 'object', properties: { reason: text }, required: ['reason'] },
      connections: { success: 'fin' },
    },
    end({ finalOutput: ['abort'] }),
  ])

  it('are listed with every step, and lead on like a directive (T70)', async () => {
    const run = await startRun(definition)
    expect(run.shown?.teleports).toEqual([{ nodeId: 'abort', hint: 'The user cancels' }])
    await run.teleport('abort')
    expect(run.shown).toMatchObject({ nodeId: 'abort', nodeType: 'teleport', directive: 'Say why.' })
    expect(run.visits.at(-1)).toMatchObject({ nodeId: 'ask', edge: null, jumpTo: 'abort' })
    await run.answer({ reason: 'enough' })
    expect(run.state.output).toEqual({ abort: { reason: 'enough' } })
  })

  it('T68: exclude an answer, while null counts as none', async () => {
    const run = await startRun(definition)
    const both = { ...run.context(), state: freeze(run.state), teleportTo: 'abort' }
    await expect(transition({ ...both, input: {} })).rejects.toMatchObject({ code: 'invalid_request' })
    expect((await transition({ ...both, input: null })).kind).toBe('presented')
  })

  it('T69: a target that is no teleport is refused and nothing changes', async () => {
    const run = await startRun(definition)
    const before = structuredClone(run.state)
    for (const target of ['fin', 'nowhere']) {
      await expect(run.teleport(target)).rejects.toMatchObject({
        code: 'TELEPORT_INVALID',
        details: { remedy: expect.stringContaining('abort') },
      })
    }
    expect(run.state).toEqual(before)
  })
})

describe('recovery', () => {
  it('T116 T117 T118: moves the run to a waiting node, with values written, and shows it afresh', async () => {
    const run = await startRun(tea)
    await run.answer({ kind: 'green' })
    const before = freeze(structuredClone(run.state))
    const moved = await moveTo(run.context(), before, 'ask', { cups: 7 })
    expect(moved).toMatchObject({
      kind: 'presented',
      presentation: { nodeId: 'ask', directive: 'Pick a tea for cup 7.' },
    })
    expect(moved.writes).toEqual([{ seq: 5, name: 'cups', value: 7 }])
    expect(route(moved.visits)).toEqual(['ask jump ask'])
  })

  it('works from a node that the definition has no more', async () => {
    const run = await startRun(tea)
    const gone = { ...run.state, nodeId: 'removed-node' }
    const moved = await moveTo(run.context(), gone, 'ask', {})
    expect(moved.kind).toBe('presented')
    expect(moved.visits[0]).toMatchObject({ nodeId: 'removed-node', nodeType: 'removed', jumpTo: 'ask' })
  })

  it('T116: other node types and missing nodes are refused, naming those that would do', async () => {
    const run = await startRun(tea)
    for (const nodeId of ['inc', 'nowhere']) {
      await expect(moveTo(run.context(), run.state, nodeId, {})).rejects.toMatchObject({
        code: 'invalid_request',
        details: { remedy: expect.stringContaining('agent-directive') },
      })
    }
  })
})
