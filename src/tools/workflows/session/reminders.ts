import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_RUN } from './fields.ts'
import { showReminder } from './show.ts'

export const reminders = defineAction({
  name: 'reminders',
  summary: 'list the reminders of a run',
  input: { executionId: fields.executionId, reminderStatus: fields.reminderStatus.optional() },
  example: { executionId: SOME_RUN, reminderStatus: 'active' },
  async run({ services, caller }, { executionId, reminderStatus }) {
    const { reminders: found, ...revisions } = await services.workflows.listReminders(
      caller,
      executionId,
      reminderStatus,
    )
    return json({ executionId, total: found.length, reminders: found.map(showReminder), ...revisions })
  },
})
