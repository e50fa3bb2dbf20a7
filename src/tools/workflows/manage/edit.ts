import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { applyChanges } from './apply-changes.ts'
import { changeWorkflow } from './change-workflow.ts'
import { fields } from './fields.ts'
import { showIssue, showSaved } from './show.ts'

export const edit = defineAction({
  name: 'edit',
  summary: 'change parts of a workflow; all of it is stored, or nothing when the result is not valid',
  input: {
    workflowId: fields.workflowId,
    changes: fields.changes,
    expectedRevision: fields.expectedRevision.optional(),
  },
  example: {
    workflowId: 'my-workflow',
    changes: { updateNodes: [{ nodeId: 'brew', changes: { directive: 'Brew the tea, three minutes.' } }] },
  },
  async run(call, { workflowId, changes, expectedRevision }) {
    const { saved, facts } = await changeWorkflow(
      call,
      workflowId,
      (definition) => {
        const { definition: edited, counts } = applyChanges(definition, changes)
        return { definition: edited, facts: counts }
      },
      expectedRevision,
    )
    return json({
      ...showSaved(saved),
      message: `Workflow "${saved.name}" changed; it is at revision ${saved.revision}`,
      changes: facts,
      systemReminder: saved.definition.systemReminder ?? null,
      validation: { valid: true, ...(saved.warnings.length > 0 ? { warnings: saved.warnings.map(showIssue) } : {}) },
    })
  },
})
