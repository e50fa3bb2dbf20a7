/** The shape every answer of the sessions tools has, good or bad, and what makes a tool of the parts that differ. */

import { z } from 'zod'
import type { Caller } from '../../core/caller.ts'
import { invalidRequest } from '../../core/errors.ts'
import { isRecord } from '../../core/json.ts'
import { describeFailure } from '../failure.ts'
import type { Coverage, Services, Surface, Tool, ToolAnswer } from '../tool.ts'
import { type Arguments, refuseUnknown } from './arguments.ts'
import { cut } from './preview.ts'
import { whole } from './whole.ts'

export const coverageSchema = z
  .object({
    state: z.enum(['complete', 'partial', 'unknown']),
    reason: z.string(),
    observed_at_unix_ms: whole,
  })
  .describe('Whether the archive is complete for this answer. When it is not, "nothing found" proves nothing.')

const errorSchema = z
  .object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()) })
  .describe('Present when the call failed.')

/** What a run hands over: the payload, and what the caller should know besides. */
export interface Outcome<Data> {
  data: Data
  warnings?: string[]
}

/** Coverage is added to what a tool answers, to each kind of answer where there are several. */
type WithoutCoverage<Data> = Data extends unknown ? Omit<Data, 'coverage'> : never

export interface SessionToolParts<Request extends object, Data extends z.ZodType> {
  name: string
  title: string
  description: string
  /** The published arguments, for the machine described. */
  input(surface: Surface): z.ZodObject
  /** Schema of `data`, with its `coverage`. */
  data: Data
  /** Checks arguments, whose names are known to be right. @throws UserError */
  parse(args: Arguments, services: Services): Request
  /** The request as it was understood, defaults applied. */
  echo(request: Request): Record<string, unknown>
  /** Answers. @throws UserError */
  run(services: Services, caller: Caller, request: Request): Promise<Outcome<WithoutCoverage<z.infer<Data>>>>
  /** The answer for a reader who sees only text. */
  toText(data: WithoutCoverage<z.infer<Data>>, request: Request): string
}

/** The surface described when no machine is known. */
const ANY_MACHINE: Surface = { sourceNames: [], harnesses: [], maxResults: 25 }

/** All four tools only read, and only what is on this machine. */
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** Makes a tool of its parts. */
export function defineSessionTool<Request extends object, Data extends z.ZodType>(
  parts: SessionToolParts<Request, Data>,
): Tool {
  const { name, title, description, input, data } = parts
  const publishedInput = input(ANY_MACHINE)
  const fields = Object.keys(publishedInput.shape)
  return {
    name,
    toolset: 'sessions',
    title,
    description,
    annotations: READ_ONLY,
    input: publishedInput,
    output: z.object({
      schema_version: z.string(),
      tool: z.literal(name),
      request: z.record(z.string(), z.unknown()).describe('The request as it was understood, defaults applied.'),
      data: data.optional(),
      error: errorSchema.optional(),
      warnings: z.array(z.string()),
      performance: z.object({ elapsed_ms: whole.min(0) }),
    }),
    describe: (surface) => input(surface),
    async call(services, caller, args, acceptedAt) {
      const answer = new Answer(name, services, acceptedAt)
      let echo: Record<string, unknown> = {}
      try {
        if (!isRecord(args)) throw invalidRequest('arguments must be a JSON object')
        echo = boundedEcho(args)
        refuseUnknown(args, fields)
        const request = parts.parse(args, services)
        echo = parts.echo(request)
        caller.signal?.throwIfAborted()
        const [outcome, coverage] = await Promise.all([
          parts.run(services, caller, request),
          coverageOf(services, caller),
        ])
        caller.signal?.throwIfAborted()
        return answer.success(echo, outcome, coverage, parts.toText(outcome.data, request))
      } catch (error) {
        return answer.failure(echo, error, caller)
      }
    },
  }
}

/** Builds the two envelopes of one call. */
class Answer {
  constructor(
    private readonly tool: string,
    private readonly services: Services,
    private readonly acceptedAt: number,
  ) {}

  success(echo: Record<string, unknown>, outcome: Outcome<unknown>, coverage: Coverage, text: string): ToolAnswer {
    const warnings = [...(outcome.warnings ?? []), ...coverageWarnings(coverage)]
    const structured = {
      schema_version: `moraine.mcp.${this.tool}.v1`,
      tool: this.tool,
      request: echo,
      data: { ...(outcome.data as object), coverage },
      warnings,
      performance: this.performance(),
    }
    return { text: [text, ...warnings.map((warning) => `Warning: ${warning}`)].join('\n'), structured, isError: false }
  }

  failure(echo: Record<string, unknown>, error: unknown, caller: Caller): ToolAnswer {
    const { code, message, details, cause } = describeFailure(error, caller)
    const structured = {
      schema_version: 'moraine.mcp.error.v1',
      tool: this.tool,
      request: echo,
      error: { code, message, details },
      warnings: [],
      performance: this.performance(),
    }
    const remedy = typeof details.remedy === 'string' ? `\nWhat to do: ${details.remedy}.` : ''
    const text = `${this.tool} failed (${code}): ${message}${remedy}`
    return { text, structured, isError: true, ...(cause === undefined ? {} : { cause }) }
  }

  private performance(): { elapsed_ms: number } {
    return { elapsed_ms: Math.max(0, Math.round(this.services.clock() - this.acceptedAt)) }
  }
}

/** Coverage is extra: when it cannot be had, the answer says so and stands. */
async function coverageOf(services: Services, caller: Caller): Promise<Coverage> {
  try {
    const { state, reason, observed_at_unix_ms } = await services.coverage(caller)
    return { state, reason, observed_at_unix_ms }
  } catch {
    return { state: 'unknown', reason: 'status_unavailable', observed_at_unix_ms: Math.round(services.clock()) }
  }
}

function coverageWarnings({ state, reason }: Coverage): string[] {
  if (state === 'complete') return []
  return [
    `coverage_${state}: the archive may lack recent or older history (${reason}); do not conclude that it never was`,
  ]
}

/** Longest string of refused arguments that is sent back. */
const ECHO_LENGTH = 300

/** Arguments as given, cut where they are long: what was wrong must not make the answer large. */
function boundedEcho(args: Arguments): Record<string, unknown> {
  const entries = Object.entries(args).slice(0, 20)
  return Object.fromEntries(entries.map(([name, value]) => [cut(name, 100), bounded(value)]))
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return value.length > ECHO_LENGTH ? `${cut(value, ECHO_LENGTH)}…` : value
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  const text = JSON.stringify(value) ?? ''
  return text.length > ECHO_LENGTH ? `${cut(text, ECHO_LENGTH)}…` : value
}
