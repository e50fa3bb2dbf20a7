/** Made-up texts and numbers that fit the keywords of a schema. */

import { textForPattern } from './explain-pattern.ts'
import type { JsonSchema } from './input-schema.ts'

/** Longest made-up text. */
const MAX_LENGTH = 5000

const formats: Readonly<Record<string, (variant: number) => string>> = {
  date: (variant) => `2026-01-${twoDigits(variant)}`,
  time: (variant) => `12:00:${twoDigits(variant)}Z`,
  'date-time': (variant) => `2026-01-${twoDigits(variant)}T12:00:00Z`,
  'iso-time': (variant) => `12:00:${twoDigits(variant)}`,
  'iso-date-time': (variant) => `2026-01-${twoDigits(variant)}T12:00:00`,
  duration: (variant) => `P${variant + 1}D`,
  uri: (variant) => `https://example.com/${variant + 1}`,
  url: (variant) => `https://example.com/${variant + 1}`,
  'uri-reference': (variant) => `/path/${variant + 1}`,
  'uri-template': (variant) => `https://example.com/${variant + 1}/{id}`,
  email: (variant) => `name${variant + 1}@example.com`,
  hostname: (variant) => `host${variant + 1}.example.com`,
  ipv4: (variant) => `192.0.2.${(variant % 254) + 1}`,
  ipv6: (variant) => `2001:db8::${((variant % 9999) + 1).toString()}`,
  uuid: (variant) => `00000000-0000-4000-8000-${String(variant + 1).padStart(12, '0')}`,
  regex: (variant) => `^x{${variant + 1}}$`,
  'json-pointer': (variant) => `/item/${variant}`,
  'json-pointer-uri-fragment': (variant) => `#/item/${variant}`,
  'relative-json-pointer': (variant) => `${variant}`,
  byte: (variant) => Buffer.from(`text${variant + 1}`).toString('base64'),
}

function twoDigits(variant: number): string {
  return String((variant % 28) + 1).padStart(2, '0')
}

/** A text: of the format, matching the pattern, or `<name>`, brought to the right length. */
export function exampleText(schema: JsonSchema, name: string, variant: number): string {
  const { format, pattern, minLength, maxLength } = schema
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : Number.POSITIVE_INFINITY
  if (typeof pattern === 'string') {
    // More characters than needed make another text of the same pattern.
    const text = textForPattern(pattern, least + variant, most) ?? textForPattern(pattern, least, most)
    if (text === '' && most > 0) return textForPattern(pattern, 1, most) ?? text
    if (text !== null) return text
  }
  const formatted = typeof format === 'string' ? formats[format]?.(variant) : undefined
  if (formatted !== undefined) return formatted
  const suffix = variant === 0 ? '' : `-${variant + 1}`
  return fitLength(`<${name}${suffix}>`, least, most, variant)
}

function fitLength(text: string, least: number, most: number, variant: number): string {
  const characters = [...text]
  if (characters.length < least) return text + 'x'.repeat(Math.min(least, MAX_LENGTH) - characters.length)
  if (characters.length <= most) return text
  return [...'abcdefghijklmnopqrstuvwxyz'.slice(variant % 26), ...characters].slice(0, most).join('')
}

/** The number nearest to 0 that the bounds allow, or for a variant another one further on. */
export function exampleNumber(schema: JsonSchema, whole: boolean, variant: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : whole ? 1 : 0
  const low = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity))
  const high = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity))
  const fits = (value: number) =>
    (!whole || Number.isInteger(value)) &&
    value >= numberOr(minimum, -Infinity) &&
    value > numberOr(exclusiveMinimum, -Infinity) &&
    value <= numberOr(maximum, Infinity) &&
    value < numberOr(exclusiveMaximum, Infinity)
  const stride = step || 0.5
  const start = low > 0 ? Math.ceil(low / stride) * stride : high < 0 ? Math.floor(high / stride) * stride : 0
  const direction = high <= 0 ? -1 : 1
  for (let index = variant; index < variant + 20; index++) {
    const value = clean(start + direction * index * stride)
    if (fits(value)) return value
  }
  if (step === 0 && fits(low)) return low
  const middle = clean((Math.max(low, -Number.MAX_VALUE) + Math.min(high, Number.MAX_VALUE)) / 2)
  return step === 0 && fits(middle) ? middle : clean(start)
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback
}

/** Without the dust of binary fractions, and never -0. */
function clean(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) + 0 : 0
}
