/** Where Kiro keeps conversations, and what a path says about one. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

/** Name of the database. */
const DATABASE = 'data.sqlite3'

/** The transcript in a folder of its own. */
const MESSAGES = 'messages.jsonl'

/** Folder of the transcripts of a session's subagents. */
const SUBAGENTS = 'sub-executions'

export const sources: readonly SourceDefinition[] = [
  {
    name: 'kiro',
    roots: (host) => [pathOf(host).join(homeOf(host), 'sessions'), dataFolder(host)],
    matches: (path) => isSessionLog(path) || isWorkspaceLog(path) || path.split('/').at(-1) === DATABASE,
  },
]

function pathOf({ platform }: Host): typeof posix {
  return platform === 'win32' ? win32 : posix
}

/** `~/.kiro`, or the folder that `KIRO_HOME` names. */
function homeOf(host: Host): string {
  return host.env['KIRO_HOME']?.trim() || pathOf(host).join(host.home, '.kiro')
}

/** Where the database of the first engine lies. */
function dataFolder({ home, env, platform }: Host): string {
  switch (platform) {
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support', 'kiro-cli')
    case 'win32':
      return win32.join(env['LOCALAPPDATA']?.trim() || win32.join(home, 'AppData', 'Local'), 'kiro-cli')
    default:
      return posix.join(env['XDG_DATA_HOME']?.trim() || posix.join(home, '.local', 'share'), 'kiro-cli')
  }
}

/** `cli/<session>.jsonl`, of the second engine. */
function isSessionLog(path: string): boolean {
  return /^(?:cli\/)?[^/]+\.jsonl$/.test(path) && !path.endsWith(MESSAGES)
}

/** `<workspace>/<session>/messages.jsonl`, of the third engine; that of a subagent lies in a folder beside it. */
function isWorkspaceLog(path: string): boolean {
  const segments = path.split('/')
  const name = segments.at(-1) ?? ''
  if (segments.at(-2) === SUBAGENTS) return segments.length > 2 && name.endsWith('.jsonl')
  return name === MESSAGES && segments.length > 1 && segments[0] !== 'cli'
}

export function isDatabaseFile({ path }: SourceFile): boolean {
  return path.endsWith('.sqlite3')
}

export function isWorkspaceFile({ path }: SourceFile): boolean {
  const segments = path.split(/[\\/]/)
  return segments.at(-1) === MESSAGES || segments.at(-2) === SUBAGENTS
}

export function isSessionFile(file: SourceFile): boolean {
  return file.path.endsWith('.jsonl') && !isWorkspaceFile(file)
}

/** What a path tells before any record is read. */
export interface Place {
  /** Native id of the session. */
  session: string
  /** The session whose subagent this is, else empty. */
  parent: string
}

export function placeOf(file: SourceFile): Place {
  const segments = file.path.split(/[\\/]/)
  const name = (segments.at(-1) ?? '').replace(/\.jsonl$/, '')
  if (isDatabaseFile(file)) return { session: file.key ?? '', parent: '' }
  if (!isWorkspaceFile(file)) return { session: name, parent: '' }
  if (segments.at(-2) !== SUBAGENTS) return { session: segments.at(-2) ?? name, parent: '' }
  const parent = segments.at(-3) ?? ''
  return { session: `${parent}/${name}`, parent }
}

/** What the client knows of a session beside its log. */
export function sessionNotePath(file: SourceFile): string {
  return file.path.replace(/\.jsonl$/, '.json')
}

export function workspaceNotePath(file: SourceFile): string | undefined {
  return placeOf(file).parent === '' ? file.path.replace(/messages\.jsonl$/, 'session.json') : undefined
}
