import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_REVISION, SOME_RUN } from './fields.ts'

export const setVariable = defineAction({
  name: 'set-variable',
  summary: "write a variable of a run, where the workflow's policy allows it; moves nothing",
  input: {
    executionId: fields.executionId,
    variableName: fields.variableName,
    variableValue: fields.variableValue,
    expectedRevision: fields.expectedRevision,
    expectedContextRevision: fields.expectedContextRevision,
  },
  example: {
    executionId: SOME_RUN,
    variableName: 'cups',
    variableValue: 2,
    expectedRevision: 3,
    expectedContextRevision: SOME_REVISION,
  },
  async run({ services, caller }, input) {
    const changed = await services.workflows.setVariable(caller, input)
    return json({ success: true, executionId: input.executionId, ...changed })
  },
})
