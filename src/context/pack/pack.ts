/** What a pack holds: the answer of rift_context_pack, in the order its fields are sent. */

import type { TrustLevel } from '../documents/index.ts'
import type { Intent, SourceTable } from '../evidence/types.ts'
import type { Expand } from '../rows.ts'

export interface PackRequest {
  task: string
  /** Absolute directory; its project is narrowed to. */
  cwd?: string
  /** UTF-8 bytes of the JSON, at most. */
  maxBytes: number
  maxPerBucket: number
  /** Only what is dated strictly later; milliseconds since 1970. */
  since?: number
  /** What the archive may lack, for people; absent when it is complete. */
  coverage?: string
}

export interface PackPassage {
  /** Verbatim. */
  text: string
  /** Where it stands in the stored text, in characters. */
  offset: number
  /** `k/n`: how many of the task's terms it holds. */
  matched: string
}

/** A decision or constraint, from a line of a file or from a stored text. */
export interface PackStatement {
  text: string
  source: string
  timestamp: string
  /** `path:line`, below the project's root; absolute outside of it. */
  source_path?: string
  /** The conversation or save it is from, and where in its text. */
  id?: string
  source_table?: SourceTable
  offset?: number
}

export interface PackConversation {
  id: string
  title: string
  source: string
  timestamp: string
  content_bytes?: number
  passage: PackPassage
  /** Further stretches of the same conversation. */
  more?: PackPassage[]
  expand: Expand
}

export interface PackRule {
  id: string
  title: string
  source_path: string
}

/** What a file or tracker says now. */
export interface PackFact {
  text: string
  source_path: string
  trust: TrustLevel
  timestamp: string
}

export interface PackDiscounted {
  source_path: string
  reason: string
}

export interface PackConflict {
  a: string
  b: string
  subject: string
  newer: 'a' | 'b'
}

export interface PackOther {
  title: string
  source_path: string
}

export interface Pack {
  task: string
  intent: Intent
  decisions: PackStatement[]
  constraints: PackStatement[]
  examples: PackConversation[]
  rules: PackRule[]
  current_truth?: PackFact[]
  past_reasoning?: PackConversation[]
  older_memory?: PackConversation[]
  discounted?: PackDiscounted[]
  recommended_live_files?: string[]
  conflicts?: PackConflict[]
  other_projects?: PackOther[]
  current_truth_caveat?: string
  /** Fixed: what quotes are. */
  note: string
  project_scope?: { root: string; conversations: number }
  /** Why "nothing found" may not be the truth; absent when the archive is complete. */
  coverage?: string
  mode?: 'lexical'
  degraded: boolean
  degraded_reason?: string
  truncated: boolean
  total_bytes: number
}

/** What holds conversations, the best first. */
export const CONVERSATION_BUCKETS = ['examples', 'past_reasoning', 'older_memory'] as const
export type ConversationBucket = (typeof CONVERSATION_BUCKETS)[number]

/** The caps of texts, in characters. */
export const TEXT_CAPS = { statement: 280, passage: 400, title: 160 } as const
