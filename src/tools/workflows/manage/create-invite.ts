import { defineAction } from '../../action.ts'
import { fields } from './fields.ts'
import { needsAccounts, ownWorkflow } from './sharing.ts'

export const createInvite = defineAction({
  name: 'create-invite',
  summary: 'invite one person to a workflow of yours; needs accounts on this server',
  input: { workflowId: fields.workflowId, ttlMs: fields.ttlMs.optional() },
  example: { workflowId: 'my-workflow' },
  async run(call, { workflowId }) {
    throw needsAccounts(await ownWorkflow(call, workflowId))
  },
})
