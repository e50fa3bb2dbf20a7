/**
 * Tools whose calls name an action. An action is a value in a file of its own; the tool publishes the flat union of
 * their fields, of which only `action` is required, and holds a call against the exact schema of the action it names.
 */

import { z } from 'zod'
import { UserError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import { checkArguments } from './check-arguments.ts'
import { answer, answerSchema, type Reply, type ToolCall } from './checked-tool.ts'
import { callText, type NextCall, refuse } from './refusal.ts'
import type { Tool, ToolAnnotations, Toolset } from './tool.ts'

interface ActionParts<Shape extends z.ZodRawShape> {
  name: string
  /** What it does, in one line; for the tool's documentation and for refusals. */
  summary: string
  /** Its fields, besides `action`; defaults are applied when it is called. */
  input: Shape
  /** A good call, without `action`. */
  example: Record<string, unknown>
  run(call: ToolCall, input: z.output<z.ZodObject<Shape>>): Promise<Reply>
}

export interface Action {
  name: string
  summary: string
  input: z.ZodObject
  example: Record<string, unknown>
  run(call: ToolCall, input: Record<string, unknown>): Promise<Reply>
}

/** Makes an action of its parts. */
export function defineAction<Shape extends z.ZodRawShape>(parts: ActionParts<Shape>): Action {
  const { name, summary, example } = parts
  return {
    name,
    summary,
    input: z.strictObject(parts.input),
    example,
    // `checkArguments` has made the input with the schema above.
    run: (call, input) => parts.run(call, input as z.output<z.ZodObject<Shape>>),
  }
}

export interface ActionToolParts {
  name: string
  toolset: Toolset
  title: string
  description: string
  annotations: ToolAnnotations
  /** What `action` is for. */
  actionDescription: string
  /** In the order they are listed. */
  actions: readonly [Action, ...Action[]]
  output: z.ZodRawShape
  /** Published examples; by default each action's. */
  examples?: readonly Record<string, unknown>[]
}

/** Makes a tool of its actions. @throws when two actions mean different things by one field: a mistake in the program. */
export function defineActionTool(parts: ActionToolParts): Tool {
  const { name, toolset, title, description, annotations, actions } = parts
  const byName = new Map(actions.map((action) => [action.name, action]))
  const names = actions.map((action) => action.name)
  const fields = publishedFields(actions)
  return {
    name,
    toolset,
    title,
    description,
    annotations,
    input: z.strictObject({ action: z.enum(names).describe(parts.actionDescription), ...fields }),
    output: answerSchema(parts.output),
    examples: parts.examples ?? actions.map((action) => exampleOf(name, action).args),
    actions: actions.map((action) => ({
      name: action.name,
      summary: action.summary,
      required: Object.keys(action.input.shape).filter((field) => isRequired(action, field)),
      optional: Object.keys(action.input.shape).filter((field) => !isRequired(action, field)),
    })),
    refuse: (error, caller) => refuse(name, error, caller),
    call: (services, caller, args) =>
      answer(name, caller, () => {
        const { action, rest } = chooseAction(name, byName, args)
        const { input: schema, example } = action
        const expected = {
          tool: name,
          label: `${name} ${action.name}`,
          schema,
          example,
          fixed: { action: action.name },
        }
        return action.run({ services, caller }, checkArguments(expected, ownFields(name, actions, action, rest)))
      }),
  }
}

/** Told by its wrapping, without parsing: that would compile every schema when the program starts. */
function isRequired({ input }: Action, field: string): boolean {
  const schema: unknown = input.shape[field]
  return !(schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
}

/** Every field of every action, optional and without its default: which action is meant decides that. */
function publishedFields(actions: readonly Action[]): Record<string, z.ZodType> {
  const fields = new Map<string, z.ZodType>()
  for (const { name, input } of actions) {
    for (const [field, schema] of Object.entries(input.shape)) {
      const bare = withoutDefault(schema as z.ZodType)
      if (bare !== (fields.get(field) ?? bare)) throw new Error(`${name} means something of its own by ${field}`)
      fields.set(field, bare)
    }
  }
  return Object.fromEntries([...fields].map(([field, schema]) => [field, schema.optional()]))
}

function withoutDefault(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return withoutDefault(schema.unwrap() as z.ZodType)
  }
  return schema
}

function exampleOf(tool: string, { name, example }: Action): NextCall {
  return { tool, args: { action: name, ...example } }
}

function chooseAction(
  tool: string,
  actions: ReadonlyMap<string, Action>,
  args: unknown,
): { action: Action; rest: Record<string, unknown> } {
  const { action: name, ...rest } = isRecord(args) ? args : {}
  const action = typeof name === 'string' ? actions.get(name) : undefined
  if (action !== undefined) return { action, rest }
  const [first] = actions.values()
  if (first === undefined) throw new Error(`${tool} has no actions`)
  const given = name === undefined || name === null ? 'action is required' : 'there is no such action'
  const list = [...actions.values()].map(({ name: each, summary }) => `- ${each}: ${summary}`)
  const right = exampleOf(tool, first)
  const came = name === undefined ? 'nothing' : (JSON.stringify(name) ?? '').slice(0, 100)
  throw new UserError('invalid_request', `${tool}: ${given}`, {
    field: 'action',
    supported: [...actions.keys()],
    remedy: 'name one of the actions',
    example: right.args,
    text: [
      `Error: ${tool}: ${given} (invalid_request)`,
      'Expected: action is one of',
      ...list,
      `Came: ${came}`,
      `A right call: ${callText(right)}`,
    ].join('\n'),
  })
}

/**
 * The fields of a call without those of other actions that are null, which stands for absent.
 * @throws UserError `invalid_request` for any other field the named action does not have; it says whose the field is
 */
function ownFields(
  tool: string,
  actions: readonly Action[],
  action: Action,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const own = Object.keys(action.input.shape)
  const fields: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(given)) {
    if (own.includes(field)) fields[field] = value
    else {
      const owners = actions.filter(({ input }) => Object.hasOwn(input.shape, field)).map(({ name }) => name)
      if (owners.length === 0 || (value !== null && value !== undefined))
        throw stranger(tool, action, given, field, owners)
    }
  }
  return fields
}

function stranger(
  tool: string,
  action: Action,
  given: Readonly<Record<string, unknown>>,
  field: string,
  owners: readonly string[],
): UserError {
  const own = Object.keys(action.input.shape)
  const left = Object.fromEntries(Object.entries(given).filter(([name]) => own.includes(name)))
  const shown = field.slice(0, 100)
  const message =
    owners.length === 0
      ? `no action of ${tool} has a field ${shown}`
      : `the field ${shown} belongs to ${owners.join(', ')}, not to ${action.name}`
  return new UserError('invalid_request', `${tool} ${action.name}: ${message}`, {
    field: shown,
    action: action.name,
    ...(owners.length === 0 ? {} : { belongsTo: owners }),
    remedy: own.length === 0 ? 'leave it out' : `leave it out; ${action.name} takes ${own.join(', ')}`,
    next: { tool, args: { action: action.name, ...left } },
  })
}
