import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_RUN } from './fields.ts'
import { showDiagnosis } from './show.ts'

export const diagnose = defineAction({
  name: 'diagnose',
  summary: 'learn whether a run can go on, and every reason why it cannot; changes nothing',
  input: { executionId: fields.executionId },
  example: { executionId: SOME_RUN },
  run: async ({ services, caller }, { executionId }) =>
    json(showDiagnosis(await services.workflows.diagnose(caller, executionId))),
})
