/** Where Pi and Oh My Pi keep transcripts, and what a transcript's path says about its session. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

export const sources: readonly SourceDefinition[] = [
  { name: 'pi', roots: piRoots, matches: isTranscript },
  { name: 'omp', roots: ompRoots, matches: isTranscript },
]

/** `PI_CODING_AGENT_SESSION_DIR` moves the sessions alone, `PI_CODING_AGENT_DIR` all of `.pi/agent`. */
function piRoots(host: Host): string[] {
  const path = pathOf(host)
  const sessions = folderOf(host, 'PI_CODING_AGENT_SESSION_DIR')
  return [sessions || path.join(folderOf(host, 'PI_CODING_AGENT_DIR') || path.join(host.home, '.pi/agent'), 'sessions')]
}

/**
 * `PI_CONFIG_DIR` is the name of `.omp` below the home folder; a profile has a folder of its own in it. The variable that
 * moves Pi's folder moves that of Oh My Pi too, and what both would read is read as Pi's.
 */
function ompRoots(host: Host): string[] {
  const path = pathOf(host)
  const config = path.join(host.home, host.env['PI_CONFIG_DIR']?.trim() || '.omp')
  const profile = host.env['OMP_PROFILE']?.trim() || 'default'
  const moved = folderOf(host, 'PI_CODING_AGENT_DIR')
  return [
    path.join(config, 'agent/sessions'),
    ...(profile === 'default' ? [] : [path.join(config, 'profiles', profile, 'agent/sessions')]),
    ...(moved === '' ? [] : [path.join(moved, 'sessions')]),
  ]
}

function pathOf({ platform }: Host): typeof posix {
  return platform === 'win32' ? win32 : posix
}

/** A folder that a variable names, with `~` for the home folder; empty when it is not set. */
export function folderOf(host: Host, variable: string): string {
  const folder = host.env[variable]?.trim() ?? ''
  return /^~(?=[/\\]|$)/.test(folder) ? pathOf(host).join(host.home, folder.slice(1)) : folder
}

/** `<project>/<time>_<session>.jsonl`, and a subagent's `<project>/<time>_<session>/<name>.jsonl`, however deep. */
function isTranscript(path: string): boolean {
  return /[^/]\.jsonl$/.test(path)
}

/** What a path says of its session. */
export interface Place {
  /** Native id of the session. A main session's own header may know better. */
  session: string
  /** The session whose subagent this is, else empty. */
  parent: string
  /** What the parent calls the subagent, else empty. */
  name: string
}

/** A session's file is named after its beginning and its id. */
const STAMPED = /^\d{4}-\d\d-\d\dT[\d-]+Z_(?=.)/

/**
 * A subagent's file lies in the folder named like its parent's file, under the name its parent gave it. That names it as
 * surely as the id in its header, and is known before that is read.
 */
export function placeOf(file: SourceFile): Place {
  const segments = file.relative.replace(/\.jsonl$/, '').split('/')
  const main = segments.findIndex((segment) => STAMPED.test(segment))
  const name = segments.at(-1) ?? ''
  if (main < 0 || main === segments.length - 1) return { session: sessionOfPath(name), parent: '', name: '' }
  const own = [sessionOfPath(segments[main] ?? ''), ...segments.slice(main + 1)]
  return { session: own.join('/'), parent: own.slice(0, -1).join('/'), name }
}

/** The id in the path of a session's file; an id stays what it is. Empty when there is none. */
export function sessionOfPath(path: string): string {
  const name = path.split(/[\\/]/).at(-1) ?? ''
  return name.replace(/\.jsonl$/, '').replace(STAMPED, '')
}
