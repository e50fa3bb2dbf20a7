/** What capture hands over: events with their ids, cleaned and redacted, and how far the file has now been read. */

import type { Ending, EventType, SessionFacts, Usage } from '../core/event.ts'

/** A file some tool call read or changed. */
export interface Touch {
  /** Absolute where the working directory is known, else as written. Forward slashes. */
  path: string
  /** Path below `root`; absent where no root is known. */
  relativePath?: string
  /** Root of the checkout (or launch directory) the path lies in. */
  root?: string
  /** Identity of the project, the same for all its worktrees. */
  projectId?: string
  access: 'read' | 'write'
  /** How it was found: a path argument, a patch's header, or an operand of a shell command. */
  via: 'path' | 'patch' | 'shell'
}

export interface CapturedEvent {
  /** 16 bytes, the same whenever this event is read again. */
  id: Buffer
  /** Native id of its session. */
  session: string
  type: EventType
  /** Milliseconds since 1970; never missing: capture falls back to the nearest known time. */
  at: number
  text: string
  /** Equal for events that say the same: type, text, outcome and arguments; without text, the payload. 16 bytes. */
  digest: Buffer
  payload: string | null
  nativeId: string | null
  model: string | null
  tool: { name: string; server: string | null; callId: string | null; exitCode: number | null; failed: boolean } | null
  /** JSON of a tool call's arguments. */
  input: string | null
  opensTurn: boolean
  ends: Ending | null
  /** Said while working: never the final answer of a turn. */
  commentary?: true
  copied: boolean
  usage: Usage | null
  touches: Touch[]
  /** 0-based record in the file. */
  recordIndex: number
}

/** How far a file has been read, committed together with what was read. */
export interface Checkpoint {
  source: string
  harness: string
  path: string
  /** Device and inode, or what stands for them. */
  identity: string
  size: number
  modifiedAt: number
  /** Bytes consumed. */
  readTo: number
  /** Records consumed. */
  records: number
  /** Hash of the first bytes, to notice replacement in place. */
  head: string
  /** The harness's state, JSON. */
  state: string
  status: 'active' | 'gone' | 'unreadable'
  statusReason: string | null
}

/** A record (or file) that could not be read as it should; kept with its place and counted. */
export interface Problem {
  recordIndex: number
  /** A short stable word: `not-json`, `not-object`, `line-too-long`, `unreadable`, `harness-error`. */
  reason: string
  detail: string
}

export interface CaptureBatch {
  checkpoint: Checkpoint
  /** The file starts over (new, replaced or cut short): its open turns are forgotten. */
  fromStart: boolean
  sessions: (SessionFacts & { projectId?: string })[]
  events: CapturedEvent[]
  problems: Problem[]
  /** Roots of projects seen, so that a worktree stays attributable after it is gone. */
  projectRoots: { root: string; projectId: string }[]
}

export interface BatchResult {
  /** Events new to the archive. */
  added: number
  /** Events whose content changed under the same id. */
  changed: number
  /** Events that were there already. */
  repeated: number
  /** Sessions new to the archive. */
  sessions: number
}
