import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../core/errors.ts'
import { conditionReferences, evaluateCondition } from './condition.ts'
import type { Condition } from './definition.ts'
import { scopeWith } from './template.testing.ts'

const at = (contextPath: string) => ({ contextPath })
const holds = (condition: unknown, variables: Record<string, unknown> = {}) =>
  evaluateCondition(condition as Condition, scopeWith(variables)).result

describe('evaluateCondition', () => {
  it.each([
    ['eq', 5, 5, true],
    ['eq', 5, '5', false],
    ['eq', null, null, true],
    ['neq', 'a', 'b', true],
    ['neq', true, true, false],
    ['gt', '10', 9, true],
    ['gt', 'x', 9, false],
    ['gte', 3, 3, true],
    ['lt', 2, '3', true],
    ['lte', 4, 3, false],
    ['contains', 'hello', 'ell', true],
    ['contains', 'hello', 1, false],
  ])('%s of %j and %j is %j', (operator, left, right, result) => {
    expect(holds({ operator, left, right })).toBe(result)
  })

  it('contains looks for an element of an array, without conversion', () => {
    expect(holds({ operator: 'contains', left: at('l'), right: 2 }, { l: [1, 2] })).toBe(true)
    expect(holds({ operator: 'contains', left: at('l'), right: '2' }, { l: [1, 2] })).toBe(false)
    expect(holds({ operator: 'contains', left: at('o'), right: 'a' }, { o: { a: 1 } })).toBe(false)
  })

  it('exists is false for what is missing and for null, true for anything else', () => {
    for (const [value, result] of [
      [undefined, false],
      [null, false],
      [0, true],
      ['', true],
      [false, true],
    ]) {
      expect(holds({ operator: 'exists', value: at('v') }, { v: value })).toBe(result)
    }
  })

  it('weak point 15: reads arrays by number and by variable, and names every run has', () => {
    const variables = { items: [{ x: 1 }, { x: 2 }], i: 1 }
    expect(holds({ operator: 'eq', left: at('items[0].x'), right: 1 }, variables)).toBe(true)
    expect(holds({ operator: 'eq', left: at('items[i].x'), right: 2 }, variables)).toBe(true)
    expect(holds({ operator: 'gt', left: at('items.length'), right: 1 }, variables)).toBe(true)
    expect(holds({ operator: 'eq', left: at('executionId'), right: 'run-1' })).toBe(true)
  })

  it('C24: and, or and not combine, stop early, and tell only what they read', () => {
    const a = { operator: 'eq', left: at('a'), right: 1 }
    const b = { operator: 'gt', left: at('b'), right: 1 }
    const evaluate = (condition: unknown) => evaluateCondition(condition as Condition, scopeWith({ a: 1, b: 5 }))
    expect(evaluate({ operator: 'and', conditions: [a, b] })).toEqual({ result: true, evaluated: { a: 1, b: 5 } })
    expect(evaluate({ operator: 'or', conditions: [a, b] })).toEqual({ result: true, evaluated: { a: 1 } })
    const not = { operator: 'not', condition: a }
    expect(evaluate({ operator: 'and', conditions: [not, b] })).toEqual({ result: false, evaluated: { a: 1 } })
    expect(evaluate({ operator: 'not', condition: { operator: 'or', conditions: [not, not] } }).result).toBe(true)
  })

  it('C25: an unknown operator is an error that lists the valid ones', () => {
    const wrong = () => holds({ operator: 'equals', left: 1, right: 1 })
    expect(wrong).toThrow(UserError)
    expect(wrong).toThrow('Unknown operator "equals"')
    try {
      wrong()
    } catch (error) {
      expect((error as UserError).code).toBe('WORKFLOW_INVALID')
      expect((error as UserError).details.remedy).toContain('contains')
    }
  })

  it('a path that is none and endless nesting are errors', () => {
    expect(() => holds({ operator: 'exists', value: at('a b') })).toThrow('not a path')
    let deep: unknown = { operator: 'eq', left: 1, right: 1 }
    for (let depth = 0; depth < 10_000; depth++) deep = { operator: 'not', condition: deep }
    expect(() => holds(deep)).toThrow('nests deeper')
  })

  it('objects an agent wrote are never asked for their number', () => {
    for (const v of [{ valueOf: 1, toString: 1 }, [5], [[[]]], {}]) {
      expect(holds({ operator: 'gte', left: at('v'), right: 0 }, { v })).toBe(false)
    }
  })

  it('compares any data without throwing', () => {
    const operators = fc.constantFrom('eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains')
    fc.assert(
      fc.property(operators, fc.jsonValue(), fc.jsonValue(), (operator, v, w) => {
        expect(typeof holds({ operator, left: at('v'), right: at('w') }, { v, w })).toBe('boolean')
      }),
    )
  })
})

describe('conditionReferences', () => {
  it('C25: finds every path in nested conditions, with its place', () => {
    const condition: Condition = {
      operator: 'and',
      conditions: [
        { operator: 'eq', left: at('a.b[i]'), right: 1 },
        { operator: 'not', condition: { operator: 'exists', value: at('c') } },
      ],
    }
    expect(conditionReferences(condition)).toEqual([
      { path: 'a.b[i]', roots: ['a', 'i'], field: 'condition.conditions[0].left.contextPath' },
      { path: 'c', roots: ['c'], field: 'condition.conditions[1].condition.value.contextPath' },
    ])
  })

  it('a path that is none has no roots', () => {
    expect(conditionReferences({ operator: 'exists', value: at('a b') })[0]?.roots).toEqual([])
  })
})

describe('an operand with a default', () => {
  it('stands for what is missing or null, and for nothing else', () => {
    const left = { contextPath: 'count', default: 0 }
    expect(holds({ operator: 'eq', left, right: 0 })).toBe(true)
    expect(holds({ operator: 'eq', left, right: 0 }, { count: null })).toBe(true)
    expect(holds({ operator: 'eq', left, right: 0 }, { count: 2 })).toBe(false)
  })
})
