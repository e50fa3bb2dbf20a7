/** One pass over all transcripts: what is new in each goes to the archive. */

import { sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { Harness, Host } from '../harness/harness.ts'
import type { Checkpoint } from '../store/batch.ts'
import type { Engine } from '../store/engine.ts'
import { loadCheckpoint, loadFileLooks } from '../store/index.ts'
import { adoptForks } from './adopt-forks.ts'
import { captureFile } from './capture-file.ts'
import { keepListings, recallListings } from './database-listings.ts'
import { createDatabases, type Databases } from './databases.ts'
import { checkpointPath, type Discovery, discover, type FoundFile } from './discover.ts'
import { discoverPaths } from './discover-paths.ts'
import { type CaptureContext, isReadmitted } from './file-pass.ts'
import { DETAIL, noteGone } from './file-status.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'
import { looksGone, looksSettled, looksUnchanged } from './fingerprint.ts'
import { createOutbox } from './outbox.ts'
import { createPlaces } from './places.ts'
import type { ProjectLookup } from './project.ts'
import type { Redactor } from './redact/index.ts'
import { type CaptureReport, countSkipped, createTally, type Tally } from './report.ts'
import { createScrubber } from './scrub.ts'

export interface CaptureOptions {
  engine: Engine
  owner: number
  harnesses: readonly Harness[]
  host: Host
  clock: Clock
  redactor: Redactor
  projects: ProjectLookup
  /** Names of the sources to look through; all when absent. */
  sources?: readonly string[] | undefined
  /** Files, or folders to look through, instead of the sources. */
  paths?: readonly string[] | undefined
  /** Folders whose sessions are not captured, absolute. */
  exclude?: readonly string[]
  onProgress?: ((progress: CaptureProgress) => void) | undefined
  /** Stops the pass between two batches. */
  signal?: AbortSignal | undefined
  fileSystem?: FileSystem
  /** What is known of databases from the pass before; a pass closes their connections at its end. */
  databases?: Databases
}

/** How far a pass is. Files with nothing new are not counted. */
export interface CaptureProgress {
  filesTotal: number
  filesDone: number
  bytesTotal: number
  bytesDone: number
  events: number
}

/** Events after which the search index's statistics are looked at again, in a long pass. */
const STATISTICS_EVERY = 100_000

/** Files in a row that fail before the pass is given up. */
const FAILURES_IN_A_ROW = 3

/** Reason of a file that could be read and not be stored; it is tried again at the next pass. */
export const FAILED = 'failed'

/** Bytes read after which the write-ahead log is brought back to size at once; a smaller one folds by itself. */
const CHECKPOINT_BYTES = 4 * 1024 * 1024

/**
 * Reads everything new below the sources' roots, or in the paths given, the oldest files first. What is gone from disk
 * is marked so. @throws UserError for a path that is not there
 */
export function captureOnce(options: CaptureOptions): Promise<CaptureReport> {
  const { harnesses, host, paths = [] } = options
  return inPass(options, async (pass) => {
    const { fileSystem, databases, tally, signal } = pass.context
    if (paths.length > 0) {
      const discovery = await discoverPaths(harnesses, host, paths, { fileSystem, databases })
      for (const path of discovery.unrecognized) countSkipped(tally, { reason: 'unrecognized', path })
      noteDiscovery(pass, discovery)
      await readFiles(pass, await findWork(pass, discovery.files))
      await readAdopted(pass, discovery.files)
      return
    }
    const { sources = harnesses.flatMap((harness) => harness.sources.map(({ name }) => name)) } = options
    const looks = await loadLooks(pass, sources)
    await recallListings(pass.context, looks)
    const discovery = discover(harnesses, host, { sources, fileSystem, databases })
    noteDiscovery(pass, discovery)
    await readFiles(pass, await findWork(pass, discovery.files, looks))
    if (signal?.aborted) return
    await markGone(pass, discovery, looks)
    await readAdopted(pass, discovery.files)
    await keepListings(pass.context, discovery.files)
  })
}

/** Reads files a watcher named. */
export function captureFiles(options: CaptureOptions, files: readonly FoundFile[]): Promise<CaptureReport> {
  return inPass(options, async (pass) => {
    pass.context.tally.files = files.length
    const sources = [...new Set(files.map(({ file }) => file.source))]
    const looks = files.length > FEW_FILES ? await loadLooks(pass, sources) : undefined
    await readFiles(pass, await findWork(pass, files, looks))
    await readAdopted(pass, files)
  })
}

async function inPass(options: CaptureOptions, work: (pass: Pass) => Promise<void>): Promise<CaptureReport> {
  const pass = startPass(options)
  try {
    await work(pass)
    return await finishPass(pass)
  } finally {
    pass.context.databases.close()
  }
}

/** By source and path what a file looked like, as `loadFileLooks` says it. */
type Looks = Map<string, Map<string, string>>

/** Files up to which each one's checkpoint is asked for by itself. */
const FEW_FILES = 20

async function loadLooks({ context }: Pass, sources: readonly string[]): Promise<Looks> {
  const looks: Looks = new Map()
  for (const source of sources) looks.set(source, await loadFileLooks(context.engine, context.owner, source))
  return looks
}

interface Pass {
  options: CaptureOptions
  context: CaptureContext
  progress: CaptureProgress
  /** Secrets replaced before this pass, by rule. */
  redactedBefore: Map<string, number>
  startedAt: number
}

function startPass(options: CaptureOptions): Pass {
  const { engine, owner, clock, redactor, projects, exclude = [], signal, fileSystem = nodeFileSystem } = options
  const databases = options.databases ?? createDatabases(clock, fileSystem)
  const tally = createTally()
  const progress: CaptureProgress = { filesTotal: 0, filesDone: 0, bytesTotal: 0, bytesDone: 0, events: 0 }
  const onBatch = (bytes: number): void => {
    progress.bytesDone = Math.min(progress.bytesDone + bytes, progress.bytesTotal)
    progress.events = tally.events
    options.onProgress?.(progress)
  }
  const scrubber = createScrubber((text) => redactor.redact(text))
  const places = createPlaces(projects, exclude)
  const outbox = createOutbox(engine, owner, clock, (path, error) => countFailed(tally, path, error))
  const context = { engine, owner, clock, fileSystem, databases, scrubber, places, tally, outbox, signal, onBatch }
  return { options, context, progress, redactedBefore: redactor.counts(), startedAt: clock() }
}

function noteDiscovery({ context }: Pass, { files, unreadable }: Discovery): void {
  context.tally.files = files.length
  for (const { reason, path, detail } of unreadable) {
    const said = detail === undefined ? {} : { detail: context.scrubber.text(detail).slice(0, DETAIL) }
    countSkipped(context.tally, { reason, path, ...said })
  }
}

/** A file with something new, and how far it has been read. */
interface Work {
  found: FoundFile
  stored: Checkpoint | undefined
}

/**
 * Picks the files in which there may be something new, the oldest first: the archive's own order is then nearly that of
 * time, which is what "newest" is searched by, and a session is there before its forks.
 */
async function findWork({ context }: Pass, files: readonly FoundFile[], looks?: Looks): Promise<Work[]> {
  const { engine, owner, tally } = context
  const work: Work[] = []
  for (const found of files) {
    const { source } = found.file
    const path = checkpointPath(found.file)
    const look = looks?.get(source)?.get(path)
    if (look !== undefined && looksSettled(look, found)) {
      tally.unchanged++
      continue
    }
    const isNew = looks !== undefined && look === undefined
    const stored = isNew ? undefined : await loadCheckpoint(engine, owner, source, path)
    if (stored && isUpToDate(context, stored, found)) tally.unchanged++
    else work.push({ found, stored })
  }
  return work.sort(({ found: a }, { found: b }) => a.modifiedAt - b.modifiedAt || (a.file.path < b.file.path ? -1 : 1))
}

async function readFiles({ context, progress }: Pass, work: readonly Work[]): Promise<void> {
  const { tally, signal } = context
  progress.filesTotal += work.length
  for (const { found, stored } of work) progress.bytesTotal += Math.max(0, found.size - (stored?.readTo ?? 0))
  let statisticsAt = STATISTICS_EVERY
  let failures = 0
  for (const { found, stored } of work) {
    try {
      await captureFile(context, found, stored)
      failures = 0
    } catch (error) {
      // When all fail, it is not the file.
      if (++failures === FAILURES_IN_A_ROW) throw error
      countFailed(tally, found.file.path, error)
    }
    // Others have their turn between files: queries, the lease, the watcher.
    await setImmediate()
    if (signal?.aborted) break
    progress.filesDone++
    context.onBatch(0)
    if (tally.events < statisticsAt) continue
    statisticsAt = tally.events + STATISTICS_EVERY
    await refreshStatistics(context.engine)
  }
  await context.outbox.flush()
}

/**
 * Reads the files of adopted forks again; those the pass was not about are read by the next one that is. The report tells
 * what there is to read, so a second reading adds nothing to it.
 */
async function readAdopted(pass: Pass, files: readonly FoundFile[]): Promise<void> {
  const { tally, signal } = pass.context
  if (signal?.aborted) return
  const paths = await adoptForks(pass.context)
  if (paths.size === 0) return
  const { records, bytes, unchanged } = tally
  const skipped = new Map([...tally.skipped].map(([key, value]) => [key, { ...value }]))
  await readFiles(
    pass,
    await findWork(
      pass,
      files.filter(({ file }) => paths.has(checkpointPath(file))),
    ),
  )
  Object.assign(tally, { records, bytes, unchanged, skipped })
}

/** One file must not keep the others out: it is counted, and tried again at the next pass. */
function countFailed(tally: Tally, path: string, error: unknown): void {
  countSkipped(tally, { reason: FAILED, path, detail: error instanceof Error ? error.message : String(error) })
}

function isUpToDate(context: CaptureContext, stored: Checkpoint, found: FoundFile): boolean {
  return stored.status !== 'gone' && looksUnchanged(stored, found) && !isReadmitted(context, stored)
}

/** Files that are not there any more, unless they lie in a folder or database that could not be looked into. */
async function markGone({ context }: Pass, discovery: Discovery, looks: Looks): Promise<void> {
  const { engine, owner } = context
  // A database is there itself, too.
  const present = new Set(discovery.files.flatMap(({ file }) => [file.path, checkpointPath(file)]))
  const closed = discovery.unreadable.flatMap(({ path }) => [path + sep, `${path}#`])
  for (const [source, known] of looks) {
    for (const [path, look] of known) {
      if (present.has(path) || looksGone(look) || closed.some((folder) => path.startsWith(folder))) continue
      const stored = await loadCheckpoint(engine, owner, source, path)
      if (stored) await noteGone(context, stored)
    }
  }
}

async function finishPass({ options, context, redactedBefore, startedAt }: Pass): Promise<CaptureReport> {
  const { tally, engine, clock } = context
  // Also when nothing was new: the pass before may have been killed before it came to this.
  await refreshStatistics(engine)
  if (tally.bytes >= CHECKPOINT_BYTES) await engine.checkpoint()
  const redactions: Record<string, number> = {}
  for (const [rule, count] of options.redactor.counts()) {
    const now = count - (redactedBefore.get(rule) ?? 0)
    if (now > 0) redactions[rule] = now
  }
  return {
    ...tally,
    skipped: [...tally.skipped.values()],
    seconds: (clock() - startedAt) / 1000,
    redactions,
    finished: !options.signal?.aborted,
  }
}

function refreshStatistics(engine: Engine): Promise<void> {
  return engine.transaction((tx) => engine.textIndex.refreshStatistics(tx))
}
