/**
 * The little of the file system that capture uses; tests replace parts of it. Synchronous: thousands of small calls,
 * each of which takes less than a trip to another thread and back.
 */

import {
  closeSync,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs'

export interface FileSystem {
  readDirectory(path: string): Dirent[]
  /** Undefined where there is nothing. */
  stat(path: string): Stats | undefined
  realPath(path: string): string
  /** Opens for reading, as a file descriptor; others may go on writing, renaming and deleting. */
  open(path: string): number
}

export const nodeFileSystem: FileSystem = {
  readDirectory: (path) => readdirSync(path, { withFileTypes: true }),
  stat: (path) => statSync(path, { throwIfNoEntry: false }),
  realPath: (path) => realpathSync(path),
  open: (path) => openSync(path, 'r'),
}

/** What a file looks like from outside; equal looks mean that nothing was written, but for the clock's grain. */
export interface FileLook {
  /** Device and inode, which may be rounded: some file systems have numbers that do not fit into a double. */
  identity: string
  size: number
  /** Milliseconds since 1970. */
  modifiedAt: number
}

export function lookOf(stat: Stats): FileLook {
  return { identity: `${stat.dev}:${stat.ino}`, size: stat.size, modifiedAt: Math.floor(stat.mtimeMs) }
}

export type AccessFailure = 'missing' | 'permission' | 'unreadable'

/** Sorts what went wrong with a path: nothing there, not allowed, or something else. */
export function accessFailure(error: unknown): AccessFailure {
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
      return 'missing'
    case 'EACCES':
    case 'EPERM':
      return 'permission'
    default:
      return 'unreadable'
  }
}

/** `ENOENT` and the like; undefined when the error does not come from the system. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Why a file could not be read: also for what it holds, or because it is being written to. */
export type ReadFailureReason = AccessFailure | 'damaged' | 'not-json' | 'too-large' | 'busy' | 'harness-error'

/** A file could not be read to its end. */
export class ReadFailure extends Error {
  readonly reason: ReadFailureReason

  constructor(reason: ReadFailureReason, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ReadFailure'
    this.reason = reason
  }
}

/** An open file whose failures are all `ReadFailure`s, so that they are told from those of the store. */
export interface OpenFile {
  /** The file as it was when it was opened. */
  look: FileLook
  /** Reads into the buffer from a place in the file; the number of bytes, fewer at the end of the file only. */
  read(buffer: Buffer, position: number): number
  /** For those who read by themselves. */
  descriptor: number
  close(): void
}

/** @throws ReadFailure */
export function openFile(fileSystem: FileSystem, path: string): OpenFile {
  const file = orFailure(() => fileSystem.open(path))
  try {
    return {
      look: orFailure(() => lookOf(fstatSync(file))),
      read: (buffer, position) => orFailure(() => readFully(file, buffer, position)),
      descriptor: file,
      close: () => closeSync(file),
    }
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function readFully(file: number, buffer: Buffer, position: number): number {
  let filled = 0
  while (filled < buffer.length) {
    const length = readSync(file, buffer, filled, buffer.length - filled, position + filled)
    if (length === 0) break
    filled += length
  }
  return filled
}

function orFailure<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new ReadFailure(accessFailure(error), error)
  }
}
