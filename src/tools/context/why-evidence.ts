/** rift_why_evidence: what has been recorded about one piece of evidence. */

import { z } from 'zod'
import { INTENTS } from '../../context/index.ts'
import { defineCheckedTool } from '../checked-tool.ts'
import { given } from '../workflows/shapes.ts'
import { naming, READS } from './fields.ts'
import { compact } from './parts.ts'

/** Which evidence, and which of its records. */
export const questionShape = {
  ...naming,
  project: z.string().max(4_096).describe('Only records for this project.').optional(),
  intent: z.enum(INTENTS).describe('Only records for this intent.').optional(),
}

export const whyEvidence = defineCheckedTool({
  name: 'rift_why_evidence',
  toolset: 'context',
  title: 'See what was recorded about evidence',
  description: [
    'How often a conversation or document was opened and cited since the last reset, and by which events. Name it with',
    'stable_evidence_key, or source_path, or id together with source_table.',
  ].join(' '),
  annotations: READS,
  input: z.strictObject(questionShape),
  output: {
    stable_evidence_key: z.string(),
    opened: z.number(),
    cited: z.number(),
    last_reset_at: z.string().nullable(),
    events: z.array(
      z.object({
        event_id: z.string(),
        kind: z.enum(['open', 'cite', 'reset']),
        session_id: z.string(),
        intent: z.string(),
        project: z.string().nullable(),
        at: z.string(),
        detail: z.record(z.string(), z.unknown()),
      }),
    ),
    truncated: z.boolean(),
  },
  examples: [{ stable_evidence_key: 'conversation:codex_cli:73403f50-d94b-4184-a2df-ffb2033450d8' }],
  async run({ services, caller }, input) {
    return compact({ ...(await services.context.whyEvidence(caller, given(input))) })
  },
})
