/** The schema an answer must satisfy: what the author wrote, with the global inputs written out. */

import { isRecord } from '../core/json.ts'
import { mapValues } from './schema-shape.ts'

export type JsonSchema = Record<string, unknown>

/** A node that takes an answer. */
export interface AnswerNode {
  inputSchema?: Readonly<JsonSchema> | undefined
}

/** The part of a definition that its schemas refer to. */
export interface RegistryHolder {
  variableRegistry?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The schema that is shown and checked; null when the node declares none and takes only an empty answer.
 * `globalInputs` is replaced by properties with the complete registry entries, `type` is object unless the author says
 * otherwise, and objects that list their properties are closed unless the author opened them.
 */
export function effectiveSchema(node: AnswerNode, definition: RegistryHolder): JsonSchema | null {
  if (node.inputSchema === undefined) return null
  const { globalInputs, ...own } = node.inputSchema
  const registry = definition.variableRegistry ?? {}
  const globals = (Array.isArray(globalInputs) ? globalInputs : []).filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(registry, name),
  )
  const inlined = Object.fromEntries(globals.map((name) => [name, registry[name]]))
  const properties = { ...(isRecord(own['properties']) ? own['properties'] : {}), ...inlined }
  const typed: JsonSchema = saysItsType(own, globals.length > 0) ? { ...own } : { type: 'object', ...own }
  if (globals.length > 0) typed['properties'] = properties
  return close(typed)
}

/** Without `type`, a schema of a whole answer means an object, unless it says by other means what it takes. */
function saysItsType(schema: JsonSchema, hasGlobals: boolean): boolean {
  if (schema['type'] !== undefined) return true
  if (hasGlobals || schema['properties'] !== undefined || schema['required'] !== undefined) return false
  return ['enum', 'const', 'anyOf', 'oneOf', 'allOf', 'not', '$ref', 'if'].some((keyword) => keyword in schema)
}

/** Adds `additionalProperties: false` to every object with listed properties, through properties and array items. */
function close(schema: JsonSchema): JsonSchema {
  const closed: JsonSchema = { ...schema }
  const inner = (value: unknown) => (isRecord(value) ? close(value) : value)
  const { properties, items } = schema
  if (isRecord(items)) closed['items'] = close(items)
  if (Array.isArray(items)) closed['items'] = items.map(inner)
  if (!isRecord(properties)) return closed
  const listed = mapValues(properties, inner)
  closed['properties'] = listed
  if (schema['additionalProperties'] === undefined) {
    const elsewhere = propertiesOfBranches(schema)
    // draft-07 cannot see into branches: their names would count as additional.
    closed['properties'] = { ...Object.fromEntries(elsewhere.map((name) => [name, true])), ...listed }
    closed['additionalProperties'] = false
  }
  return closed
}

/** Names of properties that only branches (allOf, anyOf, oneOf, if, then, else, dependencies) declare. */
function propertiesOfBranches(schema: JsonSchema): string[] {
  const { allOf, anyOf, oneOf, dependencies } = schema
  const branches = [allOf, anyOf, oneOf].flatMap((value) => (Array.isArray(value) ? value : []))
  branches.push(schema['if'], schema['then'], schema['else'])
  if (isRecord(dependencies)) branches.push(...Object.values(dependencies))
  const names = branches.filter(isRecord).flatMap((branch) => {
    const listed = isRecord(branch['properties']) ? Object.keys(branch['properties']) : []
    return [...listed, ...propertiesOfBranches(branch)]
  })
  return [...new Set(names)]
}

/** Whether a schema says that it takes a JSON type at its root. */
export function allowsType(schema: Readonly<JsonSchema>, type: string): boolean {
  const { type: declared, enum: values, const: value } = schema
  if (declared === undefined) return (Array.isArray(values) ? values : [value]).some((one) => typeof one === type)
  const types: readonly unknown[] = Array.isArray(declared) ? declared : [declared]
  return types.includes(type) || (type === 'number' && types.includes('integer'))
}
