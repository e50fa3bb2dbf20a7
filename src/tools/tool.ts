/** What a tool is: one value with its name, schemas, behaviour and rendering. MCP, command line and docs derive from it. */

import type { z } from 'zod'
import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { Engine } from '../store/index.ts'

export const TOOLSETS = ['sessions', 'context', 'workflows'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** Whether the archive is complete for an answer, so that "nothing found" can be trusted. */
export interface Coverage {
  state: 'complete' | 'partial' | 'unknown'
  reason: string
  observed_at_unix_ms: number
}

/** What a tool may use. Made in one place, `app.ts`. */
export interface Services {
  engine: Engine
  clock: Clock
  /** Names of the configured sources, sorted. */
  sourceNames: readonly string[]
  /** Highest page size a caller may ask for. */
  maxResults: number
  /** Key that signs cursors. */
  cursorKey: Buffer
  coverage(caller: Caller): Promise<Coverage>
}

/** What goes back to a client: text that stands alone, and the same for programs. */
export interface ToolAnswer {
  text: string
  structured: Record<string, unknown>
  isError: boolean
}

/** MCP tool annotations; all four are always given, since clients assume the worst of a missing one. */
export interface ToolAnnotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

export interface Tool {
  name: string
  toolset: Toolset
  title: string
  /** What it is for and when to call it; read by models. */
  description: string
  annotations: ToolAnnotations
  /** Published input schema: a flat object, portable (no unions, no null types, no root combinators). */
  input: z.ZodObject
  /** Published output schema. */
  output: z.ZodObject
  /**
   * Answers one call. Checks `args` itself, to the letter of its specification, and turns what the caller can fix into an
   * answer with `isError`. `acceptedAt` is when the call was accepted, for the time reported.
   */
  call(services: Services, caller: Caller, args: unknown, acceptedAt: number): Promise<ToolAnswer>
  /** Publishes a schema made for this machine, such as the list of its source names; the default is `input`. */
  describe?(services: Services, input: z.ZodObject): z.ZodObject
}
