/**
 * What differs between SQLite and PostgreSQL. All other SQL in this folder is one text that both accept: `?` for
 * parameters, times as BIGINT milliseconds, JSON as TEXT, ids as 16 bytes.
 */

import type { Caller } from '../core/caller.ts'
import type { EventType } from '../core/event.ts'

export type SqlValue = string | number | bigint | null | Uint8Array

/** A row as the driver gives it: numbers are numbers, bytes are Buffers, on both engines. */
export type Row = Record<string, string | number | null | Buffer>

export interface Queryable {
  /** All rows of a statement. Statements are prepared once per text. */
  all<R>(sql: string, params?: readonly SqlValue[], signal?: AbortSignal): Promise<R[]>
  /** The first row, or undefined. */
  get<R>(sql: string, params?: readonly SqlValue[], signal?: AbortSignal): Promise<R | undefined>
  /** Runs a statement that returns nothing; the number of rows it changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>
  /** Runs one statement for many parameter rows; the hot path of capture. */
  runMany(sql: string, rows: readonly (readonly SqlValue[])[]): Promise<void>
}

/** What the text index of an engine can do; what it is for: see `retrieval/search.ts`. */
export interface TextIndex {
  /** Adds documents to the index, in the transaction given. */
  add(tx: Queryable, documents: readonly IndexDocument[]): Promise<void>
  /** Takes documents out; everything about them must be as it was when they were added. */
  remove(tx: Queryable, documents: readonly IndexDocument[]): Promise<void>
  /** Events that match, best or newest first. */
  candidates(query: CandidateQuery, signal?: AbortSignal): Promise<Candidate[]>
  /** Passages of the lane `context` that match, best or newest first. */
  contextCandidates(query: ContextCandidateQuery, signal?: AbortSignal): Promise<ContextCandidate[]>
  /** In how many documents of a lane each term occurs. Counting costs what the term occurs: not for common ones. */
  documentFrequencies(
    lane: SearchLane,
    terms: readonly string[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, number>>
  /** The documents of one session in a lane, in the order of capture. */
  documentsOf(lane: IndexLane, owner: number, session: number, signal?: AbortSignal): Promise<number[]>
  /**
   * Estimates anew which terms are common, when the archive has grown enough since the last time; otherwise it costs one
   * read. Capture calls it between batches, in a transaction of its own.
   */
  refreshStatistics(tx: Queryable): Promise<void>
}

/**
 * Where a document is indexed. `prose` is what is searched by default (prompts and answers), `trace` the rest that people
 * or models wrote; both keep positions, so that phrases are exact. `bulk` is tool traffic, which keeps none.
 */
export type IndexLane = 'prose' | 'trace' | 'bulk'

/** The lanes of events, and the one of passages of documents, saves, digests and statements, with positions. */
export type SearchLane = IndexLane | 'context'

export interface IndexDocument {
  lane: SearchLane
  /** `event.pk`, which orders documents by capture; in the lane `context` it is `context_passage.pk`. */
  pk: number
  owner: number
  text: string
  /** Exact filters folded into the index: see `facet` in `search-index.ts`. */
  facets: readonly string[]
}

/** Which events a search may return; every condition is exact. */
export interface SearchScope {
  caller: Caller
  types: readonly EventType[]
  /** Any of these. */
  harnesses?: readonly string[]
  sources?: readonly string[]
  /** Only what happened strictly later; milliseconds since 1970. */
  since?: number
  /** Number of a session to stay in. */
  session?: number
  /** Number of a turn to stay in. */
  turn?: number
}

/**
 * One request for candidates in one lane. All of `required` must match; without any, at least one of `optional`. None of
 * `excluded` may match. Where an engine or lane cannot prove that terms stand next to each other it returns more, never
 * less: the ranker checks.
 */
export interface CandidateQuery {
  lane: IndexLane
  scope: SearchScope
  /** At least one of each inner list. They only save work: `scope` holds the conditions themselves. */
  facets: readonly (readonly string[])[]
  required: readonly TermMatch[]
  optional: readonly TermMatch[]
  excluded: readonly TermMatch[]
  /** `relevance`: the best by the engine's own measure. `newest`: captured last. */
  order: 'relevance' | 'newest'
  limit: number
  /** Characters of each text to return. */
  window: number
}

export interface TermMatch {
  terms: readonly string[]
  /** Terms each of which will do as well. */
  forms?: readonly string[]
  /** The terms must stand next to each other, in this order. */
  adjacent?: boolean
  /** The last term is a prefix. */
  prefix?: boolean
  /** How much a match says; for engines that have no measure of their own. */
  weight?: number
}

/** An event that may be a hit. */
export interface Candidate {
  pk: number
  id: Buffer
  type: number
  at: number
  session_pk: number
  turn_pk: number
  digest: Buffer
  /** The beginning of the text, `window` characters of it. */
  text: string
  /** Length of the whole text in bytes. */
  bytes: number
}

/** What a passage of the context is from. */
export type ContextKind = 'document' | 'save' | 'digest' | 'statement'

export const CONTEXT_KINDS: readonly ContextKind[] = ['document', 'save', 'digest', 'statement']

/**
 * One request for passages of the lane `context`. Terms as in `CandidateQuery`. All filters are exact; a caller with
 * project roots sees what belongs to them.
 */
export interface ContextCandidateQuery
  extends Pick<CandidateQuery, 'required' | 'optional' | 'excluded' | 'order' | 'limit' | 'window'> {
  caller: Caller
  /** At least one. */
  kinds: readonly ContextKind[]
  /** Narrows documents, digests and statements to these projects; never saves. All when absent. */
  projectIds?: readonly string[]
  /** Only what is dated strictly later; milliseconds. */
  since?: number
}

/** A passage that may be a hit. */
export interface ContextCandidate {
  pk: number
  /** `context_item.pk`; of a statement `statement.pk`. */
  item_pk: number
  kind: ContextKind
  /** Place among the passages of its item, from 0. */
  ordinal: number
  /** Title of its item; null for a statement. */
  title: string | null
  /** Of the section; empty without one. Indexed together with the text. */
  heading: string
  /** Source of its item, as conversations have one: `documents`, `claude_code`; null for a statement. */
  source: string | null
  /** Where the passage begins in its item's content, in UTF-16 units. */
  start: number
  /** Its first line in its file, from 1; null when it is from none. */
  line: number | null
  /** The item's own date, in milliseconds. */
  at: number
  project_id: string | null
  /** The beginning of the text, `window` characters of it. */
  text: string
  /** Length of the whole text in bytes. */
  bytes: number
}

export interface TransactionOptions {
  /**
   * What was committed survives a power failure. Without it the newest transactions may be lost then, all of each; a
   * crash of the process loses nothing either way. Costs SQLite a wait for the disk.
   */
  durable?: boolean
}

/** An open database. The only things opened and closed here are engines and the store that wraps one. */
export interface Engine extends Queryable {
  readonly name: 'sqlite' | 'postgres'
  /** Serializes work: statements of others wait, and all of it is committed or none. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * What a SELECT ends with that reads rows of `table` in order to change them in the same transaction: others who read
   * them so wait. Empty on SQLite, whose writing transactions are one at a time anyway.
   */
  forUpdate(table: string): string
  readonly textIndex: TextIndex
  /** Brings the write-ahead log back to size; nothing to do on PostgreSQL. */
  checkpoint(): Promise<void>
  /** Bytes on disk. */
  size(): Promise<number>
  close(): Promise<void>
}
