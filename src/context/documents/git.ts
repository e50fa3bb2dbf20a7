/** What Git knows of a project's files, read from its own files; Git itself is never run. */

import { posix } from 'node:path'
import type { DocumentFiles } from './document-files.ts'
import { type GitIndex, parseGitIndex } from './git-index.ts'
import { type IgnoreLevel, MAX_IGNORE_BYTES, readIgnoreLevel } from './ignore-rules.ts'

export interface Checkout {
  /** Its top directory. */
  top: string
  /** The scanned root relative to the top; empty when it is the top. */
  prefix: string
  /** What is tracked, relative to the scanned root; undefined when the index is there and cannot be read. */
  index: GitIndex | undefined
  /** `.git/info/exclude`, then the `.gitignore` files from the top down to the one above the root. */
  ignoreLevels: IgnoreLevel[]
  /** `core.ignorecase`. */
  caseless: boolean
}

/** A larger index is not read: some 300,000 files. */
const MAX_INDEX_BYTES = 48 * 1024 * 1024

const MAX_SMALL_FILE = 64 * 1024

/**
 * The checkout around a directory; undefined when there is none.
 * @param home never searched above, and its own repository, which versions dotfiles, is not that of all it holds
 * @param wanted which tracked paths are of interest, relative to the root
 */
export function openCheckout(
  files: DocumentFiles,
  root: string,
  home: string | undefined,
  wanted: (path: string) => boolean,
): Checkout | undefined {
  for (let top = root; ; top = posix.dirname(top)) {
    if (top === home && top !== root) return undefined
    const own = gitDirectory(files, top)
    if (own !== undefined) return readCheckout(files, root, top, own, wanted)
    if (top === home || top === posix.dirname(top)) return undefined
  }
}

/** The Git directory of the checkout at `top`: `.git` itself, or where that file points (gitrepository-layout). */
function gitDirectory(files: DocumentFiles, top: string): string | undefined {
  const entry = posix.join(top, '.git')
  const kind = files.look(entry)?.kind
  if (kind === 'directory') return entry
  if (kind !== 'file') return undefined
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(readText(files, entry) ?? '')?.[1]
  return pointer === undefined ? undefined : resolveFrom(top, pointer)
}

function readCheckout(
  files: DocumentFiles,
  root: string,
  top: string,
  own: string,
  wanted: (path: string) => boolean,
): Checkout {
  const pointer = readText(files, posix.join(own, 'commondir'))?.trim()
  const common = pointer ? resolveFrom(own, pointer) : own
  const config = readText(files, posix.join(common, 'config')) ?? ''
  const caseless = /^\s*ignorecase\s*=\s*true\s*$/im.test(config)
  const hashLength = /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 32 : 20
  const prefix = root === top ? '' : root.slice(top.endsWith('/') ? top.length : top.length + 1)
  const exclude = readText(files, posix.join(common, 'info', 'exclude'))
  const ignoreLevels = exclude === undefined ? [] : [readIgnoreLevel('', exclude, caseless)]
  const above = prefix === '' ? [] : prefix.split('/')
  for (let depth = 0; depth < above.length; depth++) {
    const level = ignoreLevelOf(files, top, above.slice(0, depth).join('/'), caseless)
    if (level) ignoreLevels.push(level)
  }
  const within = (path: string) => {
    const inRoot = pathWithin(prefix, path)
    return inRoot !== undefined && wanted(inRoot) ? inRoot : undefined
  }
  const readIndex = (name: string) => readWhole(files, posix.join(own, name), MAX_INDEX_BYTES)
  const bytes = readIndex('index')
  const isMissing = bytes === undefined && files.look(posix.join(own, 'index')) === undefined
  const index = isMissing
    ? { paths: new Set<string>(), absent: new Set<string>() }
    : bytes && parseGitIndex(bytes, hashLength, within, (name) => readIndex(`sharedindex.${name}`))
  return { top, prefix, index, ignoreLevels, caseless }
}

/** A path below `prefix`, relative to it; undefined for one elsewhere. */
function pathWithin(prefix: string, path: string): string | undefined {
  if (prefix === '') return path
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : undefined
}

/** The rules of a directory's `.gitignore`, when it has one. @param base relative to the top */
export function ignoreLevelOf(
  files: DocumentFiles,
  top: string,
  base: string,
  caseless: boolean,
): IgnoreLevel | undefined {
  const text = files.read(posix.join(top, base, '.gitignore'), MAX_IGNORE_BYTES)?.toString('utf8')
  return text ? readIgnoreLevel(base, text, caseless) : undefined
}

/** A file's content; undefined when it cannot be read or is larger than that. */
export function readWhole(files: DocumentFiles, path: string, limit: number): Buffer | undefined {
  const bytes = files.read(path, limit + 1)
  return bytes && bytes.length <= limit ? bytes : undefined
}

function readText(files: DocumentFiles, path: string): string | undefined {
  return readWhole(files, path, MAX_SMALL_FILE)?.toString('utf8')
}

/** Git on Windows writes `C:/…` into these files. */
function resolveFrom(base: string, pointer: string): string {
  const path = pointer.replaceAll('\\', '/')
  return /^(?:\/|[A-Za-z]:\/)/.test(path) ? posix.normalize(path) : posix.join(base, path)
}
