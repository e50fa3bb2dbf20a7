/** Where Cline keeps transcripts: its terminal client, and its extension for editors. */

import { posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

/** The extension's folder in an editor's global storage. */
const EXTENSION = 'saoudrizwan.claude-dev'

/** Folders of editors that run the extension. */
const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf']

/** Folders below the home of editors whose other half runs elsewhere. */
const REMOTE_EDITORS = ['.vscode-server', '.vscode-server-insiders', '.cursor-server', '.windsurf-server']

export const sources: readonly SourceDefinition[] = [
  { name: 'cline', roots: sessionRoots, matches: isSession },
  { name: 'cline-vscode', roots: taskRoots, matches: isTask },
]

/** The most particular variable decides. */
function sessionRoots(host: Host): string[] {
  const named = host.env['CLINE_SESSION_DATA_DIR']?.trim()
  return [named || pathOf(host).join(dataFolder(host), 'sessions')]
}

function dataFolder(host: Host): string {
  const path = pathOf(host)
  const folder = host.env['CLINE_DIR']?.trim() || path.join(host.home, '.cline')
  return host.env['CLINE_DATA_DIR']?.trim() || path.join(folder, 'data')
}

/** Tasks of the extension in each editor, and of terminal clients before 3, which wrote as it does. */
function taskRoots(host: Host): string[] {
  const path = pathOf(host)
  const storages = [
    ...EDITORS.map((editor) => path.join(configFolder(host), editor, 'User')),
    ...REMOTE_EDITORS.map((editor) => path.join(host.home, editor, 'data', 'User')),
  ].map((user) => path.join(user, 'globalStorage', EXTENSION))
  return [...storages, dataFolder(host)].map((storage) => path.join(storage, 'tasks'))
}

function configFolder(host: Host): string {
  const path = pathOf(host)
  switch (host.platform) {
    case 'darwin':
      return path.join(host.home, 'Library', 'Application Support')
    case 'win32':
      return host.env['APPDATA']?.trim() || path.join(host.home, 'AppData', 'Roaming')
    default:
      return host.env['XDG_CONFIG_HOME']?.trim() || path.join(host.home, '.config')
  }
}

function pathOf({ platform }: Host): typeof posix {
  return platform === 'win32' ? win32 : posix
}

/** `<session>/<session>.messages.json`, and `agent_<id>.messages.json` beside it for each subagent. */
function isSession(path: string): boolean {
  return /^[^/]+\/[^/]+\.messages\.json$/.test(path)
}

/** `<task>/ui_messages.json`: what the user was shown. */
function isTask(path: string): boolean {
  return /^[^/]+\/ui_messages\.json$/.test(path)
}

export function isTaskFile({ path }: SourceFile): boolean {
  return /(?:^|[/\\])ui_messages\.json$/.test(path)
}

/** A file in the folder of the given one. */
export function beside(file: SourceFile, name: string): string {
  const { dirname, join } = file.path.includes('\\') ? win32 : posix
  return join(dirname(file.path), name)
}

/** Name of the folder a file lies in: the session or task. */
export function folderName(file: SourceFile): string {
  const { dirname, basename } = file.path.includes('\\') ? win32 : posix
  return basename(dirname(file.path))
}

/** A session file's name without its ending: `<session>` or `agent_<id>`. */
export function stemOf(file: SourceFile): string {
  return (file.path.split(/[\\/]/).at(-1) ?? '').replace(/\.messages\.json$/, '')
}
