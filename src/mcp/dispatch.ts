/** One tool call from the door to the answer: admission, the tool, and what to say when something escapes it. */

import type { z } from 'zod'
import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import type { Services, Surface, Tool, ToolAnswer, Toolset } from '../tools/index.ts'
import type { Admission } from './admission.ts'

export interface DispatcherOptions {
  /** Opens what tools need, at the first call; later calls are given the same. */
  services: () => Promise<Services>
  /** Where the calls of a toolset wait for a place. */
  admission: (toolset: Toolset) => Admission
  clock: Clock
  /** Told of failures that are ours or the database's; the caller only hears that there was one. */
  onFailure: (tool: string, cause: unknown) => void
}

/** Calls a tool for a caller. Never rejects: every failure is an answer with `isError`, and ours are logged. */
export type Dispatch = (tool: Tool, caller: Caller, args: unknown) => Promise<ToolAnswer>

export function createDispatch(options: DispatcherOptions): Dispatch {
  const { services, admission, clock, onFailure } = options
  const schemas = new Map<Tool, z.ZodObject>()

  /**
   * Calls that the published schema already refuses go straight to the tool, which says what is wrong with them: they
   * cost nothing and must be answered while the server is saturated. Optional arguments may be null (see `Tool.call`).
   */
  function takesPlace(tool: Tool, surface: Surface, args: unknown): boolean {
    if (!isRecord(args)) return false
    const schema = schemas.get(tool) ?? tool.describe?.(surface, tool.input) ?? tool.input
    schemas.set(tool, schema)
    return schema.safeParse(Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))).success
  }

  return async (tool, caller, args) => {
    const acceptedAt = clock()
    const refuse = (error: UserError): ToolAnswer =>
      tool.refuse?.(error, caller) ?? errorAnswer(tool.name, args, error, Math.max(0, clock() - acceptedAt))
    try {
      const opened = await services()
      const work = (): Promise<ToolAnswer> => tool.call(opened, caller, args, acceptedAt)
      const answer = await (takesPlace(tool, opened, args) ? admission(tool.toolset).run(work, caller.signal) : work())
      if (answer.cause !== undefined) onFailure(tool.name, answer.cause)
      return answer
    } catch (error) {
      if (error instanceof UserError) return refuse(error)
      if (caller.signal?.aborted) return refuse(new UserError('cancelled', 'the call was cancelled'))
      onFailure(tool.name, error)
      const failure = new UserError('internal_error', `${tool.name} failed inside Varve`, {
        remedy: 'repeat the call; if it fails again, the log of the server says why',
      })
      return refuse(failure)
    }
  }
}

/** The error envelope of the interface (spec: Error Envelope), for failures outside the tool itself. */
function errorAnswer(tool: string, args: unknown, error: UserError, elapsed: number): ToolAnswer {
  const { code, message, details } = error
  return {
    text: `${tool}: ${code}: ${message}${details.remedy === undefined ? '' : `\nWhat to do: ${details.remedy}`}`,
    structured: {
      schema_version: 'moraine.mcp.error.v1',
      tool,
      request: isRecord(args) ? args : {},
      error: { code, message, details },
      warnings: [],
      performance: { elapsed_ms: elapsed },
    },
    isError: true,
  }
}
