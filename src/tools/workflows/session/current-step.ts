import { defineAction } from '../../action.ts'
import { toReply } from '../start.ts'
import { fields, SOME_RUN } from './fields.ts'

export const currentStep = defineAction({
  name: 'current_step',
  summary: 'see the current task of a run again, with the Step attempt ID to report it with; moves nothing',
  input: { executionId: fields.executionId },
  example: { executionId: SOME_RUN },
  run: async ({ services, caller }, { executionId }) =>
    toReply(await services.workflows.currentStep(caller, executionId)),
})
