/** Where Qwen Code keeps transcripts, and what a transcript's path says about its session. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

export const sources: readonly SourceDefinition[] = [{ name: 'qwen-code', roots, matches: isTranscript }]

/**
 * `QWEN_RUNTIME_DIR` moves what the program writes, `QWEN_HOME` all of `.qwen`; both stand in for the folder itself. Before
 * `projects` there was `tmp`, with the same files.
 */
function roots(host: Host): string[] {
  const path = host.platform === 'win32' ? win32 : posix
  const { QWEN_RUNTIME_DIR: runtime, QWEN_HOME: home } = host.env
  const folder = runtime?.trim() || home?.trim() || path.join(host.home, '.qwen')
  const expanded = /^~(?=[/\\]|$)/.test(folder) ? path.join(host.home, folder.slice(1)) : folder
  return ['projects', 'tmp'].map((name) => path.join(expanded, name))
}

/** `<project>/chats/<session>.jsonl`, and a subagent's `<project>/subagents/<session>/agent-<agent>.jsonl`. */
function isTranscript(path: string): boolean {
  const [project, folder, ...rest] = path.split('/')
  const name = rest.at(-1) ?? ''
  if (!project || !/.\.jsonl$/.test(name)) return false
  if (folder === 'chats') return rest.length === 1
  return folder === 'subagents' && rest.length === 2 && name.startsWith('agent-')
}

export interface Place {
  /** Native id of the main session the path names. */
  session: string
  /** Id of the subagent whose file this is, else empty. */
  agent: string
}

export function placeOf(file: SourceFile): Place {
  const segments = file.relative.split('/')
  const name = (segments.at(-1) ?? '').replace(/\.jsonl$/, '')
  if (segments[1] !== 'subagents') return { session: name, agent: '' }
  return { session: segments[2] ?? '', agent: name.replace(/^agent-/, '') }
}

/** A subagent's session is named after its parent's and itself, since its records bear the parent's id. */
export function agentSession(session: string, agent: string): string {
  return `${session}/agent-${agent}`
}

/** `agent-<agent>.meta.json` beside a subagent's file. */
export function sidecarPath(file: SourceFile): string | undefined {
  return placeOf(file).agent === '' ? undefined : file.path.replace(/\.jsonl$/, '.meta.json')
}
