import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { ownWorkflow } from './sharing.ts'
import { showIdentity } from './show.ts'

export const listAccess = defineAction({
  name: 'list-access',
  summary: 'list the people a workflow of yours is shared with',
  input: { workflowId: fields.workflowId },
  example: { workflowId: 'my-workflow' },
  async run(call, { workflowId }) {
    const record = await ownWorkflow(call, workflowId)
    return json({ ...showIdentity(record), totalCount: 0, returnedCount: 0, hasMore: false, users: [] })
  },
})
