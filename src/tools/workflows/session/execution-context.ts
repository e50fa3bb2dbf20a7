import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_RUN } from './fields.ts'
import { showContext } from './show.ts'

export const executionContext = defineAction({
  name: 'execution_context',
  summary: 'read a run in full: variables, status, errors, children and the revisions that writes must name',
  input: { executionId: fields.executionId },
  example: { executionId: SOME_RUN },
  run: async ({ services, caller }, { executionId }) =>
    json(showContext(await services.workflows.executionContext(caller, executionId))),
})
