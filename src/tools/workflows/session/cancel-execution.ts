import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_RUN } from './fields.ts'
import { showExecution } from './show.ts'

export const cancelExecution = defineAction({
  name: 'cancel-execution',
  summary: 'end a run for good without finishing it',
  input: { executionId: fields.executionId, expectedRevision: fields.expectedRevision },
  example: { executionId: SOME_RUN, expectedRevision: 3 },
  async run({ services, caller }, input) {
    const execution = showExecution(await services.workflows.cancel(caller, input))
    return json({ success: true, message: `Run ${input.executionId} is cancelled`, ...execution })
  },
})
