import type { WorkflowDefinition } from '../definition.ts'
import { systemNames } from '../template.ts'

/** Whether a name may stand at the head of a path: a variable, a node, or a name every run has. */
export function isDeclared(definition: WorkflowDefinition, name: string): boolean {
  return (
    systemNames.some((system) => system === name) ||
    Object.hasOwn(definition.variableRegistry ?? {}, name) ||
    definition.nodes.some((node) => node.id === name) ||
    isInitialData(definition, name)
  )
}

/** Whether the start node gives the variable: the way to declare one before there was a registry. */
export function isInitialData(definition: WorkflowDefinition, name: string): boolean {
  return definition.nodes.some(
    (node) => node.type === 'start' && Object.hasOwn(node.initialData?.variables ?? {}, name),
  )
}

/** Whether a variable may be assigned: one of the registry, or of the start node's initial data. */
export function isVariable(definition: WorkflowDefinition, name: string): boolean {
  return Object.hasOwn(definition.variableRegistry ?? {}, name) || isInitialData(definition, name)
}
