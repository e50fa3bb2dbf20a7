import * as z from 'zod'
import { evaluateCondition } from '../condition.ts'
import { conditionSchema, nodeFields, target } from './node-schema.ts'
import type { NodeType } from './node-type.ts'

export const conditionNodeSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('condition'),
  condition: conditionSchema,
  connections: z.strictObject({ true: target, false: target }),
})
export type ConditionNode = z.infer<typeof conditionNodeSchema>

/** A fork: goes on over `true` or `false`, and keeps what it compared among its own results. */
export const conditionType: NodeType<ConditionNode> = {
  type: 'condition',
  title: 'Condition',
  waits: false,
  external: false,
  schema: conditionNodeSchema,
  edges: { required: ['true', 'false'], optional: [] },
  templates: () => [],
  run(node, visit) {
    const { result, evaluated } = evaluateCondition(node.condition, visit.scope)
    return {
      kind: 'continue',
      edge: result ? 'true' : 'false',
      own: { conditionResult: result, evaluatedValues: evaluated },
    }
  },
}
