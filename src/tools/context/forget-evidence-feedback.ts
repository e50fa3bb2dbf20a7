/** rift_forget_evidence_feedback: start counting anew for one piece of evidence. */

import { z } from 'zod'
import { defineCheckedTool } from '../checked-tool.ts'
import { given } from '../workflows/shapes.ts'
import { sessionId } from './fields.ts'
import { compact } from './parts.ts'
import { questionShape } from './why-evidence.ts'

export const forgetEvidenceFeedback = defineCheckedTool({
  name: 'rift_forget_evidence_feedback',
  toolset: 'context',
  title: 'Reset what was recorded about evidence',
  description: [
    'Clear what was recorded about one piece of evidence, when the records mislead: a reset event is appended to the local',
    'log, from which on counts start at zero. Nothing is deleted and the history stays readable. Name the evidence as in',
    'rift_why_evidence.',
  ].join(' '),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    ...questionShape,
    session_id: sessionId.optional(),
    reason: z.string().max(4_096).describe('Why the record is cleared.').optional(),
  }),
  output: { stable_evidence_key: z.string(), event_written: z.boolean() },
  examples: [
    { stable_evidence_key: 'conversation:codex_cli:73403f50-d94b-4184-a2df-ffb2033450d8', reason: 'cited by mistake' },
  ],
  async run({ services, caller }, input) {
    return compact({ ...(await services.context.forgetFeedback(caller, given(input))) })
  },
})
