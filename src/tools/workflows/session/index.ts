/** session: runs of workflows, from outside. One file per action. */

import { z } from 'zod'
import { defineActionTool } from '../../action.ts'
import { runFields } from '../run-fields.ts'
import { addReminder } from './add-reminder.ts'
import { cancelExecution } from './cancel-execution.ts'
import { currentStep } from './current-step.ts'
import { diagnose } from './diagnose.ts'
import { executionContext } from './execution-context.ts'
import { executions } from './executions.ts'
import { materialize } from './materialize.ts'
import { progress } from './progress.ts'
import { progressImageToken } from './progress-image-token.ts'
import { recover } from './recover.ts'
import { reminders } from './reminders.ts'
import { removeReminder } from './remove-reminder.ts'
import { setParent } from './set-parent.ts'
import { setVariable } from './set-variable.ts'
import { updateNote } from './update-note.ts'
import { updateReminder } from './update-reminder.ts'
import { user } from './user.ts'
import { variables } from './variables.ts'

export const session = defineActionTool({
  name: 'session',
  toolset: 'workflows',
  title: 'Inspect and repair runs',
  description: [
    'Find, read and repair runs of workflows, by action. Call it at the beginning of a conversation that continues earlier work',
    '(executions, then current_step), after an interruption or a lost answer, when step refuses an attempt as stale or in',
    'conflict (current_step gives the one that holds), and when a run cannot go on (diagnose, then recover). It also keeps the',
    'note, parent, reminders and open variables of a run; those writes name the revisions seen last, from execution_context.',
    'Nothing here reports a task as done: that is step.',
  ].join(' '),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  actionDescription: 'What to do with the runs.',
  actions: [
    user,
    executions,
    executionContext,
    currentStep,
    diagnose,
    recover,
    cancelExecution,
    updateNote,
    setParent,
    addReminder,
    reminders,
    updateReminder,
    removeReminder,
    variables,
    setVariable,
    progress,
    progressImageToken,
    materialize,
  ],
  output: {
    ...runFields,
    attemptId: runFields.attemptId.nullable(),
    executionId: z.string().describe('The run.'),
  },
})
