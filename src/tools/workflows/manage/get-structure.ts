import { connectionsOf } from '../../../workflow/definition.ts'
import { structureFacts } from '../../../workflow/graph.ts'
import { asciiFlow, previewOf } from '../../../workflow/graph-flow.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { showIdentity } from './show.ts'

/** Length of a preview, in characters. */
const PREVIEW = 100

export const getStructure = defineAction({
  name: 'get-structure',
  summary: 'see how the nodes are connected; with graph, drawn as text',
  input: {
    workflowId: fields.workflowId,
    graph: fields.graph.default(false),
    detailed: fields.detailed.default(false),
  },
  example: { workflowId: 'varve/quick-task', graph: true },
  async run({ services, caller }, { workflowId, graph, detailed }) {
    const record = await services.workflows.getWorkflow(caller, workflowId)
    const { definition } = record
    const facts = structureFacts(definition)
    return json({
      ...showIdentity(record),
      metadata: definition.metadata,
      stats: { totalNodes: facts.nodeCount, connectionCount: facts.connectionCount, byType: facts.nodeTypes },
      graph: definition.nodes.map((node) => ({ nodeId: node.id, type: node.type, connections: connectionsOf(node) })),
      ...(graph ? { flowVisualization: asciiFlow(definition, { previews: detailed }) } : {}),
      ...(detailed
        ? { nodesPreview: definition.nodes.map((node) => ({ nodeId: node.id, preview: previewOf(node, PREVIEW) })) }
        : {}),
    })
  },
})
