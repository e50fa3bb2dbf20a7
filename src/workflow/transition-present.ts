/** What the agent is shown of a step. */

import type { Outcome, Presentation } from './nodes/node-type.ts'
import { type Level, nodeOf, pathOf } from './transition-levels.ts'
import { topOf, type Walk } from './transition-walk.ts'

/** The step the innermost node waits with. */
export function presentation(walk: Walk, outcome: Extract<Outcome, { kind: 'wait' }>): Presentation {
  const level = topOf(walk)
  return {
    nodeId: level.nodeId,
    nodeType: nodeOf(level).type,
    path: pathOf(walk.levels),
    directive: outcome.directive,
    completionCondition: outcome.completionCondition,
    inputSchema: outcome.inputSchema,
    teleports: teleportsOf(walk.levels),
  }
}

/** The teleports a run may jump to: those of the innermost workflow first, an outer one hidden by an equal id. */
export function teleportsOf(levels: readonly Level[]): Presentation['teleports'] {
  const found = new Map<string, { nodeId: string; hint: string }>()
  for (const { definition } of [...levels].reverse()) {
    for (const node of definition.nodes) {
      if (node.type === 'teleport' && !found.has(node.id)) found.set(node.id, { nodeId: node.id, hint: node.hint })
    }
  }
  return [...found.values()]
}
