/** Where NAC keeps its store. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition } from '../harness.ts'

export const sources: readonly SourceDefinition[] = [
  { name: 'nac', roots, matches: (path) => path === 'store.db', skips: () => true },
]

/** `NAC_HOME` stands in for the folder itself; else it lies by the XDG rules. */
function roots({ home, env, platform }: Host): string[] {
  const path = platform === 'win32' ? win32 : posix
  const own = env['NAC_HOME']?.trim() ?? ''
  if (own !== '') return [/^~(?=[/\\]|$)/.test(own) ? path.join(home, own.slice(1)) : own]
  return [path.join(env['XDG_CONFIG_HOME']?.trim() || path.join(home, '.config'), 'nac')]
}
