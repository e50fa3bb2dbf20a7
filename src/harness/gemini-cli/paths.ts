/** Where Gemini CLI keeps transcripts, what a path says about its session, and how a project's folder is found again. */

import { createHash } from 'node:crypto'
import { dirname, join, posix, win32 } from 'node:path'
import { fields, text } from '../fields.ts'
import type { Files, Host, SourceDefinition, SourceFile } from '../harness.ts'

export const sources: readonly SourceDefinition[] = [{ name: 'gemini-cli', roots, matches: isTranscript }]

/** `GEMINI_CLI_HOME` stands in for the home folder, not for `.gemini` inside it. */
function roots(host: Host): string[] {
  const path = host.platform === 'win32' ? win32 : posix
  return [path.join(host.env['GEMINI_CLI_HOME']?.trim() || host.home, '.gemini', 'tmp')]
}

/**
 * `<project>/chats/session-<time>-<8 hex>.json` or `.jsonl`, and a subagent's `<project>/chats/<parent>/<child>.jsonl`.
 * Lists of prompts (`logs.json`) and saved checkpoints repeat what stands there.
 */
function isTranscript(path: string): boolean {
  const [project, chats, ...rest] = path.split('/')
  const name = rest.at(-1) ?? ''
  if (project === undefined || chats !== 'chats' || !/.\.jsonl?$/.test(name)) return false
  return rest.length === 1 ? name.startsWith('session-') : rest.length === 2
}

/** What is known of a session before its file has been opened. */
export interface Place {
  /** Name of the file without its ending; stands in until the file names its session. */
  name: string
  /** The session whose subagent this is, else empty. */
  parent: string
}

export function placeOf(file: SourceFile): Place {
  const segments = file.relative.split('/')
  const name = (segments.at(-1) ?? '').replace(/\.jsonl?$/, '')
  return { name, parent: segments.length === 4 ? (segments[2] ?? '') : '' }
}

/** The file that names every project's folder. */
export function projectRegistry(file: SourceFile): string {
  return join(projectFolder(file), '..', '..', 'projects.json')
}

/** The note in a project's folder that says whose it is; clients write it since folders have names. */
export function projectNote(file: SourceFile): string {
  return join(projectFolder(file), '.project_root')
}

function projectFolder(file: SourceFile): string {
  let folder = dirname(file.path)
  for (let depth = file.relative.split('/').length - 2; depth > 0; depth--) folder = dirname(folder)
  return folder
}

/**
 * Working directory of the sessions in a project's folder. The folder has a short name out of the registry or, with
 * clients before 0.30, is the SHA-256 of the directory's path. Empty when neither tells.
 */
export function projectDirectory(files: Files, file: SourceFile): string {
  const noted = text(files.json(projectNote(file))).trim()
  if (noted !== '') return noted
  const name = file.relative.split('/')[0] ?? ''
  const projects = Object.entries(fields(fields(files.json(projectRegistry(file)))['projects']))
  return projects.find(([path, folder]) => folder === name || sha256(path) === name)?.[0] ?? ''
}

function sha256(path: string): string {
  return createHash('sha256').update(path).digest('hex')
}
