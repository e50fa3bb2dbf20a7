/** Checks of what texts, conditions and expressions read and write (V28, V33, V34, V36 to V41, V52 to V54, V58). */

import { conditionReferences } from '../condition.ts'
import { type Issue, registryOf, type WorkflowDefinition, type WorkflowNode } from '../definition.ts'
import { nodeTypeOf } from '../nodes/index.ts'
import { templateReferences } from '../template.ts'
import { expressionIssues } from './expressions.ts'
import { issue, nodeIssue } from './issue.ts'
import { isDeclared, isVariable } from './names.ts'
import { writtenVariables } from './writers.ts'

export function referenceIssues(definition: WorkflowDefinition): Issue[] {
  const unwritten = unwrittenVariables(definition)
  return [
    ...definition.nodes.flatMap((node) => [
      ...templateIssues(node, definition, unwritten),
      ...conditionPathIssues(node, definition, unwritten),
      ...expressionIssues(node, definition, unwritten),
      ...finalOutputIssues(node, definition),
    ]),
    ...defaultIssues(definition),
  ]
}

/** Variables that stay without a value for the whole run: no default, and nothing that writes them. */
function unwrittenVariables(definition: WorkflowDefinition): Set<string> {
  const written = writtenVariables(definition)
  const names = Object.entries(registryOf(definition))
    .filter(([name, entry]) => entry['default'] === undefined && !written.has(name))
    .map(([name]) => name)
  return new Set(names)
}

function templateIssues(node: WorkflowNode, definition: WorkflowDefinition, unwritten: ReadonlySet<string>): Issue[] {
  return nodeTypeOf(node)
    .templates(node)
    .flatMap(({ field, text }) => {
      const { roots, problems } = templateReferences(text)
      const broken = problems.map((problem) =>
        nodeIssue(problem.kind === 'stray' ? 'V37' : 'V36', node, {
          field,
          message: `${field}: ${problem.message}`,
          remedy: problem.remedy,
        }),
      )
      const names = new Set(
        roots.filter((root) => !root.inEach || isDeclared(definition, root.name)).map((root) => root.name),
      )
      return [...broken, ...[...names].flatMap((name) => nameIssues('V38', node, field, name, definition, unwritten))]
    })
}

function conditionPathIssues(
  node: WorkflowNode,
  definition: WorkflowDefinition,
  unwritten: ReadonlySet<string>,
): Issue[] {
  if (node.type !== 'condition') return []
  return conditionReferences(node.condition).flatMap(({ path, roots, field }) => {
    if (roots.length > 0) {
      return roots.flatMap((name) => nameIssues('V39', node, field, name, definition, unwritten))
    }
    const remedy = 'write it like name, node-id.field or node-id.items[0].name'
    return [nodeIssue('V28', node, { field, message: `${field}: "${path}" is not a path`, remedy })]
  })
}

/** One name read by a node: it must be declared, and should get a value somewhere. */
function nameIssues(
  undeclared: 'V38' | 'V39',
  node: WorkflowNode,
  field: string,
  name: string,
  definition: WorkflowDefinition,
  unwritten: ReadonlySet<string>,
): Issue[] {
  if (!isDeclared(definition, name)) {
    const message = `${field} reads "${name}", which is neither a variable nor a node`
    const remedy = `declare "${name}" in variableRegistry, or correct the name`
    return [nodeIssue(undeclared, node, { field, message, remedy })]
  }
  return unwritten.has(name) ? [unwrittenIssue(node, field, name)] : []
}

/** V41: the variable is read but never gets a value. */
export function unwrittenIssue(node: WorkflowNode, field: string, name: string): Issue {
  return nodeIssue('V41', node, {
    field,
    message: `${field} reads "${name}", which has no default and is written nowhere`,
    remedy: `give "${name}" a default, list it in a node's globalInputs, or assign it in an expression`,
  })
}

function finalOutputIssues(node: WorkflowNode, definition: WorkflowDefinition): Issue[] {
  if (node.type !== 'end') return []
  return (node.finalOutput ?? []).flatMap((name, index) => {
    if (isVariable(definition, name)) return []
    return [
      nodeIssue('V58', node, {
        field: `finalOutput[${index}]`,
        message: `finalOutput names "${name}", which is not a declared variable; it is left out when it has no value`,
        remedy: `declare "${name}" in variableRegistry, or remove it from finalOutput`,
      }),
    ]
  })
}

/** Registry defaults may be templates themselves. */
function defaultIssues(definition: WorkflowDefinition): Issue[] {
  return Object.entries(registryOf(definition)).flatMap(([name, entry]) => {
    const value = entry['default']
    if (typeof value !== 'string') return []
    const roots = templateReferences(value).roots.filter((root) => !root.inEach)
    return [...new Set(roots.map((root) => root.name))]
      .filter((root) => !isDeclared(definition, root))
      .map((root) =>
        issue('V40', {
          field: `variableRegistry.${name}.default`,
          message: `The default of "${name}" reads "${root}", which is neither a variable nor a node`,
          remedy: `declare "${root}" in variableRegistry, correct the name, or escape it as \\{{${root}}}`,
        }),
      )
  })
}
