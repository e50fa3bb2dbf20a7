/** Sharing is the owner's business. Until this server has accounts, there is nobody to share with. */

import { UserError } from '../../../core/errors.ts'
import type { WorkflowRecord } from '../../../workflow/engine.ts'
import type { ToolCall } from '../../checked-tool.ts'

/** The caller's own workflow. @throws UserError `not_found`, or `WRITE_NOT_ALLOWED` for somebody else's public one */
export async function ownWorkflow({ services, caller }: ToolCall, reference: string): Promise<WorkflowRecord> {
  const record = await services.workflows.getWorkflow(caller, reference)
  if (record.own) return record
  throw new UserError('WRITE_NOT_ALLOWED', `only the owner of ${record.reference} may see or change who shares it`, {
    field: 'workflowId',
    remedy: 'make a copy with manage copy: it is yours',
    next: { tool: 'manage', args: { action: 'copy', workflowId: record.reference } },
  })
}

/** What sharing with a person answers while there are no accounts. */
export function needsAccounts({ reference }: WorkflowRecord): UserError {
  return new UserError('NOT_AVAILABLE', 'sharing with one person needs accounts, and this server has none', {
    remedy: 'to let everybody on this server run the workflow, make it public with set-visibility',
    next: { tool: 'manage', args: { action: 'set-visibility', workflowId: reference, visibility: 'public' } },
  })
}
