/**
 * Checks values against JSON Schemas (draft-07) that authors wrote. Authors are not trusted: schemas are bounded in
 * size, patterns and formats run in linear time, references cannot make a check endless, and compiled checks live in a
 * cache of fixed size. Every schema is compiled by an instance of its own, so that equal `$id`s never meet and nothing
 * is left behind when a schema leaves the cache.
 */

import { UserError } from '../core/errors.ts'
import { canonicalJson, isRecord } from '../core/json.ts'
import { compileValidator, metaSchemaProblem, type Validator } from './schema-compile.ts'
import { boundsProblem } from './schema-shape.ts'

/** One way in which a value differs from its schema. */
export interface Finding {
  /** The JSON Schema keyword that failed. */
  keyword: string
  /** Where in the value: `findings[0].title`; empty for the value itself. */
  path: string
  /** Steps of `path`. */
  steps: string[]
  value: unknown
  /** What ajv says about it; `missingProperty`, `additionalProperty`, `limit` and so on. */
  params: Readonly<Record<string, unknown>>
  message: string
  /** The part of the schema that holds the keyword. */
  schema: Readonly<Record<string, unknown>>
  schemaPath: string
}

/** Schemas kept compiled. */
const CACHED_SCHEMAS = 200

/** Characters of schema text kept compiled. */
const CACHED_CHARACTERS = 8_000_000

/** Longest schema, in characters of its JSON. */
const MAX_SCHEMA = 512 * 1024

/** Deepest schema and deepest value. */
export const MAX_JSON_DEPTH = 200

/** Values with more parts than this are checked up to the first finding: a million findings help nobody. */
const MANY_PARTS = 10_000

/** Most findings of one check. */
const MAX_FINDINGS = 50

interface Compiled {
  characters: number
  schema: unknown
  all: Validator | null
  first: Validator | null
}

export interface SchemaChecker {
  /** Why a schema cannot be used, in one sentence; null when it can. */
  problem(schema: unknown): string | null
  /**
   * How a value differs from a schema; empty when it fits. A very large value is checked up to the first finding.
   * @throws UserError `WORKFLOW_INVALID` when the schema cannot be used or refers to itself without end.
   */
  check(schema: unknown, value: unknown): Finding[]
  /** Compiled schemas held at the moment. */
  size(): number
}

/** A checker with its own cache of the schemas used last. */
export function createSchemaChecker(capacity = CACHED_SCHEMAS): SchemaChecker {
  const cache = new Map<string, Compiled>()
  let characters = 0

  function prepare(schema: unknown): Compiled | string {
    const bounds = boundsProblem(schema, MAX_JSON_DEPTH)
    if (bounds !== null) return `the schema ${bounds}`
    if (!isRecord(schema) && typeof schema !== 'boolean') return 'a schema is an object'
    const key = canonicalJson(schema)
    const known = cache.get(key)
    if (known !== undefined) {
      cache.delete(key)
      cache.set(key, known)
      return known
    }
    if (key.length > MAX_SCHEMA) return `the schema is longer than ${MAX_SCHEMA} characters`
    const problem = metaSchemaProblem(schema)
    if (problem !== null) return problem
    const all = compileValidator(schema, true)
    if (typeof all === 'string') return all
    const compiled: Compiled = { characters: key.length, schema, all, first: null }
    cache.set(key, compiled)
    characters += key.length
    for (const [oldest, { characters: length }] of cache) {
      if (cache.size <= capacity && characters <= CACHED_CHARACTERS) break
      cache.delete(oldest)
      characters -= length
    }
    return compiled
  }

  return {
    problem(schema) {
      const compiled = prepare(schema)
      return typeof compiled === 'string' ? compiled : null
    },
    check(schema, value) {
      const compiled = prepare(schema)
      if (typeof compiled === 'string') throw unusable(compiled)
      return run(compiled, value)
    },
    size: () => cache.size,
  }
}

/** The checker of this process. */
export const schemas: SchemaChecker = createSchemaChecker()

function run(compiled: Compiled, value: unknown): Finding[] {
  const problem = boundsProblem(value, MAX_JSON_DEPTH)
  if (problem !== null) return [unstorable(value, problem)]
  const large = countParts(value, MANY_PARTS) >= MANY_PARTS
  const validator = large ? failFast(compiled) : compiled.all
  if (validator === null) throw new Error('a cached schema has no validator')
  try {
    if (validator(value)) return []
  } catch (error) {
    // A stack overflow: the schema refers to itself without going deeper into the value.
    if (error instanceof RangeError) throw unusable('the schema refers to itself without end')
    throw error
  }
  return (validator.errors ?? []).slice(0, MAX_FINDINGS).map((error) => {
    const steps = stepsOf(error.instancePath)
    return {
      keyword: error.keyword,
      steps,
      path: pathText(steps),
      value: error.data,
      params: error.params,
      message: error.message ?? error.keyword,
      schema: isRecord(error.parentSchema) ? error.parentSchema : {},
      schemaPath: error.schemaPath,
    }
  })
}

function failFast(compiled: Compiled): Validator {
  if (compiled.first === null) {
    const validator = compileValidator(compiled.schema, false)
    if (typeof validator === 'string') throw new Error(`a schema compiled once and not twice: ${validator}`)
    compiled.first = validator
  }
  return compiled.first
}

function unstorable(value: unknown, problem: string): Finding {
  return {
    keyword: 'storable',
    steps: [],
    path: '',
    value,
    params: { limit: MAX_JSON_DEPTH },
    message: problem,
    schema: {},
    schemaPath: '',
  }
}

function countParts(value: unknown, limit: number): number {
  const pending: unknown[] = [value]
  let count = 0
  while (pending.length > 0 && count < limit) {
    count++
    const item = pending.pop()
    if (typeof item !== 'object' || item === null) continue
    const inner = Object.values(item)
    if (inner.length >= limit) return limit
    for (const one of inner) pending.push(one)
  }
  return count
}

function stepsOf(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Steps as a path: `findings[0].title`. */
export function pathText(steps: readonly string[]): string {
  let text = ''
  for (const step of steps) text += /^\d+$/.test(step) ? `[${step}]` : text === '' ? step : `.${step}`
  return text
}

function unusable(problem: string): UserError {
  return new UserError('WORKFLOW_INVALID', `The input schema cannot be used: ${problem}.`, {
    field: 'inputSchema',
    remedy: 'Mend the schema in the workflow; manage({ action: "validate" }) shows where.',
  })
}
