/** Holds the arguments of a call against a schema and says what is wrong with them: expected, came, an example. */

import { z } from 'zod'
import { UserError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import { callText } from './refusal.ts'

export interface ArgumentSchema {
  /** The tool, as it is called. */
  tool: string
  /** How the call is named in messages: `list`, `manage get`. */
  label: string
  schema: z.ZodObject
  /** Arguments that are right; what a caller left out or got wrong is shown as here. */
  example: Record<string, unknown>
  /** What else the call holds: the action. */
  fixed?: Record<string, unknown>
}

/** Longest value that is quoted back, in characters of its JSON. */
const ECHO_LENGTH = 500

/**
 * The arguments as the schema gives them, defaults applied. Null stands for absent wherever the field takes no null;
 * an object or array may come as the text of its JSON, since some clients send it so.
 * @throws UserError `invalid_request`
 */
export function checkArguments(expected: ArgumentSchema, args: unknown): Record<string, unknown> {
  const { label, schema } = expected
  if (!isRecord(args)) throw refused(expected, {}, `${label}: the arguments must be a JSON object`)
  const given = Object.fromEntries(
    Object.entries(args)
      .map(([name, value]): [string, unknown] => [name, asField(schema.shape[name], value)])
      .filter(([, value]) => value !== undefined),
  )
  const checked = schema.safeParse(given)
  if (checked.success) return checked.data
  const [issue] = checked.error.issues
  if (issue === undefined) throw new Error('a schema refused without a reason')
  throw refusedIssue(expected, given, issue)
}

type Field = z.ZodType | undefined

function asField(field: Field, value: unknown): unknown {
  if (field === undefined) return value
  if (value === null) return field.safeParse(null).success ? null : undefined
  if (typeof value !== 'string') return value
  const { type } = fieldSchema(field)
  if (type !== 'object' && type !== 'array') return value
  try {
    const parsed: unknown = JSON.parse(value)
    return (type === 'array' ? Array.isArray(parsed) : isRecord(parsed)) ? parsed : value
  } catch {
    return value
  }
}

function fieldSchema(field: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(field, { io: 'input' })
  return schema
}

function refusedIssue(expected: ArgumentSchema, given: Record<string, unknown>, issue: z.core.$ZodIssue): UserError {
  const { label, schema } = expected
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0) {
    const field = (issue.keys[0] ?? '').slice(0, 100)
    const known = `the fields are ${Object.keys(schema.shape).join(', ')}`
    return refused(expected, given, `${label}: unknown field: ${field}`, {
      field,
      expected: known,
      received: echo(given),
    })
  }
  const [name] = issue.path
  const field = pathText(issue.path)
  const came = issue.path.reduce<unknown>((value, step) => inside(value, step), given)
  const declared = typeof name === 'string' ? schema.shape[name] : undefined
  const form = declared === undefined ? undefined : expectation(fieldSchema(declared))
  if (came === undefined) return refused(expected, given, `${label}: ${field} is required`, { field, expected: form })
  return refused(expected, given, `${label}: ${field}: ${reason(issue)}`, {
    field,
    expected: form,
    received: echo(came),
  })
}

/** What zod found, without its name for what came: that is shown as it came. */
function reason(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`
    case 'unrecognized_keys':
      return `has fields that are not known: ${issue.keys.map((key) => key.slice(0, 100)).join(', ')}`
    case 'too_small':
      return `must ${size(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `must ${size(issue.origin, 'at most', issue.maximum)}`
    case 'invalid_format':
      return `must be a valid ${issue.format}`
    default:
      return issue.message
  }
}

function article(type: string): string {
  if (type === 'int') return 'a whole number'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function size(origin: string, bound: string, limit: number | bigint): string {
  if (origin === 'string') return `have ${bound} ${limit} characters`
  if (origin === 'array') return `have ${bound} ${limit} items`
  return `be ${bound} ${limit}`
}

function refused(
  { tool, schema, example, fixed }: ArgumentSchema,
  given: Record<string, unknown>,
  message: string,
  facts: { field?: string; expected?: string | undefined; received?: string } = {},
): UserError {
  const { field, expected, received } = facts
  const { args, own } = corrected(schema, example, given)
  const right = { tool, args: { ...fixed, ...args } }
  const text = [
    `Error: ${message} (invalid_request)`,
    ...(expected === undefined ? [] : [`Expected: ${expected}`]),
    `Came: ${received ?? 'nothing'}`,
    `A right call: ${callText(right)}`,
  ]
  return new UserError('invalid_request', message, {
    ...(field === undefined ? {} : { field }),
    ...(expected === undefined ? {} : { expected }),
    ...(received === undefined ? {} : { received }),
    remedy: 'correct the argument and call again',
    example: right.args,
    // Only a call that holds nothing made up is one to make.
    ...(own ? { next: right } : {}),
    text: text.join('\n'),
  })
}

/** The call as it could have been: what was right in it, and the example's values for what was not. */
function corrected(
  schema: z.ZodObject,
  example: Record<string, unknown>,
  given: Record<string, unknown>,
): { args: Record<string, unknown>; own: boolean } {
  const args: Record<string, unknown> = {}
  let own = Object.keys(given).length > 0
  for (const [name, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    const kept = Object.hasOwn(given, name) && field.safeParse(given[name]).success
    if (kept) args[name] = given[name]
    else if (Object.hasOwn(given, name) || !field.safeParse(undefined).success) {
      if (Object.hasOwn(example, name)) args[name] = example[name]
      own = false
    }
  }
  return { args, own }
}

/** A field's schema in few words. */
function expectation(schema: Record<string, unknown>): string {
  const { description, default: standard, ...rest } = schema
  const shape = JSON.stringify(rest)
  const type = typeof rest['type'] === 'string' ? rest['type'] : 'any'
  const words = shape.length > ECHO_LENGTH ? `{"type":"${type}", …}` : shape
  const preset = standard === undefined ? '' : `, ${JSON.stringify(standard)} when left out`
  return `${words}${preset}${typeof description === 'string' ? ` (${description})` : ''}`
}

function echo(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > ECHO_LENGTH ? `${text.slice(0, ECHO_LENGTH)}…` : text
}

function inside(value: unknown, step: PropertyKey): unknown {
  if (Array.isArray(value)) return typeof step === 'number' ? (value as unknown[])[step] : undefined
  if (!isRecord(value) || typeof step !== 'string') return undefined
  return Object.hasOwn(value, step) ? value[step] : undefined
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`))
    .join('')
}
