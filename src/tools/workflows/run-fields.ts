/** What answers about a run hold, as the tools publish it. */

import { z } from 'zod'

export const runFields = {
  status: z.string().describe('waiting: do the task; completed: the run is over.'),
  processId: z.string().describe('The run: pass it to step as processId, and to session as executionId.'),
  attemptId: z.string().describe('The Step attempt ID: pass it to step with the result of this task.'),
  revision: z.number().describe('Pass it to writes of session as expectedRevision.'),
  directive: z.string().describe('What to do now.'),
  completionCondition: z.string().describe('What must hold before the task is reported.'),
  inputSchema: z.record(z.string(), z.unknown()).nullable().describe('Form of the input; null: none is taken.'),
  teleports: z.array(z.object({ nodeId: z.string(), hint: z.string() })).describe('Where teleportTo may lead.'),
  output: z.record(z.string(), z.unknown()).nullable().describe('What the run handed out at its end.'),
  activeChildren: z.array(z.string()).describe('Runs started for this one that still go on.'),
}
