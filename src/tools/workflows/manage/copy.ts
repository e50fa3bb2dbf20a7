import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { showSaved } from './show.ts'

export const copy = defineAction({
  name: 'copy',
  summary: 'make a private copy of a workflow, as your own',
  input: { workflowId: fields.workflowId, newName: fields.newName.optional() },
  example: { workflowId: 'varve/quick-task', newName: 'My quick task' },
  async run({ services, caller }, { workflowId, newName }) {
    const source = await services.workflows.getWorkflow(caller, workflowId)
    const { id: _id, slug: _slug, owner: _owner, visibility: _visibility, ...content } = source.definition
    const name = newName ?? `${content.metadata.name} (copy)`
    const definition = { ...content, metadata: { ...content.metadata, name } }
    const saved = await services.workflows.createWorkflow(caller, { definition, visibility: 'private' })
    return json({
      ...showSaved(saved),
      sourceWorkflowId: source.id,
      message: `"${source.name}" copied to ${saved.reference}`,
    })
  },
})
