import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { generateExample } from './explain.ts'
import { checkInput, effectiveSchema } from './input.ts'
import { schemas } from './schema-check.ts'

function refusal(inputSchema: Record<string, unknown>, input: unknown) {
  const checked = checkInput({ inputSchema }, {}, input)
  if (checked.ok) throw new Error('the input was taken')
  return checked
}

/** The errors about one field `f`. */
const errorsOf = (schema: Record<string, unknown>, value: unknown) =>
  refusal({ properties: { f: schema } }, { f: value }).errors

describe('C20: the text of an error names the field, what was received, and the remedy', () => {
  it.each([
    ['type', { type: 'array' }, 'x', '"f": expected array; received string "x". Send a list: [ … ].'],
    [
      'type',
      { type: ['string', 'null'] },
      5,
      '"f": expected string or null; received number 5. Send a text in quotes, or null.',
    ],
    ['enum', { enum: ['a', 'b'] }, 'c', '"f": not an allowed value; received string "c". Use one of: "a", "b".'],
    ['const', { const: 1 }, 2, '"f": not the expected value; received number 2. Send exactly 1.'],
    [
      'minLength',
      { minLength: 3 },
      'ab',
      '"f": shorter than 3 characters (it has 2); received string "ab". Write more.',
    ],
    [
      'maxLength',
      { maxLength: 1 },
      'ab',
      '"f": longer than 1 characters (it has 2); received string "ab". Shorten it.',
    ],
    ['minimum', { minimum: 3 }, 2, '"f": out of range; received number 2. Send a number that is at least 3.'],
    ['maximum', { maximum: 3 }, 4, '"f": out of range; received number 4. Send a number that is at most 3.'],
    [
      'exclusiveMinimum',
      { exclusiveMinimum: 3 },
      3,
      '"f": out of range; received number 3. Send a number that is more than 3.',
    ],
    ['multipleOf', { multipleOf: 5 }, 3, '"f": not a multiple; received number 3. Send a multiple of 5.'],
    [
      'pattern',
      { pattern: '^a+$' },
      'b',
      '"f": does not match the pattern; received string "b". Send a text matching /^a+$/.',
    ],
    ['format', { format: 'email' }, 'b', '"f": not in the format email; received string "b". Write it as email.'],
    ['minItems', { minItems: 1 }, [], '"f": fewer than 1 items; received array []. Add the missing items.'],
    ['maxItems', { maxItems: 1 }, [1, 2], '"f": more than 1 items; received array [1,2]. Leave some out.'],
    [
      'uniqueItems',
      { uniqueItems: true },
      [1, 1],
      '"f": items 0 and 1 are equal; received array [1,1]. Keep each value once.',
    ],
    ['not', { not: { type: 'string' } }, 'x', '"f": this value is ruled out; received string "x". Send another one.'],
    [
      'oneOf',
      { oneOf: [{ type: 'string', minLength: 2 }, { type: 'number' }] },
      'x',
      '"f": fits none of the allowed forms; received string "x". Send exactly one of these: (1) string (at least 2 characters); (2) number.',
    ],
    [
      'oneOf',
      { oneOf: [{ type: 'string' }, { minLength: 1 }] },
      'x',
      '"f": fits 2 of the allowed forms at once (1 and 2); received string "x". Send exactly one of these: (1) string; (2) any value (at least 1 character).',
    ],
    [
      'anyOf',
      { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
      'x',
      '"f": fits none of the allowed forms; received string "x". Send one of these: (1) boolean; (2) null.',
    ],
  ])('%s', (_keyword, schema, value, expected) => {
    expect(errorsOf(schema, value)).toEqual([expected])
  })

  it('required', () => {
    const schema = {
      properties: { why: { type: 'string', minLength: 3, description: 'the reason' } },
      required: ['why'],
    }
    expect(refusal(schema, {}).errors).toEqual([
      '"why": required and missing; received nothing. Add it: string (at least 3 characters) - the reason.',
    ])
  })

  it('additionalProperties, with the name that was probably meant', () => {
    const schema = { properties: { findings: {}, done: {} } }
    expect(refusal(schema, { finding: 1 }).errors).toEqual([
      '"finding": unexpected key; received number 1. Did you mean "findings"?',
    ])
    expect(refusal(schema, { other: 1 }).errors).toEqual([
      '"other": unexpected key; received number 1. Remove it; only "findings", "done" are allowed.',
    ])
  })

  it('any other keyword, in the words of the validator', () => {
    const schema = {
      properties: { f: {} },
      additionalProperties: true,
      propertyNames: { maxLength: 3 },
      minProperties: 1,
    }
    expect(refusal(schema, {}).errors[0]).toContain('fewer than 1 keys')
    expect(refusal(schema, { long_name: 1 }).errors.join()).toContain('the key "long_name" is not allowed')
  })

  it('the place inside lists and objects', () => {
    const schema = { properties: { l: { type: 'array', items: { properties: { n: { type: 'number' } } } } } }
    expect(refusal(schema, { l: [{ n: 1 }, { n: 'x' }] }).errors[0]).toContain('"l[1].n": expected number')
  })
})

describe('the whole text', () => {
  const schema = {
    properties: {
      verdict: { type: 'string', enum: ['yes', 'no'], description: 'the verdict' },
      why: { type: 'string' },
      count: { type: 'integer', minimum: 2 },
    },
    required: ['verdict', 'count'],
  }

  it('3.5: has its parts in order', () => {
    const { text } = refusal(schema, { verdict: 'maybe', why: 'because' })
    const parts = [
      '❌ VALIDATION ERROR',
      'EXPECTED INPUT FORMAT:',
      'YOUR INPUT:',
      'ERRORS:',
      '• "',
      'CORRECTED EXAMPLE:',
      'ACTION REQUIRED:',
    ]
    const places = parts.map((part) => text.indexOf(part))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBe(0)
    expect(text).toContain('"verdict": "string (required, one of: \\"yes\\", \\"no\\") - the verdict"')
    expect(text).toContain('"why": "string (optional)"')
    expect(text).toContain('same attempt id')
  })

  it('3.5: repeats at most 500 characters of the input', () => {
    const { text } = refusal(schema, { verdict: 'x'.repeat(5000) })
    const echo = text.slice(text.indexOf('YOUR INPUT:\n') + 12, text.indexOf('\n\nERRORS:'))
    expect(echo).toHaveLength(500)
  })

  it('T72: the corrected example keeps what was right, mends the rest, and is valid', () => {
    const { example } = refusal(schema, { verdict: 'maybe', why: 'because', extra: 1 })
    expect(example).toEqual({ verdict: 'yes', why: 'because', count: 2 })
    expect(checkInput({ inputSchema: schema }, {}, example).ok).toBe(true)
  })

  it('mends inside lists and objects, and drops equal and surplus items', () => {
    const list = {
      type: 'array',
      items: { properties: { n: { type: 'number' }, t: {} }, required: ['n'] },
      minItems: 2,
    }
    const { example } = refusal(
      { properties: { l: list, u: { type: 'array', uniqueItems: true, maxItems: 2 } } },
      { l: [{ n: 'x', t: 'kept' }], u: [1, 1, 2, 3] },
    )
    expect(example).toEqual({
      l: [
        { n: 0, t: 'kept' },
        { n: 0, t: '<t>' },
      ],
      u: [1, 2],
    })
  })

  it('mends a choice between forms', () => {
    const choice = {
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    }
    const { example } = refusal(choice, {})
    expect(checkInput({ inputSchema: choice }, {}, example).ok).toBe(true)
  })

  it('does not send long texts back', () => {
    const { text, example } = refusal(schema, { why: 'y'.repeat(20_000) })
    expect(text.length).toBeLessThan(3000)
    expect(example).toMatchObject({ why: 'y'.repeat(20_000) })
  })
})

const shared = resolve('../shared/conformance/workflows')

describe.skipIf(!existsSync(shared))('real workflows (skipped without ../shared/conformance)', () => {
  it('every input schema is usable, has a valid example, and mends an empty answer', () => {
    let count = 0
    for (const file of readdirSync(shared).filter((name) => name.endsWith('.json'))) {
      const definition = JSON.parse(readFileSync(join(shared, file), 'utf8'))
      for (const node of definition.nodes) {
        if (node.inputSchema === undefined) continue
        count++
        const schema = effectiveSchema(node, definition)
        expect(schemas.problem(schema)).toBeNull()
        expect(checkInput(node, definition, generateExample(schema)).ok).toBe(true)
        const empty = checkInput(node, definition, {})
        if (!empty.ok) expect(checkInput(node, definition, empty.example).ok).toBe(true)
      }
    }
    expect(count).toBeGreaterThan(500)
  }, 60_000)
})
