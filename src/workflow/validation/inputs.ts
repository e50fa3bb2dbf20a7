/** Checks of inputSchemas (V29 to V32, V76). */

import { isRecord } from '../../core/json.ts'
import { type Issue, registryOf, type WorkflowDefinition, type WorkflowNode } from '../definition.ts'
import { globalInputsOf } from '../nodes/node-schema.ts'
import { schemaProblems } from './compile.ts'
import { nodeIssue } from './issue.ts'

type Answered = Extract<WorkflowNode, { inputSchema?: unknown }>

export function inputIssues(definition: WorkflowDefinition): Issue[] {
  const nodes = definition.nodes.filter((node): node is Answered => 'inputSchema' in node)
  const problems = schemaProblems(new Map(nodes.map((node) => [node.id, withoutGlobals(node.inputSchema)])))
  return nodes.flatMap((node) => {
    const problem = problems.get(node.id)
    const broken =
      problem === undefined
        ? []
        : [
            nodeIssue('V29', node, {
              field: 'inputSchema',
              message: `inputSchema cannot be used: ${problem}`,
              remedy: 'mend it as a JSON Schema (draft-07)',
            }),
          ]
    return [...broken, ...nameIssues(node, definition)]
  })
}

/** The schema without our own keyword. */
function withoutGlobals(schema: Record<string, unknown> | undefined): Record<string, unknown> {
  const { globalInputs: _names, ...plain } = schema ?? {}
  return plain
}

function nameIssues(node: Answered, definition: WorkflowDefinition): Issue[] {
  const schema = node.inputSchema ?? {}
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const listed = schema['globalInputs']
  if (listed !== undefined && !Array.isArray(listed)) {
    const remedy = 'list names of variables, as in ["verdict", "notes"]'
    return [
      nodeIssue('V30', node, { field: 'inputSchema.globalInputs', message: 'globalInputs is not a list', remedy }),
    ]
  }
  const issues = (listed ?? []).flatMap((name: unknown, index) => {
    const field = `inputSchema.globalInputs[${index}]`
    if (typeof name !== 'string') {
      const remedy = 'name a variable of variableRegistry'
      return [nodeIssue('V30', node, { field, message: `${field} is not a text`, remedy })]
    }
    if (!Object.hasOwn(registryOf(definition), name)) {
      const message = `globalInputs names "${name}", which is not a declared variable`
      const remedy = `declare "${name}" in variableRegistry, or move it to properties`
      return [nodeIssue('V31', node, { field, message, remedy })]
    }
    if (Object.hasOwn(properties, name)) {
      const message = `"${name}" is both a global input and a property`
      const remedy = 'keep it in globalInputs to write the variable, or in properties to keep it in the node'
      return [nodeIssue('V32', node, { field, message, remedy })]
    }
    return []
  })
  return [...issues, ...requiredIssues(node, schema, new Set([...Object.keys(properties), ...globalInputsOf(schema)]))]
}

/** Schemas with properties take no others unless they say so, hence a required name that is none cannot be met. */
function requiredIssues(node: Answered, schema: Record<string, unknown>, known: ReadonlySet<string>): Issue[] {
  const { required, additionalProperties } = schema
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (!Array.isArray(required) || isOpen || known.size === 0 || schema['patternProperties'] !== undefined) return []
  return required.flatMap((name: unknown, index) => {
    if (typeof name !== 'string' || known.has(name)) return []
    return [
      nodeIssue('V76', node, {
        field: `inputSchema.required[${index}]`,
        message: `inputSchema requires "${name}", which is neither a property nor a global input: no answer can pass`,
        remedy: `add "${name}" to properties or globalInputs, or remove it from required`,
      }),
    ]
  })
}
