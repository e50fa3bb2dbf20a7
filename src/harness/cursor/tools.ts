/** Tool calls and results, as messages hold them. */

import type { ToolUse } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, lines, list, number, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { add, type Entry, firstText, remember, take, tell } from './entry.ts'
import { nameStep } from './names.ts'

/** Calls any tool of any server: the arguments say which. */
const MCP_WRAPPER = 'CallMcpTool'

const SHELL = /^(?:shell|bash|run_terminal_c(?:m|omman)d(?:_v2)?)$/i

const NAME = ['toolName', 'name', 'tool_name']
const CALL_ID = ['tool_use_id', 'toolUseId', 'tool_call_id', 'toolCallId', 'call_id', 'callId', 'id']

/** A call as the client tells it. */
export interface Called {
  tool: ToolName
  callId: string
  input: unknown
}

export function addCall(entry: Entry, { tool, callId, input }: Called, at?: number): void {
  const event = nameStep(entry.state.naming, 'call')
  const use: ToolUse = { ...tool, phase: 'call', input }
  if (callId !== '') use.callId = callId
  const draft = add(entry, 'tool_call', callText(input), event, { tool: use })
  if (at !== undefined) draft.at = at
  remember(entry.state, callId, { ...tool, event })
}

/** How a call went. */
export interface Outcome {
  callId: string
  /** The tool, in case its call was not seen. */
  tool: ToolName
  said: string
  failed: boolean
  exitCode?: number | undefined
  payload?: Fields | undefined
}

export function addResult(entry: Entry, outcome: Outcome): void {
  const { callId, said, failed, exitCode, payload } = outcome
  const { naming } = entry.state
  // A transcript may give an id to the result alone.
  const call = take(entry.state, callId) ?? take(entry.state, '')
  const tool = call ? namedTool(call) : outcome.tool
  const use: ToolUse = { ...tool, phase: 'response' }
  if (callId !== '') use.callId = callId
  if (failed) use.error = true
  const code = exitCode ?? (SHELL.test(tool.name) ? exitCodeIn(said, failed) : undefined)
  if (code !== undefined) use.exitCode = code
  const name = call ? call.event.replace(/^call/, 'result') : nameStep(naming, 'result')
  add(entry, 'tool_response', said, name, payload ? { tool: use, payload } : { tool: use })
}

function namedTool({ name, server }: ToolName): ToolName {
  return server === undefined ? { name } : { name, server }
}

/** A `tool_use` block, or one of the other spellings. */
export function readCall(entry: Entry, block: Fields): void {
  const inner = fields(block['function'])
  const name = firstText(block, NAME) || text(inner['name'])
  const input = parsed(block['input'] ?? block['args'] ?? block['arguments'] ?? inner['arguments'])
  const callId = firstText(block, CALL_ID)
  const wrapped = fields(input)
  const tool = text(wrapped['toolName'])
  if (name !== MCP_WRAPPER || tool === '') addCall(entry, { tool: cursorToolName(name), callId, input })
  else {
    const meant = toolName(name, { server: text(wrapped['server']), tool })
    addCall(entry, { tool: meant, callId, input: wrapped['arguments'] ?? input })
  }
}

/** A `tool_result` block; `message` may hold, beside it, what the client itself knows of the result. */
export function readResult(entry: Entry, block: Fields, message: Fields): void {
  const told = fields(fields(fields(message['providerOptions'])['cursor'])['highLevelToolCallResult'])
  const output = fields(told['output'])
  const callId = firstText(block, CALL_ID)
  const success = fields(output['success'])
  addResult(entry, {
    callId,
    tool: cursorToolName(firstText(block, NAME)),
    said: resultText(block) || list(told['rawErrorMessages']).map(text).join('\n'),
    failed:
      [block['is_error'], block['isError'], block['error'], told['isError']].some(isSet) ||
      FAILURES.some((key) => key in output),
    exitCode: number(success['exitCode']) ?? number(fields(output['failure'])['exitCode']),
  })
  const child = text(success['agentId'])
  if (child !== '' && child !== entry.state.session) {
    const parent = { nativeId: entry.state.session, relation: 'subagent' as const }
    entry.sessions.push({ nativeId: child, parent: callId === '' ? parent : { ...parent, callId } })
  }
  const cwd = text(success['workingDirectory'])
  if (cwd !== '') tell(entry, { cwd })
}

const FAILURES = ['failure', 'error', 'rejected']

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}

function resultText(block: Fields): string {
  for (const key of ['content', 'output', 'result', 'experimental_content', 'text']) {
    const said = plainText(block[key])
    if (said !== '') return said
  }
  return ''
}

/** A text, the texts of blocks, or JSON. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) {
    return lines(...value.map((part) => (isRecord(part) && part['type'] === 'image' ? '[image]' : plainText(part))))
  }
  if (!isRecord(value)) return ''
  return text(value['text']) || plainText(value['content']) || compact(value)
}

function compact(value: Fields): string {
  const { data: _data, ...others } = value
  return Object.keys(others).length === 0 ? '' : JSON.stringify(others)
}

/** JSON in a text as its value; anything else stays. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/**
 * Tools of MCP servers are `server-tool`, and `mcp_server_tool` in the editor. Either part may hold a hyphen itself: only
 * where there is a single one is it the border.
 */
export function cursorToolName(name: string): ToolName {
  const [server, tool, ...others] = name.replace(/^mcp-+/, '').split('-')
  if (server && tool && others.length === 0) return { name: tool, server }
  return toolName(name || 'unknown')
}

/** A shell's result begins with the code; an error tells it in its first sentence. */
function exitCodeIn(said: string, failed: boolean): number | undefined {
  const begin = said.slice(0, 300)
  const told = /^exit code:? (-?\d{1,10})\b/i.exec(begin) ?? (failed ? TOLD_CODE.exec(begin) : null)
  return told?.[1] === undefined ? undefined : Number(told[1])
}

/** `Command failed with exit code 1`, `npm test exited 1`. */
const TOLD_CODE = /^[^\n]{0,200}?\bexit(?:ed)?(?: with)?(?: code| status)?:? (-?\d{1,10})\b/i
