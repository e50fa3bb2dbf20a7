import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields } from './fields.ts'
import { declaredVariables, previewOfValue } from './registry.ts'
import { showIdentity } from './show.ts'

export const listVariables = defineAction({
  name: 'list-variables',
  summary: 'list the declared variables, by name, type, default or who may write them',
  input: {
    workflowId: fields.workflowId,
    variableNames: fields.variableNames.optional(),
    variableTypes: fields.variableTypes.optional(),
    hasDefault: fields.hasDefault.optional(),
    externallyWritable: fields.externallyWritable.optional(),
  },
  example: { workflowId: 'my-workflow', hasDefault: true },
  async run({ services, caller }, { workflowId, variableNames, variableTypes, hasDefault, externallyWritable }) {
    const record = await services.workflows.getWorkflow(caller, workflowId)
    const variables = declaredVariables(record.definition).filter(
      (variable) =>
        (variableNames?.includes(variable.name) ?? true) &&
        (variableTypes?.includes(variable.entry.type) ?? true) &&
        (hasDefault ?? variable.hasDefault) === variable.hasDefault &&
        (externallyWritable ?? variable.externallyWritable) === variable.externallyWritable,
    )
    return json({
      ...showIdentity(record),
      variableCount: variables.length,
      variables: variables.map(({ name, entry, ...facts }) => ({
        name,
        type: entry.type,
        description: entry.description,
        ...facts,
        ...(facts.hasDefault ? { preview: previewOfValue(entry['default']) } : {}),
      })),
    })
  },
})
