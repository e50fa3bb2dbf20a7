import { UserError } from '../../../core/errors.ts'
import { defineAction } from '../../action.ts'
import { fields, SOME_RUN } from './fields.ts'

export const progressImageToken = defineAction({
  name: 'progress-image-token',
  summary: 'get a link to a picture of the progress; not available on this server yet',
  input: {
    executionId: fields.executionId,
    theme: fields.theme.optional(),
    viewportWidth: fields.viewportWidth.optional(),
    view: fields.view.optional(),
    hide: fields.hide.optional(),
    collapse: fields.collapse.optional(),
  },
  example: { executionId: SOME_RUN, view: 'cards' },
  async run({ services, caller }, { executionId }) {
    await services.workflows.executionContext(caller, executionId)
    throw new UserError('NOT_AVAILABLE', 'this server cannot draw pictures of the progress yet', {
      processId: executionId,
      remedy: 'read the same facts as text with progress',
      next: { tool: 'session', args: { action: 'progress', executionId } },
    })
  },
})
