import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { nodeOf } from './node-of.ts'
import { showIdentity } from './show.ts'

export const getNode = defineAction({
  name: 'get-node',
  summary: 'read one node',
  input: { workflowId: fields.workflowId, nodeId: fields.nodeId },
  example: { workflowId: 'varve/quick-task', nodeId: 'start' },
  async run({ services, caller }, { workflowId, nodeId }) {
    const record = await services.workflows.getWorkflow(caller, workflowId)
    return json({ ...showIdentity(record), node: nodeOf(record.definition, nodeId) })
  },
})
