/** Writes down how far capture is, for other processes to see; not more than once a second. */

import type { Clock } from '../core/clock.ts'
import type { Engine } from '../store/engine.ts'
import { type CaptureStatus, saveCaptureStatus } from '../store/index.ts'
import type { CaptureProgress } from './capture.ts'
import type { CaptureReport } from './report.ts'

export interface StatusWriter {
  /** A pass over everything begins. */
  begin(): void
  update(progress: CaptureProgress): void
  end(report: CaptureReport): void
  /** When all has been written. */
  flush(): Promise<void>
}

const SAVE_EVERY = 1000

const UNREADABLE_KEPT = 20

/** Reasons that are a whole file's or folder's, not a record's. */
const UNREADABLE = new Set(['permission', 'unreadable', 'damaged', 'too-large', 'busy'])

/** The files and folders a pass could not read, as many as are kept. */
export function unreadableOf({ skipped }: CaptureReport): CaptureStatus['unreadable'] {
  return skipped
    .filter(({ reason }) => UNREADABLE.has(reason))
    .slice(0, UNREADABLE_KEPT)
    .map(({ path, reason }) => ({ path, reason }))
}

export function createStatusWriter(options: {
  engine: Engine
  owner: number
  clock: Clock
  holder: string
  log(line: string): void
}): StatusWriter {
  const { engine, owner, clock, holder, log } = options
  const nothing = { filesTotal: 0, filesDone: 0, bytesTotal: 0, bytesDone: 0 }
  const status: CaptureStatus = {
    running: true,
    ...nothing,
    startedAt: clock(),
    finishedAt: null,
    holder: { name: holder, pid: process.pid },
    problems: 0,
    unreadable: [],
  }
  let saving: Promise<void> = Promise.resolve()
  let savedAt = Number.NEGATIVE_INFINITY
  let saved = ''
  const save = (): void => {
    savedAt = clock()
    const now = { ...status }
    saving = saving.then(() => saveCaptureStatus(engine, owner, now)).catch((error) => log(String(error)))
  }
  return {
    begin() {
      Object.assign(status, nothing, { running: true, startedAt: clock() })
      // Only the first pass is announced before it is known whether there is anything to do.
      if (status.finishedAt === null) save()
    },
    update({ filesTotal, filesDone, bytesTotal, bytesDone }) {
      Object.assign(status, { filesTotal, filesDone, bytesTotal, bytesDone })
      if (clock() - savedAt >= SAVE_EVERY) save()
    },
    end(report) {
      const { skipped, finished } = report
      status.running = false
      if (finished) status.finishedAt = clock()
      status.problems = skipped.reduce((sum, { count }) => sum + count, 0)
      status.unreadable = unreadableOf(report)
      // A look that found nothing new is not worth a write.
      const now = JSON.stringify([status.filesTotal, status.problems, status.unreadable, finished])
      if (status.filesTotal > 0 || now !== saved) save()
      saved = now
    },
    flush: () => saving,
  }
}
