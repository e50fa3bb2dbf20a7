import { invalidRequest } from '../../../core/errors.ts'
import { defineAction } from '../../action.ts'
import { json, type ToolCall } from '../../checked-tool.ts'
import { given } from '../shapes.ts'
import { fields } from './fields.ts'
import { showIdentity, showValidation } from './show.ts'

export const validate = defineAction({
  name: 'validate',
  summary: 'check a stored workflow, or a draft given as workflow, and list every finding',
  input: { workflowId: fields.workflowId.optional(), workflow: fields.workflow.optional() },
  example: { workflowId: 'varve/quick-task' },
  async run(call, { workflowId, workflow }) {
    const { identity, definition, id } = await toCheck(call, workflowId, workflow)
    const issues = await call.services.workflows.validate(call.caller, definition, id)
    return json({ ...identity, ...showValidation(issues) })
  },
})

async function toCheck({ services, caller }: ToolCall, workflowId: string | undefined, workflow: object | undefined) {
  if ((workflowId === undefined) === (workflow === undefined)) {
    throw invalidRequest('validate takes workflowId or workflow, one of them', 'workflowId', {
      remedy: 'give workflowId to check what is stored, or workflow to check a draft',
    })
  }
  if (workflowId === undefined) return { identity: { success: true }, definition: given(workflow ?? {}), id: undefined }
  const record = await services.workflows.getWorkflow(caller, workflowId)
  return { identity: showIdentity(record), definition: record.definition, id: record.id }
}
