/**
 * One call on a run: from a state and an answer to the next state. Nothing is written here and nothing is changed in
 * place; what has to be stored or done comes back as data, so that the engine can commit it in one transaction.
 */

import { invalidRequest, UserError } from '../core/errors.ts'
import { connectionsOf, findNode, startNode, type WorkflowDefinition } from './definition.ts'
import { nodeTypeOf, waitingNodeTypes } from './nodes/index.ts'
import type { Effect, Outcome, Presentation, Reads, Refusal, Visit } from './nodes/node-type.ts'
import { MAX_AUTOMATIC_HOPS, type RunState, type VariableWrite, type VisitEntry } from './state.ts'
import { renderWithNotes } from './template.ts'
import { type Level, levelsOf, nodeOf } from './transition-levels.ts'
import { presentation, teleportsOf } from './transition-present.ts'
import { scopeOf } from './transition-scope.ts'
import { enterChild, failureOf, failureRemedy, leaveChild } from './transition-subgraph.ts'
import {
  abandonTo,
  endVisit,
  enterNode,
  fail,
  finishedState,
  follow,
  pausedState,
  readsWithPlanned,
  topOf,
  type Walk,
} from './transition-walk.ts'

/** The run a call is about, and the world it may read. */
export interface RunContext {
  definition: WorkflowDefinition
  workflowId: string
  executionId: string
  userId: string
  reads: Reads
  /** Unix milliseconds of this call. */
  now: number
  /** For a dry run: nodes that reach outside Varve are stepped over, by the edge this names (absent: the first one). */
  simulation?: { edgeOf(nodeId: string): string | undefined }
}

export interface TransitionRequest extends RunContext {
  /** Null starts a run. */
  state: RunState | null
  /** The answer as the client sent it; absent and null are no answer. */
  input?: unknown
  /** The teleport node to jump to; never together with an answer. */
  teleportTo?: string
}

/** What a move leaves to be stored with the new state, in one transaction. */
interface Moved {
  state: RunState
  effects: Effect[]
  visits: VisitEntry[]
  writes: VariableWrite[]
}

export type Presented = Moved & { kind: 'presented'; presentation: Presentation }
export type Completed = Moved & { kind: 'completed'; output: Record<string, unknown> }

/**
 * What a call led to.
 *
 * `refused` is no move: nothing may be stored but `state`, which differs from the old one only in the pending
 * visit's `refusals`, and only where the node declares `maxRetries`. That counter is bookkeeping of the visit, not
 * workflow state: storing it neither advances the run's revision nor binds the attempt (T72, T73). Once `maxRetries`
 * is used up the refused answer comes back as `presented` or `completed`: the run moved on over the
 * `maxRetriesExceeded` (or `error`) edge, and that is a step like any other, with its receipt and revision.
 */
export type Transition = Presented | Completed | { kind: 'refused'; state: RunState; refusal: Refusal }

/**
 * Runs a call up to the next wait or the end.
 * @throws UserError when the call cannot be carried out; the given state is untouched and still holds:
 *   `EXECUTION_FINISHED`, `CURRENT_NODE_MISSING`, `TELEPORT_INVALID`, `invalid_request` (input with teleportTo),
 *   `NODE_FAILED` (an automatic node failed and nothing catches it), `NODE_NOT_AVAILABLE`, `WORKFLOW_LOOP_LIMIT`,
 *   `SUBGRAPH_NOT_FOUND`, `SUBGRAPH_CYCLE`, `SUBGRAPH_TOO_DEEP`.
 */
export async function transition(request: TransitionRequest): Promise<Transition> {
  const { state, input, teleportTo } = request
  if (state === null) return start(request)
  refuseFinished(state)
  const walk = newWalk(await levelsOf(request, state), state.visitCount, request.now)
  if (teleportTo === undefined) return advance(request, walk, { value: input }, state)
  if (input !== undefined && input !== null) {
    throw invalidRequest('input and teleportTo exclude each other', 'teleportTo', {
      remedy: 'send teleportTo alone; the teleport node asks for its own answer in the next step',
    })
  }
  teleport(walk, teleportTo)
  return advance(request, walk, null, null)
}

/**
 * The current step again, executing nothing (T95).
 * @throws UserError `EXECUTION_FINISHED`, `CURRENT_NODE_MISSING`, `SUBGRAPH_NOT_FOUND`, `NODE_NOT_AVAILABLE`.
 */
export async function present(run: RunContext, state: RunState): Promise<Presentation> {
  refuseFinished(state)
  const walk = newWalk(await levelsOf(run, state), state.visitCount, run.now)
  const outcome = await visitTop(run, walk, null, 0)
  if (outcome.kind !== 'wait') throw new Error(`node ${topOf(walk).nodeId} does not wait`)
  return presentation(walk, outcome)
}

/**
 * The run moved to another waiting node of its own workflow (recover, T116): inline children are left, and the given
 * values written to the globals. The caller has checked them against the registry.
 * @throws UserError `invalid_request` when the node is missing or is not one a run can wait on; as `transition`.
 */
export async function moveTo(
  run: RunContext,
  state: RunState,
  nodeId: string,
  values: Record<string, unknown>,
): Promise<Presented | Completed> {
  refuseFinished(state)
  const node = findNode(run.definition, nodeId)
  if (node === null || !nodeTypeOf(node).waits) {
    const what = node === null ? 'is not in the workflow' : `is of type ${node.type}, where a run cannot wait`
    throw invalidRequest(`Node "${nodeId}" ${what}`, 'nodeId', {
      remedy: `name a node of type ${waitingNodeTypes.join(', ')}; manage({ action: "list-nodes" }) lists them`,
    })
  }
  const [own] = await levelsOf(run, { ...state, frames: [] })
  const walk = newWalk(own === undefined ? [] : [own], state.visitCount, run.now)
  endVisit(walk, { edge: null, jumpTo: nodeId, globals: values })
  enterNode(walk, nodeId)
  return moved(await advance(run, walk, null, null))
}

async function start(run: RunContext): Promise<Presented | Completed> {
  const node = startNode(run.definition)
  if (node === null) {
    throw new UserError('WORKFLOW_INVALID', 'The workflow has no start node', { remedy: 'add a node of type start' })
  }
  const { definition, workflowId, now } = run
  const level: Level = { workflowId, definition, nodeId: node.id, variables: {}, enteredAt: now }
  return moved(await advance(run, newWalk([level], 0, now), null, null))
}

/** A node can only refuse an answer, so a call that brings none is never refused. */
function moved(result: Transition): Presented | Completed {
  if (result.kind === 'refused') throw new Error('a node refused an answer nobody gave')
  return result
}

function newWalk(levels: Level[], visitCount: number, now: number): Walk {
  return { levels, visitCount, visits: [], writes: [], effects: [], notes: [], newestNotes: new Map(), now }
}

function refuseFinished(state: RunState): void {
  if (state.status === 'running') return
  throw new UserError('EXECUTION_FINISHED', 'The run has finished', {
    remedy: 'start a new run with start({ action: "prepare" })',
  })
}

/** Jumps to a teleport of the innermost workflow that has one with that id; children inside that one are left. */
function teleport(walk: Walk, nodeId: string): void {
  const depth = walk.levels.findLastIndex((level) => findNode(level.definition, nodeId)?.type === 'teleport') + 1
  if (depth > 0) {
    abandonTo(walk, depth, nodeId)
    return
  }
  const known = teleportsOf(walk.levels).map((one) => one.nodeId)
  throw new UserError('TELEPORT_INVALID', `"${nodeId}" is not a teleport node of this workflow`, {
    field: 'teleportTo',
    remedy: known.length === 0 ? 'this workflow has no teleports; answer the step' : `use one of: ${known.join(', ')}`,
  })
}

/** Runs node after node until one waits, refuses the answer, or ends the run. Only the first gets the answer. */
async function advance(
  run: RunContext,
  walk: Walk,
  answer: Visit['answer'],
  answered: RunState | null,
): Promise<Transition> {
  let given = answer
  const refusals = answered?.visit?.refusals ?? 0
  for (let hops = 0; hops <= MAX_AUTOMATIC_HOPS; hops++) {
    const outcome = await tryTop(run, walk, given, given === null ? 0 : refusals)
    switch (outcome.kind) {
      case 'wait':
        return {
          kind: 'presented',
          state: pausedState(walk, 0),
          presentation: presentation(walk, outcome),
          ...logged(walk),
        }
      case 'refuse': {
        if (answered === null) throw new Error('a node refused an answer nobody gave')
        const visit =
          answered.visit === null || !outcome.counted ? answered.visit : { ...answered.visit, refusals: refusals + 1 }
        return {
          kind: 'refused',
          state: { ...answered, visit },
          refusal: { nodeId: topOf(walk).nodeId, ...outcome.refusal },
        }
      }
      case 'continue':
        follow(walk, outcome)
        break
      case 'fail':
        fail(walk, { code: 'NODE_FAILED', remedy: failureRemedy, ...outcome })
        break
      case 'enter':
        await enterChild(run.reads, walk, outcome)
        break
      case 'complete': {
        endVisit(walk, { edge: null, own: outcome.own })
        if (walk.levels.length === 1) {
          return {
            kind: 'completed',
            state: finishedState(walk, outcome.output),
            output: outcome.output,
            ...logged(walk),
          }
        }
        leaveChild(walk)
        break
      }
      default:
        outcome satisfies never
    }
    given = null
  }
  throw loopLimit(walk)
}

/** `visitTop`, with a failure of the node as an outcome. */
async function tryTop(run: RunContext, walk: Walk, answer: Visit['answer'], refusals: number): Promise<Outcome> {
  try {
    return await visitTop(run, walk, answer, refusals)
  } catch (error) {
    return failureOf(error)
  }
}

/** What stands on top of the levels does its work, with its answer if it has one. */
async function visitTop(run: RunContext, walk: Walk, answer: Visit['answer'], refusals: number): Promise<Outcome> {
  const level = topOf(walk)
  const node = nodeOf(level)
  const type = nodeTypeOf(node)
  if (type.external && run.simulation !== undefined) {
    const edge = run.simulation.edgeOf(node.id) ?? Object.keys(connectionsOf(node))[0] ?? ''
    return { kind: 'continue', edge }
  }
  const reads = readsWithPlanned(run.reads, walk)
  const scope = scopeOf(run, level)
  return type.run(node, {
    definition: level.definition,
    scope,
    answer,
    now: walk.now,
    enteredAt: level.enteredAt,
    refusals,
    reads,
    pendingNotes: walk.notes,
    render: (text) => renderWithNotes(text, scope, async (key) => (await reads.note(key))?.value ?? null),
  })
}

function loopLimit(walk: Walk): UserError {
  const last = [...new Set(walk.visits.slice(-20).map((visit) => visit.nodeId))]
  return new UserError(
    'WORKFLOW_LOOP_LIMIT',
    `The run passed ${MAX_AUTOMATIC_HOPS} nodes without reaching one that waits; it goes around ${last.join(', ')}`,
    {
      nodeIds: last,
      remedy:
        'the run was not changed: give the loop a condition that ends it, or a node that waits for the agent, ' +
        'with manage({ action: "edit" })',
    },
  )
}

function logged(walk: Walk): Pick<Moved, 'effects' | 'visits' | 'writes'> {
  return { effects: walk.effects, visits: walk.visits, writes: walk.writes }
}
