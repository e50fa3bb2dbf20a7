import { UserError } from '../../../core/errors.ts'
import { defineAction } from '../../action.ts'
import { fields, SOME_RUN } from './fields.ts'

export const materialize = defineAction({
  name: 'materialize',
  summary: 'read the files a run waits to hand over; not available on this server yet',
  input: { executionId: fields.executionId },
  example: { executionId: SOME_RUN },
  async run({ services, caller }, { executionId }) {
    await services.workflows.executionContext(caller, executionId)
    throw new UserError('NOT_AVAILABLE', 'this server cannot hand over files yet', {
      processId: executionId,
      remedy: 'the run was not changed; see where it stands with current_step',
      next: { tool: 'session', args: { action: 'current_step', executionId } },
    })
  },
})
