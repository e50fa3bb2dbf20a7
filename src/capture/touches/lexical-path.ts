/**
 * Paths as text, of either kind of system, without asking the file system: always with forward slashes, `.` and `..`
 * resolved. `node:path` knows only the paths of the machine it runs on, and a transcript may come from another.
 */

const DRIVE = /^[A-Za-z]:(?=\/|$)/
/** What most paths look like, and what normalizing leaves as it is. */
const NORMAL = /^(?:\/[^/\\.][^/\\]*)+$/

/** Whether a path with forward slashes is absolute: `/x`, `C:/x`, `//server/share`. */
export function isAbsolutePath(path: string): boolean {
  return path.startsWith('/') || DRIVE.test(path)
}

/**
 * The one spelling of a path: forward slashes, no `.`, no empty parts, `..` resolved (it stays where a relative path
 * begins with it, and cannot climb above a root), no slash at the end, drive letters in upper case.
 */
export function normalizePath(path: string): string {
  if (NORMAL.test(path)) return path
  const unified = path.replaceAll('\\', '/')
  const root = rootOf(unified, path.startsWith('\\\\'))
  const parts: string[] = []
  for (const part of unified.slice(root.length).split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (root === '') parts.push(part)
  }
  const joined = root.replace(DRIVE, (drive) => drive.toUpperCase()) + parts.join('/')
  return joined === '' ? '.' : joined
}

function rootOf(path: string, isShare: boolean): string {
  if (isShare) return '//'
  if (path.startsWith('/')) return '/'
  const drive = DRIVE.exec(path)?.[0]
  return drive === undefined ? '' : `${drive}/`
}

/** `path` seen from `directory`; a path that is absolute already, or begins at a home (`~`), stands by itself. */
export function resolvePath(directory: string | undefined, path: string): string {
  const own = normalizePath(path)
  if (directory === undefined || directory === '' || isAbsolutePath(own) || /^~(?:\/|$)/.test(own)) return own
  return normalizePath(`${directory}/${path}`)
}

/** The directory a normalized path lies in; a root lies in itself. */
export function parentPath(path: string): string {
  const slash = path.lastIndexOf('/')
  if (slash < 0) return '.'
  const root = rootOf(path, path.startsWith('//'))
  return slash < root.length ? root : path.slice(0, slash)
}

/** The part of a normalized path below `root`; empty for the root itself, undefined for what lies elsewhere. */
export function pathBelow(path: string, root: string): string | undefined {
  if (path === root) return ''
  const prefix = root.endsWith('/') ? root : `${root}/`
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

/** The path of a `file:` URI, or undefined for any other. */
export function pathOfFileUri(uri: string): string | undefined {
  const match = /^file:\/\/(?:localhost)?(\/[^?#]*)/i.exec(uri)
  if (match?.[1] === undefined) return undefined
  let path = match[1]
  try {
    path = decodeURIComponent(path)
  } catch {
    // A stray percent sign: taken as written.
  }
  return path.replace(/^\/(?=[A-Za-z]:)/, '')
}
