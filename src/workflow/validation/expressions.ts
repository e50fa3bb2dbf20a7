/** Checks of expression nodes (V33, V34, V52 to V54). */

import { UserError } from '../../core/errors.ts'
import type { Issue, WorkflowDefinition, WorkflowNode } from '../definition.ts'
import { expressionReferences } from '../expression-references.ts'
import { nodeIssue } from './issue.ts'
import { isDeclared, isVariable } from './names.ts'
import { unwrittenIssue } from './references.ts'

export function expressionIssues(
  node: WorkflowNode,
  definition: WorkflowDefinition,
  unwritten: ReadonlySet<string>,
): Issue[] {
  if (node.type !== 'expression') return []
  const assigned = new Set<string>()
  return node.expressions.flatMap((expression, index) => {
    const field = `expressions[${index}]`
    const form = formIssues(node, field, expression)
    if (form.some((one) => one.severity === 'error')) return form
    const { reads, writes } = expressionReferences(expression)
    const issues = [...form]
    for (const name of reads) {
      if (assigned.has(name)) continue
      if (!isDeclared(definition, name)) {
        const message = `${field} reads "${name}", which is neither a variable nor a node`
        const remedy = `declare "${name}" in variableRegistry, or correct the name (a-b means a minus b)`
        issues.push(nodeIssue('V54', node, { field, message, remedy }))
      } else if (unwritten.has(name)) issues.push(unwrittenIssue(node, field, name))
    }
    for (const name of writes) {
      assigned.add(name)
      if (isVariable(definition, name)) continue
      const message = `${field} assigns "${name}", which is not a declared variable`
      issues.push(nodeIssue('V53', node, { field, message, remedy: `declare "${name}" in variableRegistry` }))
    }
    return issues
  })
}

function formIssues(node: WorkflowNode, field: string, expression: string): Issue[] {
  const bare = expression.replace(/'[^']*'|"[^"]*"/g, '')
  const issues: Issue[] = []
  const unusual = [...new Set(bare.replace(/[\w\s.+\-*/=()'"]/g, ''))]
  if (unusual.length > 0) {
    const message = `${field} holds characters that are not part of the language: ${unusual.join(' ')}`
    const remedy = 'expressions hold names, numbers, texts in quotes, + - * / = and parentheses'
    issues.push(nodeIssue('V34', node, { field, message, remedy }))
  }
  const unbalanced = parenthesisProblem(bare)
  if (unbalanced !== null) {
    const remedy = 'close every "(" with a ")"'
    issues.push(nodeIssue('V33', node, { field, message: `${field} has ${unbalanced}`, remedy }))
    return issues
  }
  try {
    expressionReferences(expression)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const remedy = error.details.remedy ?? 'write it like total = count * 2'
    issues.push(nodeIssue('V52', node, { field, message: `${field}: ${error.message}`, remedy }))
  }
  return issues
}

function parenthesisProblem(text: string): string | null {
  let depth = 0
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (depth < 0) return 'a ")" without a "("'
  }
  return depth > 0 ? `${depth} "(" without a ")"` : null
}
