import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { given } from '../shapes.ts'
import { fields, SOME_RUN } from './fields.ts'

export const variables = defineAction({
  name: 'variables',
  summary: 'list the declared variables of a run with their values, and which may be written from outside',
  input: {
    executionId: fields.executionId,
    names: fields.names.optional(),
    types: fields.types.optional(),
    editable: fields.editable.optional(),
    hasValue: fields.hasValue.optional(),
    writePhase: fields.writePhase.optional(),
  },
  example: { executionId: SOME_RUN, editable: true },
  async run({ services, caller }, input) {
    const { variables: found, ...revisions } = await services.workflows.listVariables(caller, given(input))
    return json({ executionId: input.executionId, total: found.length, variables: found, ...revisions })
  },
})
