/** What zod found, in the words an author needs. */

import type * as z from 'zod'

export interface ShapeProblem {
  kind: 'missing' | 'empty' | 'unknown' | 'type' | 'size' | 'format' | 'choice'
  path: PropertyKey[]
  /** The same path as an author would write it. */
  field: string
  /** Says what is wrong, without the place. */
  words: string
  remedy: string
}

type ZodIssue = z.core.$ZodIssue

/** The problems of a value against a schema; empty when it fits. Unknown fields are one problem each. */
export function shapeProblems(schema: z.ZodType, value: unknown): ShapeProblem[] {
  const result = schema.safeParse(value)
  if (result.success) return []
  return result.error.issues.flatMap((issue) => problemsOf(issue, value))
}

function problemsOf(issue: ZodIssue, value: unknown): ShapeProblem[] {
  const path = [...issue.path]
  const field = fieldPath(path)
  const problem = (kind: ShapeProblem['kind'], words: string, remedy: string): ShapeProblem[] => [
    { kind, path, field, words, remedy },
  ]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        kind: 'unknown',
        path: [...path, key],
        field: fieldPath([...path, key]),
        words: `unknown field "${key}"`,
        remedy: `remove ${fieldPath([...path, key])}; free data goes under metadata or an x-… key of a node`,
      }))
    case 'invalid_type':
      if (valueAt(value, path) === undefined) {
        return problem('missing', `${field} is missing`, `add ${field} (${expected(issue.expected)})`)
      }
      return problem(
        'type',
        `${field} is ${typeName(valueAt(value, path))}, not ${expected(issue.expected)}`,
        `make ${field} ${expected(issue.expected)}`,
      )
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') {
        const unit = issue.origin === 'string' ? 'characters' : 'items'
        return problem('empty', `${field} cannot be empty`, `give ${field} at least ${issue.minimum} ${unit}`)
      }
      return problem('size', `${field} must be at least ${issue.minimum}`, `use ${issue.minimum} or more`)
    case 'too_big': {
      const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : ''
      return problem('size', `${field} must be at most ${issue.maximum}${unit}`, `use at most ${issue.maximum}${unit}`)
    }
    case 'invalid_value': {
      if (valueAt(value, path) === undefined) {
        return problem('missing', `${field} is missing`, `set ${field} to one of ${list(issue.values)}`)
      }
      return problem('choice', `${field} must be one of ${list(issue.values)}`, `use one of ${list(issue.values)}`)
    }
    case 'invalid_format':
      return problem('format', `${field} is not well formed (${issue.format})`, formatRemedy(issue))
    case 'invalid_key':
      return problem('empty', `${field} has a name that is not allowed`, 'give every entry a name')
    case 'invalid_union':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return problem('type', `${field} is not of the expected form`, 'see docs/workflow.schema.json for the form')
    default:
      issue satisfies never
      return []
  }
}

function formatRemedy(issue: ZodIssue & { code: 'invalid_format' }): string {
  if (issue.format === 'regex' && 'pattern' in issue) return `it must match ${issue.pattern}`
  return `give a valid ${issue.format}`
}

function expected(type: string): string {
  switch (type) {
    case 'record':
    case 'object':
      return 'an object'
    case 'array':
      return 'a list'
    case 'int':
      return 'a whole number'
    case 'string':
      return 'a text'
    default:
      return `a ${type}`
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function list(values: readonly unknown[]): string {
  return values.map((value) => String(value)).join(', ')
}

/** `['expressions', 0]` as `expressions[0]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else text += text === '' ? String(part) : `.${String(part)}`
  }
  return text
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined
    at = (at as Record<PropertyKey, unknown>)[part]
  }
  return at
}
