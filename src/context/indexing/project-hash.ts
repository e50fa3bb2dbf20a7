/**
 * The eight digits a project goes by in stable keys. They are made of what moves with the project's folder: Git's remote,
 * else the first commit in its log, and only without Git of the folder itself. Git is never run.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** Reads a small text file; undefined when there is none. */
export type ReadText = (path: string) => string | undefined

export function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Missing or not for us to see: as good as not there.
    return undefined
  }
}

export function projectHash8(root: string, projectId: string, read: ReadText = readText): string {
  const identity = gitIdentity(root, read) ?? projectId
  return createHash('sha1').update(identity).digest('hex').slice(0, 8)
}

function gitIdentity(root: string, read: ReadText): string | undefined {
  const git = gitDirectory(root, read)
  const remote = remoteOf(read(posix.join(git, 'config')) ?? '')
  if (remote !== undefined) return remote
  // The first line of a repository made here: from nothing to its first commit.
  const first = /^0{40,64} ([0-9a-f]{40,64}) /.exec(read(posix.join(git, 'logs', 'HEAD')) ?? '')?.[1]
  return first === undefined ? undefined : `commit:${first}`
}

/** The common Git directory: `.git`, or where that file points (gitrepository-layout). */
function gitDirectory(root: string, read: ReadText): string {
  const entry = posix.join(root, '.git')
  const pointer = /^gitdir:\s*(.+?)\s*$/m.exec(read(entry) ?? '')?.[1]
  if (pointer === undefined) return entry
  const own = posix.resolve(root, pointer)
  const common = read(posix.join(own, 'commondir'))?.trim()
  return common ? posix.resolve(own, common) : own
}

/** The address of `origin`, else of the first remote; how it is reached makes no difference. */
export function remoteOf(config: string): string | undefined {
  const remotes = new Map<string, string>()
  let section: string | undefined
  for (const line of config.split('\n')) {
    const header = /^\s*\[([^\]]*)\]/.exec(line)
    if (header) section = /^remote\s+"(.*)"$/.exec(header[1] ?? '')?.[1]
    const url = section === undefined ? undefined : /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1]
    if (section !== undefined && url !== undefined && !remotes.has(section)) remotes.set(section, url)
  }
  const url = remotes.get('origin') ?? [...remotes.values()][0]
  return url === undefined ? undefined : `remote:${normalRemote(url)}`
}

/** `git@host:a/b.git` and `https://user@host/a/b` are the same. */
function normalRemote(url: string): string {
  const bare = url.replace(/^[a-z+]+:\/\//i, '').replace(/^[^@/]*@/, '')
  const [host = '', ...path] = bare.replace(/^([^/:]+):(?!\d+\/)/, '$1/').split('/')
  const name = path
    .filter((part) => part !== '')
    .join('/')
    .replace(/\.git$/i, '')
  return `${host.replace(/:\d+$/, '').toLowerCase()}/${name}`
}
