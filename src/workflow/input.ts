/**
 * The answer to a step: from what a client sent to a value that fits the node's schema, or to an explanation of what
 * is wrong with it.
 */

import { canonicalJson, isRecord } from '../core/json.ts'
import { explainRefusal } from './explain.ts'
import { type AnswerNode, allowsType, effectiveSchema, type JsonSchema, type RegistryHolder } from './input-schema.ts'
import { parseLooseJson } from './input-text.ts'
import { schemas } from './schema-check.ts'
import { boundsProblem } from './schema-shape.ts'

export { effectiveSchema } from './input-schema.ts'

/** Longest note about a run that an answer may carry in `execution_note`, in characters. */
const MAX_EXECUTION_NOTE = 500

export type CheckedInput =
  | { ok: true; value: unknown }
  | {
      ok: false
      /** One sentence each: the field, what came, what to do. */
      errors: string[]
      /** The form that was expected, in words. */
      expected: string
      /** A value that fits: the valid parts of the answer, the rest filled in. */
      example: unknown
      /** The whole explanation for the agent. */
      text: string
    }

/**
 * Checks an answer against the effective schema of its node.
 * @throws UserError `WORKFLOW_INVALID` when the schema itself cannot be used.
 */
export function checkInput(node: AnswerNode, definition: RegistryHolder, input: unknown): CheckedInput {
  const schema = effectiveSchema(node, definition)
  const readings = readInput(input, schema)
  if (schema === null) {
    const [{ value } = { value: input }] = readings
    if (isRecord(value) && Object.keys(value).length === 0) return { ok: true, value: {} }
    return { ok: false, ...explainRefusal(null, value, [], null) }
  }
  for (const { value } of readings) if (schemas.check(schema, value).length === 0) return { ok: true, value }
  // What was sent is told, not what it was taken for: the author's schema knows nothing of `{ value: … }`.
  const value = readings[0]?.wrapped === false || hasProperty(schema, 'value') ? readings[0]?.value : input
  return { ok: false, ...explainRefusal(schema, value, schemas.check(schema, value), brokenJson(input, schema)) }
}

function hasProperty(schema: JsonSchema, name: string): boolean {
  return isRecord(schema['properties']) && Object.hasOwn(schema['properties'], name)
}

interface Reading {
  value: unknown
  /** Whether the input was put into an object because it is none. */
  wrapped: boolean
}

/**
 * The values an input may stand for, the likeliest first. Nothing, null and blanks are the empty answer; text is JSON
 * or loosely written JSON, possibly encoded twice; any other text, number or boolean is `{ value: … }`. What the
 * schema takes as it is (a string where it asks for one) stays as it is.
 */
function readInput(input: unknown, schema: JsonSchema | null): Reading[] {
  const takes = (type: string) => schema !== null && allowsType(schema, type)
  const readings: Reading[] = []
  const add = (value: unknown, wrapped = false) => readings.push({ value, wrapped })
  if (input === undefined || input === null) {
    if (takes('null')) add(null)
    add({})
  } else if (typeof input === 'object') add(input)
  else {
    if (takes(typeof input)) add(input)
    const parsed = typeof input === 'string' ? parseText(input) : input
    const unquoted = typeof input === 'string' ? parseJson(input) : undefined
    if (typeof unquoted === 'string' && takes('string')) add(unquoted)
    if (parsed === undefined) add({ value: input }, true)
    else if (typeof parsed === 'object' || takes(typeof parsed)) add(parsed)
    else add({ value: parsed }, true)
  }
  return readings
}

/** What a text says as JSON; undefined when it is plain text. */
function parseText(text: string): unknown {
  if (text.trim() === '') return {}
  const parsed = parseJson(text) ?? parseLooseJson(text)
  // Some clients encode what is encoded already.
  if (typeof parsed === 'string') return parseJson(parsed) ?? parseLooseJson(parsed) ?? parsed
  return parsed
}

/** Undefined for what is no JSON, and for `null`, which means no answer here. */
function parseJson(text: string): unknown {
  try {
    return (JSON.parse(text) as unknown) ?? {}
  } catch {
    return undefined
  }
}

/** Why a text that was meant to be JSON is none; null when it was not meant to be, or is. */
function brokenJson(input: unknown, schema: JsonSchema): string | null {
  if (typeof input !== 'string' || !/^\s*[[{]/.test(input) || allowsType(schema, 'string')) return null
  if (parseLooseJson(input) !== undefined) return null
  try {
    JSON.parse(input)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : 'it ends too early'
  }
}

/**
 * A text by which two inputs for one node are the same input: absent and null are the same, `{}` is the same as these
 * only where nothing but an empty answer is taken, and the order of keys and the form of encoding do not matter.
 */
export function inputIdentity(node: AnswerNode, definition: RegistryHolder, input: unknown): string {
  const schema = effectiveSchema(node, definition)
  if (schema !== null && (input === undefined || input === null)) return 'null'
  const value = readInput(input, schema)[0]?.value
  // Too deep to write down canonically; no schema takes it, so that it never completes anything.
  return boundsProblem(value, 1000) === null ? canonicalJson(value) : 'unreadable'
}

/** The run's new note when the answer brings one: a string of at most 500 characters under `execution_note`. */
export function executionNoteIn(input: unknown): string | null {
  const value = readInput(input, null)[0]?.value
  const note = isRecord(value) && Object.hasOwn(value, 'execution_note') ? value['execution_note'] : undefined
  return typeof note === 'string' && note.length <= MAX_EXECUTION_NOTE ? note : null
}
