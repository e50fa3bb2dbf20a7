/**
 * What differs between SQLite and PostgreSQL. All other SQL in this folder is one text that both accept: `?` for
 * parameters, times as BIGINT milliseconds, JSON as TEXT, ids as 16 bytes.
 */

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

/** What the text index of an engine can do; see `search-index.ts`. */
export interface TextIndex {
  /** Adds documents to the index, in the transaction given. */
  add(tx: Queryable, documents: readonly IndexDocument[]): Promise<void>
  /** Takes documents out; `text` must be what was added. */
  remove(tx: Queryable, documents: readonly IndexDocument[]): Promise<void>
  /** Candidates for a query, best or newest first; see `CandidateQuery`. */
  candidates(query: CandidateQuery, signal?: AbortSignal): Promise<number[]>
  /** In how many documents each term occurs, at least approximately. */
  documentFrequencies(lane: IndexLane, terms: readonly string[]): Promise<Map<string, number>>
  /** Terms of the index that contain `part`, at most `limit`, the rarest first; for pieces of ids and hashes. */
  termsContaining(lane: IndexLane, part: string, limit: number): Promise<string[]>
  /** Brings the table of common terms up to date when the archive has grown enough since the last time. */
  refreshStatistics(tx: Queryable): Promise<void>
}

/**
 * Where a document is indexed. `prose` is what is searched by default (prompts and answers), `trace` the rest that people
 * or models wrote; both keep positions, so that phrases are exact. `bulk` is tool traffic, which keeps none.
 */
export type IndexLane = 'prose' | 'trace' | 'bulk'

export interface IndexDocument {
  lane: IndexLane
  /** `event.pk`, which orders documents by capture. */
  pk: number
  owner: number
  text: string
  /** Exact filters folded into the index: see `facet` in `search-index.ts`. */
  facets: readonly string[]
}

/**
 * One request for candidates in one lane. `all` must match, then at least one of `any` (when given), none of `none`.
 * Each entry is a list of terms that must stand next to each other (one term is the common case); where an engine or
 * lane cannot prove adjacency it may return more, never less: the ranker checks.
 */
export interface CandidateQuery {
  lane: IndexLane
  owner: number
  all: readonly TermMatch[]
  any: readonly TermMatch[]
  none: readonly TermMatch[]
  /** At least one of each inner list, from `facet()`. */
  facets: readonly (readonly string[])[]
  /** `relevance` ranks by the engine where that is cheap; `newest` takes the highest pk first. */
  order: 'relevance' | 'newest'
  limit: number
}

export interface TermMatch {
  terms: readonly string[]
  /** The last term is a prefix. */
  prefix?: boolean
}

/** An open database. The only things opened and closed here are engines and the store that wraps one. */
export interface Engine extends Queryable {
  readonly name: 'sqlite' | 'postgres'
  /** Serializes work: statements of others wait, and all of it is committed or none. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  readonly textIndex: TextIndex
  /** Brings the write-ahead log back to size; nothing to do on PostgreSQL. */
  checkpoint(): Promise<void>
  /** Bytes on disk. */
  size(): Promise<number>
  close(): Promise<void>
}
