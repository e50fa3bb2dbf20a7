/** Walking JSON and JSON Schemas without trusting their size. */

import { isRecord } from '../core/json.ts'

/** Why a value cannot be kept as JSON; null when it can. Walks without recursion. */
export function boundsProblem(value: unknown, maxDepth: number): string | null {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return `nests deeper than ${maxDepth} levels`
    const next: unknown[] = []
    for (const item of level) {
      // JSON text such as 1e999 is read as Infinity and would be written as null.
      if (typeof item === 'number' && !Number.isFinite(item)) return 'holds a number that is too large'
      if (typeof item !== 'object' || item === null) continue
      // Copying such a key by assignment would change an object's prototype.
      if (Object.hasOwn(item, '__proto__')) return 'holds the key "__proto__"'
      for (const inner of Object.values(item)) {
        if (typeof inner === 'number' || (typeof inner === 'object' && inner !== null)) next.push(inner)
      }
    }
    level = next
  }
  return null
}

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const one = ['additionalItems', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else']
const list = ['allOf', 'anyOf', 'oneOf']
const named = ['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas']

/** A copy of a schema in which every schema, the innermost first, went through a function. */
export function mapSchemas(
  schema: unknown,
  change: (schema: Record<string, unknown>) => Record<string, unknown>,
): unknown {
  if (!isRecord(schema)) return schema
  const inner = (value: unknown) => mapSchemas(value, change)
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (one.includes(keyword)) return [keyword, inner(value)]
    if (list.includes(keyword) && Array.isArray(value)) return [keyword, value.map(inner)]
    if (keyword === 'items') return [keyword, Array.isArray(value) ? value.map(inner) : inner(value)]
    if (named.includes(keyword) && isRecord(value)) return [keyword, mapValues(value, inner)]
    // A dependency is a list of names or a schema.
    if (keyword === 'dependencies' && isRecord(value)) return [keyword, mapValues(value, inner)]
    return [keyword, value]
  })
  return change(Object.fromEntries(entries))
}

export function mapValues(
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
