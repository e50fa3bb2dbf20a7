import { findNode } from '../../../workflow/definition.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { showIdentity } from './show.ts'

export const getNodes = defineAction({
  name: 'get-nodes',
  summary: 'read several nodes at once',
  input: { workflowId: fields.workflowId, nodeIds: fields.nodeIds },
  example: { workflowId: 'varve/quick-task', nodeIds: ['start', 'end'] },
  async run({ services, caller }, { workflowId, nodeIds }) {
    const record = await services.workflows.getWorkflow(caller, workflowId)
    const wanted = [...new Set(nodeIds)]
    const nodes = wanted.flatMap((id) => {
      const node = findNode(record.definition, id)
      return node === null ? [] : [{ id, node }]
    })
    const notFound = wanted.filter((id) => !nodes.some((found) => found.id === id))
    return json({
      ...showIdentity(record),
      requestedCount: wanted.length,
      foundCount: nodes.length,
      nodes,
      ...(notFound.length > 0 ? { notFound } : {}),
    })
  },
})
