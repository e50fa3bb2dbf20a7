/** How manage shows a workflow. */

import type { Issue, WorkflowDefinition } from '../../../workflow/definition.ts'
import type { WorkflowRecord, WorkflowSummary } from '../../../workflow/engine.ts'
import { structureFacts } from '../../../workflow/graph.ts'

/** Which workflow it is: by its permanent id, and by the name people use. */
export function showIdentity({ id, reference, slug, visibility, revision }: WorkflowSummary) {
  return { success: true, workflowId: id, reference, slug, visibility, revision }
}

/** A workflow that was just written. */
export function showSaved(record: WorkflowRecord) {
  return { ...showIdentity(record), metadata: showMetadata(record.definition) }
}

export function showMetadata({ metadata, nodes }: WorkflowDefinition) {
  return { ...metadata, nodeCount: nodes.length }
}

/** How a definition is built, in numbers. */
export function showStructure(definition: WorkflowDefinition) {
  return structureFacts(definition)
}

export function showIssue({ type, code, message, nodeId, field, remedy }: Issue) {
  return {
    type,
    code,
    message,
    ...(nodeId === undefined ? {} : { nodeId }),
    ...(field === undefined ? {} : { field }),
    remedy,
  }
}

/** What validation found, errors and warnings apart. */
export function showValidation(issues: readonly Issue[]) {
  const errors = issues.filter(({ severity }) => severity === 'error').map(showIssue)
  const warnings = issues.filter(({ severity }) => severity === 'warning').map(showIssue)
  return {
    valid: errors.length === 0,
    errorCount: errors.length,
    warningCount: warnings.length,
    errors,
    warnings,
  }
}
