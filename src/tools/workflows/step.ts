/** step: report the current task of a run and get the next. */

import { z } from 'zod'
import { defineCheckedTool } from '../checked-tool.ts'
import { jsonObject } from '../fields.ts'
import { runFields } from './run-fields.ts'
import { given } from './shapes.ts'
import { toReply } from './start.ts'

/** Whatever JSON can say; which of it is right depends on the step. */
const anything = z.union([z.string(), jsonObject, z.array(z.unknown()), z.number(), z.boolean(), z.null()])

export const step = defineCheckedTool({
  name: 'step',
  toolset: 'workflows',
  title: 'Report a step and get the next',
  description: [
    'Report the result of the current task of a workflow run and get the next one. Call it only when the success criteria of',
    'the task are met: what you send is taken as done. processId and attemptId come from the last start, step or session',
    'current_step; input must fit the Input Schema shown with the task. Sending the same attempt and input again returns the',
    'stored answer, so repeat it freely when an answer was lost. After an interruption, or when an attempt is refused as',
    'stale or in conflict, read session current_step first. Refused input changes nothing: correct it and send it again.',
  ].join(' '),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    processId: z.string().describe('The Process ID of the run.'),
    attemptId: z.string().describe('The Step attempt ID shown with the task that is being reported.'),
    input: anything.describe('The result, as the Input Schema of the task asks for it.').optional(),
    teleportTo: z
      .string()
      .describe('Instead of input: the node to jump to, one of the teleport jumps listed with the task.')
      .optional(),
  }),
  output: runFields,
  examples: [
    {
      processId: '00000000-0000-4000-8000-000000000000',
      attemptId: '11111111-1111-4111-8111-111111111111',
      input: { outcome: 'completed' },
    },
  ],
  run: async ({ services, caller }, input) => toReply(await services.workflows.step(caller, given(input))),
})
