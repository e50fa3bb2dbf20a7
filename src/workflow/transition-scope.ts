/** What a node's templates, conditions and expressions can read. */

import type { WorkflowDefinition } from './definition.ts'
import { authorFragments, type Fragments, type Scope } from './template.ts'
import type { Level } from './transition-levels.ts'

/** Fragments follow from the definition alone, and a transition asks for them at every node. */
const known = new WeakMap<WorkflowDefinition, Fragments>()

function fragmentsOf(definition: WorkflowDefinition): Fragments {
  const earlier = known.get(definition)
  if (earlier !== undefined) return earlier
  const fragments = authorFragments(definition)
  known.set(definition, fragments)
  return fragments
}

/** The scope of a workflow the run stands in: its variables, and the names every run has. */
export function scopeOf(run: { executionId: string; userId: string }, level: Level): Scope {
  return {
    variables: level.variables,
    executionId: run.executionId,
    workflowId: level.workflowId,
    userId: run.userId,
    fragments: fragmentsOf(level.definition),
  }
}
