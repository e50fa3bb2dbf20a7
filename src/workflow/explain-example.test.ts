import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../core/json.ts'
import { generateExample } from './explain.ts'
import { textForPattern } from './explain-pattern.ts'
import { schemas } from './schema-check.ts'

describe('generateExample', () => {
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    required: ['name'],
  }
  const examples: [string, unknown][] = [
    ['nothing asked', {}],
    ['const', { const: { a: 1 } }],
    ['enum', { enum: ['x', 'y'] }],
    ['enum and type', { type: 'number', enum: ['x', 7] }],
    ['types', { type: ['null', 'integer'], minimum: 4 }],
    ['number bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
    ['negative', { type: 'integer', maximum: -5 }],
    ['multiple', { type: 'number', minimum: 1, multipleOf: 7 }],
    ['decimal multiple', { type: 'number', minimum: 0.05, multipleOf: 0.1 }],
    ['lengths', { type: 'string', minLength: 30, maxLength: 31 }],
    ['short', { type: 'string', maxLength: 2 }],
    ['pattern', { type: 'string', pattern: '^\\./[a-z]+-\\d{8}/(?:final|x)\\.md$' }],
    ['pattern and length', { type: 'string', pattern: '^[A-Z][a-z0-9-]*$', minLength: 20 }],
    [
      'nested',
      {
        type: 'object',
        properties: {
          a: {
            type: 'object',
            properties: { b: { type: 'array', minItems: 3, items: { type: 'boolean' } } },
            required: ['b'],
          },
        },
        required: ['a', 'z'],
      },
    ],
    ['closed', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }],
    ['unique', { type: 'array', items: { type: 'string' }, minItems: 4, uniqueItems: true }],
    ['unique of an enum', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true }],
    [
      'unique objects',
      {
        type: 'array',
        items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
        minItems: 3,
        uniqueItems: true,
      },
    ],
    ['tuple', { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false, minItems: 2 }],
    ['contains', { type: 'array', contains: { const: 5 } }],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string', minLength: 3 } } },
          { properties: { a: { maxLength: 3 } }, required: ['a'] },
        ],
      },
    ],
    ['anyOf', { anyOf: [{ type: 'string', pattern: '(?:x)y' }, { type: 'number' }] }],
    ['oneOf with overlap', { oneOf: [{ type: 'number' }, { type: 'integer' }] }],
    [
      'oneOf of objects',
      {
        type: 'object',
        properties: { k: {} },
        oneOf: [
          { properties: { k: { const: 'a' }, x: { type: 'string' } }, required: ['k', 'x'] },
          { properties: { k: { const: 'b' } }, required: ['k'] },
        ],
      },
    ],
    ['not', { type: 'string', not: { enum: ['<value>'] } }],
    [
      'if then',
      JSON.parse(`{ "type": "object", "properties": { "a": { "type": "boolean" }, "b": { "type": "string" } },
        "required": ["a"], "if": { "properties": { "a": { "const": true } } }, "then": { "required": ["b"] } }`),
    ],
    [
      'if else',
      JSON.parse(`{ "type": "integer", "minimum": 0, "if": { "maximum": 10 }, "then": { "minimum": 20 },
        "else": { "minimum": 5 } }`),
    ],
    [
      'reference',
      {
        definitions: { s: { type: 'string', minLength: 9 } },
        type: 'object',
        properties: { a: { $ref: '#/definitions/s' } },
        required: ['a'],
      },
    ],
    ['recursion', tree],
    ['property counts', { type: 'object', minProperties: 2, maxProperties: 2, properties: { a: {}, b: {}, c: {} } }],
    [
      'pattern properties',
      {
        type: 'object',
        required: ['n_1'],
        patternProperties: { '^n_': { type: 'number' } },
        additionalProperties: false,
      },
    ],
    ['no properties wanted', { type: 'object', properties: { a: false } }],
    ['dependencies', { type: 'object', properties: { a: {}, b: {} }, required: ['a'], dependencies: { a: ['b'] } }],
  ]

  it.each(examples)('makes a valid value: %s', (_name, schema) => {
    const example = generateExample(schema)
    expect(schemas.check(schema, example), JSON.stringify(example)).toEqual([])
    expect(generateExample(structuredClone(schema))).toEqual(example)
  })

  it.each([
    'date',
    'time',
    'date-time',
    'duration',
    'uri',
    'url',
    'uri-reference',
    'uri-template',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uuid',
    'regex',
    'json-pointer',
    'json-pointer-uri-fragment',
    'relative-json-pointer',
    'byte',
    'iso-time',
    'iso-date-time',
  ])('makes several different texts of the format %s', (format) => {
    const schema = { type: 'array', items: { type: 'string', format }, minItems: 3, uniqueItems: true }
    expect(schemas.check(schema, generateExample(schema))).toEqual([])
  })

  it('comes to an end for schemas that cannot be satisfied or refer to themselves without end', () => {
    for (const schema of [
      false,
      { type: 'string', minLength: 5, maxLength: 2 },
      { $ref: '#' },
      { allOf: [{ $ref: '#' }] },
      { not: {} },
      { enum: [] },
    ]) {
      generateExample(schema)
    }
    expect(generateExample({ type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } })).toHaveLength(
      100,
    )
  })

  it('makes a valid value for any schema of the usual keywords', () => {
    // A schema that holds this key is refused, which is tested elsewhere.
    const value = fc.jsonValue().filter((one) => !JSON.stringify(one).includes('"__proto__"'))
    const scalar = fc.oneof(
      fc.record({ type: fc.constant('string'), minLength: fc.nat(20), description: fc.string() }),
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ type: fc.constant('number'), maximum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ enum: fc.uniqueArray(value, { minLength: 1, selector: (one) => canonicalJson(one) }) }),
      fc.record({ type: fc.constantFrom('boolean', 'null') }),
    )
    const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        scalar,
        fc
          .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('schema'), { maxKeys: 4 })
          .chain((properties) =>
            fc
              .subarray(Object.keys(properties))
              .map((required) => ({ type: 'object', properties, required, additionalProperties: false })),
          ),
        fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.nat(3) }),
        fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      ),
    }))
    fc.assert(
      fc.property(schema, (one) => {
        expect(schemas.check(one, generateExample(one))).toEqual([])
      }),
      { numRuns: 150 },
    )
  }, 60_000)
})

describe('textForPattern', () => {
  it.each([
    '^a$',
    '[^a-z]',
    '\\d{3}-\\w+',
    '(a|b)c?',
    '^\\s*$',
    '^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$',
    'x|y',
    '\\u0041\\x42',
    '^[\\]\\-^]+$',
    '\\p{Lu}\\p{N}',
    '^(?<name>ab){2,3}$',
    '^.{5}$',
    '\\bword\\b',
    '^(?:#?[0-9a-fA-F]{6})$',
    '',
  ])('matches %j', (pattern) => {
    expect(textForPattern(pattern, 0, Number.POSITIVE_INFINITY)).toMatch(new RegExp(pattern, 'u'))
  })

  it('gives up on what cannot be, in bounded time', () => {
    expect(textForPattern('^a$', 5, 10)).toBeNull()
    expect(textForPattern('(a', 0, 10)).toBeNull()
    const start = performance.now()
    textForPattern('^((()*)*)*((x*)*)*y$', 3000, 3000)
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
