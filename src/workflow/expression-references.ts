/** The names an expression uses, for validation. */

import { type Expression, parseExpression } from './expression.ts'

export interface ExpressionReferences {
  /** Variables read, by their root: `plan.total` reads `plan`. What the expression itself assigned before is left out. */
  reads: string[]
  writes: string[]
}

/**
 * @throws ExpressionError `WORKFLOW_INVALID` when the text is no expression.
 */
export function expressionReferences(text: string): ExpressionReferences {
  const reads = new Set<string>()
  const writes = new Set<string>()
  const visit = (expression: Expression): void => {
    switch (expression.kind) {
      case 'name': {
        const root = expression.name.split('.')[0] ?? ''
        if (!writes.has(root)) reads.add(root)
        return
      }
      case 'assign':
        visit(expression.value)
        writes.add(expression.target)
        return
      case 'chain':
        visit(expression.first)
        for (const { operand } of expression.rest) visit(operand)
        return
      default:
        return
    }
  }
  visit(parseExpression(text))
  return { reads: [...reads], writes: [...writes] }
}
