/** rift_status: what is held, and whether capture is healthy. */

import { z } from 'zod'
import { defineCheckedTool } from '../checked-tool.ts'
import { READS } from './fields.ts'
import { compact } from './parts.ts'

export const status = defineCheckedTool({
  name: 'rift_status',
  toolset: 'context',
  title: 'See what is held',
  description: [
    'How many conversations, digests and documents are held, and whether capture is healthy. Call it when searches find',
    'less than they should. Takes no arguments.',
  ].join(' '),
  annotations: READS,
  input: z.strictObject({}),
  output: {
    capture_diagnostics: z.object({
      status: z.enum(['ok', 'off', 'degraded', 'error']),
      worker: z.string(),
      preflight_ok: z.boolean(),
      last_preflight_at: z.string().nullable(),
      recent_capture_errors: z.number(),
    }),
    memory_diagnostics: z.object({
      counts: z.object({ conversations: z.number(), digests: z.number(), structured_docs: z.number() }),
      digests: z.object({ status: z.enum(['ok', 'none_yet', 'unavailable_basic']), summary: z.string() }),
      documents: z.object({
        status: z.enum(['ok', 'no_sources', 'source_missing', 'source_empty']),
        summary: z.string(),
      }),
      statements: z.number(),
      meaning: z.object({ status: z.enum(['ok', 'off', 'not_installed']), summary: z.string() }),
      saves: z.object({ stored: z.number(), waiting: z.number(), failed: z.number() }),
    }),
  },
  examples: [{}],
  async run({ services, caller }) {
    return compact({ ...(await services.context.status(caller)) })
  },
})
