/** The conditions of condition nodes: eleven operators over literals and paths. */

import { UserError } from '../core/errors.ts'
import type { BinaryOperator, Condition, Operand } from './nodes/node-schema.ts'
import { operators } from './nodes/node-schema.ts'
import { parsePath, pathRoots } from './path.ts'
import { readScope, type Scope } from './template-scope.ts'

/** Deepest nesting of and, or, not. */
const MAX_DEPTH = 100

export interface ConditionResult {
  result: boolean
  /** The paths that were read and their values; what a short circuit skipped is not there. */
  evaluated: Record<string, unknown>
}

/**
 * Decides a condition.
 * `eq` and `neq` compare without conversion; `gt`, `gte`, `lt`, `lte` compare as numbers and are false when a side is
 * none; `contains` looks for a string in a string or an element in an array; `exists` is false for null.
 * @throws UserError `WORKFLOW_INVALID` for an unknown operator, a path that is none, or nesting deeper than 100.
 */
export function evaluateCondition(condition: Condition, scope: Scope): ConditionResult {
  const evaluated = new Map<string, unknown>()
  const result = evaluate(condition, scope, evaluated, 0)
  return { result, evaluated: Object.fromEntries(evaluated) }
}

function evaluate(condition: Condition, scope: Scope, evaluated: Map<string, unknown>, depth: number): boolean {
  if (depth > MAX_DEPTH) throw invalid(`The condition nests deeper than ${MAX_DEPTH}.`, 'Split it over several nodes.')
  const read = (operand: Operand) => readOperand(operand, scope, evaluated)
  switch (condition.operator) {
    case 'and':
      return condition.conditions.every((inner) => evaluate(inner, scope, evaluated, depth + 1))
    case 'or':
      return condition.conditions.some((inner) => evaluate(inner, scope, evaluated, depth + 1))
    case 'not':
      return !evaluate(condition.condition, scope, evaluated, depth + 1)
    case 'exists': {
      const value = read(condition.value)
      return value !== null && value !== undefined
    }
    case 'eq':
    case 'neq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'contains':
      return compare(condition.operator, read(condition.left), read(condition.right))
    default: {
      const unknown: never = condition
      throw unknownOperator(unknown)
    }
  }
}

function compare(operator: BinaryOperator, left: unknown, right: unknown): boolean {
  switch (operator) {
    case 'eq':
      return left === right
    case 'neq':
      return left !== right
    case 'gt':
      return toNumber(left) > toNumber(right)
    case 'gte':
      return toNumber(left) >= toNumber(right)
    case 'lt':
      return toNumber(left) < toNumber(right)
    case 'lte':
      return toNumber(left) <= toNumber(right)
    case 'contains':
      if (typeof left === 'string') return typeof right === 'string' && left.includes(right)
      return Array.isArray(left) && left.includes(right)
    default:
      return operator satisfies never
  }
}

/** Objects and arrays are no numbers: JavaScript would ask their own `toString`, which an agent may have written. */
function toNumber(value: unknown): number {
  return typeof value === 'object' && value !== null ? Number.NaN : Number(value)
}

function readOperand(operand: Operand, scope: Scope, evaluated: Map<string, unknown>): unknown {
  if (typeof operand !== 'object' || operand === null) return operand
  const path = operand.contextPath
  if (parsePath(path) === null) {
    throw invalid(`"${path}" is not a path.`, 'Write it like node-id.items[0].name.', 'contextPath')
  }
  const value = readScope(scope, path) ?? operand.default
  evaluated.set(path, value)
  return value
}

function unknownOperator(condition: unknown): UserError {
  const operator = (condition as { operator?: unknown } | null)?.operator
  return invalid(`Unknown operator "${String(operator)}".`, `Use one of: ${operators.join(', ')}.`, 'operator')
}

function invalid(message: string, remedy: string, field?: string): UserError {
  return new UserError('WORKFLOW_INVALID', message, field === undefined ? { remedy } : { field, remedy })
}

export interface ConditionReference {
  /** The path as written. */
  path: string
  /** The names it reads by; empty when it is not a path. */
  roots: string[]
  /** Where it stands: `condition.conditions[0].left.contextPath`. */
  field: string
}

/** Every path of a condition, nested ones included. */
export function conditionReferences(condition: Condition, field = 'condition'): ConditionReference[] {
  const operand = (value: Operand, side: string): ConditionReference[] => {
    if (typeof value !== 'object' || value === null) return []
    const path = parsePath(value.contextPath)
    return [
      { path: value.contextPath, roots: path === null ? [] : pathRoots(path), field: `${field}.${side}.contextPath` },
    ]
  }
  switch (condition.operator) {
    case 'and':
    case 'or':
      return condition.conditions.flatMap((inner, index) => conditionReferences(inner, `${field}.conditions[${index}]`))
    case 'not':
      return conditionReferences(condition.condition, `${field}.condition`)
    case 'exists':
      return operand(condition.value, 'value')
    default:
      return [...operand(condition.left, 'left'), ...operand(condition.right, 'right')]
  }
}
