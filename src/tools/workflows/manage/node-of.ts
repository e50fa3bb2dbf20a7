import { UserError } from '../../../core/errors.ts'
import { findNode, type WorkflowDefinition, type WorkflowNode } from '../../../workflow/definition.ts'

/** The node of an id. @throws UserError `not_found` */
export function nodeOf(definition: WorkflowDefinition, nodeId: string, field = 'nodeId'): WorkflowNode {
  const node = findNode(definition, nodeId)
  if (node !== null) return node
  throw new UserError('not_found', `there is no node "${nodeId.slice(0, 200)}" in this workflow`, {
    field,
    remedy: 'manage list-nodes shows the ids',
  })
}
