/** The schema of a whole definition, and what is made from it: the parser and the published JSON Schema. */

import * as z from 'zod'
import { UserError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import { type Issue, MAX_NODES, rootFields, type WorkflowDefinition } from './definition.ts'
import { nodeTypes } from './nodes/index.ts'
import { schemaIssues } from './validation/schema-stage.ts'

/** Keys of this form are an author's own and may stand on any node. */
const EXTENSION_PATTERN = '^x-'

/**
 * Reads a definition that is to be run: its shape is checked, its sense is not (see `validateDefinition`).
 * @throws UserError `WORKFLOW_INVALID` with the issues in its details.
 */
export function parseDefinition(json: unknown): WorkflowDefinition {
  const issues: Issue[] = schemaIssues(json)
  if (issues.length === 0) return json as WorkflowDefinition
  throw new UserError('WORKFLOW_INVALID', issues.map((issue) => issue.message).join('; '), {
    issues,
    remedy: 'mend the definition as each issue says; manage({ action: "validate" }) shows them',
  })
}

/** The JSON Schema (draft-07) of a definition, for editors and for authors. */
export function workflowJsonSchema(): Record<string, unknown> {
  const [first, ...rest] = nodeTypes.map((type) => type.schema)
  if (first === undefined) throw new Error('no node types')
  const whole = z.strictObject({
    ...rootFields,
    nodes: z
      .array(z.union([first, ...rest]))
      .min(2)
      .max(MAX_NODES),
  })
  const nodeSchemas = new Set<unknown>([first, ...rest])
  const schema = z.toJSONSchema(whole, {
    target: 'draft-7',
    override({ zodSchema, jsonSchema }) {
      if (nodeSchemas.has(zodSchema)) jsonSchema.patternProperties = { [EXTENSION_PATTERN]: {} }
    },
  })
  return { title: 'Varve workflow', ...(isRecord(schema) ? schema : {}) }
}
