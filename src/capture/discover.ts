/** Finds the transcripts: every file below the sources' roots that a harness calls its own. */

import type { Dirent, Stats } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { systemClock } from '../core/clock.ts'
import { hash128 } from '../core/hash.ts'
import {
  type Harness,
  type Host,
  type Layout,
  layoutOf,
  type SourceDefinition,
  type SourceFile,
} from '../harness/harness.ts'
import { cleanText } from './clean-text.ts'
import { createDatabases, type Databases } from './databases.ts'
import {
  accessFailure,
  type FileLook,
  type FileSystem,
  lookOf,
  nodeFileSystem,
  ReadFailure,
  type ReadFailureReason,
} from './file-system.ts'

/** A transcript on disk. One in a database looks like the version the database gives it. */
export interface FoundFile extends FileLook {
  harness: Harness
  /** The way it is written. */
  layout: Layout
  file: SourceFile
  /** The path without symbolic links. */
  realPath: string
  /** Sizes and times of the sidecars; empty when there is none. */
  sidecar: string
}

/** A folder or file that could not be looked at, or a database that could not be asked. */
export interface Unreadable {
  harness: string
  source: string
  path: string
  reason: Exclude<ReadFailureReason, 'missing'>
  /** What was said about it, which may quote the file. */
  detail?: string
}

export interface Discovery {
  /** By source in the order of the harnesses, then by folder and name. */
  files: FoundFile[]
  unreadable: Unreadable[]
  /** Names of the sources that were looked through. */
  sources: string[]
}

export interface DiscoverOptions {
  /** Names of the sources to look through; all when absent. */
  sources?: readonly string[] | undefined
  fileSystem?: FileSystem | undefined
  /** What is known of databases from the last time; it is not closed here. */
  databases?: Databases | undefined
}

/** Folders that hold no transcripts and may be huge. */
const SKIPPED_FOLDERS = new Set(['.git', 'node_modules'])

export function isSkippedFolder(name: string): boolean {
  return SKIPPED_FOLDERS.has(name)
}

/**
 * Looks through all sources. Symbolic links are followed; a file reachable by several paths is listed once, under its
 * real path when that is in view. What is missing or dangling is no error; what may not be read is reported.
 */
export function discover(harnesses: readonly Harness[], host: Host, options: DiscoverOptions = {}): Discovery {
  return withDatabases(options, (fileSystem, databases) => {
    const discovery: Discovery = { files: [], unreadable: [], sources: [] }
    const { unreadable } = discovery
    const byRealPath = new Map<string, FoundFile>()
    for (const harness of harnesses) {
      for (const source of harness.sources) {
        if (options.sources && !options.sources.includes(source.name)) continue
        discovery.sources.push(source.name)
        const walk: Walk = { harness, source, fileSystem, databases, seen: new Set(), found: [], unreadable }
        for (const root of source.roots(host)) walkRoot(walk, resolve(root))
        for (const found of walk.found) {
          const real = withKey(found.realPath, found.file.key)
          const other = byRealPath.get(real)
          if (!other || (isReal(found) && !isReal(other))) byRealPath.set(real, found)
        }
      }
    }
    discovery.files = [...byRealPath.values()]
    return discovery
  })
}

function withDatabases<T>(
  { fileSystem = nodeFileSystem, databases }: DiscoverOptions,
  work: (fileSystem: FileSystem, databases: Databases) => T,
): T {
  if (databases) return work(fileSystem, databases)
  const own = createDatabases(systemClock, fileSystem)
  try {
    return work(fileSystem, own)
  } finally {
    own.close()
  }
}

/** Names a transcript among all of its source: the file, and for a database which one in it. */
export function checkpointPath({ path, key }: SourceFile): string {
  return withKey(path, key === undefined ? undefined : cleanText(key))
}

function withKey(path: string, key: string | undefined): string {
  return key === undefined ? path : `${path}#${key}`
}

function isReal(file: FoundFile): boolean {
  return file.file.path === file.realPath
}

interface Walk {
  harness: Harness
  source: SourceDefinition
  fileSystem: FileSystem
  databases: Databases
  /** Real paths of the folders entered. */
  seen: Set<string>
  found: FoundFile[]
  unreadable: Unreadable[]
}

/** A place below a root: as it was reached, without links, and relative to the root with forward slashes. */
interface Place {
  path: string
  real: string
  relative: string
}

/** Links are followed when everything else is seen, so that a folder in view twice is entered by its real path. */
function walkRoot(walk: Walk, root: string): void {
  const links: Place[] = [{ path: root, real: root, relative: '' }]
  for (let link = links.shift(); link; link = links.shift()) {
    try {
      followLink(walk, link, links)
    } catch (error) {
      noteFailure(walk, link.path, error)
    }
  }
}

function followLink(walk: Walk, link: Place, links: Place[]): void {
  const real = walk.fileSystem.realPath(link.path)
  const stat = walk.fileSystem.stat(real)
  // The one spelling of a real path lets it be compared by identity.
  const place = { ...link, real: real === link.path ? link.path : real }
  if (stat?.isDirectory()) walkFolder(walk, place, links)
  else if (stat?.isFile()) consider(walk, place)
}

function walkFolder(walk: Walk, top: Place, links: Place[]): void {
  const folders = [top]
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    if (walk.seen.has(folder.real)) continue
    walk.seen.add(folder.real)
    for (const entry of sortedEntries(walk, folder.path)) {
      const { name } = entry
      const path = folder.path + sep + name
      const real = folder.path === folder.real ? path : folder.real + sep + name
      const place = { path, real, relative: folder.relative === '' ? name : `${folder.relative}/${name}` }
      if (entry.isFile()) consider(walk, place)
      else if (entry.isSymbolicLink()) links.push(place)
      else if (entry.isDirectory() && !isSkippedFolder(name) && !walk.source.skips?.(place.relative))
        folders.push(place)
    }
  }
}

function sortedEntries(walk: Walk, path: string): Dirent[] {
  try {
    return walk.fileSystem.readDirectory(path).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    noteFailure(walk, path, error)
    return []
  }
}

function consider(walk: Walk, place: Place): void {
  const { harness, source, fileSystem, databases, found } = walk
  if (!source.matches(place.relative)) return
  try {
    found.push(...inspect(harness, source.name, inOwnSource(source, place), fileSystem, databases))
  } catch (error) {
    noteFailure(walk, place.path, error)
  }
}

function inOwnSource({ ownPath }: SourceDefinition, place: Place): Place {
  return ownPath ? { ...place, relative: ownPath(place.relative) } : place
}

function noteFailure({ harness, source, unreadable }: Walk, path: string, error: unknown): void {
  const reason = error instanceof ReadFailure ? error.reason : accessFailure(error)
  const detail = error instanceof ReadFailure ? { detail: error.message } : {}
  if (reason !== 'missing') unreadable.push({ harness: harness.id, source: source.name, path, reason, ...detail })
}

/**
 * The transcripts in a file as it is now: one, but for a database; none when it is gone or written in no way the harness
 * knows. @throws when it may not be looked at
 */
export function inspect(
  harness: Harness,
  source: string,
  place: Place,
  fileSystem: FileSystem,
  databases: Databases,
): FoundFile[] {
  const stat = fileSystem.stat(place.path)
  if (!stat) return []
  const look = lookOf(stat)
  const file: SourceFile = { source, path: place.path, relative: place.relative, modifiedAt: look.modifiedAt }
  const layout = layoutOf(harness, file)
  if (!layout) return []
  const { format, sidecars = [] } = layout
  const sidecar = stampOf(
    sidecars.map(({ pathOf }) => pathOf(file)),
    fileSystem,
  )
  const found: FoundFile = { ...look, harness, layout, file, realPath: place.real, sidecar }
  if (format.kind === 'bundle') return [withRelated(found, format.related(file), fileSystem)]
  if (format.kind !== 'database') return [found]
  return databases.transcripts(place.path, format).map(({ key, version, modifiedAt: at }) => {
    const modifiedAt = at > 0 ? Math.floor(at) : look.modifiedAt
    // Without a size, since that of the file is no transcript's; the colon makes it an inode like others.
    const identity = `:${hash128(version).toString('hex')}`
    return { ...found, identity, size: 0, modifiedAt, file: { ...file, key, modifiedAt } }
  })
}

/** A bundle is as new as its newest file, and as large as all of them. */
function withRelated(found: FoundFile, related: readonly string[], fileSystem: FileSystem): FoundFile {
  const stats = related.map((path) => statOrNone(path, fileSystem))
  const stamps = stats.map((stat) => (stat ? `${stat.size}-${stat.mtimeMs}` : ''))
  return {
    ...found,
    size: stats.reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), found.size),
    modifiedAt: stats.reduce((latest, stat) => Math.max(latest, Math.floor(stat?.mtimeMs ?? 0)), found.modifiedAt),
    sidecar: `${found.sidecar}+${hash128(...stamps).toString('hex')}`,
  }
}

/** Size and time of each file that is there; empty when there is none. */
function stampOf(paths: readonly (string | undefined)[], fileSystem: FileSystem): string {
  const stamps = paths.map((path) => {
    const stat = path === undefined ? undefined : statOrNone(path, fileSystem)
    return stat ? `${stat.size}-${Math.floor(stat.mtimeMs)}` : ''
  })
  return stamps.some((stamp) => stamp !== '') ? stamps.join('+') : ''
}

/** One that may not be looked at is as good as none. */
function statOrNone(path: string, fileSystem: FileSystem): Stats | undefined {
  try {
    return fileSystem.stat(path)
  } catch {
    return undefined
  }
}

/** The transcripts at a path that a watcher named; none when no source calls it its own or it is gone. */
export function locate(
  harnesses: readonly Harness[],
  host: Host,
  path: string,
  options: DiscoverOptions = {},
): FoundFile[] {
  return withDatabases(options, (fileSystem, databases) => {
    for (const harness of harnesses) {
      for (const source of harness.sources) {
        if (options.sources && !options.sources.includes(source.name)) continue
        for (const root of source.roots(host)) {
          const relative = relativeTo(root, path)
          if (relative === undefined || !source.matches(relative)) continue
          try {
            const place = inOwnSource(source, { path, real: fileSystem.realPath(path), relative })
            return inspect(harness, source.name, place, fileSystem, databases)
          } catch {
            return []
          }
        }
      }
    }
    return []
  })
}

/** The path below a root, with forward slashes; undefined when it is not below it. */
export function relativeTo(root: string, path: string): string | undefined {
  const prefix = join(resolve(root), sep)
  return path.startsWith(prefix) ? path.slice(prefix.length).split(sep).join('/') : undefined
}
