/** start: begin a run in two calls, so that a lost answer can be asked for again without beginning it twice. */

import { z } from 'zod'
import type { Receipt } from '../../workflow/engine.ts'
import { defineAction, defineActionTool } from '../action.ts'
import type { Reply } from '../checked-tool.ts'
import { runFields } from './run-fields.ts'
import { given } from './shapes.ts'

const fields = {
  workflowId: z.string().describe('prepare: the workflow, by an id from list.'),
  note: z.string().max(500).describe('prepare: a note to recognise the run by, up to 500 characters.'),
  parentExecutionId: z.string().describe('prepare: "none", or the process ID of the run this one is a part of.'),
  skipNotificationCheck: z
    .boolean()
    .describe('prepare: begin even when no channel for ordinary notifications is set up. Locks still need theirs.'),
  skipTelegramCheck: z.boolean().describe('prepare: the older name of skipNotificationCheck.'),
  startAttemptId: z
    .uuid()
    .meta({ pattern: undefined })
    .describe('execute: the Start attempt ID that prepare returned.'),
}

const { workflowId, note, parentExecutionId, skipNotificationCheck, skipTelegramCheck, startAttemptId } = fields

const prepare = defineAction({
  name: 'prepare',
  summary: 'check a workflow and reserve a start for 15 minutes; nothing runs yet',
  input: {
    workflowId,
    note: note.optional(),
    parentExecutionId,
    skipNotificationCheck: skipNotificationCheck.optional(),
    skipTelegramCheck: skipTelegramCheck.optional(),
  },
  example: { workflowId: 'varve/quick-task', parentExecutionId: 'none' },
  run: async ({ services, caller }, input) => toReply(await services.workflows.prepareStart(caller, given(input))),
})

const execute = defineAction({
  name: 'execute',
  summary: 'begin the run that was prepared; repeating it answers the same and begins nothing',
  input: { startAttemptId },
  example: { startAttemptId: '00000000-0000-4000-8000-000000000000' },
  run: async ({ services, caller }, input) =>
    toReply(await services.workflows.executeStart(caller, input.startAttemptId)),
})

export const start = defineActionTool({
  name: 'start',
  toolset: 'workflows',
  title: 'Start a workflow',
  description: [
    'Start a workflow, in two calls. Call it when the user asks to run a workflow, or agrees to use one for the task at hand.',
    'First prepare with workflowId and parentExecutionId ("none", or the process ID of the run that this one serves): it',
    'returns a Start attempt ID. Then execute with that id: it returns the Process ID, the first task and its Step attempt',
    'ID; do the task and report it with step. If an answer is lost, repeat the same execute: it never starts a second run.',
    'To go on with a run that exists, do not start again: use session executions and current_step.',
  ].join(' '),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  actionDescription: 'prepare reserves a start; execute begins the run that was reserved.',
  actions: [prepare, execute],
  output: { ...runFields, startAttemptId: z.string(), expiresAt: z.string() },
})

/** A receipt is sent as it was stored. */
export function toReply({ text, structured, isError }: Receipt): Reply {
  return { text, structured, isError }
}
