import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { declaredVariable } from './registry.ts'
import { showIdentity } from './show.ts'

export const getVariable = defineAction({
  name: 'get-variable',
  summary: 'read one declared variable with its default',
  input: { workflowId: fields.workflowId, variableName: fields.variableName },
  example: { workflowId: 'my-workflow', variableName: 'cups' },
  async run({ services, caller }, { workflowId, variableName }) {
    const record = await services.workflows.getWorkflow(caller, workflowId)
    const { name, entry, hasDefault, externallyWritable } = declaredVariable(record.definition, variableName)
    return json({
      ...showIdentity(record),
      variableName: name,
      value: entry['default'] ?? null,
      hasDefault,
      type: entry.type,
      description: entry.description,
      externallyWritable,
      declaration: entry,
    })
  },
})
