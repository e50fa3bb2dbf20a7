/** The state of the whole: what `status`, the page and `doctor` show. */

import { existsSync } from 'node:fs'
import { formatTime } from '../core/time.ts'
import type { Harness, Host } from '../harness/index.ts'
import type { ArchiveOverview, CaptureStatus } from '../store/index.ts'
import type { Coverage } from '../tools/index.ts'

export interface SourceStatus {
  source: string
  harness: string
  /** Where its transcripts are looked for. */
  folders: string[]
  /** One of the folders is there. */
  present: boolean
  sessions: number
  files: number
  unreadable: number
  problems: number
  bytes: number
  bytes_read: number
  captured_at: string | null
}

export interface Status {
  version: string
  archive: { engine: string; place: string; bytes: number; sample: boolean }
  sessions: number
  turns: number
  events: number
  started_at: string | null
  updated_at: string | null
  sources: SourceStatus[]
  capture: {
    enabled: boolean
    /** The process that reads transcripts now. */
    holder: string | null
    running: boolean
    files_done: number
    files_total: number
    bytes_done: number
    bytes_total: number
    finished_at: string | null
  }
  coverage: Coverage
}

/** Every source that can exist on this machine, and those that left something in the archive. */
export function sourceStatuses(overview: ArchiveOverview, harnesses: readonly Harness[], host: Host): SourceStatus[] {
  const known = harnesses.flatMap((harness) =>
    harness.sources.map(({ name, roots }) => ({ source: name, harness: harness.id, folders: roots(host) })),
  )
  const gone = overview.sources
    .filter(({ source }) => !known.some((each) => each.source === source))
    .map(({ source, harness }) => ({ source, harness, folders: [] as string[] }))
  return [...known.filter(({ folders }) => folders.length > 0), ...gone].map((each) => {
    const held = overview.sources.find(({ source }) => source === each.source)
    return {
      ...each,
      present: each.folders.some((folder) => existsSync(folder)),
      sessions: held?.sessions ?? 0,
      files: held?.files ?? 0,
      unreadable: held?.unreadable ?? 0,
      problems: held?.problems ?? 0,
      bytes: held?.bytes ?? 0,
      bytes_read: held?.bytesRead ?? 0,
      captured_at: timeOrNull(held?.capturedAt),
    }
  })
}

export function captureState(
  enabled: boolean,
  holder: string | undefined,
  status: CaptureStatus | undefined,
): Status['capture'] {
  return {
    enabled,
    holder: holder === undefined ? null : describeHolder(holder),
    running: holder !== undefined && status?.running === true,
    files_done: status?.filesDone ?? 0,
    files_total: status?.filesTotal ?? 0,
    bytes_done: status?.bytesDone ?? 0,
    bytes_total: status?.bytesTotal ?? 0,
    finished_at: timeOrNull(status?.finishedAt),
  }
}

/** A lease's holder is `HOST:PID:RANDOM`. */
export function describeHolder(holder: string): string {
  const [host, pid] = holder.split(':')
  return pid === undefined ? holder : `process ${pid} on ${host}`
}

export function timeOrNull(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : formatTime(at)
}

/** A database's place without its password. */
export function placeOf(url: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^:/@]*):[^@]*@/, '$1@')
}
