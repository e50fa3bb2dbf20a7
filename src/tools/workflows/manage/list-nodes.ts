import { invalidRequest } from '../../../core/errors.ts'
import { connectionsOf } from '../../../workflow/definition.ts'
import { previewOf } from '../../../workflow/graph-flow.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { pageOf } from './node-page.ts'
import { showIdentity } from './show.ts'

export const listNodes = defineAction({
  name: 'list-nodes',
  summary: 'list the nodes briefly: id, type and where each leads',
  input: {
    workflowId: fields.workflowId,
    typeFilter: fields.typeFilter.optional(),
    includePreview: fields.includePreview.default(false),
    previewLength: fields.previewLength.default(100),
    offset: fields.offset.optional(),
    limit: fields.limit.optional(),
  },
  example: { workflowId: 'varve/quick-task', includePreview: true },
  async run({ services, caller }, { workflowId, typeFilter, includePreview, previewLength, offset, limit }) {
    if (typeFilter !== undefined) await refuseUnknownType(typeFilter)
    const record = await services.workflows.getWorkflow(caller, workflowId)
    const matching = record.definition.nodes.filter(({ type }) => typeFilter === undefined || type === typeFilter)
    const { nodes, page } = pageOf(matching, offset, limit)
    return json({
      ...showIdentity(record),
      nodeCount: matching.length,
      ...page,
      nodes: nodes.map((node) => ({
        id: node.id,
        type: node.type,
        connections: Object.values(connectionsOf(node)),
        ...(includePreview ? { directivePreview: previewOf(node, previewLength) } : {}),
      })),
    })
  },
})

async function refuseUnknownType(wanted: string): Promise<void> {
  const { nodeTypes } = await import('../../../workflow/nodes/index.ts')
  const types = nodeTypes.map(({ type }) => type)
  if (types.some((type) => type === wanted)) return
  throw invalidRequest(`there is no node type "${wanted.slice(0, 100)}"`, 'typeFilter', {
    remedy: `the types are ${types.join(', ')}`,
  })
}
