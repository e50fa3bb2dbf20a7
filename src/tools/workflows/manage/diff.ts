import { diffDefinitions, type NamedChanges } from '../../../workflow/graph-diff.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'

export const diff = defineAction({
  name: 'diff',
  summary: 'compare two workflows, down to the field',
  input: { workflowId: fields.workflowId, compareWorkflowId: fields.compareWorkflowId },
  example: { workflowId: 'my-workflow', compareWorkflowId: 'my-workflow-copy' },
  async run({ services, caller }, { workflowId, compareWorkflowId }) {
    const before = await services.workflows.getWorkflow(caller, workflowId)
    const after = await services.workflows.getWorkflow(caller, compareWorkflowId)
    const { identical, ...details } = diffDefinitions(before.definition, after.definition)
    const { metadata, registry, runtimePolicy, progress, systemReminder, nodes, reordered } = details
    return json({
      success: true,
      workflowId: before.id,
      compareWorkflowId: after.id,
      identical,
      summary: {
        metadataChanges: metadata.length,
        nodesAdded: nodes.added.length,
        nodesRemoved: nodes.removed.length,
        nodesModified: nodes.changed.length,
        systemReminderChanged: systemReminder.length > 0,
        variablesChanged: countOf(registry),
        runtimePolicyChanged: runtimePolicy.length > 0,
        progressChanged: progress.length > 0,
        reordered,
      },
      ...(identical ? {} : { details }),
    })
  },
})

function countOf({ added, removed, changed }: NamedChanges): number {
  return added.length + removed.length + changed.length
}
