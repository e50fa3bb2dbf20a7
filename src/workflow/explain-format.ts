/** A schema in words, for someone who has to fill it in: JSON with a description in place of each value. */

import { isRecord } from '../core/json.ts'
import { resolveReference } from './explain-merge.ts'
import type { JsonSchema } from './input-schema.ts'

/** Deeper levels are named, not spelled out. */
const MAX_DEPTH = 6

/** Longest list of allowed values that is written out. */
const MAX_VALUES = 20

interface Writing {
  root: JsonSchema
  depth: number
  /** "required" or "optional"; null where neither applies. */
  presence: string | null
}

/** The expected form of an answer; a null schema takes nothing. */
export function describeFormat(schema: JsonSchema | null): string {
  if (schema === null) return 'null or {}'
  return describe(schema, { root: schema, depth: 0, presence: null })
}

function describe(given: unknown, writing: Writing): string {
  const schema = follow(given, writing.root)
  if (schema === null) return JSON.stringify(remark('any value', {}, writing))
  const indent = '  '.repeat(writing.depth)
  const inner = { root: writing.root, depth: writing.depth + 1 }
  const { properties, items } = schema
  if (isRecord(properties) && Object.keys(properties).length > 0 && writing.depth < MAX_DEPTH) {
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    const lines = Object.entries(properties).map(([name, property]) => {
      const presence = required.includes(name) ? 'required' : 'optional'
      return `${indent}  ${JSON.stringify(name)}: ${describe(property, { ...inner, presence })}`
    })
    return `{${comment('object', schema, writing)}\n${lines.join(',\n')}\n${indent}}`
  }
  if (isRecord(items) && isRecord(follow(items, writing.root)?.['properties']) && writing.depth < MAX_DEPTH) {
    const item = describe(items, { ...inner, presence: null })
    return `[${comment('array', schema, writing)}\n${indent}  ${item}\n${indent}]`
  }
  return JSON.stringify(remark(typeName(schema, writing.root), schema, writing))
}

/** What stands behind the bracket of an object or array that is written out. */
function comment(type: string, schema: JsonSchema, writing: Writing): string {
  return writing.presence === null && constraints(schema).length === 0 && schema['description'] === undefined
    ? ''
    : ` // ${remark(type, schema, writing)}`
}

/** `type (required, constraints) - description` */
function remark(type: string, schema: JsonSchema, writing: Writing): string {
  const notes = [...(writing.presence === null ? [] : [writing.presence]), ...constraints(schema)]
  const { description } = schema
  const words = typeof description === 'string' && description !== '' ? ` - ${shorten(description, 200)}` : ''
  return `${type}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${words}`
}

function follow(schema: unknown, root: JsonSchema): JsonSchema | null {
  if (!isRecord(schema)) return null
  const { $ref, ...siblings } = schema
  return typeof $ref === 'string' ? { ...resolveReference($ref, root), ...siblings } : schema
}

/** The type in words: `string`, `number or null`, `array of string`, `string | object`. */
export function typeName(given: unknown, root: JsonSchema, depth = 0): string {
  const schema = follow(given, root)
  if (schema === null || depth > MAX_DEPTH) return 'any value'
  const { type, items, anyOf, oneOf } = schema
  if (type === 'array' && isRecord(items)) return `array of ${typeName(items, root, depth + 1)}`
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return type.join(' or ')
  const branches = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : null
  if (branches !== null) return branches.map((branch) => typeName(branch, root, depth + 1)).join(' | ')
  if ('properties' in schema || 'required' in schema) return 'object'
  return 'enum' in schema || 'const' in schema ? 'value' : 'any value'
}

/** What a value must satisfy besides its type, in words. */
export function constraints(schema: JsonSchema): string[] {
  const { enum: values, pattern, format, uniqueItems, multipleOf } = schema
  const notes: string[] = []
  if (Array.isArray(values)) notes.push(`one of: ${listValues(values)}`)
  if ('const' in schema) notes.push(`exactly ${show(schema['const'])}`)
  notes.push(...range(schema['minLength'], schema['maxLength'], 'character'))
  notes.push(...range(schema['minItems'], schema['maxItems'], 'item'))
  notes.push(...range(schema['minProperties'], schema['maxProperties'], 'key'))
  const bounds: [string, string][] = [
    ['minimum', 'at least'],
    ['exclusiveMinimum', 'more than'],
    ['maximum', 'at most'],
    ['exclusiveMaximum', 'less than'],
  ]
  for (const [keyword, words] of bounds) {
    if (typeof schema[keyword] === 'number') notes.push(`${words} ${schema[keyword]}`)
  }
  if (typeof multipleOf === 'number') notes.push(`a multiple of ${multipleOf}`)
  if (typeof pattern === 'string') notes.push(`matching /${shorten(pattern, 200)}/`)
  if (typeof format === 'string') notes.push(`format ${format}`)
  if (uniqueItems === true) notes.push('no two equal')
  return notes
}

function range(least: unknown, most: unknown, noun: string): string[] {
  const plural = (count: number) => `${count} ${noun}${count === 1 ? '' : 's'}`
  if (typeof least === 'number' && typeof most === 'number') {
    return [least === most ? plural(least) : `${least} to ${plural(most)}`]
  }
  if (typeof least === 'number') return [`at least ${plural(least)}`]
  return typeof most === 'number' ? [`at most ${plural(most)}`] : []
}

/** Values, comma-separated; of a long list the first ones. */
export function listValues(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => show(value))
  const more = values.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A value as JSON on one line, cut to a readable length. */
export function show(value: unknown, length = 80): string {
  return shorten(toJson(value), length)
}

/** A value as JSON; words for what has no JSON. */
export function toJson(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent) ?? 'nothing'
  } catch (error) {
    // Nested so deep that writing it overflows the stack.
    if (error instanceof RangeError) return '(nested too deeply to show)'
    throw error
  }
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
