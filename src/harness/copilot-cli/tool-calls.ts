/** Tool calls: asked for in a message, begun, and ended. */

import type { ToolUse } from '../../core/event.ts'
import { recall, remember, take } from '../bounded.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, number, pick, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { add, type Entry, note } from './entry.ts'

/** Adds a call; server and tool of MCP stand beside the name. */
export function addCall(entry: Entry, name: string, request: Fields): void {
  const { state, session } = entry
  const callId = text(request['toolCallId'])
  const server = text(request['mcpServerName'])
  const named = toolName(name, { server, tool: text(request['mcpToolName']) })
  if (callId !== '') remember(state.pending, callId, { ...named, session })
  const input = request['arguments']
  add(entry, 'tool_call', callText(input), { tool: toolUse(named, callId, { phase: 'call', input }) })
}

/** Begun: told before in the message that asked for it, unless the user ran the tool. */
export function readStart(entry: Entry): void {
  const { data, state } = entry
  note(entry, 'working')
  if (recall(state.pending, text(data['toolCallId'])) === undefined) {
    addCall(entry, text(data['toolName']), data)
    return
  }
  const payload = { type: entry.type, ...pick(data, ['toolCallId', 'toolTitle', 'mcpTransport', 'shellToolInfo']) }
  add(entry, 'runtime', '', { payload })
}

/** A command that fails is a success of the shell tool: its exit code stands apart. */
export function readComplete(entry: Entry): void {
  const { data, state } = entry
  const callId = text(data['toolCallId'])
  const pending = take(state.pending, callId)
  const named: ToolName = pending ?? toolName(text(data['toolName']) || 'unknown')
  const error = fields(data['error'])
  const said = text(fields(data['result'])['content']) || text(error['message'])
  const tool = toolUse(named, callId, { phase: 'response' })
  if (data['success'] === false) tool.error = true
  const exitCode = number(fields(data['shellExecution'])['exitCode']) ?? exitCodeIn(said)
  if (exitCode !== undefined) tool.exitCode = exitCode
  const draft = add(entry, 'tool_response', said, { tool })
  const facts = pick(error, ['code'])
  if (facts) draft.payload = facts
  note(entry, 'working')
}

/** The shell tool's own last line, which older clients write alone. */
function exitCodeIn(said: string): number | undefined {
  const line = said.slice(said.lastIndexOf('\n') + 1).slice(0, 200)
  const code = /^<(?:exited|shellId: \S+ (?:completed|exited)) with exit code (-?\d+)>$/.exec(line.trim())?.[1]
  return code === undefined ? undefined : Number(code)
}

function toolUse({ name, server }: ToolName, callId: string, rest: Omit<ToolUse, 'name'>): ToolUse {
  return { name, ...(server !== undefined && { server }), ...(callId !== '' && { callId }), ...rest }
}
