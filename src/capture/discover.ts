/** Finds the transcripts: every file below the sources' roots that a harness calls its own. */

import type { Dirent } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import type { Harness, Host, SourceDefinition, SourceFile } from '../harness/harness.ts'
import {
  type AccessFailure,
  accessFailure,
  type FileLook,
  type FileSystem,
  lookOf,
  nodeFileSystem,
} from './file-system.ts'

/** A transcript on disk. */
export interface FoundFile extends FileLook {
  harness: Harness
  file: SourceFile
  /** The path without symbolic links. */
  realPath: string
  /** Size and time of the sidecar; empty when there is none. */
  sidecar: string
}

/** A folder or file that could not be looked at. */
export interface Unreadable {
  harness: string
  source: string
  path: string
  reason: Exclude<AccessFailure, 'missing'>
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
  const fileSystem = options.fileSystem ?? nodeFileSystem
  const discovery: Discovery = { files: [], unreadable: [], sources: [] }
  const byRealPath = new Map<string, FoundFile>()
  for (const harness of harnesses) {
    for (const source of harness.sources) {
      if (options.sources && !options.sources.includes(source.name)) continue
      discovery.sources.push(source.name)
      const walk: Walk = { harness, source, fileSystem, seen: new Set(), found: [], unreadable: discovery.unreadable }
      for (const root of source.roots(host)) walkRoot(walk, resolve(root))
      for (const file of walk.found) {
        const other = byRealPath.get(file.realPath)
        if (!other || (isReal(file) && !isReal(other))) byRealPath.set(file.realPath, file)
      }
    }
  }
  discovery.files = [...byRealPath.values()]
  return discovery
}

function isReal(file: FoundFile): boolean {
  return file.file.path === file.realPath
}

interface Walk {
  harness: Harness
  source: SourceDefinition
  fileSystem: FileSystem
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
      else if (entry.isDirectory() && !isSkippedFolder(name)) folders.push(place)
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
  const { harness, source, fileSystem, found } = walk
  if (!source.matches(place.relative)) return
  try {
    const file = inspect(harness, source.name, place, fileSystem)
    if (file) found.push(file)
  } catch (error) {
    noteFailure(walk, place.path, error)
  }
}

function noteFailure({ harness, source, unreadable }: Walk, path: string, error: unknown): void {
  const reason = accessFailure(error)
  if (reason !== 'missing') unreadable.push({ harness: harness.id, source: source.name, path, reason })
}

/** A transcript as it is now; undefined when it is gone. @throws when it may not be looked at. */
export function inspect(harness: Harness, source: string, place: Place, fileSystem: FileSystem): FoundFile | undefined {
  const stat = fileSystem.stat(place.path)
  if (!stat) return undefined
  const { identity, size, modifiedAt } = lookOf(stat)
  const file: SourceFile = { source, path: place.path, relative: place.relative, modifiedAt }
  const sidecar = harness.sidecar ? sidecarStamp(harness.sidecar.pathOf(file), fileSystem) : ''
  return { identity, size, modifiedAt, harness, file, realPath: place.real, sidecar }
}

function sidecarStamp(path: string | undefined, fileSystem: FileSystem): string {
  if (path === undefined) return ''
  try {
    const stat = fileSystem.stat(path)
    return stat ? `${stat.size}-${Math.floor(stat.mtimeMs)}` : ''
  } catch {
    // One that may not be looked at is as good as none.
    return ''
  }
}

/** The transcript at a path that a watcher named; undefined when no source calls it its own or it is gone. */
export function locate(
  harnesses: readonly Harness[],
  host: Host,
  path: string,
  options: DiscoverOptions = {},
): FoundFile | undefined {
  const fileSystem = options.fileSystem ?? nodeFileSystem
  for (const harness of harnesses) {
    for (const source of harness.sources) {
      if (options.sources && !options.sources.includes(source.name)) continue
      for (const root of source.roots(host)) {
        const relative = relativeTo(root, path)
        if (relative === undefined || !source.matches(relative)) continue
        try {
          return inspect(harness, source.name, { path, real: fileSystem.realPath(path), relative }, fileSystem)
        } catch {
          return undefined
        }
      }
    }
  }
  return undefined
}

/** The path below a root, with forward slashes; undefined when it is not below it. */
export function relativeTo(root: string, path: string): string | undefined {
  const prefix = join(resolve(root), sep)
  return path.startsWith(prefix) ? path.slice(prefix.length).split(sep).join('/') : undefined
}
