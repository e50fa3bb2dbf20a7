/** Where Hermes keeps transcripts. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition } from '../harness.ts'

export const sources: readonly SourceDefinition[] = [
  { name: 'hermes', roots, matches: (path) => TRANSCRIPT.test(path), skips: (path) => !FOLDER.test(path) },
  // Batches of runs lie where whoever makes them wants: they are read where a configuration names a folder.
  { name: 'hermes-trajectories', roots: () => [], matches: (path) => /[^/]\.jsonl$/.test(path) },
]

/** `HERMES_HOME` stands in for the folder itself, which on Windows lies among the local application data. */
function roots({ home, env, platform }: Host): string[] {
  const path = platform === 'win32' ? win32 : posix
  const own = env['HERMES_HOME']?.trim() ?? ''
  if (own !== '') return [/^~(?=[/\\]|$)/.test(own) ? path.join(home, own.slice(1)) : own]
  if (platform !== 'win32') return [path.join(home, '.hermes')]
  return [path.join(env['LOCALAPPDATA']?.trim() || path.join(home, 'AppData', 'Local'), 'hermes')]
}

/** A profile has a folder like the main one. */
const TRANSCRIPT = /^(?:profiles\/[^/]+\/)?(?:state\.db|sessions\/session_[^/]+\.json)$/
const FOLDER = /^(?:sessions|profiles|profiles\/[^/]+|profiles\/[^/]+\/sessions)$/
