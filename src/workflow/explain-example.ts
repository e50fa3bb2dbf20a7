/** A value that fits a schema. The same schema always gives the same value. */

import { UserError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import { mergeSchemas, resolveReference } from './explain-merge.ts'
import { exampleNumber, exampleText } from './explain-scalar.ts'
import type { JsonSchema } from './input-schema.ts'
import { schemas } from './schema-check.ts'

/** Deepest level at which optional properties are still filled in. */
const OPTIONAL_DEPTH = 4

/** Levels after which nothing more is made up: the schema refers to itself. */
const MAX_DEPTH = 20

/** Most items of a made-up list. */
const MAX_ITEMS = 100

interface Making {
  root: JsonSchema
  /** What the value is called, for placeholders. */
  name: string
  depth: number
  /** Counts up where several different values are needed. */
  variant: number
  optional: boolean
}

/**
 * A value for a schema: placeholders such as `<title>` for free text, the first of an enum, the smallest number. It
 * fits whatever the schema is, but for rare patterns and contradictions; then it is the nearest that was found.
 */
export function generateExample(schema: unknown): unknown {
  const root = isRecord(schema) ? schema : {}
  const attempts: Pick<Making, 'variant' | 'optional'>[] = [
    { variant: 0, optional: true },
    { variant: 0, optional: false },
    { variant: 1, optional: true },
    { variant: 2, optional: true },
  ]
  const values = attempts.map((attempt) => () => make(root, { root, name: 'value', depth: 0, ...attempt }))
  return firstFit(schema, root, values)
}

/** The first value that fits; the first one when none does. */
function firstFit(schema: unknown, root: JsonSchema, values: readonly (() => unknown)[]): unknown {
  let first: { value: unknown } | null = null
  for (const value of values) {
    const made = value()
    if (fits(schema, root, made)) return made
    first ??= { value: made }
  }
  return first?.value ?? null
}

/** Whether a value fits a part of a schema. What cannot be checked alone counts as fitting: the whole is checked last. */
function fits(schema: unknown, root: JsonSchema, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema
  if (!isRecord(schema)) return true
  const whole = schema === root ? schema : { ...sharedSchemas(root), ...schema }
  try {
    return schemas.check(whole, value).length === 0
  } catch (error) {
    if (error instanceof UserError) return true
    throw error
  }
}

/** The definitions that parts of a schema may refer to. */
export function sharedSchemas({ definitions, $defs }: JsonSchema): JsonSchema {
  return { ...(definitions !== undefined && { definitions }), ...($defs !== undefined && { $defs }) }
}

function make(schema: unknown, making: Making): unknown {
  if (!isRecord(schema) || making.depth > MAX_DEPTH) return null
  if ('const' in schema) return schema['const']
  const { $ref, allOf, anyOf, oneOf, not, if: condition, enum: values, ...base } = schema
  if (typeof $ref === 'string') {
    const target = resolveReference($ref, making.root)
    const { $ref: _used, ...siblings } = schema
    return make(mergeSchemas(siblings, target ?? {}), { ...making, depth: making.depth + 1 })
  }
  if (Array.isArray(values)) return makeEnum(schema, values, making)
  if (Array.isArray(allOf)) {
    const merged = allOf.reduce<JsonSchema>((sum, part) => mergeSchemas(sum, resolved(part, making.root)), {
      ...base,
      ...(anyOf !== undefined && { anyOf }),
      ...(oneOf !== undefined && { oneOf }),
      ...(not !== undefined && { not }),
      ...(condition !== undefined && { if: condition }),
    })
    return make(merged, { ...making, depth: making.depth + 1 })
  }
  const branches = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : null
  if (branches !== null) {
    const rest = {
      ...base,
      ...(not !== undefined && { not }),
      ...(Array.isArray(oneOf) && anyOf !== undefined && { anyOf }),
    }
    const deeper = { ...making, depth: making.depth + 1 }
    const merged = branches.map((branch) => mergeSchemas(rest, resolved(branch, making.root)))
    return firstFit(schema, making.root, [
      ...merged.map((one) => () => make(one, deeper)),
      ...merged.map((one) => () => make(one, { ...deeper, optional: false })),
      ...merged.map((one) => () => make(one, { ...deeper, variant: making.variant + 1 })),
    ])
  }
  if (condition !== undefined || not !== undefined) return makeConditional(schema, base, making)
  return makePlain(base, making)
}

function resolved(schema: unknown, root: JsonSchema): JsonSchema {
  if (!isRecord(schema)) return schema === false ? { not: {} } : {}
  const { $ref, ...siblings } = schema
  return typeof $ref === 'string' ? mergeSchemas(siblings, resolveReference($ref, root) ?? {}) : schema
}

function makeEnum(schema: JsonSchema, values: readonly unknown[], making: Making): unknown {
  const { enum: _values, ...rest } = schema
  const fitting = Object.keys(rest).length === 0 ? values : values.filter((value) => fits(rest, making.root, value))
  const choice = fitting.length === 0 ? values : fitting
  return choice[making.variant % Math.max(choice.length, 1)] ?? null
}

/** `if`, `then`, `else` and `not`: a plain value, then values pushed towards either branch. */
function makeConditional(schema: JsonSchema, base: JsonSchema, making: Making): unknown {
  const { then, else: otherwise, ...plain } = base
  const deeper = { ...making, depth: making.depth + 1 }
  const positive = mergeSchemas(mergeSchemas(plain, resolved(schema['if'], making.root)), resolved(then, making.root))
  const negative = mergeSchemas(plain, resolved(otherwise, making.root))
  return firstFit(schema, making.root, [
    () => make(plain, deeper),
    () => make(positive, deeper),
    () => make(negative, deeper),
    ...[1, 2, 3].map((variant) => () => make(plain, { ...deeper, variant: making.variant + variant })),
    () => make(plain, { ...deeper, optional: false }),
    () => make(negative, { ...deeper, optional: false }),
  ])
}

function makePlain(schema: JsonSchema, making: Making): unknown {
  switch (typeOf(schema)) {
    case 'object':
      return makeObject(schema, making)
    case 'array':
      return makeArray(schema, making)
    case 'number':
      return exampleNumber(schema, false, making.variant)
    case 'integer':
      return exampleNumber(schema, true, making.variant)
    case 'boolean':
      return making.variant % 2 === 0
    case 'null':
      return null
    default:
      return exampleText(schema, making.name, making.variant)
  }
}

/** The type to make: the first declared one that is not null, else what the keywords speak of. */
function typeOf(schema: JsonSchema): unknown {
  const { type } = schema
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null'
  if (type !== undefined) return type
  if (['properties', 'required', 'minProperties', 'additionalProperties'].some((key) => key in schema)) return 'object'
  if (['items', 'minItems', 'contains'].some((key) => key in schema)) return 'array'
  return ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].some((key) => key in schema)
    ? 'number'
    : 'string'
}

function makeObject(schema: JsonSchema, making: Making): unknown {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'].filter((one) => typeof one === 'string') : []
  const optional = making.optional && making.depth < OPTIONAL_DEPTH ? Object.keys(properties) : []
  const most = typeof schema['maxProperties'] === 'number' ? schema['maxProperties'] : Number.POSITIVE_INFINITY
  const names = new Set(required)
  for (const name of optional) if (names.size < most && properties[name] !== false) names.add(name)
  const least = typeof schema['minProperties'] === 'number' ? Math.min(schema['minProperties'], MAX_ITEMS) : 0
  for (const name of Object.keys(properties)) if (names.size < least) names.add(name)
  for (let index = 1; names.size < least; index++) names.add(extraName(schema, index))
  const order = [...Object.keys(properties), ...required, ...names]
  const chosen = [...new Set(order)].filter((name) => names.has(name))
  return Object.fromEntries(
    chosen.map((name) => [name, make(schemaOfProperty(schema, name), { ...making, name, depth: making.depth + 1 })]),
  )
}

function extraName(schema: JsonSchema, index: number): string {
  const names = schema['propertyNames']
  return isRecord(names) ? String(exampleText(names, 'name', index)) : `extra${index}`
}

function schemaOfProperty(schema: JsonSchema, name: string): unknown {
  const properties = schema['properties']
  if (isRecord(properties) && Object.hasOwn(properties, name)) return asSchema(properties[name])
  const { patternProperties } = schema
  if (isRecord(patternProperties)) {
    for (const [pattern, inner] of Object.entries(patternProperties)) {
      if (fits({ pattern }, {}, name)) return asSchema(inner)
    }
  }
  return asSchema(schema['additionalProperties'])
}

/** `true` and absent schemas take anything. */
function asSchema(schema: unknown): JsonSchema {
  return isRecord(schema) ? schema : {}
}

function makeArray(schema: JsonSchema, making: Making): unknown {
  const { items, additionalItems, contains, minItems, maxItems, uniqueItems } = schema
  const most = typeof maxItems === 'number' ? maxItems : MAX_ITEMS
  const needed = Math.max(typeof minItems === 'number' ? minItems : 1, contains === undefined ? 0 : 1)
  const tuple = Array.isArray(items) ? items : []
  const count = Math.min(Math.max(needed, Math.min(tuple.length, most)), most, MAX_ITEMS)
  const values: unknown[] = []
  for (let index = 0; index < count; index++) {
    const inner = tuple[index] ?? (Array.isArray(items) ? additionalItems : items)
    const wanted =
      contains !== undefined && index === count - 1 ? mergeSchemas(asSchema(inner), asSchema(contains)) : inner
    const variant = uniqueItems === true ? making.variant + index : making.variant
    values.push(make(asSchema(wanted), { ...making, depth: making.depth + 1, variant }))
  }
  return values
}
