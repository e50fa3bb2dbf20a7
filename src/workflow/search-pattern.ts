/** Regular expressions that people and agents write, run in linear time. */

import { RE2JS, RE2JSException } from 're2js'

/** Longest pattern, in characters. */
const MAX_PATTERN = 2000

/** Largest compiled pattern, in instructions; the time of a match is this times the length of the text. */
export const MAX_PROGRAM = 5000

export interface CompiledPattern {
  expression: RE2JS
  /** Instructions. */
  size: number
}

/**
 * Compiles a JavaScript pattern for the RE2 engine; a string is why it cannot be: malformed, too large, or using what
 * has no linear-time form (look-around, back references).
 */
export function compilePattern(pattern: string, flags = 0): CompiledPattern | string {
  if (pattern.length > MAX_PATTERN) return `longer than ${MAX_PATTERN} characters`
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(pattern), flags)
    const size = expression.matcher('').programSize()
    return size > MAX_PROGRAM ? 'too large when its repetitions are written out' : { expression, size }
  } catch (error) {
    if (error instanceof RE2JSException) return error.message
    throw error
  }
}

/** Finds the first match in a text. */
export type Search = (text: string) => { start: number; end: number } | null

/**
 * A search for a query, ignoring case: a regular expression when the query uses the syntax of one and compiles,
 * otherwise the query itself, character by character.
 */
export function searchFor(query: string): Search {
  if (/[|*+?[\](){}^$\\]/.test(query)) {
    const compiled = compilePattern(query, RE2JS.CASE_INSENSITIVE)
    if (typeof compiled !== 'string') return searchExpression(compiled.expression)
  }
  return searchExpression(RE2JS.compile(RE2JS.quote(query), RE2JS.CASE_INSENSITIVE))
}

function searchExpression(expression: RE2JS): Search {
  return (text) => {
    // test() is several times faster than find(), and most texts do not match.
    if (!expression.test(text)) return null
    const matcher = expression.matcher(text)
    return matcher.find() ? { start: matcher.start(), end: matcher.end() } : null
  }
}
