import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExpressionError, evaluateExpression, parseExpression } from './expression.ts'
import { expressionReferences } from './expression-references.ts'
import { tokenizeExpression } from './expression-tokens.ts'

const value = (text: string, variables: Record<string, unknown> = {}) => evaluateExpression(text, variables).value

function failureOf(text: string, variables: Record<string, unknown> = {}): ExpressionError {
  try {
    evaluateExpression(text, variables)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`${text} did not fail`)
}

describe('tokens', () => {
  it('C27: whole numbers, decimals, names, texts, signs, parentheses and blanks', () => {
    const { tokens, problem } = tokenizeExpression('x_1 = (12 + 3.5)*a.b / "it\'s" - \t4.')
    expect(problem).toBeNull()
    expect(tokens.map(({ kind, text }) => `${kind}:${text}`)).toEqual([
      ...['name:x_1', '=:=', '(:(', 'number:12', '+:+', 'number:3.5', '):)', '*:*', 'name:a.b', '/:/', "text:it's"],
      ...['-:-', 'number:4.'],
    ])
    expect(tokens[3]?.position).toBe(7)
  })

  it.each([
    ['a % b', 2],
    ['a && b', 2],
    ['a > 1', 2],
    ['1.2.3', 3],
    ['.5', 0],
    ['ä + 1', 0],
    ['[1]', 0],
    ['"open', 0],
  ])('C27: %j cannot be read, at position %i', (text, position) => {
    expect(failureOf(text)).toMatchObject({ code: 'WORKFLOW_INVALID', position })
  })
})

describe('evaluateExpression', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['24 / 4 / 2', 3],
    ['2 * (3 + (4 - 1)) / 3', 4],
    ['true', true],
    ["'a b'", 'a b'],
    ['"it\'s"', "it's"],
    ['a-b', 3],
  ])('C28: %s is %j', (text, result) => {
    expect(value(text, { a: 5, b: 2 })).toBe(result)
  })

  it.each([
    ['1 2', 2],
    ['a b', 2],
    ['(1', 0],
    ['1)', 1],
    ['', 0],
    ['1 +', 3],
    ['* 2', 0],
    ['a = ', 4],
    ['1 = 2', 2],
    ['a..b', 0],
    ['true = 1', 0],
  ])('C28: %j is refused at position %i', (text, position) => {
    expect(failureOf(text, { a: 1, b: 1 }).position).toBe(position)
  })

  it('assigns to a name, also through each other, and leaves the variables as they are', () => {
    const variables = { i: 1 }
    expect(evaluateExpression('i = i + 1', variables)).toEqual({ target: 'i', value: 2, assignments: { i: 2 } })
    expect(evaluateExpression('a = b = 3', variables).assignments).toEqual({ a: 3, b: 3 })
    expect(evaluateExpression('a = (i = 5) + i', variables).assignments).toEqual({ i: 5, a: 10 })
    expect(evaluateExpression('i + 1', variables)).toEqual({ value: 2, assignments: {} })
    expect(variables).toEqual({ i: 1 })
  })

  it('C10: reads nested paths and lengths', () => {
    expect(value('plan.total * 2 + items.length', { plan: { total: 4 }, items: [1, 2] })).toBe(10)
  })

  it('C29: a variable without a value, what is no number, and division by zero are errors with a remedy', () => {
    for (const [text, message] of [
      ['x + 1', 'has no value'],
      ['n + 1', 'has no value'],
      ['s + 1', 'needs two numbers'],
      ['"a" + "b"', 'needs two numbers'],
      ['true * 2', 'needs two numbers'],
      ['l + 1', 'is an array'],
      ['o', 'is an object'],
      ['1 / 0', 'Division by zero'],
      ['1 / (2 - 2)', 'Division by zero'],
    ] as const) {
      const error = failureOf(text, { n: null, s: '5', l: [1], o: {} })
      expect(error.message).toContain(message)
      expect(error.code).toBe('NODE_FAILED')
      expect(error.details.remedy).toBeTruthy()
    }
  })

  it('a minus sign is refused with the way to write it', () => {
    expect(failureOf('-1').details.remedy).toContain('0 - x')
  })

  it('a dotted target is refused with the way to do it', () => {
    const error = failureOf('plan.total = 1')
    expect(error.message).toContain('"plan.total" cannot be assigned to')
    expect(error.details.remedy).toContain('plain variable')
  })

  it('names of JavaScript’s own machinery are never read or written', () => {
    for (const text of [
      'constructor',
      '__proto__',
      'toString',
      'a.constructor',
      'a.toString',
      '__proto__ = 1',
      'constructor = 2',
      'x = a.__proto__.y',
    ]) {
      expect(() => evaluateExpression(text, { a: {} }), text).toThrow(ExpressionError)
    }
    expect(({} as Record<string, unknown>)['y']).toBeUndefined()
  })
})

describe('hostile expressions', () => {
  it('nesting beyond the limit is an error, not an overflow', () => {
    expect(value(`${'('.repeat(150)}1${')'.repeat(150)}`)).toBe(1)
    for (const text of ['('.repeat(100_000), `${'('.repeat(5000)}1${')'.repeat(5000)}`, 'a='.repeat(100_000)]) {
      expect(failureOf(text).message).toContain('Nested deeper')
    }
  })

  it('a megabyte is worked out in linear time', () => {
    const start = performance.now()
    expect(value(`0${'+1'.repeat(500_000)}`)).toBe(500_000)
    expect(value('9'.repeat(300))).toBe(Number('9'.repeat(300)))
    expect(value(`"${'x'.repeat(1_000_000)}"`)).toHaveLength(1_000_000)
    for (const text of ['"a" '.repeat(250_000), 'a.'.repeat(500_000), '1.'.repeat(500_000), ' '.repeat(1_000_000)]) {
      expect(() => parseExpression(text)).toThrow(ExpressionError)
    }
    expect(performance.now() - start).toBeLessThan(10_000)
  }, 60_000)

  it('numbers that cannot be stored are errors', () => {
    expect(failureOf('9'.repeat(1_000_000)).message).toContain('too large')
    expect(failureOf('a * a', { a: 1e200 }).message).toContain('too large')
  })

  it('whatever the text and the variables, only its own errors come out and no prototype changes', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'a',
        'b.c',
        '__proto__',
        'constructor',
        '=',
        '+',
        '-',
        '*',
        '/',
        '(',
        ')',
        '1',
        '2.5',
        '"s"',
        'true',
        ' ',
        '.',
        '%',
      ),
      fc.string({ maxLength: 3 }),
    )
    const before = Object.getOwnPropertyNames(Object.prototype).length
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.jsonValue(), fc.jsonValue(), (pieces, a, b) => {
        try {
          const result = evaluateExpression(pieces.join(''), { a, b })
          expect(['number', 'string', 'boolean']).toContain(typeof result.value)
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError)
        }
      }),
      { numRuns: 2000 },
    )
    expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(before)
  })

  it('agrees with JavaScript on arithmetic', () => {
    const operator = fc.constantFrom('+', '-', '*')
    const number = fc.integer({ min: 0, max: 1000 })
    fc.assert(
      fc.property(number, fc.array(fc.tuple(operator, number), { maxLength: 8 }), (first, rest) => {
        let expected: [string, number][] = [['+', first]]
        for (const [sign, operand] of rest) {
          const last = expected.at(-1)
          if (sign === '*' && last) expected = [...expected.slice(0, -1), [last[0], last[1] * operand]]
          else expected = [...expected, [sign, operand]]
        }
        const sum = expected.reduce((total, [sign, term]) => (sign === '-' ? total - term : total + term), 0)
        expect(value([first, ...rest.flat()].join(' '))).toBe(sum)
      }),
    )
  })
})

describe('expressionReferences', () => {
  it('tells what is read and what is written', () => {
    expect(expressionReferences('pct = i * 100 / plan.total')).toEqual({ reads: ['i', 'plan'], writes: ['pct'] })
    expect(expressionReferences('a = (b = 1) + b')).toEqual({ reads: [], writes: ['b', 'a'] })
  })
})
