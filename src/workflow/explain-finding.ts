/** One difference between an answer and its schema, as a sentence: the field, what came, what to do. */

import { isRecord } from '../core/json.ts'
import { constraints, listValues, show, typeName } from './explain-format.ts'
import type { JsonSchema } from './input-schema.ts'
import { type Finding, pathText } from './schema-check.ts'

/**
 * The findings worth telling: where none of several forms fits, the failures of each form are left out, because the
 * finding about the choice says what the forms are.
 */
export function relevantFindings(findings: readonly Finding[]): Finding[] {
  const choices = findings.filter(({ keyword }) => ['anyOf', 'oneOf', 'if'].includes(keyword))
  return findings.filter(({ keyword, schemaPath }) => {
    if (keyword === 'if') return false
    return !choices.some((choice) => choice.keyword !== 'if' && schemaPath.startsWith(`${choice.schemaPath}/`))
  })
}

/** A finding in one or two sentences. */
export function explainFinding(finding: Finding, root: JsonSchema): string {
  const { schema, params, steps } = finding
  const about = (problem: string, remedy: string) => sentence(finding.path, finding.value, problem, remedy)
  switch (finding.keyword) {
    case 'type':
      return about(`expected ${typeName({ type: params['type'] }, root)}`, `Send ${typeRemedy(params['type'])}.`)
    case 'required':
      return missing(String(params['missingProperty']), steps, schema, root)
    case 'additionalProperties':
      return unexpected(String(params['additionalProperty']), finding)
    case 'enum':
      return about('not an allowed value', `Use one of: ${listValues(listOf(params['allowedValues']))}.`)
    case 'const':
      return about('not the expected value', `Send exactly ${show(params['allowedValue'])}.`)
    case 'minLength':
      return about(`shorter than ${params['limit']} characters (${lengthOf(finding.value)})`, 'Write more.')
    case 'maxLength':
      return about(`longer than ${params['limit']} characters (${lengthOf(finding.value)})`, 'Shorten it.')
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return about('out of range', `Send a number that is ${constraints({ [finding.keyword]: params['limit'] })}.`)
    case 'multipleOf':
      return about('not a multiple', `Send a multiple of ${params['multipleOf']}.`)
    case 'pattern':
      return about('does not match the pattern', `Send a text matching /${params['pattern']}/.`)
    case 'format':
      return about(`not in the format ${params['format']}`, `Write it as ${params['format']}.`)
    case 'minItems':
      return about(`fewer than ${params['limit']} items`, 'Add the missing items.')
    case 'maxItems':
    case 'additionalItems':
      return about(`more than ${params['limit']} items`, 'Leave some out.')
    case 'uniqueItems':
      return about(`items ${params['j']} and ${params['i']} are equal`, 'Keep each value once.')
    case 'contains':
      return about('no item is of the required form', `Add one: ${formOf(schema['contains'], root)}.`)
    case 'minProperties':
      return about(`fewer than ${params['limit']} keys`, 'Add keys.')
    case 'maxProperties':
      return about(`more than ${params['limit']} keys`, 'Remove keys.')
    case 'propertyNames':
      return about(`the key ${show(params['propertyName'])} is not allowed`, 'Rename it.')
    case 'dependencies':
      return about(`"${params['property']}" needs ${params['deps']} too`, 'Add what is missing.')
    case 'oneOf':
    case 'anyOf':
      return explainChoice(finding, root)
    case 'not':
      return about('this value is ruled out', 'Send another one.')
    case 'false schema':
      return about('nothing may stand here', 'Remove it.')
    case 'storable':
      return about(finding.message, 'Send a flatter or simpler value.')
    default:
      return about(finding.message, 'Change it to satisfy the schema.')
  }
}

function sentence(path: string, value: unknown, problem: string, remedy: string): string {
  return `${label(path)}: ${problem}; received ${received(value)}. ${remedy}`
}

function label(path: string): string {
  return path === '' ? 'input' : `"${path}"`
}

function received(value: unknown): string {
  const text = show(value)
  if (value === null || value === undefined) return text
  return `${Array.isArray(value) ? 'array' : typeof value} ${text}`
}

function missing(name: string, steps: readonly string[], schema: JsonSchema, root: JsonSchema): string {
  const properties = schema['properties']
  const wanted = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : {}
  const remedy = `Add it: ${formOf(wanted, root)}.`
  return `${label(pathText([...steps, name]))}: required and missing; received nothing. ${remedy}`
}

function unexpected(name: string, { steps, value, schema }: Finding): string {
  const properties = schema['properties']
  const known = isRecord(properties) ? Object.keys(properties) : []
  const given = isRecord(value) ? Object.keys(value) : []
  const near = known.find((one) => !given.includes(one) && isNear(one, name))
  const remedy =
    near === undefined
      ? `Remove it; ${known.length === 0 ? 'no keys are' : `only ${listValues(known)} ${known.length === 1 ? 'is' : 'are'}`} allowed.`
      : `Did you mean "${near}"?`
  return sentence(pathText([...steps, name]), isRecord(value) ? value[name] : value, 'unexpected key', remedy)
}

function explainChoice(finding: Finding, root: JsonSchema): string {
  const { keyword, params, schema, path, value } = finding
  const forms = listOf(schema[keyword]).map((form, index) => `(${index + 1}) ${formOf(form, root)}`)
  const fitting = listOf(params['passingSchemas'])
  const problem =
    fitting.length > 1
      ? `fits ${fitting.length} of the allowed forms at once (${fitting.map((index) => Number(index) + 1).join(' and ')})`
      : 'fits none of the allowed forms'
  const count = keyword === 'oneOf' ? 'exactly one' : 'one'
  return sentence(path, value, problem, `Send ${count} of these: ${forms.join('; ')}.`)
}

/** A schema in a few words: `string (at least 3 characters) - the reason`. */
function formOf(schema: unknown, root: JsonSchema): string {
  if (!isRecord(schema)) return 'any value'
  const { required, description } = schema
  const notes = constraints(schema)
  if (Array.isArray(required) && required.length > 0)
    notes.push(`with ${required.map((name) => show(name)).join(', ')}`)
  const words = typeof description === 'string' ? ` - ${show(description, 120).slice(1, -1)}` : ''
  return `${typeName(schema, root)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}${words}`
}

const remedies: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number without quotes',
  integer: 'a whole number without quotes',
  boolean: 'true or false without quotes',
  array: 'a list: [ … ]',
  object: 'an object: { … }',
  null: 'null',
}

function typeRemedy(type: unknown): string {
  const types = Array.isArray(type) ? type : [type]
  return types.map((one) => remedies[String(one)] ?? String(one)).join(', or ')
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function lengthOf(value: unknown): string {
  return typeof value === 'string' ? `it has ${[...value].length}` : 'it is no text'
}

/** Whether two names differ by a slip: case, separators, or at most two letters. */
function isNear(first: string, second: string): boolean {
  const [one, other] = [first, second].map((name) => name.toLowerCase().replace(/[-_ ]/g, ''))
  if (one === undefined || other === undefined || one.length > 60 || other.length > 60) return false
  return one === other || editDistance(one, other) <= Math.min(2, Math.floor(one.length / 3))
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let index = 0; index < one.length; index++) {
    const next = [index + 1]
    for (let column = 0; column < other.length; column++) {
      const change = (row[column] ?? 0) + (one[index] === other[column] ? 0 : 1)
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
