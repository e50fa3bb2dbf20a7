/** list: which workflows are there to run? */

import { z } from 'zod'
import { formatTime } from '../../core/time.ts'
import type { WorkflowSummary } from '../../workflow/engine.ts'
import { defineCheckedTool, json } from '../checked-tool.ts'
import { wholeNumber } from '../fields.ts'
import { given, pageFields } from './shapes.ts'

const workflowSchema = z.object({
  id: z.string().describe('Pass it to start as workflowId.'),
  slug: z.string(),
  ownerHandle: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string(),
  visibility: z.enum(['public', 'private']),
  createdAt: z.string(),
  updatedAt: z.string(),
  workflowId: z.string().describe('The same workflow by its permanent id.'),
  own: z.boolean().describe('Whether you may change it.'),
  revision: z.number(),
})

export const list = defineCheckedTool({
  name: 'list',
  toolset: 'workflows',
  title: 'List workflows',
  description: [
    'List the workflows you can run: guided, step-by-step procedures that survive interruptions. Call it when the user asks',
    'what workflows exist, names one without its id, or starts a task that a proven procedure may cover (a review, a',
    'release, a migration, research). Search looks in names and descriptions. Then call start with an id from here. For one',
    'workflow in full use manage get; for runs already under way use session executions.',
  ].join(' '),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    search: z.string().describe('Only workflows whose name or description contains this.').optional(),
    visibility: z
      .enum(['public', 'private', 'all'])
      .describe('Only public or only private workflows; all of them when left out.')
      .optional(),
    sort: z.enum(['createdAt', 'name']).describe('What to sort by: createdAt (default) or name.').optional(),
    sortOrder: z.enum(['asc', 'desc']).describe('Direction of the sort: desc (default) or asc.').optional(),
    limit: wholeNumber(1, 100).describe('How many to return, 1 to 100; 20 when left out.').optional(),
    offset: wholeNumber(0).describe('How many to skip: nextOffset of the page before; 0 when left out.').optional(),
  }),
  output: { workflows: z.array(workflowSchema), ...pageFields },
  examples: [
    { limit: 20, offset: 0 },
    { limit: 20, offset: 20 },
  ],
  async run({ services, caller }, input) {
    const { workflows, ...page } = await services.workflows.listWorkflows(caller, given(input))
    return json({ workflows: workflows.map(showWorkflow), ...page })
  },
})

function showWorkflow(workflow: WorkflowSummary): z.infer<typeof workflowSchema> {
  const { id, reference, slug, ownerHandle, own, name, version, description, visibility, revision } = workflow
  const createdAt = formatTime(workflow.createdAt)
  const updatedAt = formatTime(workflow.updatedAt)
  const identity = { id: reference, slug, ownerHandle, name, version, description, visibility, createdAt, updatedAt }
  return { ...identity, workflowId: id, own, revision }
}
