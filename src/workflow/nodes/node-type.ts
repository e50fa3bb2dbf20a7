/** The contract of a node type. A type is a value in its own file; `index.ts` lists them. */

import type * as z from 'zod'
import type { ErrorCode } from '../../core/errors.ts'
import type { Issue, WorkflowDefinition, WorkflowNode } from '../definition.ts'
import type { Scope } from '../template-scope.ts'

/** A note as a run reads it. Times are Unix milliseconds. */
export interface NoteRecord {
  key: string
  value: string
  tags: string[]
  version: number
  createdAt: number
  updatedAt: number
}

export interface NoteFilter {
  tag?: string
  /** Part of the key, in its exact case. */
  keySearch?: string
}

/** What a run may read of the world outside; every answer is limited to the run's owner. */
export interface Reads {
  note(key: string): Promise<NoteRecord | null>
  /** Notes in ascending order of their keys. */
  notes(filter: NoteFilter): Promise<NoteRecord[]>
  /**
   * Why the library would refuse to store this note (bad key, too large, quota); null when it would take it.
   * `pending` are the notes the same transition is going to write before it.
   */
  refuseNote(note: NoteDraft, pending: readonly NoteDraft[]): Promise<string | null>
  /** The workflow a reference (`id`, `handle/slug`, `slug`) leads the owner to. */
  workflow(reference: string): Promise<{ id: string; definition: WorkflowDefinition } | null>
}

export interface NoteDraft {
  key: string
  value: string
  tags: string[]
}

/** Something to do outside the run's state. The engine stores it in the transaction that stores the state. */
export type Effect = {
  kind: 'save-note'
  /** The node that asked for it, and the number of its visit. */
  nodeId: string
  seq: number
  note: NoteDraft
  /** The version the note had when the transition read it (0: none). Another version now means: run it again. */
  baseVersion: number
}

/** What the agent is told while the run waits. Texts are rendered. */
export interface Presentation {
  nodeId: string
  nodeType: string
  /** Ids of the subgraph nodes around it, outermost first. */
  path: string[]
  directive: string
  completionCondition: string
  /** The schema the answer must satisfy, with global inputs inlined; null: only an empty answer is taken. */
  inputSchema: Record<string, unknown> | null
  /** Teleports the run may jump to from here. */
  teleports: { nodeId: string; hint: string }[]
}

/** Why an answer was not taken. */
export interface Refusal {
  nodeId: string
  errors: string[]
  /** The full text for the agent: what was expected, what came, what to do. */
  text: string
  expected: string
  example: unknown
  /** The author's words for a retry, rendered. */
  retryMessage: string | null
  /** How many more answers may be refused before the run moves on; null: no limit was declared. */
  retriesLeft: number | null
}

/** What a node gets to know when the run stands on it. */
export interface Visit {
  definition: WorkflowDefinition
  /** What templates, conditions and expressions read. */
  scope: Scope
  /** The agent's answer as it came; null when this visit begins. `value` may be absent (no input was given). */
  answer: { value: unknown } | null
  /** Unix milliseconds. */
  now: number
  enteredAt: number
  /** Answers refused earlier in this visit. */
  refusals: number
  reads: Reads
  /** Notes that this transition is going to write, the oldest first. `reads` already shows them. */
  pendingNotes: readonly NoteDraft[]
  /** Renders a template over the scope, notes included. */
  render(text: string): Promise<string>
}

/** What a visit leads to. `own` replaces the node's own results; absent leaves them. */
export type Outcome =
  | {
      kind: 'continue'
      edge: string
      own?: unknown
      globals?: Record<string, unknown>
      notes?: { note: NoteDraft; baseVersion: number }[]
    }
  | {
      kind: 'wait'
      directive: string
      completionCondition: string
      inputSchema: Record<string, unknown> | null
    }
  /** `counted`: the refusal uses up one of the visit's retries. */
  | { kind: 'refuse'; refusal: Omit<Refusal, 'nodeId'>; counted: boolean }
  | { kind: 'enter'; graphId: string; variables: Record<string, unknown> }
  | { kind: 'complete'; output: Record<string, unknown>; own?: unknown }
  | { kind: 'fail'; message: string; own?: unknown; code?: ErrorCode; remedy?: string }

export interface NodeType<N extends WorkflowNode = WorkflowNode> {
  type: N['type']
  title: string
  /** Whether a run can stop here and wait for the agent. */
  waits: boolean
  /** Whether it reaches outside Varve. A simulation steps over such nodes. */
  external: boolean
  schema: z.ZodObject
  edges: { required: readonly string[]; optional: readonly string[] }
  /** The texts of the node that are templates, with the field each stands in. */
  templates(node: N): { field: string; text: string }[]
  /** Findings that only this type can make. */
  check?(node: N, definition: WorkflowDefinition): Issue[]
  /**
   * What happens when the run stands on the node. Pure but for `visit.reads`. A node that cannot do its work says so
   * with a `fail` outcome, or throws a UserError `NODE_FAILED`, `WORKFLOW_INVALID` or `resource_exhausted`: either way
   * its `error` edge is taken. Any other error ends the call and leaves the run as it was.
   */
  run(node: N, visit: Visit): Outcome | Promise<Outcome>
}
