import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_RUN } from './fields.ts'
import { showExecution } from './show.ts'

export const updateNote = defineAction({
  name: 'update-note',
  summary: 'change the note that lists show with a run',
  input: { executionId: fields.executionId, note: fields.note },
  example: { executionId: SOME_RUN, note: 'waits for the design' },
  async run({ services, caller }, { executionId, note }) {
    const execution = await services.workflows.updateNote(caller, executionId, note)
    return json({ success: true, ...showExecution(execution) })
  },
})
