/** What a pass did: counted while it runs, told at its end. */

import type { BatchResult, Problem } from '../store/batch.ts'

/** Something that was passed over, and where. */
export interface Skipped {
  /** `not-json`, `not-object`, `line-too-long`, `bad-time`, `harness-error`, `permission`, `unreadable`, ... */
  reason: string
  path: string
  /** 1-based line of the first one. */
  line?: number
  count: number
  detail?: string
}

export interface CaptureReport {
  /** Transcripts found. */
  files: number
  /** Of these, how many had nothing new. */
  unchanged: number
  /** Records read, those with a problem included. */
  records: number
  /** Events new to the archive. */
  events: number
  /** Events that were there with other content. */
  changed: number
  /** Sessions new to the archive. */
  sessions: number
  skipped: Skipped[]
  /** Bytes read. */
  bytes: number
  seconds: number
  /** Secrets replaced, by rule. */
  redactions: Record<string, number>
  /** False when the pass was stopped before its end. */
  finished: boolean
}

/** The running count. */
export interface Tally extends Omit<CaptureReport, 'skipped' | 'seconds' | 'redactions'> {
  skipped: Map<string, Skipped>
}

export function createTally(): Tally {
  return {
    files: 0,
    unchanged: 0,
    records: 0,
    events: 0,
    changed: 0,
    sessions: 0,
    skipped: new Map(),
    bytes: 0,
    finished: true,
  }
}

export function countBatch(
  tally: Tally,
  path: string,
  records: number,
  problems: Problem[],
  result: BatchResult,
): void {
  tally.records += records
  tally.events += result.added
  tally.changed += result.changed
  tally.sessions += result.sessions
  for (const { reason, recordIndex, detail } of problems) countSkipped(tally, { reason, path, detail }, recordIndex)
}

/** Counts one more thing passed over; `recordIndex` is the 0-based line, where there is one. */
export function countSkipped(
  tally: Tally,
  { reason, path, detail }: Omit<Skipped, 'line' | 'count'>,
  recordIndex = -1,
): void {
  const key = `${reason}\0${path}`
  const known = tally.skipped.get(key)
  if (known) {
    known.count++
    return
  }
  const skipped: Skipped = { reason, path, count: 1 }
  if (recordIndex >= 0) skipped.line = recordIndex + 1
  if (detail !== undefined) skipped.detail = detail
  tally.skipped.set(key, skipped)
}
