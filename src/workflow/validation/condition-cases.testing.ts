import { fork, type Json } from '../definition.testing.ts'
import { around, type IssueCase } from './form-cases.testing.ts'

const eq = (more: Json = {}): Json => ({ operator: 'eq', left: 1, right: 1, ...more })
const gate = (condition: unknown): Json => around({ ...fork('x', {}, 'fin', 'fin'), condition })

/** V28, one per way a condition can be wrong (C25). */
export function conditionCases(): IssueCase[] {
  const wrong = (what: string, field: string, broken: unknown, whole: unknown = eq()): IssueCase => ({
    code: 'V28',
    what,
    broken: gate(broken),
    whole: gate(whole),
    nodeId: 'x',
    field,
  })
  const and = (...conditions: unknown[]) => ({ operator: 'and', conditions })
  return [
    wrong('no condition', 'condition', undefined),
    wrong('no operator', 'condition', { left: 1, right: 1 }),
    wrong('the operator "equals"', 'condition.operator', eq({ operator: 'equals' })),
    wrong('no left side', 'condition.left', { operator: 'eq', right: 1 }),
    wrong('no right side', 'condition.right', { operator: 'lt', left: 1 }),
    wrong('exists without value', 'condition.value', { operator: 'exists' }, { operator: 'exists', value: null }),
    wrong(
      'an empty or',
      'condition.conditions',
      { operator: 'or', conditions: [] },
      { operator: 'or', conditions: [eq()] },
    ),
    wrong('not without condition', 'condition.condition', { operator: 'not' }, { operator: 'not', condition: eq() }),
    wrong(
      'a fault deep inside',
      'condition.conditions[1].condition.right',
      and(eq(), { operator: 'not', condition: { operator: 'gt', left: 1 } }),
      and(eq()),
    ),
    wrong('a list as a side', 'condition.left', eq({ left: [1] }), eq({ left: { contextPath: 'fin', default: 0 } })),
    wrong('a key of another operator', 'condition.value', eq({ value: 1 })),
    wrong(
      'a path that is none',
      'condition.left.contextPath',
      eq({ left: { contextPath: 'a..b' } }),
      eq({ left: { contextPath: 'fin.b' } }),
    ),
  ]
}
