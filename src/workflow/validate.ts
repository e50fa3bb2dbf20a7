/** Validation of definitions: every check, in two stages, and the shapes its result is shown in. */

import type { Issue, WorkflowDefinition } from './definition.ts'
import { nodeTypeOf } from './nodes/index.ts'
import { codeFacts } from './validation/codes.ts'
import { inputIssues } from './validation/inputs.ts'
import { policyIssues, progressIssues } from './validation/policy.ts'
import { referenceIssues } from './validation/references.ts'
import { registryIssues } from './validation/registry.ts'
import { schemaIssues } from './validation/schema-stage.ts'
import { structureIssues } from './validation/structure.ts'
import { subgraphIssues, type WorkflowResolver } from './validation/subgraphs.ts'

export { resolverFor, type WorkflowResolver } from './validation/subgraphs.ts'

/**
 * Every finding about a definition, errors and warnings. When the form of a part is wrong, only the findings about
 * form are given, since the other checks could not trust what they read.
 */
export function validateDefinition(definition: unknown, known?: WorkflowResolver): Issue[] {
  const form = schemaIssues(definition)
  if (form.length > 0) return form
  const whole = definition as WorkflowDefinition
  return [
    ...structureIssues(whole),
    ...registryIssues(whole),
    ...inputIssues(whole),
    ...referenceIssues(whole),
    ...subgraphIssues(whole, known),
    ...whole.nodes.flatMap((node) => nodeTypeOf(node).check?.(node, whole) ?? []),
    ...policyIssues(whole),
    ...progressIssues(whole),
  ]
}

export interface ValidationResult {
  /** Whether there is no error; warnings do not count. */
  valid: boolean
  issues: Issue[]
}

export function validationResult(issues: readonly Issue[]): ValidationResult {
  return { valid: !issues.some((issue) => issue.severity === 'error'), issues: [...issues] }
}

/** The result in the older shape, kept for clients that read it. */
export interface LegacyValidation {
  valid: boolean
  errors: {
    type: 'schema' | 'structure' | 'connections' | 'references'
    code: string
    nodeId?: string
    path?: string
    message: string
  }[]
  warnings: {
    type: 'best-practices' | 'performance' | 'maintainability'
    code: string
    nodeId?: string
    path?: string
    message: string
  }[]
}

const legacyTypes = { schema: 'schema', structure: 'structure', connection: 'connections', node: 'references' } as const

export function legacyValidation(issues: readonly Issue[]): LegacyValidation {
  const result: LegacyValidation = { valid: true, errors: [], warnings: [] }
  for (const { type, severity, code, nodeId, field, message } of issues) {
    const rest = {
      code,
      ...(nodeId === undefined ? {} : { nodeId }),
      ...(field === undefined ? {} : { path: field }),
      message,
    }
    if (severity === 'error') {
      result.valid = false
      result.errors.push({ type: legacyTypes[type], ...rest })
    } else result.warnings.push({ type: codeFacts(code).kind ?? 'best-practices', ...rest })
  }
  return result
}

/** The errors as one line, the way create and edit report them. */
export function errorText(issues: readonly Issue[]): string {
  return issues
    .filter((issue) => issue.severity === 'error')
    .map((issue) => issue.message)
    .join('; ')
}
