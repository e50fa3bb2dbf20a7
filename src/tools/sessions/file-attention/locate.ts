/** From the path a caller names to what is looked for: its place below the root of its project. Pure but for the lookup. */

import type { Caller } from '../../../core/caller.ts'
import { invalidRequest } from '../../../core/errors.ts'
import type { ProjectLookup } from '../../tool.ts'

export interface Located {
  /** Path below the root, or the whole path where no root is known. Forward slashes. */
  tail: string
  tailIsAbsolute: boolean
  /** The root taken off; null when there is none. */
  strippedRoot: string | null
  /** The project the path itself lies in; null when it lies in none. */
  projectId: string | null
  /** The project of the caller's launch directory; null when that cannot be told. */
  launchProjectId: string | null
  warnings: string[]
}

/** Refuses what is no path of a file. @throws UserError */
export function checkPath(path: string): string {
  const refuse = (message: string, remedy: string) => invalidRequest(`path ${message}`, 'path', { remedy })
  if (path !== path.trim()) throw refuse('must not begin or end with white space', 'trim it')
  if (/^file:/i.test(path)) throw refuse('must be a file path, not a URI', 'pass the plain path without file://')
  if (/[/\\]$/.test(path)) throw refuse('must name a file, not a directory', 'leave out the slash at the end')
  if (/[\0\r\n]/.test(path)) throw refuse('must be a single path', 'pass one path without line breaks')
  return path
}

/** Finds the place of a path; relative ones start in the caller's launch directory. The file need not exist. */
export function locate(path: string, caller: Caller, projects: ProjectLookup): Located {
  const windows = isWindows(caller.launchDirectory) || isWindows(path)
  const withSlashes = (text: string) => (windows ? text.replaceAll('\\', '/') : text)
  const launch = normalize(withSlashes(caller.launchDirectory))
  const written = withSlashes(path)
  const absolute = normalize(isAbsolute(written) ? written : `${launch}/${written}`)
  const launchProjectId = projects.projectOf(launch)?.projectId ?? null
  const warnings = isNormal(written)
    ? []
    : ['path_normalized: "." and ".." and doubled slashes in the path were resolved by their words']

  const project = projects.projectOf(directoryOf(absolute))
  // Without Git every directory is a project of its own; the one that counts is then the launch directory.
  const place = project && isGit(project.projectId) ? project : { root: launch, projectId: launchProjectId }
  const root = withSlashes(place.root)
  if (isBelow(absolute, root)) {
    return {
      tail: absolute.slice(root.endsWith('/') ? root.length : root.length + 1),
      tailIsAbsolute: false,
      strippedRoot: root,
      projectId: place.projectId,
      launchProjectId,
      warnings,
    }
  }
  warnings.push(
    'no_project_root: the path is in no Git checkout and not below the launch directory; it is taken literally',
  )
  return { tail: absolute, tailIsAbsolute: true, strippedRoot: null, projectId: null, launchProjectId, warnings }
}

function isGit(projectId: string): boolean {
  return projectId.startsWith('git:')
}

/** A drive letter or a share; elsewhere a backslash is a letter like any other. */
function isWindows(path: string): boolean {
  return /^[A-Za-z]:[\\/]|^\\\\/.test(path)
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path)
}

function directoryOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end <= 0 ? '/' : path.slice(0, end)
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(root.endsWith('/') ? root : `${root}/`)
}

/** Resolves `.`, `..` and empty segments of an absolute path by its words alone. */
function normalize(path: string): string {
  const drive = /^[A-Za-z]:/.exec(path)?.[0] ?? ''
  const segments: string[] = []
  for (const segment of path.slice(drive.length).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return `${drive}/${segments.join('/')}`
}

/** Has nothing to resolve but a `./` in front. */
function isNormal(path: string): boolean {
  const segments = path.replace(/^([A-Za-z]:)?\/|^\.\//, '').split('/')
  return segments.every((segment) => segment !== '..' && segment !== '.' && segment !== '')
}
