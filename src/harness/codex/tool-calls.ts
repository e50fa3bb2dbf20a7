/** Tool calls: their names, arguments and readable text. */

import type { Draft } from '../../core/event.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { type Fields, fields, list, string } from './fields.ts'
import { add, type RecordReading, toolUse } from './reading.ts'
import { noteWork } from './state.ts'

/** Codex sorts its own tools by namespaces too, and some writers put one in front of the name. */
const OWN_PREFIX = /^functions\./

/** Namespace of an MCP server's tools; the name beside it is the tool's own, whatever it begins with. */
const MCP_NAMESPACE = 'mcp__'

/** A tool's bare name and server. Without a namespace the name may hold the server, as in releases of 2025. */
export function nameOf(name: string | undefined, namespace: unknown): ToolName {
  const own = (name ?? 'unknown').replace(OWN_PREFIX, '')
  if (typeof namespace !== 'string' || !namespace.startsWith(MCP_NAMESPACE)) return toolName(own)
  const prefix = `${namespace}__`
  const bare = own.startsWith(prefix) ? own.slice(prefix.length) : own
  return { name: bare, server: namespace.slice(MCP_NAMESPACE.length) }
}

/** Shells that take a script as their last argument: `bash -lc SCRIPT`. */
const SHELL_WITH_SCRIPT = /(?:^|[/\\])(?:bash|zsh|sh|dash|fish|pwsh|powershell|cmd)(?:\.exe)?$/i

/** A command as one line: the script when a shell runs one, else the arguments joined. */
export function commandLine(command: unknown): string | undefined {
  if (typeof command === 'string') return command
  const words = list(command).filter((word) => typeof word === 'string')
  const [program, ...rest] = words
  if (program === undefined) return undefined
  const script = rest.at(-1)
  const flagged = rest.length >= 2 && /^[-/]/.test(rest[0] ?? '')
  if (flagged && script !== undefined && SHELL_WITH_SCRIPT.test(program)) return script
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/** Arguments that say all there is to read of a call that has hardly any others. */
const READABLE = ['message', 'query', 'path'] as const

/** What a person would read of a call: the command, patch, typed text or message; otherwise the arguments themselves. */
export function callText(input: unknown, raw: string | undefined): string {
  if (typeof input === 'string') return input
  const record = fields(input)
  const whole = commandLine(record.cmd ?? record.command) ?? string(record.patch) ?? string(record.chars)
  if (whole !== undefined) return whole
  const names = Object.keys(record)
  if (names.length <= 2) {
    for (const name of READABLE) {
      const text = string(record[name])
      if (text !== undefined) return text
    }
  }
  return raw ?? (names.length === 0 ? '' : JSON.stringify(input))
}

/** What a web search looks for: the words, or the page it opens and what it looks for there. */
export function searchText(action: Fields, query?: unknown): string {
  const queries = list(action.queries).filter((each) => typeof each === 'string')
  const words = string(action.query) ?? (queries.length > 0 ? queries.join('\n') : undefined)
  const place = [string(action.url), string(action.pattern)].filter((each) => each !== undefined)
  return words ?? (place.length > 0 ? place.join(' ') : (string(query) ?? ''))
}

/** The draft of a call, whichever record tells of it. */
export function addToolCall(
  reading: RecordReading,
  name: string,
  server: string | undefined,
  callId: string | undefined,
  input: unknown,
  text: string,
): Draft {
  const { state } = reading
  const draft = add(reading, 'tool_call', text, callId === undefined ? undefined : `call:${callId}`)
  draft.tool = toolUse('call', name, server, callId)
  if (input !== undefined) draft.tool.input = input
  if (state.cwd !== undefined) draft.cwd = state.cwd
  noteWork(state)
  return draft
}

export function addToolResponse(
  reading: RecordReading,
  name: string,
  server: string | undefined,
  callId: string | undefined,
  text: string,
): Draft {
  const draft = add(reading, 'tool_response', text, callId === undefined ? undefined : `output:${callId}`)
  draft.tool = toolUse('response', name, server, callId)
  return draft
}
