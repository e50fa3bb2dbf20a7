import { invalidRequest } from '../../../core/errors.ts'
import { hash128 } from '../../../core/hash.ts'
import type { WorkflowDefinition } from '../../../workflow/definition.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { changeWorkflow } from './change-workflow.ts'
import { fields } from './fields.ts'
import { nodeOf } from './node-of.ts'
import { showSaved } from './show.ts'

export const cloneNode = defineAction({
  name: 'clone-node',
  summary: 'put a copy of a node, under another id, right after it',
  input: { workflowId: fields.workflowId, nodeId: fields.nodeId, newId: fields.newId.optional() },
  example: { workflowId: 'my-workflow', nodeId: 'brew', newId: 'brew-again' },
  async run(call, { workflowId, nodeId, newId }) {
    const { saved, facts } = await changeWorkflow(call, workflowId, (definition) => {
      const source = nodeOf(definition, nodeId)
      const id = newId ?? freeId(definition, nodeId)
      if (definition.nodes.some((node) => node.id === id)) {
        throw invalidRequest(`there is already a node "${id}"`, 'newId', { remedy: 'choose another id' })
      }
      const clone = { ...structuredClone(source), id }
      const nodes = definition.nodes.flatMap((node) => (node === source ? [node, clone] : [node]))
      return { definition: { ...definition, nodes }, facts: clone }
    })
    return json({
      ...showSaved(saved),
      sourceNodeId: nodeId,
      clonedNodeId: facts.id,
      clonedNode: facts,
      message: `Node "${nodeId}" cloned as "${facts.id}"; nothing leads to it yet`,
    })
  },
})

/** An id nobody has, such as `brew-clone-3fa0`. */
function freeId({ nodes }: WorkflowDefinition, nodeId: string): string {
  for (let attempt = nodes.length; ; attempt++) {
    const id = `${nodeId}-clone-${hash128(nodeId, attempt).toString('hex').slice(0, 4)}`
    if (!nodes.some((node) => node.id === id)) return id
  }
}
