/**
 * The expressions of expression nodes, written by hand: no eval, no calls, no indexing.
 *
 *   expr := NAME "=" expr | add
 *   add  := mul (("+" | "-") mul)*
 *   mul  := prim (("*" | "/") prim)*
 *   prim := NUMBER | STRING | true | false | NAME | "(" expr ")"
 *
 * NAME is a letter or _ followed by letters, digits, _ and dots; NUMBER has no sign and no exponent; STRING has no
 * escapes. Arithmetic takes two numbers; strings and booleans can only be assigned.
 */

import { UserError } from '../core/errors.ts'
import { type ExpressionToken, tokenizeExpression } from './expression-tokens.ts'
import { forbiddenNames, ownProperty } from './path.ts'

export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'text'; value: string }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'name'; name: string; position: number }
  | { kind: 'assign'; target: string; value: Expression }
  /** A run of + and -, or of * and /, from left to right: long ones stay flat. */
  | { kind: 'chain'; first: Expression; rest: readonly Operation[] }

export interface Operation {
  operator: '+' | '-' | '*' | '/'
  operand: Expression
  position: number
}

/** Deepest nesting of parentheses and assignments. */
const MAX_DEPTH = 200

/** An expression that cannot be read or worked out. `position` is the offset in its text, from 0. */
export class ExpressionError extends UserError {
  readonly position: number

  constructor(code: 'WORKFLOW_INVALID' | 'NODE_FAILED', message: string, position: number, remedy: string) {
    super(code, `${message} (at position ${position}).`, { position, remedy })
    this.name = 'ExpressionError'
    this.position = position
  }
}

/**
 * Reads an expression.
 * @throws ExpressionError `WORKFLOW_INVALID`
 */
export function parseExpression(text: string): Expression {
  const { tokens, problem } = tokenizeExpression(text)
  if (problem !== null) throw syntax(problem.message, problem.position, problem.remedy)
  const parser: Parser = { tokens, at: 0, end: text.length }
  const expression = parseAssignment(parser, 0)
  const extra = tokens[parser.at]
  if (extra !== undefined) {
    throw syntax(`Unexpected ${show(extra)} after the end`, extra.position, 'Join the parts with + - * or /.')
  }
  return expression
}

interface Parser {
  tokens: readonly ExpressionToken[]
  at: number
  end: number
}

function parseAssignment(parser: Parser, depth: number): Expression {
  const [name, equals] = [parser.tokens[parser.at], parser.tokens[parser.at + 1]]
  if (depth > MAX_DEPTH) {
    throw syntax(`Nested deeper than ${MAX_DEPTH}`, name?.position ?? parser.end, 'Use fewer parentheses.')
  }
  if (name?.kind !== 'name' || equals?.kind !== '=') return parseSum(parser, depth)
  if (name.text.includes('.') || forbiddenNames.has(name.text) || isKeyword(name.text)) {
    const remedy = name.text.includes('.')
      ? 'Assign to a plain variable; a field of an object is set by the agent’s answer.'
      : 'Choose another name.'
    throw syntax(`"${name.text}" cannot be assigned to`, name.position, remedy)
  }
  parser.at += 2
  return { kind: 'assign', target: name.text, value: parseAssignment(parser, depth + 1) }
}

function parseSum(parser: Parser, depth: number): Expression {
  return parseChain(parser, ['+', '-'], () => parseChain(parser, ['*', '/'], () => parsePrimary(parser, depth)))
}

function parseChain(parser: Parser, operators: readonly string[], parseOperand: () => Expression): Expression {
  const first = parseOperand()
  const rest: Operation[] = []
  for (;;) {
    const token = parser.tokens[parser.at]
    if (token === undefined || !operators.includes(token.kind)) break
    parser.at++
    rest.push({ operator: token.kind as Operation['operator'], operand: parseOperand(), position: token.position })
  }
  return rest.length === 0 ? first : { kind: 'chain', first, rest }
}

function parsePrimary(parser: Parser, depth: number): Expression {
  const token = parser.tokens[parser.at]
  if (token === undefined) {
    throw syntax('The expression ends where a value should stand', parser.end, 'Add a number, a name or a text.')
  }
  parser.at++
  switch (token.kind) {
    case 'number':
      return { kind: 'number', value: Number(token.text) }
    case 'text':
      return { kind: 'text', value: token.text }
    case 'name':
      if (isKeyword(token.text)) return { kind: 'boolean', value: token.text === 'true' }
      if (token.text.split('.').some((part) => part === '' || forbiddenNames.has(part))) {
        throw syntax(`"${token.text}" is not a path`, token.position, 'Write names joined by single dots.')
      }
      return { kind: 'name', name: token.text, position: token.position }
    case '(': {
      const inner = parseAssignment(parser, depth + 1)
      if (parser.tokens[parser.at]?.kind !== ')') {
        throw syntax('"(" is never closed', token.position, 'Add the missing ")".')
      }
      parser.at++
      return inner
    }
    default:
      throw syntax(
        `Unexpected ${show(token)} where a value should stand`,
        token.position,
        token.kind === '-' ? 'There is no minus sign for a number: write 0 - x.' : 'Add a number, a name or a text.',
      )
  }
}

function isKeyword(text: string): boolean {
  return text === 'true' || text === 'false'
}

function show(token: ExpressionToken): string {
  return `"${token.text.length > 40 ? `${token.text.slice(0, 37)}...` : token.text}"`
}

function syntax(message: string, position: number, remedy: string): ExpressionError {
  return new ExpressionError('WORKFLOW_INVALID', message, position, remedy)
}

export type ExpressionValue = number | string | boolean

export interface ExpressionResult {
  /** The variable the whole expression assigns to; absent when it assigns to none. */
  target?: string
  value: ExpressionValue
  /** Everything it assigns, inner assignments such as `a = (b = 2) + 1` included. */
  assignments: Record<string, ExpressionValue>
}

/**
 * Works an expression out over the variables, which stay as they are. An inner assignment is seen by what follows it.
 * @throws ExpressionError `WORKFLOW_INVALID` when it cannot be read; `NODE_FAILED` for a variable without a value,
 *   a value that is no number, division by zero, and a result too large to be stored.
 */
export function evaluateExpression(text: string, variables: Readonly<Record<string, unknown>>): ExpressionResult {
  const expression = parseExpression(text)
  const assigned = new Map<string, ExpressionValue>()
  const value = evaluate(expression, variables, assigned)
  const assignments = Object.fromEntries(assigned)
  return expression.kind === 'assign' ? { target: expression.target, value, assignments } : { value, assignments }
}

function evaluate(
  expression: Expression,
  variables: Readonly<Record<string, unknown>>,
  assigned: Map<string, ExpressionValue>,
): ExpressionValue {
  switch (expression.kind) {
    case 'number':
    case 'text':
    case 'boolean':
      return expression.value
    case 'name':
      return readVariable(expression, variables, assigned)
    case 'assign': {
      const value = evaluate(expression.value, variables, assigned)
      assigned.set(expression.target, value)
      return value
    }
    case 'chain': {
      let left = evaluate(expression.first, variables, assigned)
      for (const operation of expression.rest) {
        left = calculate(left, operation, evaluate(operation.operand, variables, assigned))
      }
      return left
    }
    default:
      return expression satisfies never
  }
}

function readVariable(
  { name, position }: { name: string; position: number },
  variables: Readonly<Record<string, unknown>>,
  assigned: ReadonlyMap<string, ExpressionValue>,
): ExpressionValue {
  const [root = '', ...rest] = name.split('.')
  let value: unknown = assigned.has(root) ? assigned.get(root) : ownProperty(variables, root)
  for (const part of rest) value = ownProperty(value, part)
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value
  if (value === null || value === undefined) {
    throw failure(
      `Variable "${name}" has no value`,
      position,
      'Give it a default in variableRegistry, or set it first.',
    )
  }
  throw failure(
    `Variable "${name}" is ${Array.isArray(value) ? 'an array' : 'an object'}, not a number`,
    position,
    'Read one of its numbers, such as items.length.',
  )
}

function calculate(left: ExpressionValue, { operator, position }: Operation, right: ExpressionValue): number {
  if (typeof left !== 'number' || typeof right !== 'number') {
    const wrong = typeof left === 'number' ? right : left
    const message = `"${operator}" needs two numbers but one side is a ${typeof wrong}`
    throw failure(message, position, 'Strings and booleans can be assigned but not calculated with.')
  }
  if (operator === '/' && right === 0) throw failure('Division by zero', position, 'Check the divisor first.')
  const result = apply(operator, left, right)
  if (!Number.isFinite(result)) throw failure('The result is too large', position, 'Numbers reach up to about 1.8e308.')
  return result
}

function apply(operator: Operation['operator'], left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    default:
      return operator satisfies never
  }
}

function failure(message: string, position: number, remedy: string): ExpressionError {
  return new ExpressionError('NODE_FAILED', message, position, remedy)
}
