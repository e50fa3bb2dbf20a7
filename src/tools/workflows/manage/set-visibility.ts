import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { showIdentity } from './show.ts'

export const setVisibility = defineAction({
  name: 'set-visibility',
  summary: 'make one of your workflows public or private',
  input: { workflowId: fields.workflowId, visibility: fields.visibility },
  example: { workflowId: 'my-workflow', visibility: 'private' },
  async run({ services, caller }, { workflowId, visibility }) {
    const changed = await services.workflows.setVisibility(caller, workflowId, visibility)
    return json({
      ...showIdentity(changed),
      previousVisibility: changed.previousVisibility,
      newVisibility: changed.visibility,
      message: `"${changed.name}" is ${changed.visibility} now`,
    })
  },
})
