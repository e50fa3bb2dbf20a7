/** Every field of session, declared once: actions pick from here. */

import { z } from 'zod'
import { count, jsonObject, wholeNumber } from '../../fields.ts'

/** A revision of a part of a run: opaque, 64 characters. */
const targetRevision = z.string().length(64).meta({ minLength: 64, maxLength: 64 })

const blockNames = z.array(z.string().min(1).max(200)).max(100)

export const fields = {
  executionId: z.string().describe('The run: the Process ID of start and step.'),
  nodeId: z.string().describe('recover: the node to go on from, one that a run can wait on.'),
  variableValues: jsonObject.describe('recover: variables to set on the way, name -> value.'),
  status: z
    .array(z.enum(['running', 'waiting', 'completed', 'failed', 'locked']))
    .describe('executions: only runs in these states; running when left out.'),
  workflowId: z.string().describe('executions: only runs of this workflow.'),
  search: z.string().describe('executions: only runs whose note contains this.'),
  sort: z.enum(['createdAt', 'updatedAt']).describe('executions: what to sort by; updatedAt when left out.'),
  sortOrder: z.enum(['asc', 'desc']).describe('executions: direction of the sort; desc when left out.'),
  limit: wholeNumber(1, 100).describe('executions: how many to return, 1 to 100; 20 when left out.'),
  offset: wholeNumber(0).describe('executions: how many to skip; nextOffset of the page before.'),
  note: z.string().max(500).describe('update-note: the new note, up to 500 characters; an empty one takes it away.'),
  parentExecutionId: z.string().describe('set-parent: the process ID of the parent run, or "none" to detach.'),
  expectedRevision: count.describe('The revision of the run that you saw last, from execution_context.'),
  expectedParentRevision: targetRevision.describe('set-parent: parentRevision as you saw it last.'),
  expectedRemindersRevision: targetRevision.describe('Reminders: remindersRevision as you saw it last.'),
  expectedContextRevision: targetRevision.describe('set-variable: contextRevision as you saw it last.'),
  reminderId: z.string().describe('The reminder.'),
  reminderText: z.string().describe('What to be reminded of when the run ends.'),
  idempotencyKey: z.string().describe('add-reminder: repeating the call with this key adds nothing.'),
  reminderStatus: z.enum(['active', 'cancelled']).describe('reminders: only these.'),
  names: z.array(z.string()).describe('variables: only these.'),
  types: z.array(z.string()).describe('variables: only of these types.'),
  editable: z.boolean().describe('variables: only those that set-variable may write, or may not.'),
  hasValue: z.boolean().describe('variables: only with, or without, a value.'),
  writePhase: z.enum(['current', 'other']).describe('variables: writable now, or only at other nodes.'),
  variableName: z.string().describe('set-variable: a declared variable.'),
  variableValue: z
    .unknown()
    .refine((value) => value !== undefined, 'is required')
    .describe('set-variable: the new value.'),
  theme: z.enum(['light', 'dark']).describe('progress-image-token: colours of the picture.'),
  viewportWidth: z.int().min(480).max(4096).describe('progress-image-token: width of the picture in pixels.'),
  view: z
    .enum(['cards', 'process'])
    .describe('progress-image-token: a card per block (default), or blocks and arrows.'),
  hide: blockNames.describe('progress-image-token: blocks to leave out, by their id or the id of a node in them.'),
  collapse: blockNames.describe('progress-image-token: blocks to draw by their label alone.'),
  at: count.describe('progress: show the run as it was after this many visits.'),
}

/** A made-up id, for examples. */
export const SOME_RUN = '00000000-0000-4000-8000-000000000000'

/** A made-up revision, for examples. */
export const SOME_REVISION = '0123456789abcdef'.repeat(4)
