/** What a tool does with the files its arguments name, as its name says. */

import type { Dialect } from './shell-words.ts'

/** `file`: every path is a file it reads or writes. `search`: a path may as well be the directory it looks in. */
export interface ToolAccess {
  access: 'read' | 'write'
  kind: 'file' | 'search'
}

const words = (text: string) => new Set(text.split(/\s+/))

const WRITING = words(
  `write edit multiedit multi_edit editor create update delete remove move rename replace insert append patch save modify put
  set overwrite make touch apply download upload_to notebookedit strreplace fswrite applypatch change filechange writefile editfile
  createfile deletefile copy mkdir rm mv cp`,
)
const SEARCHING = words('grep glob ls list search find tree rg dir directory listdir listdirectory walk codebase files')
const READING = words(
  'read view cat get open show fetch load stat info head tail notebookread readfile viewfile fsread lsp',
)

/** Arguments only a tool that writes has. */
const WRITTEN_KEYS = words(
  `content contents new_string newString old_string oldString new_str old_str newText new_text newContent new_content
  edits replacement code_edit codeEdit file_text fileText diff patch new_source insert_text`,
)

/** `MultiEdit` and `multi_edit` as words: multi, edit. */
function nameWords(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

/** How a tool of this name, called with this input, treats its paths. */
export function accessOf(name: string, input: Readonly<Record<string, unknown>>): ToolAccess {
  const named = nameWords(name)
  // The editors of Anthropic's and Kiro's toolsets are told by `command` what to do.
  if (input.command === 'view') return { access: 'read', kind: 'file' }
  if (named.some((word) => WRITING.has(word))) return { access: 'write', kind: 'file' }
  if (named.some((word) => SEARCHING.has(word)) && !named.includes('read')) return { access: 'read', kind: 'search' }
  if (named.some((word) => READING.has(word))) return { access: 'read', kind: 'file' }
  const writes = Object.keys(input).some((key) => WRITTEN_KEYS.has(key))
  return { access: writes ? 'write' : 'read', kind: 'file' }
}

/** Whether the tool runs shell commands. */
export function isShellTool(name: string): boolean {
  return nameWords(name).some((word) => SHELL_WORDS.has(word))
}

const SHELL_WORDS = words('bash shell exec execute terminal command sh zsh powershell pwsh cmd run')

/** The language of a shell tool's commands: on a Windows path any but a bash is taken for PowerShell or cmd. */
export function dialectOf(name: string, directory: string | undefined): Dialect {
  const named = nameWords(name)
  if (named.some((word) => word === 'powershell' || word === 'pwsh' || word === 'cmd')) return 'windows'
  return /^[A-Za-z]:[\\/]/.test(directory ?? '') && !named.includes('bash') ? 'windows' : 'posix'
}

/** Varve's own tools, and any tool that asks who touched a file: asking is not touching. */
export function isOwnTool(name: string, server: string | undefined): boolean {
  if (server !== undefined && /^varve(?:$|[-_])/i.test(server)) return true
  return /^mcp__varve(?:[-_]\w+?)?__/i.test(name) || /(?:^|[._/-]|__)file_attention$/i.test(name)
}
