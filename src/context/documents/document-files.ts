/** The little of the file system that documents need; tests replace it. Synchronous, as capture's is. Nothing here throws. */

import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import type { DocumentLook } from './document.ts'

export type EntryKind = 'file' | 'directory' | 'link' | 'other'

export interface Entry {
  name: string
  kind: EntryKind
}

export interface DocumentFiles {
  /** What is in a directory, `limit` entries at most; undefined when it is gone or not for us to see. */
  list(path: string, limit: number): Entry[] | undefined
  /** What is at a path, links not followed; undefined when there is nothing. */
  look(path: string): { kind: EntryKind; look: DocumentLook } | undefined
  /** The first `limit` bytes of a file, links not followed; undefined when it cannot be read. */
  read(path: string, limit: number): Buffer | undefined
  /** Where a path leads through links, with forward slashes; undefined when nowhere. */
  realPath(path: string): string | undefined
}

export const diskDocumentFiles: DocumentFiles = {
  list: (path, limit) => attempt(() => listDirectory(path, limit)),
  look: (path) =>
    attempt(() => {
      const stat = lstatSync(path)
      return { kind: kindOf(stat), look: lookOf(stat) }
    }),
  read: (path, limit) => attempt(() => readHead(path, limit)),
  realPath: (path) => attempt(() => realpathSync.native(path).replaceAll('\\', '/')),
}

/** Missing, or not for us to see: as good as not there. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function kindOf(entry: Stats | Dirent): EntryKind {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'directory'
  return entry.isFile() ? 'file' : 'other'
}

function lookOf(stat: Stats): DocumentLook {
  return { size: stat.size, modifiedAt: Math.floor(stat.mtimeMs), identity: `${stat.dev}:${stat.ino}` }
}

function listDirectory(path: string, limit: number): Entry[] {
  const directory = opendirSync(path)
  try {
    const entries: Entry[] = []
    for (let entry = directory.readSync(); entry !== null && entries.length < limit; entry = directory.readSync()) {
      entries.push({ name: entry.name, kind: kindOf(entry) })
    }
    return entries
  } finally {
    directory.closeSync()
  }
}

/**
 * A pipe put in a file's place after it was looked at must not make us wait, nor a link lead us away. Windows knows
 * neither flag.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

function readHead(path: string, limit: number): Buffer | undefined {
  const file = openSync(path, OPEN_FLAGS)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) return undefined
    const buffer = Buffer.alloc(Math.min(stat.size, limit))
    let filled = 0
    while (filled < buffer.length) {
      const length = readSync(file, buffer, filled, buffer.length - filled, filled)
      if (length === 0) break
      filled += length
    }
    return buffer.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}
