import { describe, expect, it } from 'vitest'
import { ask, compute, end, type Json, start, variable, workflow } from '../definition.testing.ts'
import type { WorkflowDefinition } from '../definition.ts'
import { MAX_SUBGRAPH_DEPTH } from '../state.ts'
import { refusalOf, route, START_TIME, startRun } from '../transition.testing.ts'
import { moveTo, present } from '../transition.ts'

const sub = (id: string, graphId: string, to: string, more: Json = {}): Json => ({
  id,
  type: 'subgraph',
  graphId,
  inputMapping: {},
  outputMapping: {},
  connections: { success: to },
  ...more,
})

const teleport = (id: string, to: string): Json => ({
  id,
  type: 'teleport',
  hint: `jump to ${id}`,
  directive: `At ${id}.`,
  completionCondition: 'Done.',
  connections: { success: to },
})

const child = workflow(
  [
    start('greet'),
    ask('greet', 'count', { url: { type: 'string' } }, { directive: 'Greet {{name}}, {{workflowId}}.' }),
    compute('count', ['total = total + 1'], 'fin'),
    end({ finalOutput: ['greet', 'total'] }),
  ],
  { variableRegistry: { name: variable('string', { default: 'nobody' }), total: variable('number', { default: 0 }) } },
)

const parent = (more: Json = {}) =>
  workflow(
    [
      start('sub'),
      sub('sub', 'child', 'last', more),
      ask('last', 'fin'),
      end({ finalOutput: ['child_url', 'result'] }),
    ],
    {
      variableRegistry: {
        project: variable('object', { default: { name: 'Ada', tags: ['x'] } }),
        child_url: variable('string'),
        result: variable('object', { default: { kept: true } }),
      },
    },
  )

const mapped = {
  inputMapping: { 'project.name': 'name', 'project.absent': 'total' },
  outputMapping: { 'greet.url': 'child_url', total: 'result.numbers.total', nothing: 'result.nothing' },
}

describe('a subgraph', () => {
  it('C61: shows the child’s steps, feeds the child, and maps its results back', async () => {
    const run = await startRun(parent(mapped), { workflows: { child } })
    expect(run.shown).toMatchObject({ nodeId: 'greet', path: ['sub'], directive: 'Greet Ada, child.' })
    expect(run.state).toMatchObject({
      nodeId: 'sub',
      frames: [{ workflowId: 'child', nodeId: 'greet', variables: { name: 'Ada', total: 0 }, enteredAt: START_TIME }],
    })
    await run.answer({ url: 'u' })
    expect(run.shown).toMatchObject({ nodeId: 'last', path: [] })
    expect(run.state.frames).toEqual([])
    expect(route(run.visits)).toEqual([
      'go default',
      'sub/go default',
      'sub/greet success',
      'sub/count default',
      'sub/fin end',
      'sub success',
    ])
    await run.answer()
    expect(run.state.output).toEqual({ child_url: 'u', result: { kept: true, numbers: { total: 1 } } })
  })

  it('C62: the child’s variables are its own; only mapped writes are logged for the run', async () => {
    const run = await startRun(parent({ inputMapping: { project: 'name' }, outputMapping: { total: 'child_url' } }), {
      workflows: { child },
    })
    expect(run.state.frames[0]?.variables['name']).toEqual({ name: 'Ada', tags: ['x'] })
    expect(run.state.frames[0]?.variables['name']).not.toBe(run.state.variables['project'])
    await run.answer({ url: 'u' })
    expect(run.state.variables).not.toHaveProperty('greet')
    expect(run.state.variables).not.toHaveProperty('total')
    expect(run.writes.filter((write) => write.seq > 1)).toEqual([{ seq: 6, name: 'child_url', value: 1 }])
  })

  it('weak point 8: keeps nothing of itself among the variables', async () => {
    const run = await startRun(parent(mapped), { workflows: { child } })
    expect(Object.keys(run.state.variables).sort()).toEqual(['project', 'result'])
  })

  it('T72: a refused answer inside the child changes nothing', async () => {
    const run = await startRun(parent(mapped), { workflows: { child } })
    const before = structuredClone(run.state)
    expect(refusalOf(await run.answer({ url: 3 })).nodeId).toBe('greet')
    expect(run.state).toEqual(before)
    expect(await present(run.context(), run.state)).toEqual(run.shown)
  })

  it('can be nested, and a child may be entered again', async () => {
    const middle = workflow([start('in'), sub('in', 'child', 'again'), sub('again', 'child', 'fin'), end()])
    const run = await startRun(workflow([start('out'), sub('out', 'middle', 'fin'), end()]), {
      workflows: { child, middle },
    })
    expect(run.shown?.path).toEqual(['out', 'in'])
    await run.answer({ url: 'a' })
    expect(run.shown?.path).toEqual(['out', 'again'])
    run.now += 1000
    expect((await run.answer({ url: 'b' })).kind).toBe('completed')
    expect(run.visits.at(-2)).toMatchObject({
      nodeId: 'out',
      edge: 'success',
      enteredAt: START_TIME,
      at: START_TIME + 1000,
    })
  })
})

describe('what a subgraph refuses', () => {
  const caught = { connections: { success: 'last', error: 'fin' } }

  it('C62: a workflow that is not there: an error of the call, or the error edge', async () => {
    await expect(startRun(parent())).rejects.toMatchObject({
      code: 'SUBGRAPH_NOT_FOUND',
      message: expect.stringContaining('child'),
    })
    const run = await startRun(parent(caught))
    expect(route(run.visits)).toEqual(['go default', 'sub error', 'fin end'])
    expect(run.state.variables['sub']).toEqual({ subgraphError: expect.stringContaining('child') })
  })

  it('weak point 5: a circle A -> B -> A, also when A is the run’s own workflow', async () => {
    const back = workflow([start('a'), sub('a', 'own', 'fin'), end()])
    await expect(startRun(parent(), { workflows: { child: back, own: parent() } })).rejects.toMatchObject({
      code: 'SUBGRAPH_CYCLE',
      message: expect.stringContaining('Tea -> Tea -> Tea'),
    })
    const a = workflow([start('b'), sub('b', 'b', 'fin'), end()])
    const b = workflow([start('a'), sub('a', 'child', 'fin'), end()])
    const run = await startRun(parent(caught), { workflows: { child: a, b } })
    expect(route(run.visits).at(-2)).toBe('sub error')
  })

  it('weak point 5: more than 100 levels', async () => {
    const levels = (count: number) => {
      const workflows: Record<string, WorkflowDefinition> = {}
      for (let level = 1; level <= count; level++) {
        const inner = level === count ? ask('next', 'fin') : sub('next', `level-${level + 1}`, 'fin')
        workflows[`level-${level}`] = workflow([start('next'), inner, end()])
      }
      return workflows
    }
    const outer = workflow([start('sub'), sub('sub', 'level-1', 'fin'), end()])
    const deepest = await startRun(outer, { workflows: levels(MAX_SUBGRAPH_DEPTH) })
    expect(deepest.state.frames).toHaveLength(MAX_SUBGRAPH_DEPTH)
    await expect(startRun(outer, { workflows: levels(MAX_SUBGRAPH_DEPTH + 1) })).rejects.toMatchObject({
      code: 'SUBGRAPH_TOO_DEEP',
      message: expect.stringContaining('100'),
    })
  })

  it('a mapping that cannot be written takes the error edge', async () => {
    const broken = { outputMapping: { total: 'project.name.first' }, ...caught }
    const run = await startRun(parent(broken), { workflows: { child } })
    await run.answer({ url: 'u' })
    expect(route(run.visits).at(-2)).toBe('sub error')
    expect(run.state.variables['project']).toEqual({ name: 'Ada', tags: ['x'] })
  })
})

describe('a failure inside the child', () => {
  const failing = workflow([start('ask'), ask('ask', 'boom'), compute('boom', ['x = 1 / 0'], 'fin'), end()], {
    variableRegistry: { x: variable('number') },
  })

  it('leads over the error edge of the subgraph around it', async () => {
    const run = await startRun(parent({ connections: { success: 'last', error: 'fin' } }), {
      workflows: { child: failing },
    })
    await run.answer()
    expect(route(run.visits).slice(-3)).toEqual(['sub/boom end', 'sub error', 'fin end'])
    expect(run.state.variables['sub']).toMatchObject({ failedNodeId: 'boom' })
  })

  it('without one fails the call and leaves the run inside the child', async () => {
    const run = await startRun(parent(), { workflows: { child: failing } })
    const before = structuredClone(run.state)
    await expect(run.answer()).rejects.toMatchObject({ code: 'NODE_FAILED', details: { nodeId: 'boom' } })
    expect(run.state).toEqual(before)
  })
})

describe('leaving a child', () => {
  const inner = workflow([start('ask'), ask('ask', 'fin'), teleport('stop', 'fin'), teleport('own-exit', 'fin'), end()])
  const outer = workflow([
    start('sub'),
    sub('sub', 'child', 'fin'),
    teleport('stop', 'fin'),
    teleport('abort', 'fin'),
    end(),
  ])

  it('a teleport of the child is taken before one of the run with the same id', async () => {
    const run = await startRun(outer, { workflows: { child: inner } })
    expect(run.shown?.teleports.map((one) => one.nodeId)).toEqual(['stop', 'own-exit', 'abort'])
    await run.teleport('stop')
    expect(run.shown).toMatchObject({ nodeId: 'stop', path: ['sub'] })
  })

  it('a teleport of the run leaves the child, and both visits are logged', async () => {
    const run = await startRun(outer, { workflows: { child: inner } })
    await run.teleport('abort')
    expect(run.shown).toMatchObject({ nodeId: 'abort', path: [] })
    expect(run.state.frames).toEqual([])
    expect(route(run.visits).slice(-2)).toEqual(['sub/ask jump abort', 'sub jump abort'])
  })

  it('T116: recovery to the subgraph node enters the child afresh, also when the old child is gone', async () => {
    const run = await startRun(outer, { workflows: { child: inner } })
    const lost = { ...run.state, frames: run.state.frames.map((frame) => ({ ...frame, workflowId: 'gone' })) }
    await expect(present(run.context(), lost)).rejects.toMatchObject({ code: 'SUBGRAPH_NOT_FOUND' })
    const moved = await moveTo(run.context(), lost, 'sub', {})
    expect(moved).toMatchObject({ kind: 'presented', presentation: { nodeId: 'ask', path: ['sub'] } })
    expect(route(moved.visits)).toEqual(['sub jump sub', 'sub/go default'])
    expect(moved.state.visitCount).toBe(run.state.visitCount + 2)
  })
})
