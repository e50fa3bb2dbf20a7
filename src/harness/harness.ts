/**
 * What a harness is: a program that runs an agent and writes transcripts. A harness value answers four questions, in
 * this order: where are the files, how are bytes cut into records, what must be remembered along one file, and what
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
  /** Directories to look under; one that does not exist is no error. Empty where the source does not apply. */
  roots(host: Host): string[]
  /** Whether a file below a root is a transcript. `path` is relative to the root, with forward slashes. */
  matches(path: string): boolean
}

/** A transcript file as capture found it. */
export interface SourceFile {
  source: string
  /** Absolute path. */
  path: string
  /** Path below the source's root, with forward slashes. */
  relative: string
  /** Milliseconds since 1970. */
  modifiedAt: number
}

/** One raw item of a file. */
export interface NativeRecord {
  /** The parsed JSON value. */
  value: unknown
  /** 0-based place in the file: for JSONL the line number. */
  index: number
}

/** How bytes become records. JSONL may be compressed (`.zst`); a compressed file is read as a whole. */
export type RecordFormat = 'jsonl'

/** A sidecar next to a transcript that tells something about its session, read anew when it changes. */
export interface Sidecar {
  /** Absolute path of the sidecar that belongs to a transcript; undefined when there is none. */
  pathOf(file: SourceFile): string | undefined
  /** What the parsed sidecar says. */
  read(value: unknown, file: SourceFile): Reading
}

export interface Harness<State = unknown> {
  /** Public id, the value of the `harness` filter: `claude-code`. */
  id: string
  /** Name for people: `Claude Code`. */
  title: string
  sources: readonly SourceDefinition[]
  format: RecordFormat
  sidecar?: Sidecar
  /**
   * What must be remembered along one file: plain JSON, small, since it is kept in the checkpoint between reads.
   * Reading a file in two halves must give what reading it at once gives.
   */
  open(file: SourceFile): State
  /**
   * What a record means. Pure but for `state`, which it may change in place. Never throws on foreign data: what it does
   * not understand becomes one draft of type `unknown`.
   */
  read(record: NativeRecord, state: State, file: SourceFile): Reading
}

/** Returns its argument; exists for the types. */
export function defineHarness<State>(harness: Harness<State>): Harness<State> {
  return harness
}
