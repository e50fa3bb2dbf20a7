/** Tells which transcripts change. What a watcher misses, the sweep of the capture loop finds. */

import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { watch as watchFolders } from 'chokidar'
import type { Harness, Host, SourceDefinition } from '../harness/harness.ts'
import { isSkippedFolder, relativeTo } from './discover.ts'

export interface WatchOptions {
  harnesses: readonly Harness[]
  host: Host
  /** Names of the sources to watch; all when absent. */
  sources?: readonly string[] | undefined
  /** Called with the path of a transcript that is new or was written to. */
  onChange(path: string): void
  /** Called when the system cannot watch, for want of handles or rights. */
  onError(error: unknown): void
}

/** What is written beside a database before it is itself. */
const DATABASE_LOG = /-(wal|journal)$/

export interface TranscriptWatcher {
  /** Takes in roots that have come to be since; true when there are some. */
  addRoots(): boolean
  close(): Promise<void>
}

export function watchTranscripts(options: WatchOptions): TranscriptWatcher {
  const { harnesses, host, sources, onChange, onError } = options
  const watched = new Set<string>()
  const roots: { root: string; source: SourceDefinition }[] = harnesses
    .flatMap((harness) => harness.sources)
    .filter(({ name }) => !sources || sources.includes(name))
    .flatMap((source) => source.roots(host).map((root) => ({ root, source })))
  const isTranscript = (path: string): boolean =>
    roots.some(({ root, source }) => {
      const relative = relativeTo(root, path)
      return relative !== undefined && source.matches(relative)
    })
  /** The transcript that a file is, or the database whose log it is. */
  const transcriptOf = (path: string): string | undefined => {
    if (isTranscript(path)) return path
    const database = path.replace(DATABASE_LOG, '')
    return database !== path && isTranscript(database) ? database : undefined
  }
  const changed = (path: string): void => {
    const transcript = transcriptOf(path)
    if (transcript !== undefined) onChange(transcript)
  }
  const isSkipped = (path: string): boolean => {
    const above = roots.flatMap(({ root, source }) => {
      const relative = relativeTo(root, path)
      return relative === undefined ? [] : [source.skips?.(relative) ?? false]
    })
    return isSkippedFolder(basename(path)) || (above.length > 0 && above.every((skips) => skips))
  }
  // Files that are there already are told of too: one that is written to between the sweep's look at it and the watcher's
  // would otherwise wait for the next sweep.
  const watcher = watchFolders([], {
    ignored: (path, stats) => (stats?.isFile() ? transcriptOf(path) === undefined : isSkipped(path)),
  })
  watcher.on('add', changed).on('change', changed).on('error', onError)

  const addRoots = (): boolean => {
    const before = watched.size
    for (const { root } of roots) {
      if (watched.has(root) || !isFolder(root)) continue
      watched.add(root)
      watcher.add(root)
    }
    return watched.size > before
  }
  addRoots()
  return { addRoots, close: () => watcher.close() }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch {
    return false
  }
}
