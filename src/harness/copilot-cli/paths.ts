/** Where Copilot CLI keeps transcripts, and what a transcript's path says about its session. */

import { dirname, join, posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

export const sources: readonly SourceDefinition[] = [{ name: 'copilot-cli', roots, matches: isTranscript }]

/** `COPILOT_HOME` stands in for the folder `.copilot`. */
function roots(host: Host): string[] {
  const path = host.platform === 'win32' ? win32 : posix
  return [path.join(host.env['COPILOT_HOME']?.trim() || path.join(host.home, '.copilot'), 'session-state')]
}

/** `<session>/events.jsonl`, before 1.0 `<session>.jsonl`. */
function isTranscript(path: string): boolean {
  const [folder = '', name, ...rest] = path.split('/')
  if (rest.length > 0) return false
  return name === undefined ? /.\.jsonl$/.test(folder) : name === 'events.jsonl'
}

/** Native id of the main session, as the path has it. */
export function sessionOf(file: SourceFile): string {
  return (file.relative.split('/')[0] ?? '').replace(/\.jsonl$/, '') || 'unknown'
}

/** Subagents speak in their parent's file; each is a session of its own. */
export function agentSession(session: string, agent: string): string {
  return `${session}/agent-${agent}`
}

/** `workspace.yaml` beside the events. */
export function workspacePath(file: SourceFile): string | undefined {
  return file.relative.includes('/') ? join(dirname(file.path), 'workspace.yaml') : undefined
}
