import { defineAction } from '../../action.ts'
import { json } from '../../checked-tool.ts'
import { given } from '../shapes.ts'
import { fields, SOME_REVISION, SOME_RUN } from './fields.ts'
import { showReminder } from './show.ts'

export const addReminder = defineAction({
  name: 'add-reminder',
  summary: 'be reminded of something when the run ends',
  input: {
    executionId: fields.executionId,
    reminderText: fields.reminderText,
    idempotencyKey: fields.idempotencyKey.optional(),
    expectedRevision: fields.expectedRevision,
    expectedRemindersRevision: fields.expectedRemindersRevision,
  },
  example: {
    executionId: SOME_RUN,
    reminderText: 'Tell the team.',
    expectedRevision: 3,
    expectedRemindersRevision: SOME_REVISION,
  },
  async run({ services, caller }, input) {
    const { reminder, ...revisions } = await services.workflows.addReminder(caller, given(input))
    return json({ success: true, executionId: input.executionId, reminder: showReminder(reminder), ...revisions })
  },
})
