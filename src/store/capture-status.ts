/** How far capture is, for other processes to see: they answer from the archive while one of them fills it. */

import type { Engine, Queryable } from './engine.ts'

export interface CaptureStatus {
  /** A pass over everything is under way; when the writer died in it, its lease has run out. */
  running: boolean
  /** Files with something new in the current or last pass, and how many of them have been read. */
  filesTotal: number
  filesDone: number
  bytesTotal: number
  bytesDone: number
  /** When the current or last pass over everything began, in milliseconds since 1970. */
  startedAt: number
  /** When the last pass over everything ended; null before the first has. */
  finishedAt: number | null
  /** Process that captures. */
  holder: { name: string; pid: number }
  /** Records and files passed over in the current or last pass. */
  problems: number
  /** Folders and files that may not or cannot be read; the first twenty. */
  unreadable: { path: string; reason: string }[]
}

function settingName(owner: number): string {
  return `capture-status:${owner}`
}

export async function saveCaptureStatus(engine: Engine, owner: number, status: CaptureStatus): Promise<void> {
  await engine.run(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    [settingName(owner), JSON.stringify(status)],
  )
}

/** The status last saved; undefined where nothing was ever captured. */
export async function loadCaptureStatus(db: Queryable, owner: number): Promise<CaptureStatus | undefined> {
  const row = await db.get<{ value: string }>('SELECT value FROM setting WHERE name = ?', [settingName(owner)])
  return row && (JSON.parse(row.value) as CaptureStatus)
}
