import { describe, expect, it } from 'vitest'
import type { WorkflowDefinition, WorkflowNode } from './definition.ts'
import { edgesOf } from './graph.ts'
import { type ProgressRequest, projectProgress } from './progress.ts'
import { blockOfNodes } from './progress-blocks.ts'
import type { VariableWrite, VisitEntry } from './state.ts'

const directive = (id: string, to: string): WorkflowNode => ({
  id,
  type: 'agent-directive',
  directive: `Do ${id}.`,
  completionCondition: 'Done.',
  connections: { success: to },
})

/** start -> plan -> ask -> gate -> (true: ship -> end, false: fix -> ask) */
const nodes: WorkflowNode[] = [
  { id: 'start', type: 'start', connections: { default: 'plan' } },
  directive('plan', 'ask'),
  directive('ask', 'gate'),
  {
    id: 'gate',
    type: 'condition',
    condition: { operator: 'eq', left: { contextPath: 'verdict' }, right: 'yes' },
    connections: { true: 'ship', false: 'fix' },
  },
  directive('fix', 'ask'),
  directive('ship', 'end'),
  { id: 'end', type: 'end' },
]

const definition: WorkflowDefinition = {
  metadata: { name: 'Release', version: '1.0.0', description: 'Ship {{thing}}' },
  variableRegistry: {
    thing: { type: 'string', description: 'what' },
    verdict: { type: 'string', description: 'yes or no' },
    round: { type: 'number', description: 'which', default: 0 },
  },
  progress: {
    title: 'Release of {{thing}}',
    facts: [
      { label: 'Verdict', value: '{{verdict}}' },
      { label: 'Round', value: '{{round}}', tone: 'warning' },
    ],
    nodes: [
      { id: 'plan', label: 'Plan', content: { summary: 'Plan {{thing}}', next: 'ask' } },
      { id: 'ask', label: 'Ask', content: { summary: 'Verdict: {{verdict}}', details: ['{{round}}'] } },
      { id: 'fix', label: 'Fix', content: { summary: 'Fix it' }, connections: { default: 'ask' } },
      { id: 'ship', label: 'Ship', content: { summary: 'Ship it', outcome: 'Shipped' } },
    ],
  },
  nodes,
}

const visit = (seq: number, nodeId: string, edge: string | null): VisitEntry => ({
  seq,
  nodeId,
  nodeType: nodes.find(({ id }) => id === nodeId)?.type ?? '',
  path: [],
  edge,
  enteredAt: seq * 1000,
  at: seq * 1000 + 500,
})

/** Planned, asked once, went the way of fixing, and stands at the second asking. */
const visits = [
  visit(1, 'start', 'default'),
  visit(2, 'plan', 'success'),
  visit(3, 'ask', 'success'),
  visit(4, 'gate', 'false'),
  visit(5, 'fix', 'success'),
]
const writes: VariableWrite[] = [
  { seq: 1, name: 'round', value: 0 },
  { seq: 2, name: 'thing', value: 'tea' },
  { seq: 3, name: 'verdict', value: 'no' },
  { seq: 5, name: 'round', value: 1 },
]

const now: ProgressRequest = {
  definition,
  state: { nodeId: 'ask', variables: { round: 1, thing: 'tea', verdict: 'no' } },
  workflowId: 'w',
  executionId: 'e',
  userId: '1',
  visits,
  writes,
}

const states = (request: ProgressRequest) =>
  Object.fromEntries(projectProgress(request).blocks.map(({ id, state, visits: count }) => [id, `${state} ${count}`]))

describe('the progress of a run', () => {
  it('T150: has title, goal, facts, blocks with their state, the current block and the route', () => {
    const progress = projectProgress(now)
    expect(progress).toMatchObject({
      title: 'Release of tea',
      goal: 'Ship tea',
      facts: [
        { label: 'Verdict', value: 'no', tone: 'neutral' },
        { label: 'Round', value: '1', tone: 'warning' },
      ],
      authored: true,
      currentBlock: 'ask',
      currentNodeId: 'ask',
      at: 5,
      lastVisit: 5,
    })
    expect(states(now)).toEqual({ plan: 'done 1', ask: 'current 2', fix: 'done 1', ship: 'pending 0' })
    expect(progress.blocks.map(({ next }) => next)).toEqual(['ask', 'fix', 'ask', null])
    expect(progress.blocks[1]?.content).toEqual({ summary: 'Verdict: no', details: ['1'] })
    expect(progress.route.map(({ visit: seq, nodeId, blockId, edge }) => [seq, nodeId, blockId, edge])).toEqual([
      [1, 'start', 'plan', 'default'],
      [2, 'plan', 'plan', 'success'],
      [3, 'ask', 'ask', 'success'],
      [4, 'gate', 'ask', 'false'],
      [5, 'fix', 'fix', 'success'],
    ])
  })

  it('T151: as of a visit, with the values written up to it', () => {
    const then = { ...now, at: 3 }
    const progress = projectProgress(then)
    expect(progress).toMatchObject({ at: 3, lastVisit: 5, currentNodeId: 'gate', currentBlock: 'ask' })
    expect(progress.variables).toEqual({ round: 0, thing: 'tea', verdict: 'no' })
    expect(progress.facts.map(({ value }) => value)).toEqual(['no', '0'])
    expect(progress.route).toHaveLength(3)
    expect(states(then)).toEqual({ plan: 'done 1', ask: 'current 1', fix: 'pending 0', ship: 'pending 0' })
  })

  it('T152: at 0 the start, beyond the last visit the same as now', () => {
    const first = projectProgress({ ...now, at: 0 })
    expect(first).toMatchObject({ at: 0, currentNodeId: 'start', currentBlock: 'plan', route: [], variables: {} })
    expect(first.title).toBe('Release of —')
    for (const at of [5, 6, 1_000_000]) expect(projectProgress({ ...now, at })).toEqual(projectProgress(now))
  })

  it('passes over blocks that can no longer be reached, and has none current at the end', () => {
    const shipping = {
      ...now,
      visits: [...visits.slice(0, 3), visit(4, 'gate', 'true')],
      state: { ...now.state, nodeId: 'ship' },
    }
    expect(states(shipping)).toEqual({ plan: 'done 1', ask: 'done 1', fix: 'skipped 0', ship: 'current 1' })
    const ended = {
      ...shipping,
      visits: [...shipping.visits, visit(5, 'ship', 'success'), visit(6, 'end', null)],
      state: { ...now.state, nodeId: null },
    }
    expect(states(ended)).toEqual({ plan: 'done 1', ask: 'done 1', fix: 'skipped 0', ship: 'done 1' })
    expect(projectProgress(ended)).toMatchObject({ currentBlock: null, currentNodeId: null })
  })

  it('counts a visit inside a subgraph for the node around it', () => {
    const inside = { ...now, visits: [...visits, { ...visit(6, 'inner', 'success'), path: ['ask'] }] }
    expect(projectProgress(inside).route.at(-1)).toMatchObject({ nodeId: 'inner', blockId: 'ask' })
    expect(states(inside)).toMatchObject({ ask: 'current 2' })
  })

  it('T153: without authored progress is made of the nodes a run waits on', () => {
    const { progress: _progress, ...plain } = definition
    const derived = projectProgress({ ...now, definition: plain })
    expect(derived).toMatchObject({ title: 'Release', goal: 'Ship tea', authored: false, currentBlock: 'ask' })
    expect(derived.blocks.map(({ id, state }) => [id, state])).toEqual([
      ['plan', 'done'],
      ['ask', 'current'],
      ['ship', 'pending'],
      ['fix', 'done'],
    ])
    expect(derived.blocks[0]?.content.summary).toBe('Do plan.')
  })

  it('has one block for a workflow that never waits', () => {
    const { progress: _progress, ...plain } = definition
    const quick: WorkflowDefinition = {
      ...plain,
      nodes: [
        { id: 'start', type: 'start', connections: { default: 'end' } },
        { id: 'end', type: 'end' },
      ],
    }
    const progress = projectProgress({ ...now, definition: quick, visits: [], state: { nodeId: null, variables: {} } })
    expect(progress.blocks.map(({ id }) => id)).toEqual(['start'])
  })
})

describe('the block of a node', () => {
  it('is the nearest one it cannot be reached without, and else the first', () => {
    const blocks = blockOfNodes(['plan', 'ask', 'fix', 'ship'], definition, edgesOf(definition))
    expect(Object.fromEntries(blocks)).toEqual({
      start: 'plan',
      plan: 'plan',
      ask: 'ask',
      gate: 'ask',
      fix: 'fix',
      ship: 'ship',
      end: 'ship',
    })
  })

  it('may stand for no node: then it holds none', () => {
    const blocks = blockOfNodes(['before', 'ask'], definition, edgesOf(definition))
    expect(blocks.get('plan')).toBe('before')
    expect(blocks.get('end')).toBe('ask')
  })
})
