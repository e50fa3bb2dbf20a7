/**
 * Which project a directory belongs to. A Git project is known by its common directory, so that the main checkout, its
 * linked worktrees and the worktrees agents make for themselves are one; without Git a directory is its own project.
 * Directories may be gone by now: then their path must tell. Git itself is never run.
 */

import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Clock, systemClock } from '../core/clock.ts'
import { hash128 } from '../core/hash.ts'
import { isAbsolutePath, normalizePath, parentPath, pathBelow, resolvePath } from './touches/lexical-path.ts'

export interface Project {
  /** `git:…`, the same in all worktrees, or `dir:…`. */
  projectId: string
  /** The checkout around the directory, or the directory itself; forward slashes, spelled as the directory was. */
  root: string
  /** The main checkout and its linked worktrees that exist, this root among them. */
  roots: string[]
}

export interface ProjectLookup {
  /** The project of an absolute directory, which need not exist; undefined for any other path. */
  projectOf(directory: string): Project | undefined
}

/** The little of the file system that is asked. Paths have forward slashes; nothing here throws. */
export interface ProjectFiles {
  kind(path: string): 'file' | 'directory' | undefined
  read(path: string): string | undefined
  list(path: string): string[]
  realPath(path: string): string | undefined
}

export interface ProjectOptions {
  files?: ProjectFiles
  home?: string
  platform?: NodeJS.Platform
  clock?: Clock
}

/** Directories whose project is remembered. */
const MAX_REMEMBERED = 4096

/** How long an answer holds, in milliseconds: repositories are made and worktrees come and go while we run. */
const REMEMBERED_FOR = 60_000

interface Lookup {
  files: ProjectFiles
  home: string
  clock: Clock
  /** Worktrees any project has named, gone ones too, and the project's id. */
  worktrees: Map<string, string>
  /** Checkouts by their root: every directory below one leads to it. */
  checkouts: Map<string, { common: string; project: Project; until: number }>
}

/**
 * Makes a lookup that remembers what it found.
 * @param options.home the search for a checkout never goes above it, nor takes its own Git directory, which versions
 * dotfiles, for that of all it holds
 */
export function createProjects(options: ProjectOptions = {}): ProjectLookup {
  const { platform = process.platform, files = diskFiles(platform), home = homedir(), clock = systemClock } = options
  const lookup: Lookup = { files, home: normalizePath(home), clock, worktrees: new Map(), checkouts: new Map() }
  const remembered = new Map<string, { project: Project; until: number }>()
  return {
    projectOf(directory) {
      const path = normalizePath(directory)
      if (!isAbsolutePath(path)) return undefined
      const known = remembered.get(path)
      if (known && clock() < known.until) return known.project
      const found = findProject(lookup, path)
      // A checkout that has been deleted keeps the identity it had.
      const isLost = known?.project.projectId.startsWith('git:') && files.kind(path) === undefined
      const project = known && isLost ? known.project : found
      remembered.delete(path)
      remembered.set(path, { project, until: clock() + REMEMBERED_FOR })
      if (remembered.size > MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '')
      return project
    },
  }
}

function findProject(lookup: Lookup, path: string): Project {
  const { files } = lookup
  const checkout = findCheckout(lookup, path)
  const lost = files.kind(path) === undefined ? lostWorktree(lookup, path, checkout) : undefined
  if (lost) return lost
  if (checkout) return checkout
  const real = files.realPath(path)
  const behindLink = real !== undefined && real !== path ? findCheckout(lookup, real) : undefined
  return behindLink ?? { projectId: idOf('dir', real ?? path), root: path, roots: [path] }
}

/** The nearest checkout around a path. */
function findCheckout(lookup: Lookup, path: string): Project | undefined {
  for (let at = path; ; at = parentPath(at)) {
    if (at === lookup.home && at !== path) return undefined
    const common = commonDirectory(lookup.files, at)
    if (common !== undefined) return projectAt(lookup, at, common)
    if (at === lookup.home || at === parentPath(at)) return undefined
  }
}

/**
 * The common Git directory of the checkout at `root`; undefined when there is no checkout. `.git` is that directory, or
 * a file pointing at a worktree's own, whose `commondir` points at it (gitrepository-layout).
 */
function commonDirectory(files: ProjectFiles, root: string): string | undefined {
  const entry = resolvePath(root, '.git')
  const kind = files.kind(entry)
  if (kind === undefined) return undefined
  const pointer = kind === 'file' ? /^gitdir:\s*(.+?)\s*$/m.exec(files.read(entry) ?? '')?.[1] : entry
  if (pointer === undefined) return undefined
  const own = resolvePath(root, pointer)
  const common = files.read(resolvePath(own, 'commondir'))?.trim()
  if (common) return resolvePath(own, common)
  // The pointer of a worktree whose repository is gone still says where that was.
  return /^(.+)\/worktrees\/[^/]+$/.exec(own)?.[1] ?? own
}

function projectAt(lookup: Lookup, root: string, common: string): Project {
  const { checkouts, clock } = lookup
  const known = checkouts.get(root)
  if (known && known.common === common && clock() < known.until) return known.project
  const project = readProject(lookup, root, common)
  if (checkouts.size >= MAX_REMEMBERED) checkouts.clear()
  checkouts.set(root, { common, project, until: clock() + REMEMBERED_FOR })
  return project
}

function readProject({ files, worktrees }: Lookup, root: string, common: string): Project {
  const projectId = idOf('git', files.realPath(common) ?? common)
  const main = /^(.+)\/\.git$/.exec(common)?.[1]
  const linked = linkedWorktrees(files, common)
  for (const path of linked) worktrees.set(path, projectId)
  const others = [...(main === undefined ? [] : [main]), ...linked]
  return { projectId, root, roots: [...new Set([root, ...others.filter((path) => files.kind(path) === 'directory')])] }
}

/** Roots of the worktrees a repository knows, whether or not they still exist. */
function linkedWorktrees(files: ProjectFiles, common: string): string[] {
  const registry = resolvePath(common, 'worktrees')
  return files.list(registry).flatMap((name) => {
    const own = resolvePath(registry, name)
    const entry = files.read(resolvePath(own, 'gitdir'))?.trim()
    return entry ? [parentPath(resolvePath(own, entry))] : []
  })
}

/**
 * Where tools put worktrees: `REPO/.claude/worktrees/NAME`, `REPO/.worktrees/NAME`, `REPO/worktrees/NAME`, or beside
 * it `REPO.worktrees/NAME`, `REPO__worktrees/NAME`.
 */
const WORKTREE = /^(.+?)(?:\/\.[a-z][\w-]*\/worktrees|\/\.?worktrees|(?:\.|__|-)worktrees)\/([^/]+)/

/** The project of a directory that is gone, if its path lies in a worktree some repository made. */
function lostWorktree(lookup: Lookup, path: string, checkout: Project | undefined): Project | undefined {
  for (let at = path; at !== parentPath(at) && at !== checkout?.root; at = parentPath(at)) {
    const projectId = lookup.worktrees.get(at)
    if (projectId !== undefined) return { projectId, root: at, roots: [at] }
  }
  const match = WORKTREE.exec(path)
  const [root, main] = match ?? []
  if (root === undefined || main === undefined || lookup.files.kind(root) !== undefined) return undefined
  // An agent's home is no repository: `~/.codex/worktrees/ID/NAME` does not say whose worktree it was.
  if (main === lookup.home) return undefined
  const owner = findCheckout(lookup, main)
  if (owner) return owner.root === main ? { ...owner, root, roots: [root, ...owner.roots] } : undefined
  // A worktree inside another checkout's folders belongs to that one; elsewhere its repository is gone with it.
  const inside = checkout !== undefined && pathBelow(main, checkout.root) !== undefined
  return inside ? undefined : { projectId: idOf('dir', lookup.files.realPath(main) ?? main), root, roots: [root] }
}

function idOf(kind: 'git' | 'dir', path: string): string {
  return `${kind}:${hash128('project', kind, normalizePath(path)).toString('hex')}`
}

/** The disk of this machine. Paths of another kind of system are not on it. */
function diskFiles(platform: NodeJS.Platform): ProjectFiles {
  const isHere = (path: string) => platform === 'win32' || !/^[A-Za-z]:|^\/\//.test(path)
  const attempt = <T>(path: string, look: () => T): T | undefined => {
    if (!isHere(path)) return undefined
    try {
      return look()
    } catch {
      // Missing, or not for us to see: as good as not there.
      return undefined
    }
  }
  return {
    kind(path) {
      const stat = attempt(path, () => statSync(path, { throwIfNoEntry: false }))
      return stat && (stat.isDirectory() ? 'directory' : 'file')
    },
    read: (path) => attempt(path, () => readFileSync(path, 'utf8')),
    list: (path) => attempt(path, () => readdirSync(path)) ?? [],
    realPath: (path) => attempt(path, () => normalizePath(realpathSync.native(path))),
  }
}
