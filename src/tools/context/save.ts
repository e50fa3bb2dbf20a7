/** rift_save: file a session or a note. */

import { z } from 'zod'
import { defineCheckedTool } from '../checked-tool.ts'
import { given } from '../workflows/shapes.ts'
import { APPENDS, text } from './fields.ts'
import { compact } from './parts.ts'

/** What a save may be filed under. */
export const SAVE_SOURCES = ['claude_code', 'codex_cli', 'gemini_cli'] as const

const texts = (description: string) => z.array(z.string().min(1)).max(100).describe(description).optional()

export const save = defineCheckedTool({
  name: 'rift_save',
  toolset: 'context',
  title: 'Save a session or note',
  description: [
    'File what should be found later: a session whose transcript Varve does not read, or a note of what was decided. Send',
    'the whole transcript as content for any session of substance; a summary alone is hard to find again. It is durable',
    'before the answer and searchable within seconds. Send idempotency_key so that a repeated call files it once, and',
    'replace_idempotency_key to put it in the place of an earlier save.',
  ].join(' '),
  annotations: APPENDS,
  input: z.strictObject({
    source: z.enum(SAVE_SOURCES).describe('The client the session was held with.'),
    summary: text(8_000, 'What the session came to.'),
    content: z.string().describe('The full transcript, at most 4 MiB.').optional(),
    decisions: texts('What was decided, each in one sentence.'),
    key_outputs: texts('What was produced.'),
    topics: texts('What it was about.'),
    domain: z.string().min(1).max(200).default('tech').describe('What kind of work it was.'),
    idempotency_key: text(200, 'The same key again changes nothing. Made of the content when left out.').optional(),
    replace_idempotency_key: text(200, 'The key of an earlier save that this one replaces.').optional(),
  }),
  output: {
    job_id: z.string(),
    quality: z.object({ tier: z.enum(['full', 'partial', 'summary_only']), warnings: z.array(z.string()) }),
    duplicate: z.boolean().describe('Only when the same save was there already.'),
  },
  examples: [
    {
      source: 'claude_code',
      summary: 'Chose a clean VM over Docker for the install check.',
      decisions: ['Docker is rejected for install checks: it cannot exercise the parts of the system'],
      topics: ['installer', 'release'],
      idempotency_key: 'claude_code:my-session-1:v1',
    },
  ],
  async run({ services, caller }, input) {
    return compact({ ...(await services.context.save(caller, given(input))) })
  },
})
