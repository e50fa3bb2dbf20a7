import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { given } from '../shapes.ts'
import { fields } from './fields.ts'
import { showIssue, showSaved } from './show.ts'

export const create = defineAction({
  name: 'create',
  summary: 'store a new workflow, after validating it',
  input: { workflow: fields.workflow, overwrite: fields.overwrite.default(false) },
  example: {
    workflow: {
      metadata: { name: 'Tea', version: '1.0.0', description: 'Brew a pot of tea' },
      nodes: [
        { id: 'start', type: 'start', connections: { default: 'brew' } },
        {
          id: 'brew',
          type: 'agent-directive',
          directive: 'Brew the tea.',
          completionCondition: 'The tea is in the cup.',
          connections: { success: 'end' },
        },
        { id: 'end', type: 'end' },
      ],
    },
  },
  async run({ services, caller }, { workflow, overwrite }) {
    const { visibility, ...definition } = given(workflow)
    const saved = await services.workflows.createWorkflow(caller, given({ definition, visibility, overwrite }))
    const { created, definition: stored, warnings } = saved
    return json({
      ...showSaved(saved),
      created,
      message: `Workflow "${stored.metadata.name}" ${created ? 'created' : 'overwritten'} as ${saved.reference}`,
      systemReminder: stored.systemReminder ?? null,
      validation: { valid: true, ...(warnings.length > 0 ? { warnings: warnings.map(showIssue) } : {}) },
    })
  },
})
