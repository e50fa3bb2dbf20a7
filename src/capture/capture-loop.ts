/** Captures for as long as the program runs: everything once, then whatever changes. */

import { setTimeout as pause } from 'node:timers/promises'
import { createAfterPass } from './after-pass.ts'
import { type CaptureOptions, captureFiles, captureOnce, FAILED } from './capture.ts'
import { takeCaptureLease } from './capture-lease.ts'
import { createStatusWriter, type StatusWriter } from './capture-status.ts'
import { createDatabases } from './databases.ts'
import { checkpointPath, type FoundFile, locate } from './discover.ts'
import type { CaptureReport } from './report.ts'
import { type TranscriptWatcher, watchTranscripts } from './watch.ts'

export interface CaptureLoopOptions extends Omit<CaptureOptions, 'paths' | 'onProgress' | 'signal'> {
  /** Names the process among all that share the database. */
  holder: string
  /** Told what went wrong, in one line. */
  log(line: string): void
  /** Milliseconds between two looks at everything. */
  sweepEvery?: number
  /**
   * Done after each look at everything and after each pass that stored something, while capture goes on; never twice at a
   * time. Ends soon when aborted. What it throws is logged.
   */
  afterPass?: (signal: AbortSignal) => Promise<void>
}

export interface CaptureLoop {
  /** Stops after the batch under way and gives the lease back. */
  close(): Promise<void>
}

const SWEEP_EVERY = 15_000

/** Milliseconds between two looks for the folders of harnesses that were not there. */
const ROOTS_EVERY = 1_000

/** Milliseconds a change waits for others to the same files. */
const QUIET = 50

/** How much longer than a transcript took to be read as a whole it is then left alone, however often it changes. */
const WHOLE_REST = 9

/** Milliseconds between two attempts to take the lease, or after a failure. */
const RETRY = 2_000

/** Starts capturing as soon as no other process does. */
export function startCaptureLoop(options: CaptureLoopOptions): CaptureLoop {
  const closing = new AbortController()
  // What is known of databases is kept from pass to pass: asking one of gigabytes again for nothing takes a while.
  const { clock, fileSystem } = options
  const ended = run({ databases: createDatabases(clock, fileSystem), ...options }, closing.signal)
  return {
    close: async () => {
      closing.abort()
      await ended
    },
  }
}

async function run(options: CaptureLoopOptions, closed: AbortSignal): Promise<void> {
  while (!closed.aborted) {
    try {
      const lease = await takeCaptureLease(options)
      if (lease) {
        try {
          await captureWhileHeld(options, AbortSignal.any([closed, lease.lost]))
        } finally {
          await lease.release()
        }
      }
    } catch (error) {
      options.log(`capture failed, trying again: ${error instanceof Error ? error.message : String(error)}`)
    }
    if (!closed.aborted) await sleep(RETRY, closed)
  }
}

async function captureWhileHeld(options: CaptureLoopOptions, signal: AbortSignal): Promise<void> {
  const { clock, log } = options
  const every = sweepEvery(options)
  const status = createStatusWriter(options)
  const changes = createChanges()
  const after = createAfterPass(options.afterPass, log, signal)
  let watcher: TranscriptWatcher | undefined
  try {
    watcher = watchTranscripts({
      ...options,
      onChange: changes.add,
      onError: (error) => log(`watching failed, looking every ${every / 1000} s instead: ${String(error)}`),
    })
    let sweepAt = clock()
    while (!signal.aborted) {
      if (clock() >= sweepAt) {
        changes.take()
        watcher.addRoots()
        const allRead = logFailures(options, await sweep(options, status, signal))
        sweepAt = clock() + (allRead ? every : RETRY)
        after.due()
      } else {
        const report = await captureChanged(options, changes, signal)
        if (report && !logFailures(options, report)) sweepAt = Math.min(sweepAt, clock() + RETRY)
        if (report && report.events > 0) after.due()
      }
      await changes.wait(Math.min(sweepAt - clock(), ROOTS_EVERY), signal)
      // A harness that is used for the first time makes its folder, which nobody watches yet.
      if (watcher.addRoots()) sweepAt = clock()
    }
  } finally {
    await watcher?.close()
    await after.ended()
    await status.flush()
  }
}

function sweepEvery({ sweepEvery: every = SWEEP_EVERY }: CaptureLoopOptions): number {
  return every
}

/** Looks at everything. */
async function sweep(options: CaptureLoopOptions, status: StatusWriter, signal: AbortSignal): Promise<CaptureReport> {
  status.begin()
  const report = await captureOnce({ ...options, signal, onProgress: status.update })
  status.end(report)
  return report
}

/** Tells which files could not be stored; true when there are none. */
function logFailures({ log }: CaptureLoopOptions, { skipped }: CaptureReport): boolean {
  const failed = skipped.filter(({ reason }) => reason === FAILED)
  for (const { path, detail } of failed) log(`capture of ${path} failed, trying again: ${detail}`)
  return failed.length === 0
}

async function captureChanged(
  options: CaptureLoopOptions,
  changes: Changes,
  signal: AbortSignal,
): Promise<CaptureReport | undefined> {
  const { harnesses, host, fileSystem, sources, databases } = options
  const where = { fileSystem, sources, databases }
  const files = new Map<string, FoundFile>()
  const startedAt = performance.now()
  const paths = changes.take()
  const whole: string[] = []
  for (const path of paths) {
    const found = locate(harnesses, host, path, where)
    const [first] = found
    if (!first) continue
    // A file that is in view under its real path too is known by that one.
    const real = first.realPath === path ? found : locate(harnesses, host, first.realPath, where)
    for (const each of real.length > 0 ? real : found) files.set(checkpointPath(each.file), each)
    if (first.layout.format.kind !== 'jsonl') whole.push(path)
  }
  if (files.size === 0) return undefined
  const report = await captureFiles({ ...options, signal }, [...files.values()])
  const took = performance.now() - startedAt
  for (const path of whole) changes.rest(path, Math.min(took * WHOLE_REST, sweepEvery(options)))
  return report
}

/** Paths that changed, each once, and the wait for them. */
interface Changes {
  add(path: string): void
  /** Lets a path that changes again wait for some milliseconds: reading it costs as much however little is new. */
  rest(path: string, milliseconds: number): void
  take(): string[]
  /** Until there are some and they have had their quiet time, or the time is over, or the signal says so. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>
}

function createChanges(): Changes {
  let paths = new Set<string>()
  let woken = new AbortController()
  const resting = new Map<string, { again: boolean; timer: NodeJS.Timeout }>()
  const add = (path: string): void => {
    const rest = resting.get(path)
    if (rest) {
      rest.again = true
      return
    }
    paths.add(path)
    woken.abort()
  }
  return {
    add,
    rest(path, milliseconds) {
      const wake = (): void => {
        const again = resting.get(path)?.again
        resting.delete(path)
        if (again) add(path)
      }
      // A change that came while the file was read once more must not be forgotten with the rest before.
      const before = resting.get(path)
      clearTimeout(before?.timer)
      resting.set(path, { again: before?.again ?? false, timer: setTimeout(wake, milliseconds).unref() })
    },
    take() {
      const taken = [...paths]
      paths = new Set()
      woken = new AbortController()
      return taken
    },
    async wait(milliseconds, signal) {
      if (paths.size === 0) await sleep(milliseconds, AbortSignal.any([signal, woken.signal]))
      if (paths.size > 0) await sleep(QUIET, signal)
    },
  }
}

/** Sleeps, but not past an abort. */
async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(Math.max(0, milliseconds), undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
