/** Walks the directories of a project and names the files in them that may be documents. */

import { posix } from 'node:path'
import ignore from 'ignore'
import type { DocumentLook } from './document.ts'
import type { DocumentFiles, Entry } from './document-files.ts'
import { type Checkout, ignoreLevelOf } from './git.ts'
import { type IgnoreLevel, isIgnored } from './ignore-rules.ts'
import { isDocumentDirectory, isDocumentPath, isWithinDepth } from './names.ts'

export interface WalkBounds {
  maxDocuments: number
  maxDirectories: number
}

export interface WalkRequest {
  files: DocumentFiles
  root: string
  checkout: Checkout | undefined
  /** Patterns in the language of `.gitignore`, relative to the root. */
  exclude: readonly string[]
  bounds: WalkBounds
  signal?: AbortSignal
}

export interface Candidate {
  /** Relative to the root. */
  path: string
  look: DocumentLook
  /** Where a link inside the root leads; absent for the file itself. */
  target?: string
}

export interface WalkResult {
  candidates: Candidate[]
  /** Links that lead out of the root, nowhere, or to what is no file. */
  linksLeft: number
  complete: boolean
  missing: boolean
  isExcluded(path: string): boolean
}

/** Entries of one directory that are looked at. */
const MAX_ENTRIES = 20_000

interface Walk extends WalkRequest {
  /** Tracked documents and the directories around them, relative to the root. */
  tracked: ReadonlySet<string>
  result: WalkResult
  links: string[]
}

/** Breadth first and in order of names, so that bounds leave out what is deepest. */
export function walk(request: WalkRequest): WalkResult {
  const excluded = ignore().add([...request.exclude])
  const result: WalkResult = {
    candidates: [],
    linksLeft: 0,
    complete: true,
    missing: false,
    isExcluded: (path) => excluded.ignores(path),
  }
  const current: Walk = { ...request, tracked: withDirectories(request.checkout?.index?.paths), result, links: [] }
  let directories: Directory[] = [{ path: '', levels: request.checkout?.ignoreLevels ?? [], ignored: false }]
  let visited = 0
  while (directories.length > 0) {
    const next: Directory[] = []
    for (const directory of directories) {
      request.signal?.throwIfAborted()
      if (visited++ >= request.bounds.maxDirectories) result.complete = false
      else next.push(...enter(current, directory))
    }
    directories = next
  }
  addLinks(current)
  return result
}

interface Directory {
  /** Relative to the root. */
  path: string
  levels: readonly IgnoreLevel[]
  /** Git ignores the directory: what is tracked in it counts all the same. */
  ignored: boolean
}

/** Adds the documents of a directory; gives the directories in it that are to be entered. */
function enter(current: Walk, directory: Directory): Directory[] {
  const { files, root, result, tracked } = current
  const entries = files.list(posix.join(root, directory.path), MAX_ENTRIES)
  if (!entries) {
    if (directory.path === '') result.missing = true
    return []
  }
  if (entries.length >= MAX_ENTRIES) result.complete = false
  if (directory.path !== '' && entries.some(({ name }) => name === '.git')) return []
  const within = withOwnRules(current, directory, entries)
  const directories: Directory[] = []
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = joined(directory.path, entry.name)
    if (entry.kind === 'directory') {
      const place = `${path}/`
      if (!isDocumentDirectory(entry.name) || !isWithinDepth(path) || result.isExcluded(place)) continue
      const ignored = isIgnoredBy(current, within, place)
      if (!ignored || tracked.has(place)) directories.push({ path, levels: within.levels, ignored })
    } else if (isDocumentPath(path) && !result.isExcluded(path)) {
      if (tracked.has(path) || !isIgnoredBy(current, within, path)) addFile(current, entry, path)
    }
  }
  return directories
}

function withOwnRules({ files, checkout }: Walk, directory: Directory, entries: readonly Entry[]): Directory {
  if (!checkout || !entries.some(({ name }) => name === '.gitignore')) return directory
  const level = ignoreLevelOf(files, checkout.top, joined(checkout.prefix, directory.path), checkout.caseless)
  return level ? { ...directory, levels: [...directory.levels, level] } : directory
}

/** Whether Git ignores an entry of a directory. @param path with `/` at the end of a directory's */
function isIgnoredBy({ checkout }: Walk, { levels, ignored }: Directory, path: string): boolean {
  return ignored || (checkout !== undefined && isIgnored(levels, joined(checkout.prefix, path)))
}

function addFile(current: Walk, entry: Entry, path: string): void {
  const { files, root, result, bounds } = current
  if (entry.kind === 'link') current.links.push(path)
  if (entry.kind !== 'file') return
  const found = files.look(posix.join(root, path))
  if (found?.kind !== 'file') return
  if (result.candidates.length >= bounds.maxDocuments) result.complete = false
  else result.candidates.push({ path, look: found.look })
}

/**
 * A link to a file inside the root is a document of its own name, unless its target is one as well: `CLAUDE.md` often
 * points at `AGENTS.md`.
 */
function addLinks({ files, root, result, links, bounds }: Walk): void {
  if (links.length === 0) return
  const realRoot = files.realPath(root)
  const taken = new Set(result.candidates.map(({ path }) => joined(realRoot ?? root, path)))
  for (const path of links) {
    const target = files.realPath(posix.join(root, path))
    const isInside = target !== undefined && realRoot !== undefined && target.startsWith(`${realRoot}/`)
    const found = isInside && !target.includes('/.git/') ? files.look(target) : undefined
    if (target === undefined || found?.kind !== 'file') result.linksLeft++
    else if (!taken.has(target) && result.candidates.length < bounds.maxDocuments) {
      taken.add(target)
      result.candidates.push({ path, look: found.look, target })
    }
  }
}

function joined(base: string, path: string): string {
  return base === '' ? path : path === '' ? base : `${base}/${path}`
}

/** The paths and, with `/` at their ends, all directories around them. */
function withDirectories(paths: ReadonlySet<string> = new Set()): Set<string> {
  const all = new Set(paths)
  for (const path of paths) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = path.slice(0, slash + 1)
      if (all.has(directory)) break
      all.add(directory)
    }
  }
  return all
}
