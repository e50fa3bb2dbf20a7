/** What a tool is: one value with its name, schemas, behaviour and rendering. MCP, command line and docs derive from it. */

import type { z } from 'zod'
import type { ContextServices } from '../context/index.ts'
import type { Caller } from '../core/caller.ts'
import type { Clock } from '../core/clock.ts'
import type { UserError } from '../core/errors.ts'
import type { NotesLibrary } from '../library/notes-library.ts'
import type { Engine } from '../store/index.ts'
import type { Accounts, WorkflowEngine } from '../workflow/engine.ts'

export const TOOLSETS = ['sessions', 'context', 'workflows'] as const
export type Toolset = (typeof TOOLSETS)[number]

/** Whether the archive is complete for an answer, so that "nothing found" can be trusted. */
export interface Coverage {
  state: 'complete' | 'partial' | 'unknown'
  reason: string
  observed_at_unix_ms: number
}

/** Finds the project a directory belongs to; capture and tools must agree on it, so there is one. */
export interface ProjectLookup {
  /**
   * The nearest Git checkout around an absolute directory, which need not exist: its root with forward slashes and
   * the id it shares with its linked worktrees, `git:…`. Without Git the directory itself, under the id `dir:…`.
   */
  projectOf(directory: string): { root: string; projectId: string } | undefined
}

/** What a tool's published schema tells about this machine. */
export interface Surface {
  /** Names of the configured sources, sorted. */
  sourceNames: readonly string[]
  /** The harnesses Varve reads, with their names for people. */
  harnesses: readonly { id: string; title: string }[]
  /** Highest page size a caller may ask for. */
  maxResults: number
}

/** What a tool may use. Made in one place, `app.ts`. */
export interface Services extends Surface {
  engine: Engine
  clock: Clock
  /** Key that signs cursors. */
  cursorKey: Buffer
  projects: ProjectLookup
  coverage(caller: Caller): Promise<Coverage>
  workflows: WorkflowEngine
  notes: NotesLibrary
  /** Who owns what, by the names people use. */
  accounts: Accounts
  /** Saves, the log of evidence, and what is held. */
  context: ContextServices
  /** Where the topics of `help` lie. */
  helpFolder: string
}

/** What goes back to a client: text that stands alone, and the same for programs. */
export interface ToolAnswer {
  text: string
  structured: Record<string, unknown>
  isError: boolean
  /** What was thrown, when the failure is ours or the database's. For the log of the edge; never sent to a client. */
  cause?: unknown
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
  /** Published output schema; answers and errors both fit it. */
  output: z.ZodObject
  /** Good calls, for documentation and for tests. */
  examples?: readonly Record<string, unknown>[]
  /** Of a tool whose calls name an action: what each does and which fields it takes, besides `action`. */
  actions?: readonly { name: string; summary: string; required: readonly string[]; optional: readonly string[] }[]
  /**
   * Answers one call. Checks `args` itself, to the letter of its specification, and turns what the caller can fix into an
   * answer with `isError`. `acceptedAt` is when the call was accepted, for the time reported. Never throws.
   */
  call(services: Services, caller: Caller, args: unknown, acceptedAt: number): Promise<ToolAnswer>
  /** The answer to a call that failed before the tool was asked; absent: the error envelope of the sessions tools. */
  refuse?(error: UserError, caller: Caller): ToolAnswer
  /** The input schema as this machine publishes it, with its source names and limits; the default is `input`. */
  describe?(surface: Surface, input: z.ZodObject): z.ZodObject
}
