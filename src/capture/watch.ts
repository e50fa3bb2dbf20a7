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
  // Files that are there already are told of too: one that is written to between the sweep's look at it and the watcher's
  // would otherwise wait for the next sweep.
  const watcher = watchFolders([], {
    ignored: (path, stats) => (stats?.isFile() ? !isTranscript(path) : isSkippedFolder(basename(path))),
  })
  watcher.on('add', onChange).on('change', onChange).on('error', onError)

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
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
