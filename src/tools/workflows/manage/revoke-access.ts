import { UserError } from '../../../core/errors.ts'
import { defineAction } from '../../action.ts'
import { fields } from './fields.ts'
import { ownWorkflow } from './sharing.ts'

export const revokeAccess = defineAction({
  name: 'revoke-access',
  summary: 'take a person you shared a workflow with off its list',
  input: { workflowId: fields.workflowId, targetUserId: fields.targetUserId },
  example: { workflowId: 'my-workflow', targetUserId: '00000000-0000-4000-8000-000000000000' },
  async run(call, { workflowId }) {
    await ownWorkflow(call, workflowId)
    throw new UserError('not_found', 'the workflow is shared with nobody of that id', {
      field: 'targetUserId',
      remedy: 'manage list-access shows whom it is shared with',
    })
  },
})
