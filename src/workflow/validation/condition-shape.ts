/** V28: the form of a condition, told per operator, with the place inside nested conditions. */

import { isRecord } from '../../core/json.ts'
import type { Issue } from '../definition.ts'
import { binaryOperators, operators } from '../nodes/node-schema.ts'
import { nodeIssue } from './issue.ts'

/** The findings about a raw condition; empty when it fits `conditionSchema`. */
export function conditionIssues(node: { id: string; type: string }, condition: unknown, field = 'condition'): Issue[] {
  const wrong = (at: string, message: string, remedy: string) => [
    nodeIssue('V28', node, { field: at, message: `${at} ${message}`, remedy }),
  ]
  if (!isRecord(condition)) return wrong(field, 'is not an object', 'give an object with an operator')
  const operator = condition['operator']
  if (operator === undefined) return wrong(field, 'has no operator', `add operator: one of ${operators.join(', ')}`)
  if (!operators.some((known) => known === operator)) {
    const message = `has the unknown operator "${String(operator)}"`
    return wrong(`${field}.operator`, message, `use one of ${operators.join(', ')}`)
  }

  const issues: Issue[] = []
  const allowed = operandNames(operator)
  for (const name of Object.keys(condition)) {
    if (name === 'operator' || allowed.includes(name)) continue
    issues.push(
      ...wrong(`${field}.${name}`, `does not belong to ${operator}`, `${operator} takes ${allowed.join(', ')}`),
    )
  }
  for (const name of allowed) {
    const at = `${field}.${name}`
    const value = condition[name]
    if (name === 'conditions') {
      if (!Array.isArray(value) || value.length === 0) {
        issues.push(...wrong(at, 'must be a list with at least one condition', `list what ${operator} combines`))
        continue
      }
      issues.push(...value.flatMap((one, index) => conditionIssues(node, one, `${at}[${index}]`)))
    } else if (name === 'condition') {
      if (value === undefined) issues.push(...wrong(at, 'is missing', 'add the condition to negate'))
      else issues.push(...conditionIssues(node, value, at))
    } else if (!isOperand(value)) {
      const message = value === undefined ? 'is missing' : 'is neither a literal nor { "contextPath": "…" }'
      issues.push(...wrong(at, message, 'use a text, number, boolean, null, or { "contextPath": "name.field" }'))
    }
  }
  return issues
}

function operandNames(operator: unknown): string[] {
  if (binaryOperators.some((known) => known === operator)) return ['left', 'right']
  if (operator === 'exists') return ['value']
  return operator === 'not' ? ['condition'] : ['conditions']
}

function isOperand(value: unknown): boolean {
  if (isLiteral(value)) return true
  if (!isRecord(value)) return false
  const { contextPath, default: otherwise, ...unknown } = value
  if (Object.keys(unknown).length > 0 || typeof contextPath !== 'string' || contextPath === '') return false
  return otherwise === undefined || isLiteral(otherwise)
}

function isLiteral(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
