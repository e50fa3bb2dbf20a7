/**
 * What a harness is: a program that runs an agent and writes transcripts. A harness value answers four questions, in
 * this order: where are the files, how are they cut into records, what must be remembered along one transcript, and what
 * does a record mean. Checkpoints, redaction, ids, turns, touches and totals are not its business.
 */

import type { Reading } from '../core/event.ts'

/** The machine transcripts are looked for on. */
export interface Host {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
}

/** One configured place a harness writes to. */
export interface SourceDefinition {
  /** Public name, unique among all sources: `claude`, `codex`, `omp`. */
  name: string
  /**
   * Directories to look under; one that does not exist is no error. Empty where the source does not apply, and for what
   * people export from a web page, which is read only when it is named.
   */
  roots(host: Host): string[]
  /** Whether a file below a root is a transcript. `path` is relative to the root, with forward slashes. */
  matches(path: string): boolean
  /** Whether a folder below a root holds no transcript however deep: it is neither looked through nor watched. */
  skips?(path: string): boolean
  /**
   * The path as it would be below a root of the harness's own, for a folder that somebody's configuration names; capture
   * makes these.
   */
  ownPath?(path: string): string
}

/** A transcript as capture found it. */
export interface SourceFile {
  source: string
  /** Absolute path. */
  path: string
  /** Path below the source's root, with forward slashes. */
  relative: string
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** Which transcript of a database; see `TranscriptEntry`. */
  key?: string
}

/** One raw item of a transcript. */
export interface NativeRecord {
  /** The parsed JSON value. */
  value: unknown
  /** 0-based place in the transcript: for JSONL the line number. */
  index: number
}

/** One JSON value per line; may be compressed (`.zst`), and is then read as a whole. */
export interface LinesFormat {
  kind: 'jsonl'
}

/** A JSON file that its program writes anew as a whole: read as a whole whenever it looks different. */
export interface DocumentFormat {
  kind: 'document'
  /** Its records in order. Never throws; a document that holds nothing of use yields itself, to become `unknown`. */
  records(document: unknown, file: SourceFile): Iterable<unknown>
}

/** A file with others around it that together are one transcript, such as a file for each message. Read as a whole. */
export interface BundleFormat {
  kind: 'bundle'
  /** Absolute paths of the files and folders that, beside the file itself, look different whenever there is something new. */
  related(file: SourceFile): readonly string[]
  /** The records in order, gathered from the file and those around it. Never throws. */
  records(files: Files, file: SourceFile): Iterable<unknown>
}

/** Files beside a transcript, for reading. */
export interface Files {
  /** Names in a folder, sorted; empty when there is no such folder. */
  names(folder: string): readonly string[]
  /** The value of a JSON file; its text when it is no JSON; undefined when there is no such file. */
  json(path: string): unknown
}

/**
 * A SQLite database that holds any number of transcripts. Capture opens it for reading alone and only when the file or its
 * write-ahead log looks different; each transcript that changed is then read as a whole.
 */
export interface DatabaseFormat {
  kind: 'database'
  /** What it holds, from small columns alone: a listing must stay cheap in a database of gigabytes. */
  transcripts(database: Database): Iterable<TranscriptEntry>
  /** The records of one transcript in order, row by row. A column that should be JSON and is not stays a string. */
  records(database: Database, key: string): Iterable<unknown>
}

/** One transcript inside a database. */
export interface TranscriptEntry {
  /** Unique inside the database. */
  key: string
  /** Differs whenever something in the transcript does. */
  version: string
  /** Milliseconds since 1970; 0 when the database does not say. */
  modifiedAt: number
}

/** A database of another program, for reading. */
export interface Database {
  /** Names of the columns of a table; empty when there is no such table. */
  columns(table: string): readonly string[]
  all(sql: string, ...params: (string | number)[]): DatabaseRow[]
  /** Rows one by one, for results that may be large. */
  each(sql: string, ...params: (string | number)[]): Iterable<DatabaseRow>
}

export type DatabaseRow = Record<string, string | number | bigint | Uint8Array | null>

/**
 * What people download from a web page: a zip, or one of its JSON files, in which a list holds the conversations. A record
 * is one conversation. Read only when named, streamed, all of it or nothing.
 */
export interface ExportFormat {
  kind: 'export'
  /** Whether a file inside the zip holds conversations. `path` has forward slashes. */
  member(path: string): boolean
  /** Where the list lies in such a file: keys from the top; none when the file is the list itself, or one conversation. */
  list: readonly string[]
  /** Whether a conversation is of this kind: exports of different makers have the same names. */
  recognizes(conversation: unknown): boolean
}

export type RecordFormat = LinesFormat | DocumentFormat | BundleFormat | DatabaseFormat | ExportFormat

/** The format of most transcripts. */
export const jsonLines: LinesFormat = { kind: 'jsonl' }

/** A sidecar next to a transcript that tells something about its session, read anew when it changes. */
export interface Sidecar {
  /** Absolute path of the sidecar that belongs to a transcript; undefined when there is none. */
  pathOf(file: SourceFile): string | undefined
  /** What `read` is given: the parsed JSON, or the text as it stands. The default is `json`. */
  format?: 'json' | 'text'
  /** What the sidecar says. `session`: the session the transcript's last record was in, where that has been read. */
  read(value: unknown, file: SourceFile, session?: string): Reading
}

/** One way in which a harness writes transcripts. */
export interface Layout<State = unknown> {
  /** Whether a file of the sources is written this way. */
  matches(file: SourceFile): boolean
  format: RecordFormat
  sidecars?: readonly Sidecar[]
  /**
   * What must be remembered along one transcript: plain JSON, small, since it is kept in the checkpoint between reads.
   * Reading a transcript in two halves must give what reading it at once gives.
   */
  open(file: SourceFile): State
  /**
   * What a record means. Pure but for `state`, which it may change in place. Never throws on foreign data: what it does
   * not understand becomes one draft of type `unknown`.
   */
  read(record: NativeRecord, state: State, file: SourceFile): Reading
}

export interface Harness {
  /** Public id, the value of the `harness` filter: `claude-code`. */
  id: string
  /** Name for people: `Claude Code`. */
  title: string
  sources: readonly SourceDefinition[]
  /** Its ways of writing, the likeliest first. Most have one; those that changed it over the years have several. */
  layouts: readonly Layout[]
  /** What its transcripts do not tell, or Varve does not read, for people; one sentence each. */
  missing?: readonly string[]
}

/** Returns its argument; exists so that the state's type is known inside. */
export function defineLayout<State>(layout: Layout<State>): Layout {
  return layout
}

/** The way a file is written; undefined for a file that is none of the harness's. */
export function layoutOf(harness: Harness, file: SourceFile): Layout | undefined {
  return harness.layouts.find((layout) => layout.matches(file))
}

/** For a harness whose files are all written one way. */
export const everyFile = (): boolean => true

/** Returns its argument; marks where a harness is defined. */
export function defineHarness(harness: Harness): Harness {
  return harness
}
