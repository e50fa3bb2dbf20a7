/** One schema -> one function, with what an untrusted schema must not do taken out of ajv. */

import { Ajv, type Format, type ValidateFunction } from 'ajv'
import formatsModule, { type FormatsPlugin } from 'ajv-formats'
import { UserError } from '../core/errors.ts'
import { canonicalJson } from '../core/json.ts'
import { mapSchemas } from './schema-shape.ts'
import { compilePattern, MAX_PROGRAM } from './search-pattern.ts'

export type Validator = ValidateFunction

// A CommonJS module that NodeNext types as its namespace.
const addFormats = formatsModule as unknown as FormatsPlugin

/** Checks of subschemas that one value may cost when its schema uses `$ref`. */
const CHECK_BUDGET = 1_000_000

/** Subschemas of one schema. */
const MAX_SUBSCHEMAS = 2000

/** Longest text a format is tried on: the patterns behind some of them take quadratic time. */
const MAX_FORMATTED = 2000

/** Formats that are plain data, of any length. */
const unboundedFormats: readonly string[] = ['byte', 'binary', 'password']

const BUDGET_KEYWORD = 'x-varve-budget'

/** Validates schemas as data; it compiles only the draft-07 meta schema, once. */
let metaValidator: Ajv | null = null

/** What is wrong with a schema as a draft-07 schema; null when nothing is. */
export function metaSchemaProblem(schema: Record<string, unknown> | boolean): string | null {
  metaValidator ??= linearUniqueItems(new Ajv({ strict: false, logger: false }))
  if (metaValidator.validateSchema(withoutDialect(schema)) === true) return null
  const [error] = metaValidator.errors ?? []
  const place = (error?.instancePath ?? '').slice(1).replaceAll('/', '.')
  return `${place === '' ? 'the schema' : place} ${error?.message ?? 'is no schema'}`
}

/**
 * Compiles a schema that passed the meta schema; a string is why it cannot be.
 * @param all whether the function reports everything or stops at the first finding
 */
export function compileValidator(schema: unknown, all: boolean): Validator | string {
  let subschemas = 0
  let references = false
  mapSchemas(schema, (one) => {
    subschemas++
    references ||= Object.hasOwn(one, '$ref')
    return one
  })
  if (subschemas > MAX_SUBSCHEMAS) return `the schema has more than ${MAX_SUBSCHEMAS} parts`
  const budget = { left: CHECK_BUDGET }
  const plain = withoutDialect(schema)
  const prepared = references ? mapSchemas(plain, (one) => ({ ...one, [BUDGET_KEYWORD]: true })) : plain
  let validate: Validator
  try {
    validate = instance(all, budget).compile(prepared as Record<string, unknown> | boolean)
  } catch (error) {
    // ajv throws plain errors for what it finds only while compiling: references that lead nowhere, bad patterns.
    if (error instanceof RangeError) return 'the schema refers to itself without end'
    if (error instanceof Error) return error.message
    throw error
  }
  if (!references) return validate
  const bounded = (value: unknown): boolean => {
    budget.left = CHECK_BUDGET
    const fits = validate(value)
    bounded.errors = validate.errors ?? null
    return fits
  }
  bounded.errors = null as Validator['errors']
  return bounded as unknown as Validator
}

/** `$schema` and draft-04's `id` say nothing here: every schema is read as draft-07. */
function withoutDialect(schema: unknown): Record<string, unknown> | boolean {
  return mapSchemas(schema, ({ $schema: _dialect, id: _id, ...rest }) => rest) as Record<string, unknown> | boolean
}

function instance(all: boolean, budget: { left: number }): Ajv {
  const ajv = new Ajv({
    allErrors: all,
    verbose: true,
    strict: false,
    // Schemas are checked before; leaving the meta schema out makes an instance cheap.
    validateSchema: false,
    meta: false,
    logger: false,
    // `required: ["toString"]` must not be met by what every object inherits.
    ownProperties: true,
    multipleOfPrecision: 9,
    code: { regExp: linearPatterns() },
  })
  addFormats(ajv)
  boundFormats(ajv)
  linearUniqueItems(ajv)
  ajv.addKeyword({
    keyword: BUDGET_KEYWORD,
    schemaType: 'boolean',
    errors: false,
    validate: () => {
      if (--budget.left >= 0) return true
      throw new UserError('resource_exhausted', 'The input schema takes too long to check.', {
        field: 'inputSchema',
        remedy: 'Refer to shared definitions less often, above all inside allOf, anyOf and oneOf.',
      })
    },
  })
  return ajv
}

/** Patterns through RE2, with one bound for all patterns of a schema. */
function linearPatterns() {
  let size = 0
  const engine = (pattern: string) => {
    const compiled = compilePattern(pattern)
    if (typeof compiled === 'string') throw new Error(`pattern ${JSON.stringify(pattern)}: ${compiled}`)
    size += compiled.size
    if (size > MAX_PROGRAM) throw new Error('the patterns of the schema are too large together')
    // ajv tells patterns apart by their text.
    return { test: (text: string) => compiled.expression.test(text), toString: () => pattern }
  }
  return Object.assign(engine, { code: 'linearPatterns' })
}

function boundFormats(ajv: Ajv): void {
  for (const [name, format] of Object.entries(ajv.formats)) {
    if (format === undefined || unboundedFormats.includes(name)) continue
    const test = textTest(format)
    if (test !== null) ajv.addFormat(name, (text: string) => text.length <= MAX_FORMATTED && test(text))
  }
  ajv.addFormat('regex', (text: string) => typeof compilePattern(text) !== 'string')
}

function textTest(format: Format): ((text: string) => boolean) | null {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === 'function') return format
  if (typeof format !== 'object' || !('validate' in format) || format.type === 'number') return null
  const { validate } = format
  if (validate instanceof RegExp) return (text) => validate.test(text)
  return typeof validate === 'function' ? (text) => (validate as (text: string) => unknown)(text) === true : null
}

/** ajv compares every item with every other; ours is linear in the size of the list. */
function linearUniqueItems(ajv: Ajv): Ajv {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: uniqueItems, errors: true })
  return ajv
}

function uniqueItems(wanted: boolean, items: unknown[]): boolean {
  if (!wanted) return true
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const key = canonicalJson(item)
    const earlier = seen.get(key)
    if (earlier !== undefined) {
      const message = `must NOT have duplicate items (items ## ${earlier} and ${index} are identical)`
      Object.assign(uniqueItems, { errors: [{ keyword: 'uniqueItems', message, params: { i: index, j: earlier } }] })
      return false
    }
    seen.set(key, index)
  }
  return true
}
