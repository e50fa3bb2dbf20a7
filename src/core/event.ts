/** The words every folder speaks: what a harness writes down and what the archive keeps. */

/** The nine normalized event types, in the order the interface presents them (spec: Event Types). */
export const EVENT_TYPES = [
  'user_input',
  'assistant_response',
  'reasoning',
  'tool_call',
  'tool_response',
  'compaction',
  'system',
  'runtime',
  'unknown',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Every type but `unknown`, which can be opened and never searched. */
export const SEARCHABLE_TYPES = EVENT_TYPES.filter((type) => type !== 'unknown')

/** How a turn can end. All four are terminal: the session needs new input from outside to go on. */
export type Ending = 'answered' | 'interrupted' | 'failed' | 'exited'

/** Tokens of one model response. `id` is the response's own id, so that repeats are counted once. */
export interface Usage {
  id: string
  /** Prompt tokens that were neither read from nor written to a cache. */
  input: number
  /** Completion tokens, reasoning included. */
  output: number
  cacheRead: number
  cacheWrite: number
  /** The part of `output` spent on reasoning. */
  reasoning: number
}

/** The tool side of an event. Call and response share `callId`. */
export interface ToolUse {
  /** Name without the server's prefix: `open`, `Bash`, `apply_patch`. */
  name: string
  /** MCP server the tool belongs to, when the client says so in any of its nine spellings. */
  server?: string
  callId?: string
  phase: 'call' | 'response'
  /** Arguments of a call, as the harness recorded them. */
  input?: unknown
  exitCode?: number
  /** The harness itself reported the call as failed. */
  error?: boolean
}

/**
 * One event as a harness reads it out of a record. Ids, turns, redaction, touches and totals are made from it by
 * `capture`; a harness only says what the record means.
 */
export interface Draft {
  /** Native id of the session this event belongs to; one file may feed several. */
  session: string
  type: EventType
  /** Milliseconds since 1970, when the record says so. */
  at?: number
  /** What a person would read: the prompt, the answer, the command and its output. Searched and quoted. */
  text: string
  /** Native fields worth keeping that `text` and `tool` do not already hold. */
  payload?: unknown
  /**
   * `id` is the record's own id when it has one that survives copying; `index` is the place among the events of
   * one record. Together they name the event inside its session.
   */
  native: { id?: string; index: number }
  /** A genuine prompt of a person (or of a parent agent): it opens a turn. */
  opensTurn?: boolean
  /** This event ends its turn. */
  ends?: Ending
  /** What the agent says while it works, by its own word: never the final answer of a turn. */
  commentary?: true
  tool?: ToolUse
  model?: string
  usage?: Usage
  /** Working directory of this event, when the record says so. */
  cwd?: string
  /**
   * History replayed by a fork, resume or compaction: kept, but neither counted nor searched. It still says what it opens,
   * ends and costs: that holds when the fork's parent is nowhere else.
   */
  copied?: boolean
}

/** What a harness knows about a session. Later facts win, but an empty one never erases a known one. */
export interface SessionFacts {
  nativeId: string
  /** The session this one was started from: a subagent's or fork's parent. */
  parent?: { nativeId: string; callId?: string; relation: 'subagent' | 'fork' }
  title?: string
  summary?: string
  slug?: string
  cwd?: string
  branch?: string
  cliVersion?: string
}

/** What one record says. */
export interface Reading {
  drafts: Draft[]
  sessions?: SessionFacts[]
}

/** How the tool interface classes a session; the highest wins (spec: list_sessions `mode`). */
export const SESSION_MODES = ['chat', 'tool_calling', 'mcp_internal', 'web_search'] as const
export type SessionMode = (typeof SESSION_MODES)[number]
