import { registryOf } from '../../../workflow/definition.ts'
import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { changeWorkflow } from './change-workflow.ts'
import { fields } from './fields.ts'
import { declaredVariable } from './registry.ts'
import { showSaved } from './show.ts'

export const deleteVariable = defineAction({
  name: 'delete-variable',
  summary: 'take a declared variable away; refused while something refers to it',
  input: { workflowId: fields.workflowId, variableName: fields.variableName },
  example: { workflowId: 'my-workflow', variableName: 'cups' },
  async run(call, { workflowId, variableName }) {
    const { saved, facts } = await changeWorkflow(call, workflowId, (definition) => {
      const { entry } = declaredVariable(definition, variableName)
      const { [variableName]: _deleted, ...rest } = registryOf(definition)
      return { definition: { ...definition, variableRegistry: rest }, facts: entry }
    })
    return json({
      ...showSaved(saved),
      variableName,
      deletedValue: facts['default'] ?? null,
      deletedDeclaration: facts,
      message: `Variable "${variableName}" deleted`,
    })
  },
})
