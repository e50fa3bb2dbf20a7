import { UserError } from '../../core/errors.ts'
import type { WorkflowDefinition, WorkflowNode } from '../definition.ts'
import { expressionReferences } from '../expression-references.ts'
import { globalInputsOf } from '../nodes/node-schema.ts'
import { parsePath } from '../path.ts'

/** The names of variables that a run, or somebody from outside it, can give a value. */
export function writtenVariables(definition: WorkflowDefinition): Set<string> {
  return new Set([
    ...definition.nodes.flatMap(writtenBy),
    ...Object.keys(definition.runtimePolicy?.externalVariableWrites ?? {}),
  ])
}

/** The variables one node writes. */
export function writtenBy(node: WorkflowNode): string[] {
  switch (node.type) {
    case 'start':
      return Object.keys(node.initialData?.variables ?? {})
    case 'agent-directive':
    case 'teleport':
      return globalInputsOf(node.inputSchema)
    case 'expression':
      return node.expressions.flatMap(assignedBy)
    case 'subgraph':
      return Object.values(node.outputMapping).flatMap((path) => parsePath(path)?.root ?? [])
    default:
      return []
  }
}

function assignedBy(expression: string): string[] {
  try {
    return expressionReferences(expression).writes
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}
