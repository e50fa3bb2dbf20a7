/** A statement: a decision or a constraint, word for word, with its place. */
import type { DocumentRole } from '../documents/index.ts'

export type StatementKind = 'decision' | 'constraint'

export type SaidBy = 'user' | 'assistant' | 'document' | 'save'

/** Where a text is from, which decides what is believed in it. */
export type StatementOrigin =
  /** What the user typed. */
  | { kind: 'prompt' }
  /** What the agent said, and what the user typed next; it counts when the user accepted it. */
  | { kind: 'answer'; nextPrompt: string }
  /** A whole document; its path (relative, forward slashes) and role decide how its headings are read. */
  | { kind: 'document'; path: string; role: DocumentRole }
  /** One entry of a save's `decisions`: taken as it is. */
  | { kind: 'save' }

export interface Statement {
  kind: StatementKind
  /** The text from `start` on, verbatim; at most 280 characters. */
  text: string
  /** Offset in the text it was found in, in UTF-16 units. */
  start: number
  /** Line of `start`, from 1. */
  line: number
  saidBy: SaidBy
  /** Distinct stems of what it is about, in the order they appear; for duplicates and conflicts. */
  subject: string[]
  /** The day it names as its own (a dated entry of a tracker), `YYYY-MM-DD`. */
  date?: string
}

/** What comparing statements needs to know of one. `at`: milliseconds since 1970. */
export interface ComparedStatement {
  kind: StatementKind
  text: string
  subject: readonly string[]
  at: number
}

/** Two statements of one subject that disagree; `newer` replaces the other. */
export interface Contradiction<S extends ComparedStatement> {
  a: S
  b: S
  /** What they are about, in words of theirs. */
  subject: string
  /** The later; of equally late ones, `b`. */
  newer: 'a' | 'b'
}
