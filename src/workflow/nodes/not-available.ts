import { UserError } from '../../core/errors.ts'

/** The error of a node type whose definitions are accepted but which this server cannot run. The run stays put. */
export function notAvailable(node: { id: string; type: string }): UserError {
  return new UserError(
    'NODE_NOT_AVAILABLE',
    `Node "${node.id}" is of type ${node.type}, which this server cannot run`,
    {
      nodeId: node.id,
      nodeType: node.type,
      remedy:
        'the run was not changed; edit the workflow to go around this node and answer the step again, ' +
        'or cancel the run with session({ action: "cancel-execution" })',
    },
  )
}
