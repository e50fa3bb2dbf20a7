import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it } from 'vitest'
import { UserError } from '../core/errors.ts'
import { createSchemaChecker, schemas } from './schema-check.ts'

const keywords = (schema: unknown, value: unknown) => schemas.check(schema, value).map(({ keyword }) => keyword)

/** Milliseconds that work took. */
function elapsed(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

describe('check', () => {
  it('reports everything that differs, with its place and value', () => {
    const schema = {
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'object', properties: { a: { type: 'number' } } } } },
      required: ['why'],
    }
    const findings = schemas.check(schema, { list: [{ a: 1 }, { a: 'x' }] })
    expect(findings.map(({ keyword, path, value }) => [keyword, path, value])).toEqual([
      ['required', '', { list: [{ a: 1 }, { a: 'x' }] }],
      ['type', 'list[1].a', 'x'],
    ])
  })

  it('checks formats', () => {
    expect(keywords({ format: 'email' }, 'name@example.com')).toEqual([])
    expect(keywords({ format: 'email' }, 'nobody')).toEqual(['format'])
    expect(keywords({ format: 'date' }, '2026-02-30')).toEqual(['format'])
    expect(keywords({ format: 'regex' }, '(a')).toEqual(['format'])
    expect(keywords({ format: 'int32' }, 2 ** 40)).toEqual(['format'])
    expect(keywords({ format: 'byte' }, 'YWJj'.repeat(5000))).toEqual([])
    expect(keywords({ format: 'house-style' }, 'anything')).toEqual([])
  })

  it('two patterns of one schema are two patterns', () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } }
    expect(keywords(schema, { a: 'a', b: 'b' })).toEqual([])
    expect(keywords(schema, { a: 'b', b: 'a' })).toEqual(['pattern', 'pattern'])
  })

  it('what every object inherits meets no requirement', () => {
    expect(keywords({ required: ['toString'] }, {})).toEqual(['required'])
    expect(keywords({ properties: { constructor: { type: 'string' } } }, {})).toEqual([])
  })

  it('weak point 25: schemas with equal $id do not meet', () => {
    const first = { $id: 'https://example.com/same', type: 'string' }
    const second = { $id: 'https://example.com/same', type: 'number' }
    expect([keywords(first, 'x'), keywords(second, 'x'), keywords(first, 'x')]).toEqual([[], ['type'], []])
  })

  it('reads every dialect as draft-07, and local references', () => {
    expect(keywords({ $schema: 'https://json-schema.org/draft/2020-12/schema', id: 'x', type: 'string' }, 1)).toEqual([
      'type',
    ])
    const tree = {
      $ref: '#/definitions/node',
      definitions: {
        node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/definitions/node' } } } },
      },
    }
    expect(keywords(tree, { children: [{ children: [] }] })).toEqual([])
    expect(keywords(tree, { children: [{ children: 1 }] })).toEqual(['type'])
  })

  it('decimal multiples are multiples', () => {
    expect(keywords({ multipleOf: 0.01 }, 1.1)).toEqual([])
    expect(keywords({ multipleOf: 0.5 }, 1.2)).toEqual(['multipleOf'])
  })

  it('equal items are found whatever the order of their keys', () => {
    expect(keywords({ uniqueItems: true }, [{ a: 1, b: 2 }, 1, { b: 2, a: 1 }])).toEqual(['uniqueItems'])
    expect(keywords({ uniqueItems: true }, [1, '1', [1], null])).toEqual([])
    expect(keywords({ uniqueItems: false }, [1, 1])).toEqual([])
  })

  it('values that JSON cannot keep are refused', () => {
    const open = { type: 'object' }
    expect(keywords(open, { a: JSON.parse('1e999') as unknown })).toEqual(['storable'])
    expect(keywords(open, JSON.parse('{"a":[{"__proto__":{"x":1}}]}'))).toEqual(['storable'])
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(keywords(open, { deep })).toEqual(['storable'])
  })
})

describe('problem', () => {
  it.each([
    [{ type: 'strin' }, 'type'],
    [{ pattern: '(a' }, 'pattern "(a"'],
    [{ pattern: '(?=a)b' }, 'pattern'],
    [{ pattern: '(a)\\1' }, 'pattern'],
    [{ minLength: -1 }, 'minLength'],
    [{ $ref: '#/definitions/none' }, '#/definitions/none'],
    [{ $ref: 'https://example.com/other' }, 'https://example.com/other'],
    [{ required: 'a' }, 'required'],
    [{ properties: { a: { items: 5 } } }, 'properties.a.items'],
    ['text', 'object'],
    [null, 'object'],
  ])('%j cannot be used', (schema, why) => {
    expect(schemas.problem(schema)).toContain(why)
    expect(() => schemas.check(schema, {})).toThrow(UserError)
  })

  it('usable schemas have none', () => {
    for (const schema of [{}, true, false, { type: ['string', 'null'], default: 'x', 'x-own': 1, examples: ['a'] }]) {
      expect(schemas.problem(schema)).toBeNull()
    }
  })
})

describe('hostile schemas and values', () => {
  it('weak point 24: a catastrophic pattern runs in linear time', () => {
    const value = `${'a'.repeat(100_000)}!`
    for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(([a-z])+.)+[A-Z]([a-z])+$']) {
      expect(elapsed(() => keywords({ pattern }, value))).toBeLessThan(5000)
    }
  })

  it('weak point 24: size is bounded: length, parts, depth, patterns', () => {
    expect(schemas.problem({ description: 'x'.repeat(600_000) })).toContain('longer')
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`p${index}`, {}]))
    expect(schemas.problem({ properties: many })).toContain('parts')
    let deep: unknown = {}
    for (let depth = 0; depth < 100_000; depth++) deep = { not: deep }
    expect(schemas.problem(deep)).toContain('nests deeper')
    expect(schemas.problem({ pattern: '(a{900}){900}' })).toContain('pattern')
    const patterns = Array.from({ length: 50 }, (_, index) => ({ pattern: `${index}x{900}` }))
    expect(schemas.problem({ allOf: patterns })).toContain('too large together')
  })

  it('references cannot make a check endless', () => {
    const definitions = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        { allOf: [{ $ref: `#/definitions/d${index + 1}` }, { $ref: `#/definitions/d${index + 1}` }] },
      ]),
    )
    const doubling = { definitions: { ...definitions, d40: { type: 'string' } }, $ref: '#/definitions/d0' }
    expect(() => schemas.check(doubling, 'x')).toThrow('too long to check')
    expect(() => schemas.check({ $ref: '#' }, 'x')).toThrow(UserError)
    expect(() => schemas.check({ allOf: [{ $ref: '#' }] }, 'x')).toThrow(UserError)
  })

  it('a check that was too long leaves the schema usable', () => {
    const schema = { definitions: { a: { type: 'string' } }, $ref: '#/definitions/a' }
    for (let round = 0; round < 3; round++) expect(keywords(schema, 'x')).toEqual([])
  })

  it('a million wrong items give one finding, not a million', () => {
    const value = Array<number>(1_000_000).fill(1)
    expect(schemas.check({ type: 'array', items: { type: 'string' } }, value)).toHaveLength(1)
    expect(schemas.check({ type: 'array', items: { type: 'string' } }, [1, 2, 3])).toHaveLength(3)
    expect(schemas.check({ type: 'array', items: { type: 'string' } }, value.slice(0, 5000))).toHaveLength(50)
  })

  it('many different items are compared in linear time', () => {
    const value = Array.from({ length: 100_000 }, (_, index) => ({ id: index }))
    expect(elapsed(() => schemas.check({ uniqueItems: true }, value))).toBeLessThan(5000)
  })

  it('a long enum is read in linear time', () => {
    const values = Array.from({ length: 20_000 }, (_, index) => ({ id: index }))
    expect(elapsed(() => schemas.problem({ enum: values }))).toBeLessThan(5000)
  })

  it('every format decides quickly about hostile texts', () => {
    const texts = ['a', 'a.', '1', '%', '/', ':', '-', 'a-', '{a}', '@', 'a@', 'ftp://a:', 'https://a-'].map((piece) =>
      piece.repeat(50_000),
    )
    // Unbounded, the format url takes more than ten seconds for either of these.
    texts.push(`https://${':'.repeat(100_000)}`, `https://${'a:'.repeat(50_000)}`)
    for (const format of [
      'email',
      'uri',
      'uri-reference',
      'uri-template',
      'url',
      'hostname',
      'ipv6',
      'json-pointer',
      'date-time',
      'duration',
      'byte',
      'regex',
      'uuid',
    ]) {
      for (const text of texts) {
        for (const value of [text, `${text.slice(0, 1990)}!`]) {
          expect(
            elapsed(() => keywords({ format }, value)),
            `${format} ${text.slice(0, 12)}`,
          ).toBeLessThan(2000)
        }
      }
    }
  }, 120_000)

  it('code in names and patterns stays text', () => {
    const names = [
      '"]; globalThis.hacked = 1; ["',
      "'+globalThis.hacked++//",
      '$'.concat('{globalThis.hacked=1}'),
      '`\n\u2028',
      '*/hacked=1',
    ]
    for (const name of names) {
      const schema = {
        properties: { [name]: { type: 'string', pattern: name.replace(/[[\](){}*+$]/g, '.'), enum: [name] } },
        required: [name],
      }
      schemas.problem(schema)
      if (schemas.problem(schema) === null) schemas.check(schema, { [name]: name })
    }
    expect('hacked' in globalThis).toBe(false)
  })
})

describe('the cache', () => {
  const checker = createSchemaChecker(3)
  afterAll(() => expect(checker.size()).toBeLessThanOrEqual(3))

  it('keeps the schemas used last, whatever the order of their keys', () => {
    for (let index = 0; index < 10; index++) checker.check({ type: 'string', minLength: index }, 'abc')
    expect(checker.size()).toBe(3)
    checker.check({ minLength: 9, type: 'string' }, 'abc')
    expect(checker.size()).toBe(3)
  })

  it('large schemas push out others by their size', () => {
    const roomy = createSchemaChecker(1000)
    for (let index = 0; index < 40; index++) roomy.problem({ description: `${index}`.padEnd(400_000, 'x') })
    expect(roomy.size()).toBeLessThanOrEqual(20)
  })

  it('weak point 25: memory does not grow over 20,000 checks of one schema and 2,000 different schemas', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const heap = () => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const small = createSchemaChecker(50)
    const work = (rounds: number, salt: number) => {
      for (let index = 0; index < rounds; index++)
        small.check({ type: 'object', properties: { [`p${salt}_${index}`]: { type: 'string', pattern: '^a+$' } } }, {})
    }
    work(500, 0)
    const before = heap()
    for (let index = 0; index < 20_000; index++)
      small.check({ type: 'object', properties: { a: { type: 'string' } } }, { a: `${index}` })
    work(2000, 1)
    expect(small.size()).toBe(50)
    // Each compiled schema left behind would hold 10 KB or more: 2,000 of them 20 MB.
    expect(heap() - before).toBeLessThan(8_000_000)
  }, 120_000)
})
