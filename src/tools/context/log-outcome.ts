/** rift_log_outcome: what a task came to, and which evidence was used. */

import { z } from 'zod'
import { defineCheckedTool } from '../checked-tool.ts'
import { given } from '../workflows/shapes.ts'
import { intent, naming, placement, sessionId, text } from './fields.ts'
import { feedbackShape } from './open-evidence.ts'
import { compact } from './parts.ts'

const cited = z.strictObject({
  ...naming,
  ...placement,
  reason: z.string().max(4_096).describe('Why it mattered.').optional(),
})

export const logOutcome = defineCheckedTool({
  name: 'rift_log_outcome',
  toolset: 'context',
  title: 'Log what a task came to',
  description: [
    'Call it when a task is done: its outcome, and the evidence that was used for it. Evidence that was returned and not',
    'used is not to be named. Each item needs stable_evidence_key, or id with source_table. Kept in a local log; ranking is',
    'not changed by it.',
  ].join(' '),
  // Each call is an outcome of its own, so that a repeated one adds one.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    session_id: sessionId,
    summary: text(8_000, 'What the task came to.'),
    intent,
    cited_evidence: z.array(cited).max(100).describe('The evidence that was used.').optional(),
    task: z.string().max(4_096).describe('The original request.').optional(),
    project: z.string().max(4_096).describe('The project the outcome belongs to.').optional(),
  }),
  output: {
    outcome_id: z.string(),
    summary: z.string(),
    cited_evidence: z.array(
      z.object({
        ...feedbackShape,
        stable_evidence_key: z.string().nullable(),
        error: z.object({ code: z.string(), message: z.string() }).optional(),
      }),
    ),
  },
  examples: [
    {
      session_id: 'my-session-1',
      intent: 'blended',
      task: 'Check the installer on a clean machine before a release',
      summary: 'Used the checklist of an earlier release session.',
      cited_evidence: [
        {
          stable_evidence_key: 'conversation:codex_cli:73403f50-d94b-4184-a2df-ffb2033450d8',
          reason: 'Lists the checks that were run last time',
        },
      ],
    },
  ],
  async run({ services, caller }, { cited_evidence = [], ...input }) {
    const outcome = { ...given(input), cited_evidence: cited_evidence.map((item) => given(item)) }
    return compact({ ...(await services.context.logOutcome(caller, outcome)) })
  },
})
