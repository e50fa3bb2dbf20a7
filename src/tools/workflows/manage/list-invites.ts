import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { ownWorkflow } from './sharing.ts'
import { showIdentity } from './show.ts'

export const listInvites = defineAction({
  name: 'list-invites',
  summary: 'list the invites to a workflow of yours',
  input: { workflowId: fields.workflowId, activeOnly: fields.activeOnly.default(true) },
  example: { workflowId: 'my-workflow' },
  async run(call, { workflowId, activeOnly }) {
    const record = await ownWorkflow(call, workflowId)
    return json({ ...showIdentity(record), activeOnly, totalCount: 0, returnedCount: 0, hasMore: false, invites: [] })
  },
})
