/** Putting parts of a schema together, for examples. Nothing is checked by what comes out of here. */

import { isRecord } from '../core/json.ts'
import type { JsonSchema } from './input-schema.ts'

const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

/** Deepest merge: schemas that refer to themselves through properties are not followed for ever. */
const MAX_DEPTH = 20

/** A schema that asks for what both ask for, as far as keywords can be joined; otherwise the second one wins. */
export function mergeSchemas(first: JsonSchema, second: JsonSchema, depth = 0): JsonSchema {
  const merged = new Map(Object.entries(first))
  for (const [keyword, value] of Object.entries(second)) {
    merged.set(keyword, merged.has(keyword) ? join(keyword, merged.get(keyword), value, depth) : value)
  }
  return Object.fromEntries(merged)
}

function join(keyword: string, first: unknown, second: unknown, depth: number): unknown {
  if (typeof first === 'number' && typeof second === 'number') {
    if (lowerBounds.includes(keyword)) return Math.max(first, second)
    if (upperBounds.includes(keyword)) return Math.min(first, second)
  }
  if (keyword === 'required' && Array.isArray(first) && Array.isArray(second))
    return [...new Set([...first, ...second])]
  if (keyword === 'enum' && Array.isArray(first) && Array.isArray(second)) {
    const texts = new Set(second.map((value) => JSON.stringify(value)))
    return first.filter((value) => texts.has(JSON.stringify(value)))
  }
  if (keyword === 'type') return joinTypes(first, second)
  if (keyword === 'allOf' && Array.isArray(first) && Array.isArray(second)) return [...first, ...second]
  if (depth > MAX_DEPTH || !isRecord(first) || !isRecord(second)) return second
  if (keyword === 'items') return mergeSchemas(first, second, depth + 1)
  if (keyword !== 'properties') return second
  const properties = new Map(Object.entries(first))
  for (const [name, schema] of Object.entries(second)) {
    const known = properties.get(name)
    properties.set(name, isRecord(known) && isRecord(schema) ? mergeSchemas(known, schema, depth + 1) : schema)
  }
  return Object.fromEntries(properties)
}

function joinTypes(first: unknown, second: unknown): unknown {
  const [one, other]: (readonly unknown[])[] = [first, second].map((type) => (Array.isArray(type) ? type : [type]))
  const both = (one ?? []).filter((type) => (other ?? []).includes(type))
  if (both.length > 0) return both.length === 1 ? both[0] : both
  // A number that must be an integer is an integer.
  return [first, second].includes('integer') && [first, second].includes('number') ? 'integer' : second
}

/** The schema at a local reference such as `#/definitions/step`; null when it leads nowhere. */
export function resolveReference(reference: string, root: JsonSchema): JsonSchema | null {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return null
  let target: unknown = root
  for (const step of reference.slice(2).split('/')) {
    const name = decodeStep(step)
    if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name)) return null
    target = (target as Record<string, unknown>)[name]
  }
  return isRecord(target) ? target : null
}

function decodeStep(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
