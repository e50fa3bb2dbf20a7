import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_REVISION, SOME_RUN } from './fields.ts'
import { showReminder } from './show.ts'

export const updateReminder = defineAction({
  name: 'update-reminder',
  summary: 'change what a reminder says',
  input: {
    executionId: fields.executionId,
    reminderId: fields.reminderId,
    reminderText: fields.reminderText,
    expectedRevision: fields.expectedRevision,
    expectedRemindersRevision: fields.expectedRemindersRevision,
  },
  example: {
    executionId: SOME_RUN,
    reminderId: '11111111-1111-4111-8111-111111111111',
    reminderText: 'Tell the whole team.',
    expectedRevision: 3,
    expectedRemindersRevision: SOME_REVISION,
  },
  async run({ services, caller }, input) {
    const { reminder, ...revisions } = await services.workflows.updateReminder(caller, input)
    return json({ success: true, executionId: input.executionId, reminder: showReminder(reminder), ...revisions })
  },
})
