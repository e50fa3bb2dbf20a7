/** The pieces that node schemas are made of. A leaf: every node file reads it, it reads none of them. */

import * as z from 'zod'

/** A key of `metadata` that only the viewer reads; any content. */
const display = z.record(z.string(), z.unknown()).describe('Display data for viewers; never executed.')

/** The id of the node an edge leads to. */
export const target = z.string().min(1)

/** A text that must say something. */
export const text = z.string().min(1)

/** Fields every node carries. */
export const nodeFields = {
  id: text.describe('Unique in the workflow; also the name its results are read by.'),
  metadata: display.optional(),
}

/** A JSON Schema written by the author, plus `globalInputs`: names of registry variables the answer may set. */
export const inputSchema = z.record(z.string(), z.unknown())
export type JsonSchema = Record<string, unknown>

/** The names listed in a schema's globalInputs. */
export function globalInputsOf(schema: Record<string, unknown> | undefined): string[] {
  const names = schema?.['globalInputs']
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

/** One side of a comparison: a literal, or the value at a path of the context, else `default`. */
export const operandSchema = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ contextPath: text, default: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional() }),
])
export type Operand = z.infer<typeof operandSchema>

export const binaryOperators = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains'] as const
export type BinaryOperator = (typeof binaryOperators)[number]

export const operators = [...binaryOperators, 'exists', 'and', 'or', 'not'] as const

export type Condition =
  | { operator: BinaryOperator; left: Operand; right: Operand }
  | { operator: 'exists'; value: Operand }
  | { operator: 'and' | 'or'; conditions: Condition[] }
  | { operator: 'not'; condition: Condition }

export const conditionSchema: z.ZodType<Condition> = z.lazy(() =>
  z.union([
    z.strictObject({ operator: z.enum(binaryOperators), left: operandSchema, right: operandSchema }),
    z.strictObject({ operator: z.literal('exists'), value: operandSchema }),
    z.strictObject({ operator: z.enum(['and', 'or']), conditions: z.array(conditionSchema).min(1) }),
    z.strictObject({ operator: z.literal('not'), condition: conditionSchema }),
  ]),
)
