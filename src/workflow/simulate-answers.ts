/** Made-up answers that satisfy a step's schema, and that lead both ways at the conditions after it. */

import { isRecord } from '../core/json.ts'
import { type Condition, type Operand, registryOf, type WorkflowDefinition } from './definition.ts'
import { type Pick, textMatching } from './simulate-pattern.ts'

type Schema = Record<string, unknown>

/** Values that conditions compare a field with, by the field's last name: `review.verdict` counts for `verdict`. */
export type TellingValues = ReadonlyMap<string, readonly unknown[]>

/** The values at which some condition of the definition turns, and their neighbours. */
export function tellingValues(definition: WorkflowDefinition): TellingValues {
  const found = new Map<string, unknown[]>()
  const registry = registryOf(definition)
  const defaultOf: DefaultOf = (name) => (Object.hasOwn(registry, name) ? registry[name]?.default : undefined)
  for (const node of definition.nodes) if (node.type === 'condition') collect(node.condition, found, defaultOf)
  return found
}

/** The default of a variable; undefined when it has none. */
type DefaultOf = (name: string) => unknown

function collect(condition: Condition, found: Map<string, unknown[]>, defaultOf: DefaultOf): void {
  switch (condition.operator) {
    case 'and':
    case 'or':
      for (const inner of condition.conditions) collect(inner, found, defaultOf)
      return
    case 'not':
      collect(condition.condition, found, defaultOf)
      return
    case 'exists':
      return
    default:
      add(condition.left, condition.right, found, defaultOf)
      add(condition.right, condition.left, found, defaultOf)
  }
}

function add(read: Operand, compared: Operand, found: Map<string, unknown[]>, defaultOf: DefaultOf): void {
  if (!isRecord(read)) return
  const value = isRecord(compared) ? defaultOf(compared.contextPath) : compared
  if (value === undefined) return
  const name = read.contextPath.split('.').at(-1) ?? ''
  const values = typeof value === 'number' ? [value, value + 1, value - 1] : [value]
  found.set(name, [...(found.get(name) ?? []), ...values])
}

/**
 * An answer for an effective schema (global inputs inlined); `pick` decides between the possible ones. Undefined when
 * the schema is none (an empty answer is expected) or asks for something that is not made up here.
 */
export function sampleAnswer(schema: Schema | null, pick: Pick, telling: TellingValues = new Map()): unknown {
  return schema === null ? undefined : sample(schema, '', pick, telling)
}

function sample(schema: Schema, name: string, pick: Pick, telling: TellingValues): unknown {
  if (Object.hasOwn(schema, 'const')) return schema['const']
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : fitting(schema, telling.get(name) ?? [])
  if (choices.length > 0 && (Array.isArray(schema['enum']) || pick(4) > 0)) return choices[pick(choices.length)]
  const alternatives = [schema['oneOf'], schema['anyOf']].find(Array.isArray)
  const alternative: unknown = alternatives?.[pick(alternatives.length)]
  if (isRecord(alternative))
    return sample({ ...schema, oneOf: undefined, anyOf: undefined, ...alternative }, name, pick, telling)
  switch (typeOf(schema)) {
    case 'object':
      return sampleObject(schema, pick, telling)
    case 'array':
      return sampleArray(schema, pick, telling)
    case 'number':
    case 'integer':
      return sampleNumber(schema, pick)
    case 'boolean':
      return pick(2) === 1
    case 'null':
      return null
    default:
      return sampleText(schema, name, pick)
  }
}

/** The values that the schema would take; only their type and bounds are looked at. */
function fitting(schema: Schema, values: readonly unknown[]): unknown[] {
  const type = typeOf(schema)
  return values.filter((value) => {
    if (type === 'number' || type === 'integer') {
      if (typeof value !== 'number') return false
      return value >= bound(schema['minimum'], -Infinity) && value <= bound(schema['maximum'], Infinity)
    }
    if (type !== typeof value) return false
    return (
      typeof value !== 'string' || (value.length >= bound(schema['minLength'], 0) && schema['pattern'] === undefined)
    )
  })
}

function typeOf(schema: Schema): unknown {
  const type = schema['type']
  if (type !== undefined) return Array.isArray(type) ? type[0] : type
  if (isRecord(schema['properties'])) return 'object'
  return isRecord(schema['items']) ? 'array' : 'string'
}

function sampleObject(schema: Schema, pick: Pick, telling: TellingValues): Record<string, unknown> {
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const present = Object.entries(properties).filter(([name]) => required.includes(name) || pick(3) > 0)
  return Object.fromEntries(
    present.map(([name, inner]) => [name, sample(isRecord(inner) ? inner : {}, name, pick, telling)]),
  )
}

function sampleArray(schema: Schema, pick: Pick, telling: TellingValues): unknown[] {
  const least = bound(schema['minItems'], 0)
  const most = Math.max(least, Math.min(bound(schema['maxItems'], Infinity), least + 2))
  const items = isRecord(schema['items']) ? schema['items'] : {}
  return Array.from({ length: least + pick(most - least + 1) }, () => sample(items, '', pick, telling))
}

function sampleNumber(schema: Schema, pick: Pick): number {
  const least = Math.max(bound(schema['minimum'], -Infinity), bound(schema['exclusiveMinimum'], -Infinity) + 1)
  const most = Math.min(bound(schema['maximum'], Infinity), bound(schema['exclusiveMaximum'], Infinity) - 1)
  const from = least === -Infinity ? Math.min(0, most) : Math.ceil(least)
  const step = bound(schema['multipleOf'], 1)
  const value = Math.ceil(from / step) * step + pick(5) * step
  return value > most ? Math.ceil(from / step) * step : value
}

function sampleText(schema: Schema, name: string, pick: Pick): string {
  const minLength = bound(schema['minLength'], 0)
  const pattern = schema['pattern']
  const matching = typeof pattern === 'string' ? textMatching(pattern, pick, minLength) : null
  if (matching !== null) return matching
  const text = `sample ${name}`.trim()
  const long = text.length >= minLength ? text : text.padEnd(minLength, '.')
  return long.slice(0, bound(schema['maxLength'], long.length))
}

function bound(value: unknown, absent: number): number {
  return typeof value === 'number' ? value : absent
}
