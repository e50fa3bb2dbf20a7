/** A dry run of a definition: walked with given or made-up answers, storing nothing and reaching nobody. */

import { UserError } from '../core/errors.ts'
import type { WorkflowDefinition } from './definition.ts'
import type { Effect, NoteRecord, Presentation, Reads } from './nodes/node-type.ts'
import { sampleAnswer, tellingValues } from './simulate-answers.ts'
import type { Pick } from './simulate-pattern.ts'
import type { RunState, VisitEntry } from './state.ts'
import { type RunContext, transition } from './transition.ts'

/** What the agent does with a step; null stops the walk there. */
export type SimulatedAnswer = { input: unknown } | { teleportTo: string } | null

export interface SimulationOptions {
  definition: WorkflowDefinition
  /** What to answer to a step; `index` counts the steps from 0. */
  answer(step: Presentation, index: number): SimulatedAnswer
  /** Another answer to a step whose answer was refused; null, or absent: the walk stops there. */
  answerAgain?(step: Presentation): SimulatedAnswer
  /** The edge to leave a node by that reaches outside Varve; absent: its first one. */
  edgeOf?(nodeId: string): string | undefined
  /** Notes that are there at the beginning. */
  notes?: readonly NoteRecord[]
  /** Workflows that subgraph nodes may enter. */
  workflow?: Reads['workflow']
  /** Most steps to take. */
  maxSteps: number
  /** Unix milliseconds of the step with that index. */
  clock(index: number): number
}

export interface SimulatedStep {
  presentation: Presentation
  answer: SimulatedAnswer
}

export interface Simulation {
  /** `stopped`: there was no answer; `refused`: the answer did not pass; `failed`: see `error`. */
  end: 'completed' | 'stopped' | 'refused' | 'failed' | 'too-long'
  steps: SimulatedStep[]
  visits: VisitEntry[]
  /** The last state; null when the start already failed. */
  state: RunState | null
  output: Record<string, unknown> | null
  /** What was refused or what failed. */
  errors: string[]
}

/** Walks a definition until it ends, an answer is missing or refused, or `maxSteps` are used up. */
export async function simulate(options: SimulationOptions): Promise<Simulation> {
  const notes = new Map((options.notes ?? []).map((note) => [note.key, note]))
  const walk: Simulation = { end: 'too-long', steps: [], visits: [], state: null, output: null, errors: [] }
  const stop = (end: Simulation['end'], errors: string[] = []): Simulation => ({ ...walk, end, errors })
  let shown: Presentation | null = null
  let answer: SimulatedAnswer | undefined
  for (let index = 0; index <= options.maxSteps; index++) {
    const now = options.clock(index)
    try {
      const result = await transition({ ...simulatedRun(options, notes, now), state: walk.state, ...answer })
      walk.state = result.state
      if (result.kind === 'refused') {
        answer = shown === null ? null : (options.answerAgain?.(shown) ?? null)
        if (shown === null || answer === null) return stop('refused', result.refusal.errors)
        walk.steps.push({ presentation: shown, answer })
        continue
      }
      walk.visits.push(...result.visits)
      for (const effect of result.effects) applyNote(notes, effect, now)
      if (result.kind === 'completed') {
        walk.output = result.output
        return stop('completed')
      }
      shown = result.presentation
      answer = options.answer(shown, index)
      walk.steps.push({ presentation: shown, answer })
      if (answer === null) return stop('stopped')
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      return stop('failed', [`${error.code}: ${error.message}`])
    }
  }
  return walk
}

function simulatedRun(options: SimulationOptions, notes: ReadonlyMap<string, NoteRecord>, now: number): RunContext {
  return {
    definition: options.definition,
    workflowId: options.definition.id ?? 'simulated',
    executionId: 'simulated',
    userId: 'simulated',
    now,
    simulation: { edgeOf: (nodeId) => options.edgeOf?.(nodeId) },
    reads: readsInMemory(notes, options.workflow),
  }
}

/** Reads that know only the given notes and workflows, and refuse no note. */
export function readsInMemory(notes: ReadonlyMap<string, NoteRecord>, workflow?: Reads['workflow']): Reads {
  return {
    note: async (key) => notes.get(key) ?? null,
    notes: async ({ tag, keySearch }) =>
      [...notes.values()]
        .filter((note) => tag === undefined || note.tags.includes(tag))
        .filter((note) => keySearch === undefined || note.key.includes(keySearch))
        .sort((a, b) => (a.key < b.key ? -1 : 1)),
    refuseNote: async () => null,
    workflow: async (reference) => (await workflow?.(reference)) ?? null,
  }
}

/** Saves the note of an effect among notes in memory. */
export function applyNote(notes: Map<string, NoteRecord>, { note, baseVersion }: Effect, now: number): void {
  const createdAt = notes.get(note.key)?.createdAt ?? now
  notes.set(note.key, { ...note, version: baseVersion + 1, createdAt, updatedAt: now })
}

/**
 * Answers taken from lists, one list per node: the first visit gets the first answer, and so on. The walk stops at a
 * node whose list is used up.
 */
export function scriptedAnswers(script: Readonly<Record<string, readonly unknown[]>>): SimulationOptions['answer'] {
  const used = new Map<string, number>()
  return ({ nodeId }) => {
    const list = Object.hasOwn(script, nodeId) ? (script[nodeId] ?? []) : []
    const at = used.get(nodeId) ?? 0
    used.set(nodeId, at + 1)
    return at < list.length ? { input: list[at] } : null
  }
}

/** Answers made up from each step's schema, varied by `pick`; now and then a jump to a teleport. */
export function sampledAnswers(definition: WorkflowDefinition, pick: Pick): SimulationOptions['answer'] {
  const telling = tellingValues(definition)
  return ({ inputSchema, nodeType, teleports }) => {
    const jump = nodeType !== 'teleport' && pick(40) === 0 ? teleports[pick(teleports.length)] : undefined
    if (jump !== undefined) return { teleportTo: jump.nodeId }
    return { input: sampleAnswer(inputSchema, pick, telling) }
  }
}

/** A `Pick` that gives the same choices for the same seed (mulberry32). */
export function seededPick(seed: number): Pick {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * limit)
  }
}

export interface Coverage {
  nodes: { visited: number; total: number; missing: string[] }
  /** Edges as `from.name`. */
  edges: { visited: number; total: number; missing: string[] }
}

/** Which nodes and edges of a definition some walks passed; visits inside subgraphs do not count. */
export function coverageOf(definition: WorkflowDefinition, visits: Iterable<VisitEntry>): Coverage {
  const nodes = new Set<string>()
  const edges = new Set<string>()
  for (const { nodeId, edge, path } of visits) {
    if (path.length > 0) continue
    nodes.add(nodeId)
    if (edge !== null) edges.add(`${nodeId}.${edge}`)
  }
  const allNodes = definition.nodes.map((node) => node.id)
  const allEdges = definition.nodes.flatMap((node) =>
    Object.keys(node.connections ?? {}).map((name) => `${node.id}.${name}`),
  )
  return { nodes: share(allNodes, nodes), edges: share(allEdges, edges) }
}

function share(all: readonly string[], visited: ReadonlySet<string>): Coverage['nodes'] {
  const missing = all.filter((one) => !visited.has(one))
  return { visited: all.length - missing.length, total: all.length, missing }
}
