/** Where Claude Code and Claude Cowork keep transcripts, and what a transcript's path says about its session. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

/** Folder of a session's subagents, next to the session's file and named after it. */
const SUBAGENTS = 'subagents'

const AGENT_PREFIX = 'agent-'

/** Cowork keeps each conversation in a folder of this name; the folder's name is the conversation's id. */
const COWORK_PREFIX = 'local_'

export const COWORK_SOURCE = 'claude-cowork'

export const sources: readonly SourceDefinition[] = [
  { name: 'claude', roots: claudeRoots, matches: (path) => isTranscript(path.split('/')) },
  { name: COWORK_SOURCE, roots: coworkRoots, matches: isCoworkTranscript },
]

/**
 * `CLAUDE_CONFIG_DIR` replaces the defaults. Claude Code takes it for one folder; other tools let it list several,
 * separated by commas, so both readings are tried: a folder that does not exist is no error.
 */
function claudeRoots(host: Host): string[] {
  const path = host.platform === 'win32' ? win32 : posix
  const configured = host.env['CLAUDE_CONFIG_DIR']?.trim()
  const folders = configured
    ? [configured, ...(configured.includes(',') ? configured.split(',').map((part) => part.trim()) : [])]
    : [path.join(host.home, '.claude'), path.join(host.home, '.config', 'claude')]
  return folders.filter((folder) => folder !== '').map((folder) => path.join(folder, 'projects'))
}

function coworkRoots(host: Host): string[] {
  if (host.platform !== 'darwin') return []
  return [posix.join(host.home, 'Library', 'Application Support', 'Claude', 'local-agent-mode-sessions')]
}

/**
 * `<project>/<session>.jsonl` (older subagents, `agent-<id>.jsonl`, lie there too) and
 * `<project>/<session>/subagents/…/agent-<id>.jsonl`. Workflow journals and tool results are no transcripts.
 */
function isTranscript(segments: readonly string[]): boolean {
  const name = segments[segments.length - 1] ?? ''
  if (!name.endsWith('.jsonl') || name === '.jsonl' || name === 'journal.jsonl') return false
  if (segments.length === 2) return true
  return segments.length > 3 && segments[2] === SUBAGENTS && name.startsWith(AGENT_PREFIX)
}

/** `…/local_<id>/.claude/projects/<project>/…`; the folder's own `audit.jsonl` repeats the conversation. */
function isCoworkTranscript(path: string): boolean {
  const segments = path.split('/')
  const local = coworkFolder(segments)
  if (local < 0 || segments[local + 1] !== '.claude' || segments[local + 2] !== 'projects') return false
  return isTranscript(segments.slice(local + 3)) && !path.endsWith('/audit.jsonl')
}

function coworkFolder(segments: readonly string[]): number {
  return segments.findIndex((segment) => segment.startsWith(COWORK_PREFIX) && segment.length > COWORK_PREFIX.length)
}

/** What a path tells before any record is read. */
export interface Place {
  /** Native id of the main session; where `certain` is false only a guess until a record names it. */
  session: string
  certain: boolean
  /** Id of the subagent whose file this is, else empty. */
  agent: string
  cowork: boolean
}

export function placeOf(file: SourceFile): Place {
  const segments = file.relative.split('/')
  const stem = (segments[segments.length - 1] ?? '').replace(/\.jsonl$/, '')
  const agent = stem.startsWith(AGENT_PREFIX) ? stem.slice(AGENT_PREFIX.length) : ''
  if (file.source === COWORK_SOURCE) {
    const local = segments[coworkFolder(segments)]
    return { session: local ?? stem, certain: local !== undefined, agent, cowork: true }
  }
  // A session may repeat a parent's sessionId in a subagent's file or write the agent's there: the folder is right.
  const parent = agent === '' ? undefined : segments[segments.indexOf(SUBAGENTS) - 1]
  return { session: parent ?? stem, certain: parent !== undefined, agent, cowork: false }
}

/** Native id of a subagent's session. */
export function agentSession(session: string, agent: string): string {
  return `${session}/${AGENT_PREFIX}${agent}`
}

/** The file that describes a subagent (`.meta.json`) or a Cowork conversation (`local_<id>.json`), if any. */
export function sidecarPath(file: SourceFile): string | undefined {
  if (placeOf(file).agent !== '') return file.path.replace(/\.jsonl$/, '.meta.json')
  if (file.source !== COWORK_SOURCE) return undefined
  const segments = file.relative.split('/')
  const below = segments.length - 1 - coworkFolder(segments)
  const path = file.path.includes('\\') ? win32 : posix
  let folder = file.path
  for (let step = 0; step < below; step++) folder = path.dirname(folder)
  return `${folder}.json`
}
