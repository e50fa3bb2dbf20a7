/** Where Prime Agent keeps transcripts. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition } from '../harness.ts'
import { folderOf } from '../pi-coding-agent/index.ts'

export const sources: readonly SourceDefinition[] = [
  { name: 'prime-agent', roots: (host) => [sessions(host)], matches: (path) => SESSION.test(path) },
  {
    name: 'prime-agent-subagents',
    roots: (host) => [pathOf(host).join(sessions(host), '..', 'session-artifacts')],
    matches: (path) => CHILD.test(path),
  },
]

/** `PRIME_AGENT_SESSION_DIR` (once with a longer name) moves the sessions, `PRIME_AGENT_CODING_AGENT_DIR` all of `agent`. */
function sessions(host: Host): string {
  const path = pathOf(host)
  const own = folderOf(host, 'PRIME_AGENT_SESSION_DIR') || folderOf(host, 'PRIME_AGENT_CODING_AGENT_SESSION_DIR')
  if (own !== '') return own
  return path.join(folderOf(host, 'PRIME_AGENT_CODING_AGENT_DIR') || path.join(host.home, '.prime/agent'), 'sessions')
}

function pathOf({ platform }: Host): typeof posix {
  return platform === 'win32' ? win32 : posix
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** `<session>.jsonl`. */
const SESSION = new RegExp(`^${UUID}\\.jsonl$`)

/** A child's transcript, in its own folder among its parent's files. Journals such as `rlm-subagents.jsonl` are none. */
const CHILD = new RegExp(`^(?:.+/)?sub-[0-9a-f]{8}/${UUID}\\.jsonl$`)
