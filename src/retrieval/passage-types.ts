/** What the search of passages is asked and what it answers. */

import type { EventType } from '../core/event.ts'
import type { DegradedReason, MeaningLane } from './meaning/lane.ts'

/**
 * What a passage is from: a conversation's event, or an item of the context. `section` of a document is a passage of the
 * document, with its heading.
 */
export type PassageKind = 'conversation' | 'document' | 'save' | 'digest' | 'statement'

export const PASSAGE_KINDS: readonly PassageKind[] = ['conversation', 'document', 'save', 'digest', 'statement']

export interface PassageRequest {
  /** Any text: a task, a question, words. Never refused; see `parseQuery` for what is read in it. */
  query: string
  /** Which kinds to search; all by default. */
  kinds?: readonly PassageKind[]
  /** Hits wanted, 1 or more. */
  limit: number
  /** Hits of one conversation at most; 2 by default. Documents and saves count alike, by item. */
  perConversation?: number
  /** Only what happened (conversations) or was indexed (all else) strictly later; milliseconds since 1970. */
  since?: number
  /** Conversations of these harnesses or sources alone. Items have neither: with one of these, none is found. */
  harnesses?: readonly string[]
  sources?: readonly string[]
  /** Number of the session to stay in (`session.pk`); items are then left out. */
  session?: number
  /** Narrows documents, digests and statements to these projects; never conversations and saves. */
  projectIds?: readonly string[]
  /** Event types searched in conversations; prompts and answers by default. Tool traffic ranks low where it is named. */
  types?: readonly EventType[]
  /** Now, for recency; milliseconds since 1970. */
  now: number
  /**
   * How much being recent adds at most, by intent: 0.08 by default, 0.16 for what is true now, 0 for past reasoning.
   * Halves in 30 days.
   */
  recency?: number
  /**
   * `relevance` (default): by score alone. `diverse`: each further passage gives way to those of other conversations that
   * say something else; for packs.
   */
  order?: 'relevance' | 'diverse'
}

/** A verbatim stretch of a stored text: `text` is the stored text from `start` to `end`. */
export interface Passage {
  /** Offsets in the stored text, in UTF-16 units. */
  start: number
  end: number
  text: string
}

interface HitBase {
  passage: Passage
  /** How many of the query's `terms` stems the passage holds: the `k/n` of a pack. */
  matched: number
  /** Distinct stems of the query without the short stop list, at most 32. */
  terms: number
  method: 'keyword' | 'vector' | 'hybrid'
  /** 0 to 1, one scale for all kinds, rounded to 4 places; recency included. */
  score: number
  /** When it happened or was written; milliseconds since 1970. */
  at: number
  /** Bytes of the whole event or item passage, UTF-8. */
  bytes: number
  /** Other hits that say the same and were folded into this one. */
  duplicates: number
}

export interface ConversationHit extends HitBase {
  kind: 'conversation'
  eventPk: number
  eventId: Buffer
  sessionPk: number
  turnPk: number
  type: EventType
}

export interface ItemHit extends HitBase {
  kind: Exclude<PassageKind, 'conversation'>
  passagePk: number
  itemPk: number
  /** The heading the passage stands under; empty without one. */
  heading: string
  /** First line of the stored passage in its file, from 1; null when it is from no file. `passage.start` lies after it. */
  line: number | null
  projectId: string | null
}

export type PassageHit = ConversationHit | ItemHit

export interface PassageResult {
  /** Best first; of equals the later, then conversations before items, then the smaller number. */
  hits: PassageHit[]
  /** There may be more hits than `limit`. */
  truncated: boolean
  /** `hybrid` when a lane of vectors took part. */
  mode: 'lexical' | 'hybrid'
  /** Why a lane of vectors that should have taken part did not. */
  degraded?: DegradedReason
  /** For people. */
  warnings: string[]
}

/** What takes part besides keywords; none by default. */
export interface Lanes {
  meaning?: MeaningLane
}

/** All hits of one conversation or item. */
export interface PassageGroup {
  /** The best of them; its score is the group's. */
  best: PassageHit
  /** All of them, in the order of the text: by event or passage number, then by start. */
  hits: PassageHit[]
}
