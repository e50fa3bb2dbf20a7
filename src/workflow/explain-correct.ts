/** A refused answer made to fit: what was right stays, the rest is filled in. */

import { isRecord } from '../core/json.ts'
import { generateExample, sharedSchemas } from './explain-example.ts'
import { mergeSchemas, resolveReference } from './explain-merge.ts'
import type { JsonSchema } from './input-schema.ts'
import { type Finding, schemas } from './schema-check.ts'

/** The answer with every finding mended; made up altogether when mending leads to nothing that fits. */
export function correctAnswer(schema: JsonSchema, value: unknown, findings: readonly Finding[]): unknown {
  const whole = generateExample(schema)
  const mended = mend({ schema, root: schema, steps: [], findings, example: whole }, value)
  const attempts = [mended]
  // Choices between forms are mended by the example's own fields, as far as the answer left room.
  if (isRecord(whole) && isRecord(mended)) attempts.push({ ...whole, ...mended }, { ...mended, ...whole })
  return attempts.find((attempt) => schemas.check(schema, attempt).length === 0) ?? whole
}

interface Mending {
  schema: unknown
  root: JsonSchema
  steps: readonly string[]
  findings: readonly Finding[]
  /** What stands here in the example of the whole; undefined when nothing does. */
  example: unknown
}

function mend(mending: Mending, value: unknown): unknown {
  const concerned = mending.findings.filter(({ steps }) => startsWith(steps, mending.steps))
  if (concerned.length === 0) return value
  const schema = flatten(mending.schema, mending.root)
  const here = { ...mending, findings: concerned }
  if (isRecord(value) && isRecord(schema['properties'])) return mendObject(here, schema, schema['properties'], value)
  const wrongType = concerned.some(({ keyword, steps }) => keyword === 'type' && steps.length === mending.steps.length)
  if (Array.isArray(value) && !wrongType) return mendArray(here, schema, value)
  return mending.example ?? exampleOf(mending.schema, mending.root)
}

function mendObject(
  mending: Mending,
  schema: JsonSchema,
  properties: Record<string, unknown>,
  value: Record<string, unknown>,
): unknown {
  const entries = new Map<string, unknown>()
  const inner = (name: string): Mending => ({
    ...mending,
    schema: properties[name],
    steps: [...mending.steps, name],
    example: isRecord(mending.example) && Object.hasOwn(mending.example, name) ? mending.example[name] : undefined,
  })
  for (const [name, item] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) entries.set(name, mend(inner(name), item))
    else if (schema['additionalProperties'] !== false) entries.set(name, item)
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  for (const name of required) {
    if (typeof name !== 'string' || entries.has(name)) continue
    entries.set(name, inner(name).example ?? exampleOf(properties[name], mending.root))
  }
  return Object.fromEntries(entries)
}

function mendArray(mending: Mending, schema: JsonSchema, items: readonly unknown[]): unknown {
  const { minItems, maxItems, uniqueItems } = schema
  const example = Array.isArray(mending.example) ? mending.example : []
  const mended = items.map((item, index) => {
    const itemSchema = Array.isArray(schema['items']) ? schema['items'][index] : schema['items']
    const steps = [...mending.steps, String(index)]
    return mend({ ...mending, schema: itemSchema, steps, example: example[index] }, item)
  })
  const kept = uniqueItems === true ? distinct(mended) : mended
  const least = typeof minItems === 'number' ? minItems : 0
  for (const one of example) if (kept.length < least) kept.push(one)
  return typeof maxItems === 'number' ? kept.slice(0, maxItems) : kept
}

function distinct(items: readonly unknown[]): unknown[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

function startsWith(steps: readonly string[], start: readonly string[]): boolean {
  return start.every((step, index) => steps[index] === step)
}

function flatten(schema: unknown, root: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return {}
  const { $ref, ...siblings } = schema
  const own = typeof $ref === 'string' ? mergeSchemas(siblings, resolveReference($ref, root) ?? {}) : schema
  const parts = Array.isArray(own['allOf']) ? own['allOf'].filter(isRecord) : []
  return parts.reduce<JsonSchema>((sum, part) => mergeSchemas(sum, part), own)
}

function exampleOf(schema: unknown, root: JsonSchema): unknown {
  return generateExample(isRecord(schema) ? { ...sharedSchemas(root), ...schema } : schema)
}
