/** Where Cursor and its command line keep conversations, and what a path says about one. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

const TRANSCRIPTS = 'agent-transcripts'
const SUBAGENTS = 'subagents'

export const sources: readonly SourceDefinition[] = [
  { name: 'cursor', roots: (host) => [pathOf(host).join(dataFolder(host), 'projects')], matches: isTranscript },
  {
    name: 'cursor-sqlite',
    roots: (host) => {
      const { join } = pathOf(host)
      const user = join(settingsFolder(host), 'Cursor', 'User')
      return [join(user, 'globalStorage'), join(user, 'workspaceStorage'), join(dataFolder(host), 'chats')]
    },
    matches: (path) => isDesktopState(path) || isChat(path),
  },
]

function pathOf({ platform }: Host): typeof posix {
  return platform === 'win32' ? win32 : posix
}

/** `~/.cursor`, or the folder that `CURSOR_DATA_DIR` names. */
function dataFolder(host: Host): string {
  return host.env['CURSOR_DATA_DIR']?.trim() || pathOf(host).join(host.home, '.cursor')
}

/** Where editors descended from VS Code keep their settings. */
function settingsFolder({ home, env, platform }: Host): string {
  switch (platform) {
    case 'darwin':
      return posix.join(home, 'Library', 'Application Support')
    case 'win32':
      return env['APPDATA']?.trim() || win32.join(home, 'AppData', 'Roaming')
    default:
      return env['XDG_CONFIG_HOME']?.trim() || posix.join(home, '.config')
  }
}

/** `<project>/agent-transcripts/…/<session>.jsonl`; a subagent's lies in the folder `subagents` of its parent's. */
function isTranscript(path: string): boolean {
  const segments = path.split('/')
  const place = segments.indexOf(TRANSCRIPTS)
  return place >= 0 && place < segments.length - 1 && /.\.jsonl$/.test(segments.at(-1) ?? '')
}

/** `<workspace>/<session>/store.db`: a conversation of the command line. */
function isChat(path: string): boolean {
  return path === 'store.db' || path.endsWith('/store.db')
}

/** `state.vscdb`: all conversations of the editor; older ones lie in `<workspace>/state.vscdb`. */
function isDesktopState(path: string): boolean {
  return path === 'state.vscdb' || path.endsWith('/state.vscdb')
}

export function isTranscriptFile({ path }: SourceFile): boolean {
  return path.endsWith('.jsonl')
}

export function isChatFile({ path }: SourceFile): boolean {
  return path.endsWith('.db')
}

export function isDesktopFile({ path }: SourceFile): boolean {
  return path.endsWith('.vscdb')
}

/** What a path tells before any record is read. */
export interface Place {
  /** Native id of the session; empty where the path does not tell. */
  session: string
  /** The session whose subagent this is, else empty. */
  parent: string
}

/** A transcript is named after its session, a chat's folder too; a database of the editor holds many. */
export function placeOf(file: SourceFile): Place {
  const segments = file.path.split(/[\\/]/)
  const name = segments.at(-1) ?? ''
  if (isChatFile(file)) return { session: segments.at(-2) ?? '', parent: '' }
  if (!isTranscriptFile(file)) return { session: file.key ?? '', parent: '' }
  const session = name.replace(/\.jsonl$/, '')
  const subagents = segments.lastIndexOf(SUBAGENTS)
  const isSubagent = subagents > segments.lastIndexOf(TRANSCRIPTS)
  return { session, parent: isSubagent ? (segments[subagents - 1] ?? '') : '' }
}

/** `meta.json` beside a chat says where it was held. */
export function chatNotePath(file: SourceFile): string {
  return file.path.replace(/store\.db$/, 'meta.json')
}
