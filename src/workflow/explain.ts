/** Why an answer was not taken, told so that the next one is right. */

import { isRecord } from '../core/json.ts'
import { correctAnswer } from './explain-correct.ts'
import { generateExample } from './explain-example.ts'
import { explainFinding, relevantFindings } from './explain-finding.ts'
import { describeFormat, shorten, show, toJson } from './explain-format.ts'
import type { JsonSchema } from './input-schema.ts'
import type { Finding } from './schema-check.ts'
import { mapValues } from './schema-shape.ts'

export { generateExample } from './explain-example.ts'

/** Most characters of the answer that are repeated. */
const MAX_ECHO = 500

/** Longest example in the text. */
const MAX_EXAMPLE = 4000

/** Texts of the answer longer than this are named, not repeated, in the example. */
const MAX_KEPT_TEXT = 200

export interface Explanation {
  errors: string[]
  expected: string
  example: unknown
  text: string
}

/**
 * Explains a refused answer.
 * @param schema the effective schema; null when only an empty answer is taken
 * @param brokenJson why the answer, sent as text, is no JSON; null when it is
 */
export function explainRefusal(
  schema: JsonSchema | null,
  value: unknown,
  findings: readonly Finding[],
  brokenJson: string | null,
): Explanation {
  const expected = describeFormat(schema)
  const errors =
    schema === null
      ? [`input: this step takes no data; received ${show(value)}. Send null or {}.`]
      : relevantFindings(findings).map((finding) => explainFinding(finding, schema))
  if (brokenJson !== null) {
    errors.unshift(`input: it came as text that is not valid JSON (${brokenJson}). Send a JSON object, not a text.`)
  }
  const example = schema === null ? {} : correctAnswer(schema, value, findings)
  return { errors, expected, example, text: wholeText(schema, value, errors, expected, example) }
}

function wholeText(
  schema: JsonSchema | null,
  value: unknown,
  errors: readonly string[],
  expected: string,
  example: unknown,
): string {
  return [
    '❌ VALIDATION ERROR: the input does not match what this step expects.',
    '',
    'EXPECTED INPUT FORMAT:',
    expected,
    '',
    'YOUR INPUT:',
    shorten(toJson(value, 2), MAX_ECHO),
    '',
    'ERRORS:',
    ...errors.map((error) => `• ${error}`),
    '',
    'CORRECTED EXAMPLE:',
    exampleText(schema, example),
    '',
    'ACTION REQUIRED:',
    'Correct the input and call step again with the same attempt id; the run has not moved.',
    'In the example, replace what stands in < > and every made-up value with your own.',
  ].join('\n')
}

function exampleText(schema: JsonSchema | null, example: unknown): string {
  const text = toJson(abbreviate(example), 2)
  return text.length <= MAX_EXAMPLE || schema === null ? text : shorten(toJson(generateExample(schema), 2), MAX_EXAMPLE)
}

/** Long texts of the answer are right as they are: there is no use in sending them back. */
function abbreviate(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_KEPT_TEXT) return `<your text: ${value.slice(0, 40)}…>`
  if (Array.isArray(value)) return value.map(abbreviate)
  return isRecord(value) ? mapValues(value, abbreviate) : value
}
