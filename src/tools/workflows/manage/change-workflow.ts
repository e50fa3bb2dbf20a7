/** Reading a workflow, changing its definition and storing it, so that no other change in between is lost. */

import { UserError } from '../../../core/errors.ts'
import type { WorkflowDefinition } from '../../../workflow/definition.ts'
import type { SavedWorkflow, WorkflowRecord } from '../../../workflow/engine.ts'
import type { ToolCall } from '../../checked-tool.ts'

/** How often a change is made again because somebody else was faster. */
const ATTEMPTS = 5

/**
 * Stores what `change` makes of the definition. Visibility stays as it is.
 * @param expectedRevision refuses when the stored revision is another; without it the change is made to what is stored now
 * @throws UserError of `change`, `VALIDATION_FAILED`, `REVISION_STALE`, `WRITE_NOT_ALLOWED`, `not_found`
 */
export async function changeWorkflow<Facts>(
  { services, caller }: ToolCall,
  reference: string,
  change: (definition: WorkflowDefinition, record: WorkflowRecord) => { definition: unknown; facts: Facts },
  expectedRevision?: number,
): Promise<{ saved: SavedWorkflow; before: WorkflowRecord; facts: Facts }> {
  for (let attempt = 1; ; attempt++) {
    const before = await services.workflows.getWorkflow(caller, reference)
    const { definition, facts } = change(before.definition, before)
    try {
      const request = { definition, expectedRevision: expectedRevision ?? before.revision }
      return { saved: await services.workflows.updateWorkflow(caller, before.id, request), before, facts }
    } catch (error) {
      const overtaken = error instanceof UserError && error.code === 'REVISION_STALE'
      if (!overtaken || expectedRevision !== undefined || attempt === ATTEMPTS) throw error
    }
  }
}
