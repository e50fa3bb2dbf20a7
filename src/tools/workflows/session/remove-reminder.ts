import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { fields, SOME_REVISION, SOME_RUN } from './fields.ts'
import { showReminder } from './show.ts'

export const removeReminder = defineAction({
  name: 'remove-reminder',
  summary: 'cancel a reminder',
  input: {
    executionId: fields.executionId,
    reminderId: fields.reminderId,
    expectedRevision: fields.expectedRevision,
    expectedRemindersRevision: fields.expectedRemindersRevision,
  },
  example: {
    executionId: SOME_RUN,
    reminderId: '11111111-1111-4111-8111-111111111111',
    expectedRevision: 3,
    expectedRemindersRevision: SOME_REVISION,
  },
  async run({ services, caller }, input) {
    const { reminder, ...revisions } = await services.workflows.removeReminder(caller, input)
    return json({ success: true, executionId: input.executionId, reminder: showReminder(reminder), ...revisions })
  },
})
