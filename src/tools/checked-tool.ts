/** A tool whose arguments one schema describes: checked, answered as text and data, refused with the next call to make. */

import { z } from 'zod'
import type { Caller } from '../core/caller.ts'
import { checkArguments } from './check-arguments.ts'
import { RETRIES, refuse } from './refusal.ts'
import type { Services, Tool, ToolAnnotations, ToolAnswer, Toolset } from './tool.ts'

/** Who calls, and what may be used to answer. */
export interface ToolCall {
  services: Services
  caller: Caller
}

/** An answer; a replayed refusal sets `isError`. */
export interface Reply {
  text: string
  structured: Record<string, unknown>
  isError?: boolean
}

/** The answer of a tool that speaks JSON: its text is the data, pretty-printed. */
export function json(structured: Record<string, unknown>): Reply {
  return { text: JSON.stringify(structured, null, 2), structured }
}

export interface CheckedToolParts<Shape extends z.ZodRawShape> {
  name: string
  toolset: Toolset
  title: string
  description: string
  annotations: ToolAnnotations
  input: z.ZodObject<Shape>
  /** What the structured answer may hold, beside the fields of a refusal. */
  output: z.ZodRawShape
  /** Good calls; the first is shown to who sends a bad one. */
  examples: readonly [Record<string, unknown>, ...Record<string, unknown>[]]
  run(call: ToolCall, input: z.output<z.ZodObject<Shape>>): Promise<Reply>
}

/** Makes a tool of its parts. */
export function defineCheckedTool<Shape extends z.ZodRawShape>(parts: CheckedToolParts<Shape>): Tool {
  const { name, toolset, title, description, annotations, input, examples } = parts
  const schema = { tool: name, label: name, schema: input, example: examples[0] }
  return {
    name,
    toolset,
    title,
    description,
    annotations,
    input,
    output: answerSchema(parts.output),
    examples,
    refuse: (error, caller) => refuse(name, error, caller),
    call: (services, caller, args) =>
      answer(name, caller, () =>
        parts.run({ services, caller }, checkArguments(schema, args) as z.output<z.ZodObject<Shape>>),
      ),
  }
}

/** Schema of answers and refusals: every field is optional, since each kind of answer has its own. */
export function answerSchema(fields: z.ZodRawShape): z.ZodObject {
  const optional = Object.entries(fields).map(([name, field]): [string, z.ZodType] => [
    name,
    z.optional(field as z.ZodType),
  ])
  return z.looseObject({
    ...Object.fromEntries(optional),
    code: z.string().optional().describe('Only when the call failed: why, for programs.'),
    message: z.string().optional().describe('What happened, for people.'),
    details: z.record(z.string(), z.unknown()).optional().describe('Facts about the failure.'),
    retry: z.enum(RETRIES).optional().describe('After a failure: what repeating the call would do.'),
    next: z
      .object({ tool: z.string(), args: z.record(z.string(), z.unknown()) })
      .nullable()
      .optional()
      .describe('The call to make next.'),
  })
}

/** Runs the work of a call; whatever it throws becomes an answer with `isError`. */
export async function answer(tool: string, caller: Caller, work: () => Promise<Reply>): Promise<ToolAnswer> {
  try {
    caller.signal?.throwIfAborted()
    const { text, structured, isError = false } = await work()
    return { text, structured, isError }
  } catch (error) {
    return refuse(tool, error, caller)
  }
}
