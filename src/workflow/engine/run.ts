/** A run as a call finds it: its row, its state, and the definition that holds for it. */

import { canonicalJson } from '../../core/json.ts'
import type { LoadedExecution, Queryable } from '../../store/index.ts'
import type { WorkflowDefinition } from '../definition.ts'
import type { RunState } from '../state.ts'
import { type Surface, surfaceOf } from '../surface.ts'
import type { RunContext } from '../transition.ts'
import type { EngineContext } from './context.ts'
import { readsOf } from './reads.ts'

export interface Run {
  row: LoadedExecution
  state: RunState
  definition: WorkflowDefinition
  /** Of `definition`. */
  hash: Buffer
}

/**
 * The run of a row. It goes on with the workflow as it stands now; with the definition it last stood in when the workflow
 * was deleted or its owner withdrew it.
 */
export async function openRun(ctx: EngineContext, db: Queryable, row: LoadedExecution): Promise<Run> {
  const [owner, hash] = row.current_hash === null ? [row.owner, row.hash] : [row.workflow_owner, row.current_hash]
  const definition = await ctx.definitions.load(db, owner, hash)
  return { row, state: JSON.parse(row.state) as RunState, definition, hash }
}

/** What a transition needs to know of a run, reading the world through a connection. */
export function runContext(ctx: EngineContext, db: Queryable, run: Run): RunContext {
  const { owner, id, workflow_id } = run.row
  return {
    definition: run.definition,
    workflowId: workflow_id,
    executionId: id,
    userId: `${owner}`,
    reads: readsOf(ctx, db, owner),
    now: ctx.clock(),
  }
}

/** Surfaces of runs outside subgraphs follow from the definition and the node alone, and every step asks for one. */
const knownSurfaces = new WeakMap<WorkflowDefinition, Map<string, string>>()

/** The JSON of what a paused run depends on; kept with its attempt. */
export async function surfaceText(context: RunContext, state: RunState): Promise<string> {
  const { definition } = context
  if (state.frames.length > 0 || state.nodeId === null) return canonicalJson(await surfaceOf(context, state))
  const known = knownSurfaces.get(definition) ?? new Map<string, string>()
  knownSurfaces.set(definition, known)
  const text = known.get(state.nodeId) ?? canonicalJson(await surfaceOf(context, state))
  known.set(state.nodeId, text)
  return text
}

/**
 * Whether the run's attempt was handed out for what the run stands on now. A definition that is the same as then cannot
 * have changed it; those of inline children are looked at always.
 */
export async function surfaceHolds(ctx: EngineContext, db: Queryable, run: Run): Promise<boolean> {
  if (run.hash.equals(run.row.hash) && run.state.frames.length === 0) return true
  return run.row.surface === (await surfaceText(runContext(ctx, db, run), run.state))
}

/** The surface the run's attempt was handed out with; null when it was not kept. */
export function attemptSurface({ surface }: LoadedExecution): Surface | null {
  return surface === null ? null : (JSON.parse(surface) as Surface)
}
