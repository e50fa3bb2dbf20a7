/**
 * Definitions written for another engine run unchanged: each of the shared files validates without an error, is walked
 * from the start to an end with made-up answers, and is explored until answers lead nowhere new. Skipped where the
 * files are missing.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UserError } from '../core/errors.ts'
import { findNode, type WorkflowDefinition } from './definition.ts'
import { parseDefinition } from './definition-schema.ts'
import { edgesOf, predecessors } from './graph.ts'
import type { Presentation } from './nodes/node-type.ts'
import { coverageOf, readsInMemory, type SimulatedAnswer, sampledAnswers, seededPick, simulate } from './simulate.ts'
import type { Pick } from './simulate-pattern.ts'
import type { RunState, VisitEntry } from './state.ts'
import { transition } from './transition.ts'
import { validateDefinition } from './validate.ts'
import { writtenBy } from './validation/writers.ts'

const folder = join(process.cwd(), '..', 'shared', 'conformance', 'workflows')
const present = existsSync(folder)
const files = present ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
if (!present) console.log('skipped: the shared conformance workflows are not here')

/** Walks from the start: the first that ends is enough. */
const MAX_WALKS = 20
const MAX_STEPS = 5000
/** Explorations, each with early answers of its own, and answers tried in each per node of the definition. */
const EXPLORATIONS = 6
const TRIES_PER_NODE = 50
/** Places kept per node to go on from. */
const KEPT_PLACES = 60

describe.skipIf(!present)('the shared conformance workflows', () => {
  const totals = { walks: 0, steps: 0, answers: 0, nodes: 0, allNodes: 0, edges: 0, allEdges: 0 }

  it('are 32', () => expect(files).toHaveLength(32))

  it.each(files)(
    '%s validates, is walked to an end, and is explored',
    async (name) => {
      const json: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      expect(validateDefinition(json).filter((issue) => issue.severity === 'error')).toEqual([])
      const definition = parseDefinition(json)

      const walked = await walkToEnd(definition)
      totals.walks += walked.walks
      totals.steps += walked.steps
      const visits = new Map(walked.visits.map((visit) => [`${visit.nodeId} ${visit.edge}`, visit]))
      for (let seed = 0; seed < EXPLORATIONS; seed++) totals.answers += await explore(definition, visits, seed)
      const { nodes, edges } = coverageOf(definition, visits.values())
      totals.nodes += nodes.visited
      totals.allNodes += nodes.total
      totals.edges += edges.visited
      totals.allEdges += edges.total
      if (edges.missing.length > 0) console.log(`${definition.metadata.name}: not passed: ${edges.missing.join(', ')}`)
      expect(nodes.visited / nodes.total).toBeGreaterThan(nodes.total < 10 ? 0.7 : 0.95)
    },
    120_000,
  )

  it('were passed nearly whole', () => {
    console.log(
      `conformance: ${files.length} definitions walked to an end (${totals.walks} walks, ${totals.steps} steps), ` +
        `${totals.answers} answers tried; ${totals.nodes} of ${totals.allNodes} nodes and ` +
        `${totals.edges} of ${totals.allEdges} edges passed`,
    )
    // Some edges no answer leads to: a library of notes that cannot be read, a variable that nothing writes.
    expect(totals.nodes / totals.allNodes).toBeGreaterThan(0.99)
    expect(totals.edges / totals.allEdges).toBeGreaterThan(0.98)
  })
})

/** Walks from the start with one seed after the other until a walk ends; no answer made up on the way is refused. */
async function walkToEnd(definition: WorkflowDefinition) {
  for (let seed = 0; seed < MAX_WALKS; seed++) {
    const answer = sampledAnswers(definition, seededPick(seed))
    const result = await simulate({ definition, answer, maxSteps: MAX_STEPS, clock: (index) => index * 1000 })
    expect(result.end, result.errors.join('; ')).toMatch(/^(completed|too-long)$/)
    for (const { presentation } of result.steps) expect(presentation.directive).not.toMatch(/\{\{[#/]/)
    if (result.end === 'completed') return { walks: seed + 1, steps: result.steps.length, visits: result.visits }
  }
  throw new Error(`${definition.metadata.name} was not walked to an end in ${MAX_WALKS} walks`)
}

interface Place {
  state: RunState
  presentation: Presentation
  /** Answers tried from here. */
  tries: number
}

/** Places by node, and there by the values of the counters: a loop's tenth round is another place than its first. */
type Places = Map<string, Map<string, Place>>

/**
 * Goes on again and again from places seen before, which a pure transition makes possible: from a node near an edge
 * not passed yet, at the place tried least often. Wrong answers are given where the node declares a way out for them.
 * Adds to `visits` and tells how many answers were tried.
 */
async function explore(definition: WorkflowDefinition, visits: Map<string, VisitEntry>, seed: number): Promise<number> {
  const pick = seededPick(seed)
  const sampled = sampledAnswers(definition, pick)
  const counters = definition.nodes.flatMap((node) => (node.type === 'expression' ? writtenBy(node) : []))
  const places: Places = new Map()
  const run = {
    definition,
    workflowId: 'own',
    executionId: 'run',
    userId: 'user',
    now: 0,
    reads: { ...readsInMemory(new Map()), refuseNote: async () => (pick(3) === 0 ? 'the quota is used up' : null) },
    simulation: { edgeOf: (nodeId: string) => (pick(3) === 0 ? errorEdge(definition, nodeId) : undefined) },
  }
  const go = async (state: RunState | null, answer: SimulatedAnswer) => {
    const result = await transition({ ...run, state, ...answer }).catch(failedNode)
    if (result === null || result.kind === 'refused') return
    for (const visit of result.visits) visits.set(`${visit.nodeId} ${visit.edge}`, visit)
    if (result.kind === 'presented') keep(places, result, counters)
  }
  await go(null, null)
  const before = predecessors(edgesOf(definition))
  const total = definition.nodes.length * TRIES_PER_NODE
  let answers = 0
  let known = -1
  let distance = new Map<string, number>()
  for (; answers < total; answers++) {
    if (visits.size !== known) {
      const { missing } = coverageOf(definition, visits.values()).edges
      if (missing.length === 0) break
      known = visits.size
      distance = distancesTo(
        missing.map((edge) => edge.slice(0, edge.lastIndexOf('.'))),
        before,
      )
    }
    const place = bestPlace(places, distance)
    place.tries++
    await go(place.state, wrongAnswer(definition, place, pick) ?? sampled(place.presentation, answers))
  }
  return answers
}

function bestPlace(places: Places, distance: ReadonlyMap<string, number>): Place {
  let best: Place | null = null
  let least = Infinity
  for (const [nodeId, byCounters] of places) {
    for (const place of byCounters.values()) {
      const cost = (distance.get(nodeId) ?? 1000) * 3 + place.tries
      if (cost >= least) continue
      best = place
      least = cost
    }
  }
  if (best === null) throw new Error('there is no place to go on from')
  return best
}

/** A made-up answer may make a node fail that has no error edge: nothing was passed then. */
function failedNode(error: unknown): null {
  if (error instanceof UserError && error.code === 'NODE_FAILED') return null
  throw error
}

/** How many edges each node is away from the nearest of some nodes. */
function distancesTo(ids: readonly string[], before: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const distance = new Map(ids.map((id) => [id, 0]))
  for (const [id, steps] of distance) {
    for (const earlier of before.get(id) ?? []) if (!distance.has(earlier)) distance.set(earlier, steps + 1)
  }
  return distance
}

function keep(places: Places, { state, presentation }: Omit<Place, 'tries'>, counters: readonly string[]): void {
  const byCounters = places.get(presentation.nodeId) ?? new Map<string, Place>()
  places.set(presentation.nodeId, byCounters)
  const key = JSON.stringify(counters.map((name) => state.variables[name]))
  const known = byCounters.get(key)
  if (known !== undefined) {
    known.state = state
    known.presentation = presentation
  } else if (byCounters.size < KEPT_PLACES) byCounters.set(key, { state, presentation, tries: 0 })
}

/** With the retries used up but one: the next wrong answer leaves over maxRetriesExceeded. */
function wrongAnswer(definition: WorkflowDefinition, place: Place, pick: Pick): SimulatedAnswer {
  const node = findNode(definition, place.presentation.nodeId)
  if (node?.type !== 'agent-directive' || node.connections.maxRetriesExceeded === undefined || pick(2) === 0)
    return null
  const { visit } = place.state
  if (visit !== null) place.state = { ...place.state, visit: { ...visit, refusals: node.maxRetries ?? 0 } }
  return { input: 'no such answer' }
}

function errorEdge(definition: WorkflowDefinition, nodeId: string): string | undefined {
  return Object.keys(findNode(definition, nodeId)?.connections ?? {}).find((name) => name === 'error')
}
