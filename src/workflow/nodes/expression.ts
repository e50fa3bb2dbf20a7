import * as z from 'zod'
import { ExpressionError, evaluateExpression } from '../expression.ts'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'

export const expressionNodeSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('expression'),
  expressions: z.array(text).min(1).describe('Evaluated in order, such as "count = count + 1".'),
  connections: z.strictObject({ default: target, error: target.optional() }),
})
export type ExpressionNode = z.infer<typeof expressionNodeSchema>

/** Arithmetic over the globals. Later lines see earlier ones; nothing is kept unless every line works. */
export const expressionType: NodeType<ExpressionNode> = {
  type: 'expression',
  title: 'Expression',
  waits: false,
  external: false,
  schema: expressionNodeSchema,
  edges: { required: ['default'], optional: ['error'] },
  templates: () => [],
  run(node, visit) {
    const globals: Record<string, unknown> = {}
    for (const [index, expression] of node.expressions.entries()) {
      try {
        const { assignments } = evaluateExpression(expression, { ...visit.scope.variables, ...globals })
        Object.assign(globals, assignments)
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error
        return {
          kind: 'fail',
          message: `expression ${index + 1} (${expression}): ${error.message}`,
          own: { expressionError: error.message, failedExpression: expression, failedIndex: index },
        }
      }
    }
    return { kind: 'continue', edge: 'default', globals }
  },
}
