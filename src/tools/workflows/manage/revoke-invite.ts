import { UserError } from '../../../core/errors.ts'
import { defineAction } from '../../action.ts'
import { fields } from './fields.ts'
import { ownWorkflow } from './sharing.ts'

export const revokeInvite = defineAction({
  name: 'revoke-invite',
  summary: 'make an invite useless',
  input: { workflowId: fields.workflowId, inviteId: fields.inviteId },
  example: { workflowId: 'my-workflow', inviteId: '00000000-0000-4000-8000-000000000000' },
  async run(call, { workflowId }) {
    await ownWorkflow(call, workflowId)
    throw new UserError('not_found', 'the workflow has no invite of that id', {
      field: 'inviteId',
      remedy: 'manage list-invites shows the invites',
    })
  },
})
