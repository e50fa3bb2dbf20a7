/** A run in memory for tests: what the engine does with the results of transitions, without a database. */

import type { WorkflowDefinition } from './definition.ts'
import type { Effect, NoteRecord, Presentation, Reads, Refusal } from './nodes/node-type.ts'
import { applyNote, readsInMemory } from './simulate.ts'
import type { RunState, VariableWrite, VisitEntry } from './state.ts'
import { type RunContext, type Transition, transition } from './transition.ts'

export interface TestRun {
  state: RunState
  visits: VisitEntry[]
  writes: VariableWrite[]
  effects: Effect[]
  notes: Map<string, NoteRecord>
  /** The last step shown; null when the run has ended. */
  shown: Presentation | null
  now: number
  /** Answers the step. A refusal is returned, and its state kept. */
  answer(input?: unknown): Promise<Transition>
  teleport(nodeId: string): Promise<Transition>
  context(): RunContext
}

export interface TestRunOptions {
  notes?: NoteRecord[]
  /** Workflows by reference; the reference is also the id. */
  workflows?: Record<string, WorkflowDefinition>
  refuseNote?: Reads['refuseNote']
  workflowId?: string
}

export const START_TIME = Date.UTC(2026, 0, 1)

/** Starts a run and keeps it up to date with every call. */
export async function startRun(definition: WorkflowDefinition, options: TestRunOptions = {}): Promise<TestRun> {
  const notes = new Map((options.notes ?? []).map((note) => [note.key, note]))
  const context = (): RunContext => ({
    definition,
    workflowId: options.workflowId ?? 'own',
    executionId: 'run-1',
    userId: 'user-1',
    now: run.now,
    reads: {
      ...readsInMemory(notes, async (reference) => {
        const found = options.workflows?.[reference]
        return found === undefined ? null : { id: reference, definition: found }
      }),
      ...(options.refuseNote === undefined ? {} : { refuseNote: options.refuseNote }),
    },
  })
  const run: TestRun = {
    state: { status: 'running', nodeId: null, variables: {}, frames: [], visitCount: 0, visit: null, output: null },
    visits: [],
    writes: [],
    effects: [],
    notes,
    shown: null,
    now: START_TIME,
    context,
    answer: async (input) => keep(await transition({ ...context(), state: run.state, input })),
    teleport: async (teleportTo) => keep(await transition({ ...context(), state: run.state, teleportTo })),
  }
  function keep(result: Transition): Transition {
    run.state = result.state
    if (result.kind === 'refused') return result
    run.visits.push(...result.visits)
    run.writes.push(...result.writes)
    run.effects.push(...result.effects)
    for (const effect of result.effects) applyNote(notes, effect, run.now)
    run.shown = result.kind === 'presented' ? result.presentation : null
    return result
  }
  keep(await transition({ ...context(), state: null }))
  return run
}

/** The refusal of a call that must have been refused. */
export function refusalOf(result: Transition): Refusal {
  if (result.kind !== 'refused') throw new Error(`the call was ${result.kind}`)
  return result.refusal
}

/** The nodes passed, in order, with the edge each was left by. */
export function route(visits: readonly VisitEntry[]): string[] {
  return visits.map(({ path, nodeId, edge, jumpTo }) => {
    const way = jumpTo === undefined ? (edge ?? 'end') : `jump ${jumpTo}`
    return `${[...path, nodeId].join('/')} ${way}`
  })
}
