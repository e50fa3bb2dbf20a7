/** The variables a workflow declares, as manage shows and finds them. */

import { UserError } from '../../../core/errors.ts'
import { type RegistryEntry, registryOf, type WorkflowDefinition } from '../../../workflow/definition.ts'

/** Longest preview of a default, in characters. */
const PREVIEW = 100

export interface DeclaredVariable {
  name: string
  entry: RegistryEntry
  hasDefault: boolean
  /** Whether session set-variable may write it at some node. */
  externallyWritable: boolean
}

export function declaredVariables(definition: WorkflowDefinition): DeclaredVariable[] {
  const writable = definition.runtimePolicy?.externalVariableWrites ?? {}
  return Object.entries(registryOf(definition)).map(([name, entry]) => ({
    name,
    entry,
    hasDefault: Object.hasOwn(entry, 'default'),
    externallyWritable: Object.hasOwn(writable, name),
  }))
}

/** The variable of a name. @throws UserError `not_found` */
export function declaredVariable(definition: WorkflowDefinition, name: string): DeclaredVariable {
  const variable = declaredVariables(definition).find((candidate) => candidate.name === name)
  if (variable !== undefined) return variable
  throw new UserError('not_found', `this workflow declares no variable "${name.slice(0, 200)}"`, {
    field: 'variableName',
    remedy: 'manage list-variables shows the names',
  })
}

export function previewOfValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > PREVIEW ? `${text.slice(0, PREVIEW - 1)}…` : text
}
