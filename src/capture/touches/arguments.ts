/** Paths, patches and commands among the arguments of a call, at any depth. */

import { isRecord } from '../../core/json.ts'
import { codeModeTouches, quoteWords } from './code-mode.ts'
import { isOnePath, looksLikeFile } from './file-name.ts'
import type { ToolCall } from './index.ts'
import { pathOfFileUri, resolvePath } from './lexical-path.ts'
import { isPatch, patchedPaths } from './patch.ts'
import type { TouchSink } from './path-touch.ts'
import { shellTouches } from './shell.ts'
import { accessOf, dialectOf, isShellTool, type ToolAccess } from './tool-access.ts'

/** Arguments that hold paths; matched without regard to case, `_` and `-`. */
const PATH_KEYS = new Set(
  `filepath filepaths path paths file files filename filenames notebookpath targetnotebook targetfile targetfiles targetpath
  relativeworkspacepath relativepath absolutepath absolutefilepath fullpath uri effectiveuri fileuri oldpath newpath
  oldfilepath newfilepath sourcepath destinationpath destpath srcpath sourcefile destinationfile inputpath inputfile
  outputpath outputfile imagepath`.split(/\s+/),
)

/** Further ones of tools that move or copy. */
const TRANSFER_KEYS = new Set(['source', 'destination', 'src', 'dst', 'dest', 'from', 'to'])
/** Of these, what a copy only reads. */
const ORIGIN = /^(?:source|src|from|old)/

const COMMAND_KEYS = new Set(['command', 'cmd', 'commands', 'script', 'commandline', 'shellcommand'])
const PATCH_KEYS = new Set(['patch', 'patchtext', 'diff', 'unifieddiff', 'input', 'patchcontent'])
/** The last two are those of Gemini CLI and its descendants. */
const DIRECTORY_KEYS = [
  'workdir',
  'cwd',
  'working_directory',
  'workingDirectory',
  'working_dir',
  'workingDir',
  'dir_path',
  'directory',
]

/** What an agent writes into files or says: its text is never looked into. */
const PROSE_KEYS = new Set(
  `content contents newstring oldstring newstr oldstr newtext oldtext filetext prompt description text todos plan message
  query pattern body newsource thought explanation edits replacement codeedit`.split(/\s+/),
)

const HTTP_METHOD = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/i

const MAX_DEPTH = 12
const MAX_VALUES = 20_000
const MAX_TEXT = 1_000_000

interface Walk {
  call: ToolCall
  tool: ToolAccess
  isTransfer: boolean
  isCopy: boolean
  /** Directory relative paths start from. */
  directory: string | undefined
  /** What is left to look at. */
  values: number
  text: number
  touch: TouchSink
}

/** Reports every file the arguments of a call name. */
export function argumentTouches(call: ToolCall, input: Readonly<Record<string, unknown>>, touch: TouchSink): void {
  // A path of a web request is none of ours.
  if (typeof input.method === 'string' && HTTP_METHOD.test(input.method)) return
  const own = DIRECTORY_KEYS.map((key) => input[key]).find((value) => typeof value === 'string' && value !== '')
  const walk: Walk = {
    call,
    tool: accessOf(call.name, input),
    isTransfer: /move|rename|copy|(?:^|_)(?:mv|cp)(?:$|_)/i.test(call.name),
    isCopy: /copy|(?:^|_)cp(?:$|_)/i.test(call.name),
    directory: typeof own === 'string' ? resolvePath(call.cwd, own) : call.cwd,
    values: MAX_VALUES,
    text: MAX_TEXT,
    touch,
  }
  walkRecord(walk, input, 0)
}

function walkRecord(walk: Walk, record: Readonly<Record<string, unknown>>, depth: number): void {
  for (const [key, value] of Object.entries(record)) {
    if (--walk.values < 0) return
    const name = key.replace(/[_-]/g, '').toLowerCase()
    if (PATH_KEYS.has(name) || (walk.isTransfer && TRANSFER_KEYS.has(name))) pathValue(walk, name, value, depth)
    else if (COMMAND_KEYS.has(name)) commandValue(walk, name, value, depth)
    else if (name === 'changes' && isRecord(value)) fileChanges(walk, value)
    else if (PATCH_KEYS.has(name) && typeof value === 'string') patchValue(walk, value)
    else if (name === 'source' && typeof value === 'string')
      codeModeTouches(clip(walk, value), walk.directory, walk.touch)
    else if (!PROSE_KEYS.has(name) || typeof value !== 'string') walkValue(walk, value, depth + 1)
  }
}

function walkValue(walk: Walk, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return
  if (isRecord(value)) walkRecord(walk, value, depth)
  if (!Array.isArray(value)) return
  for (const item of value as readonly unknown[]) {
    if (--walk.values < 0) return
    walkValue(walk, item, depth + 1)
  }
}

/** A path, a list of them, or whatever stands in their place: `files: [{ path }]`. */
function pathValue(walk: Walk, key: string, value: unknown, depth: number): void {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  for (const item of items) {
    if (--walk.values < 0) return
    if (typeof item === 'string') addPath(walk, key, item)
    else walkValue(walk, item, depth + 1)
  }
}

function addPath(walk: Walk, key: string, value: string): void {
  const path = pathOfFileUri(value) ?? value
  if (!isOnePath(path) || path !== path.trim() || /[/\\]$|^\.{1,2}$/.test(path)) return
  if (walk.tool.kind === 'search' && !looksLikeFile(path.replaceAll('\\', '/'))) return
  const access = walk.isCopy && ORIGIN.test(key) ? 'read' : walk.tool.access
  walk.touch({ path: resolvePath(walk.directory, path), access, via: 'path' })
}

/** A command line, the words of one, or a list of them; the first word of an editor's `command` is harmless. */
function commandValue(walk: Walk, key: string, value: unknown, depth: number): void {
  if (Array.isArray(value)) {
    const isText = value.every((item): item is string => typeof item === 'string')
    if (isText) runCommand(walk, key === 'commands' ? value.join('\n') : commandLine(value))
    else walkValue(walk, value, depth + 1)
  } else if (typeof value === 'string') runCommand(walk, value)
  else walkValue(walk, value, depth + 1)
}

/** An array is the words of one command, but for lists of whole command lines. */
function commandLine(words: readonly string[]): string {
  const [first = ''] = words
  return words.length > 0 && /\s/.test(first.trim()) ? words.join('\n') : quoteWords(words)
}

function runCommand(walk: Walk, script: string): void {
  shellTouches(clip(walk, script), walk.directory, dialectOf(walk.call.name, walk.directory), walk.touch)
}

/** A patch; or, where a shell tool calls its command `input`, that. */
function patchValue(walk: Walk, value: string): void {
  const text = clip(walk, value)
  if (isPatch(text)) {
    for (const path of patchedPaths(text)) {
      walk.touch({ path: resolvePath(walk.directory, path), access: 'write', via: 'patch' })
    }
  } else if (isShellTool(walk.call.name)) codeModeTouches(text, walk.directory, walk.touch)
}

/** Codex's record of an applied patch: the paths are the keys. */
function fileChanges(walk: Walk, changes: Readonly<Record<string, unknown>>): void {
  for (const [path, change] of Object.entries(changes)) {
    if (--walk.values < 0) return
    if (isOnePath(path)) walk.touch({ path: resolvePath(walk.directory, path), access: 'write', via: 'patch' })
    const moved = movedTo(change)
    if (moved !== undefined && isOnePath(moved)) {
      walk.touch({ path: resolvePath(walk.directory, moved), access: 'write', via: 'patch' })
    }
  }
}

function movedTo(change: unknown): string | undefined {
  if (!isRecord(change)) return undefined
  if (typeof change.move_path === 'string') return change.move_path
  return isRecord(change.update) && typeof change.update.move_path === 'string' ? change.update.move_path : undefined
}

function clip(walk: Walk, text: string): string {
  const clipped = text.slice(0, Math.max(0, walk.text))
  walk.text -= clipped.length
  return clipped
}
