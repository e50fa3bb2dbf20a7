/** Kinds of argument that several tools take, published as plainly as JSON Schema can say them. */

import { z } from 'zod'
import { isRecord } from '../core/json.ts'

/** Any JSON object. A record would publish a schema for its property names too, which says nothing. */
export const jsonObject = z
  .unknown()
  .refine(isRecord, 'must be an object')
  .transform((value) => value as Record<string, unknown>)
  .meta({ type: 'object', additionalProperties: {} })

/** A whole number from 0; the largest number a program can count to is no limit worth publishing. */
export const count = z.int().min(0).meta({ maximum: undefined })

/** Published as `number`, and yet a fraction of a row or page is refused. */
export function wholeNumber(minimum?: number, maximum?: number): z.ZodNumber {
  let schema = z.number()
  if (minimum !== undefined) schema = schema.min(minimum)
  if (maximum !== undefined) schema = schema.max(maximum)
  return schema.refine(Number.isInteger, 'must be a whole number')
}
