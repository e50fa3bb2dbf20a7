/** Where a run stands. Plain JSON, stored as one piece; a transition returns a new one and never changes the old. */

/** Deepest nesting of subgraphs: a run may stand in at most this many children at once. */
export const MAX_SUBGRAPH_DEPTH = 100

/** Most nodes one call may pass through before it has to wait or end. */
export const MAX_AUTOMATIC_HOPS = 1000

/** Largest state a run may store, in bytes of its JSON. The engine checks it where it writes the JSON. */
export const MAX_STATE_BYTES = 10 * 1024 * 1024

/** Global variables by name, and each node's own results under the node's id. */
export type Variables = Record<string, unknown>

/** One inline child the run stands in. Its graph is not stored: `workflowId` is resolved on every call. */
export interface Frame {
  workflowId: string
  /** The node of the child that the run stands on. */
  nodeId: string
  variables: Variables
  /** When the subgraph node around it was entered: Unix milliseconds. */
  enteredAt: number
}

/** The visit that is under way: the node the run waits on. */
export interface PendingVisit {
  /** Unix milliseconds; a declared `timeout` counts from here. */
  enteredAt: number
  /** Answers refused during this visit; compared with `maxRetries`. */
  refusals: number
}

export interface RunState {
  status: 'running' | 'completed'
  /** The node of the run's own workflow: a waiting node, or the subgraph node when `frames` is not empty. */
  nodeId: string | null
  variables: Variables
  /** Inline children, outermost first; the last one holds the node that waits. */
  frames: Frame[]
  /** Visits finished so far; the visit under way will be number `visitCount + 1`. */
  visitCount: number
  visit: PendingVisit | null
  /** What the end node handed out; null while running. */
  output: Record<string, unknown> | null
}

/** A finished visit, for the append-only log. Numbers are contiguous from 1 within a run. */
export interface VisitEntry {
  seq: number
  nodeId: string
  /** `removed` when an edit had taken the node away before the run was moved off it. */
  nodeType: string
  /** Ids of the subgraph nodes around it, outermost first; empty in the run's own workflow. */
  path: string[]
  /** The edge taken; null at an end node, and when a jump or a failure inside a child cut the visit short. */
  edge: string | null
  /** The node a teleport or a recovery jumped to. */
  jumpTo?: string
  /** Unix milliseconds of entering and of leaving. */
  enteredAt: number
  at: number
}

/** A change of one variable of the run's own workflow, made by visit `seq`. Replaying them gives the past. */
export interface VariableWrite {
  seq: number
  name: string
  value: unknown
}

/** The id of the node the run waits on, in the innermost workflow it stands in. */
export function waitingNodeId(state: RunState): string | null {
  return state.frames.at(-1)?.nodeId ?? state.nodeId
}
