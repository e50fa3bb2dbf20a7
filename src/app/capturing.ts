/** Capture as the program uses it: one pass for a command, or a worker for as long as something is served. */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { CaptureProgress, CaptureReport } from '../capture/index.ts'
import { LOCAL_OWNER } from '../core/caller.ts'
import { systemClock } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import type { Harness } from '../harness/index.ts'
import { type CaptureStatus, type Engine, leaseHolder, loadCaptureStatus, saveCaptureStatus } from '../store/index.ts'
import { contextIndexer, openCapturing } from './open-capturing.ts'
import type { CapturingSettings } from './settings.ts'
import { describeHolder } from './status.ts'

export interface CaptureRequest {
  /** Names of sources; all when absent. */
  sources?: readonly string[]
  /** Files, or folders to look through, instead of the sources. */
  paths?: readonly string[]
  onProgress?: (progress: CaptureProgress) => void
  signal?: AbortSignal
}

export interface Capturing {
  /** When everything there was at the start has been read, here or by the process that does it already. */
  caughtUp: Promise<void>
  close(): Promise<void>
}

/** Milliseconds between two looks at how far capture is. */
const LOOK_EVERY = 50

/**
 * One pass, under the lease, and the index of the context after it: of every folder's documents, or of those that are `due`. @throws UserError `busy` while another process captures, `usage` for a source or path that
 * is not there
 */
export async function capturePass(
  engine: Engine,
  harnesses: readonly Harness[],
  settings: CapturingSettings,
  request: CaptureRequest,
  folders: 'all' | 'due' = 'all',
): Promise<CaptureReport> {
  const { captureOnce, createProjects, createRedactor, takeCaptureLease } = await import('../capture/index.ts')
  checkSources(harnesses, request.sources)
  const redactor = createRedactor(settings.redaction)
  const holder = `${hostname()}:${process.pid}:${randomUUID()}`
  const lease = await takeCaptureLease({ engine, owner: LOCAL_OWNER, holder, clock: systemClock })
  if (!lease) throw busy(await currentHolder(engine))
  const startedAt = systemClock()
  try {
    const signal = AbortSignal.any(request.signal ? [lease.lost, request.signal] : [lease.lost])
    const projects = createProjects()
    const report = await captureOnce({
      engine,
      owner: LOCAL_OWNER,
      harnesses,
      host: settings.host,
      clock: systemClock,
      redactor,
      projects,
      exclude: settings.exclude ?? [],
      sources: request.sources,
      paths: request.paths,
      onProgress: request.onProgress,
      signal,
    })
    if (!request.sources && !request.paths) await saveStatus(engine, holder, startedAt, report)
    const parts = { engine, owner: LOCAL_OWNER, projects, redactor }
    const wanted = folders === 'all' ? settings : { ...settings, context: withoutModels(settings.context) }
    const indexer = await contextIndexer(wanted, parts, console.error)
    if (!signal.aborted) await indexer?.run(signal, folders === 'all')
    return report
  } finally {
    await lease.release()
  }
}

/** Somebody waits for this pass: models are slow, and can wait for the next. */
function withoutModels({ models: _, ...context }: CapturingSettings['context']): CapturingSettings['context'] {
  return context
}

function checkSources(harnesses: readonly Harness[], names: readonly string[] = []): void {
  const known = harnesses.flatMap(({ sources }) => sources.map(({ name }) => name))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new UserError('usage', `there is no source '${unknown}'`, { remedy: `the sources are ${known.join(', ')}` })
}

function busy(holder: string | undefined): UserError {
  const who = holder === undefined ? 'another process' : describeHolder(holder)
  return new UserError('busy', `${who} reads transcripts already`, {
    remedy: 'wait for it, or stop it; what is new is read either way',
  })
}

/** The living process that captures now. */
export function currentHolder(engine: Engine): Promise<string | undefined> {
  return leaseHolder(engine, `capture:${LOCAL_OWNER}`, systemClock())
}

/** Tells other processes that everything has been read, as the loop does. */
async function saveStatus(engine: Engine, holder: string, startedAt: number, report: CaptureReport): Promise<void> {
  const { unreadableOf } = await import('../capture/index.ts')
  const before = await loadCaptureStatus(engine, LOCAL_OWNER)
  const { files, unchanged, bytes, skipped, finished } = report
  await saveCaptureStatus(engine, LOCAL_OWNER, {
    running: false,
    filesTotal: files - unchanged,
    filesDone: files - unchanged,
    bytesTotal: bytes,
    bytesDone: bytes,
    startedAt,
    finishedAt: finished ? systemClock() : (before?.finishedAt ?? null),
    holder: { name: holder, pid: process.pid },
    problems: skipped.reduce((sum, { count }) => sum + count, 0),
    unreadable: unreadableOf(report),
  })
}

/** Starts the worker that captures and keeps watching, as soon as no other process does. */
export async function startCapturing(
  engine: Engine,
  settings: CapturingSettings,
  log: (line: string) => void,
  onProgress: (progress: CaptureProgress) => void = () => {},
): Promise<Capturing> {
  const { startCaptureWorker } = await import('../capture/index.ts')
  const startedAt = systemClock()
  const stopped = new AbortController()
  const worker = await startCaptureWorker(settings, log, openCapturing)
  return {
    caughtUp: waitUntilRead(engine, startedAt, stopped.signal, onProgress),
    async close() {
      stopped.abort()
      await worker.close()
    },
  }
}

/** Resolves when a pass that began at `startedAt` or later has ended, or all has been read by another living process. */
async function waitUntilRead(
  engine: Engine,
  startedAt: number,
  stopped: AbortSignal,
  onProgress: (progress: CaptureProgress) => void,
): Promise<void> {
  while (!stopped.aborted) {
    const [status, holder] = await Promise.all([loadCaptureStatus(engine, LOCAL_OWNER), currentHolder(engine)])
    if (status && holder === status.holder.name) {
      if (!status.running && status.finishedAt !== null && isRecent(status, startedAt)) return
      onProgress({ ...status, events: 0 })
    }
    await pause(LOOK_EVERY)
  }
}

/** A process that captured before us keeps up to date by itself; of our own, only a pass since the start counts. */
function isRecent(status: CaptureStatus, startedAt: number): boolean {
  return status.holder.pid !== process.pid || (status.finishedAt ?? 0) >= startedAt
}
