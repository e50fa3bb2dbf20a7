import { invalidRequest } from '../../../core/errors.ts'
import type { WorkflowDefinition } from '../../../workflow/definition.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { changeWorkflow } from './change-workflow.ts'
import { fields } from './fields.ts'
import { nodeOf } from './node-of.ts'
import { showSaved } from './show.ts'

export const moveNode = defineAction({
  name: 'move-node',
  summary: 'move a node to another place in the list; its connections stay',
  input: {
    workflowId: fields.workflowId,
    nodeId: fields.nodeId,
    targetIndex: fields.targetIndex.optional(),
    afterNodeId: fields.afterNodeId.optional(),
  },
  example: { workflowId: 'my-workflow', nodeId: 'brew', afterNodeId: 'start' },
  async run(call, { workflowId, nodeId, targetIndex, afterNodeId }) {
    const { saved, facts } = await changeWorkflow(call, workflowId, (definition) => {
      const node = nodeOf(definition, nodeId)
      const others = definition.nodes.filter((other) => other !== node)
      const fromIndex = definition.nodes.indexOf(node)
      const toIndex = targetPlace(definition, nodeId, targetIndex, afterNodeId)
      const nodes = [...others.slice(0, toIndex), node, ...others.slice(toIndex)]
      return { definition: { ...definition, nodes }, facts: { fromIndex, toIndex } }
    })
    return json({ ...showSaved(saved), nodeId, ...facts, message: `Node "${nodeId}" moved to place ${facts.toIndex}` })
  },
})

/** Where the node stands afterwards, counted from 0. */
function targetPlace(
  definition: WorkflowDefinition,
  nodeId: string,
  targetIndex: number | undefined,
  afterNodeId: string | undefined,
): number {
  if ((targetIndex === undefined) === (afterNodeId === undefined)) {
    throw invalidRequest('move-node takes targetIndex or afterNodeId, one of them', 'targetIndex')
  }
  if (afterNodeId !== undefined) {
    if (afterNodeId === nodeId) throw invalidRequest('a node cannot stand after itself', 'afterNodeId')
    const after = nodeOf(definition, afterNodeId, 'afterNodeId')
    return definition.nodes.filter(({ id }) => id !== nodeId).indexOf(after) + 1
  }
  const last = definition.nodes.length - 1
  if (targetIndex === undefined || targetIndex > last) {
    throw invalidRequest(`targetIndex must be 0 to ${last} in this workflow`, 'targetIndex')
  }
  return targetIndex
}
