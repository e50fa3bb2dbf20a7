/** Tool calls and their results, which Gemini CLI writes into the message that called. */

import type { Draft, ToolUse } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, list, text } from '../fields.ts'
import { answerOf, exitCodeIn } from '../google-parts.ts'
import { toolName } from '../tool-name.ts'
import { add, type Entry, nameIn } from './entry.ts'
import { remember } from './state.ts'

const SHELL = 'run_shell_command'

/** With this call a subagent hands in its result. */
export const COMPLETION = 'complete_task'

/** A call by its name: `displayName` tells server and tool of MCP apart, where the client wrote it down. */
export interface NamedCall {
  callId: string
  name: string
  displayName: string
}

/** One of a message's `toolCalls`: the call, and its result once there is one. */
export function readToolCall(entry: Entry, call: Fields): void {
  const { state, sessions } = entry
  const named = { callId: text(call['id']), name: text(call['name']), displayName: text(call['displayName']) }
  addCall(entry, named, call['args'])
  const child = text(call['agentId'])
  if (child !== '') {
    const parent = { nativeId: state.session, relation: 'subagent' as const, callId: named.callId }
    sessions.push({ nativeId: child, parent })
  }
  const status = text(call['status'])
  const responses = list(call['result']).flatMap((part) => {
    const response = fields(part)['functionResponse']
    return response === undefined ? [] : [answerOf(fields(response))]
  })
  if (responses.length === 0 && !FINAL.has(status)) return
  const said = responses.map((response) => response.text).join('\n') || text(call['resultDisplay'])
  const failed = status === 'error' || status === 'cancelled' || responses.some((response) => response.failed)
  const at = parseTime(call['timestamp'])
  const draft = addAnswer(entry, named, said, failed, status)
  if (at !== undefined) draft.at = at
  if (named.callId !== '') remember(state.answered, named.callId)
}

/** A call that has one of these states goes no further. */
const FINAL = new Set(['success', 'error', 'cancelled'])

export function addCall(entry: Entry, named: NamedCall, input: unknown): void {
  const tool: ToolUse = { ...toolUse(named), phase: 'call', input }
  add(entry, 'tool_call', callText(input), `call/${named.callId}`, { tool })
}

export function addAnswer(entry: Entry, named: NamedCall, answer: string, failed: boolean, status = ''): Draft {
  const said = unwrapped(answer)
  const tool: ToolUse = { ...toolUse(named), phase: 'response' }
  if (failed) tool.error = true
  const exitCode = tool.name === SHELL && status !== 'cancelled' ? exitCodeIn(said) : undefined
  if (exitCode !== undefined) tool.exitCode = exitCode
  // A result may stand in two messages: it is named after its call alone.
  const native = named.callId === '' ? undefined : nameIn(entry.drafts, `result/${named.callId}`)
  const draft = add(entry, 'tool_response', said, undefined, native === undefined ? { tool } : { tool, native })
  if (status === 'cancelled') draft.payload = { status }
  if (tool.name === COMPLETION && !failed && entry.state.parent !== '') {
    draft.ends = 'answered'
    entry.state.turnIsOpen = false
  }
  return draft
}

/** `echo (probe MCP Server)` is the display name of `mcp_probe_echo`. */
function toolUse({ callId, name, displayName }: NamedCall): { name: string; server?: string; callId?: string } {
  const shown = /^(.+) \((.+) MCP Server\)$/.exec(displayName)
  const tool = toolName(name, shown ? { tool: shown[1], server: shown[2] } : {})
  return callId === '' ? tool : { ...tool, callId }
}

/** The client wraps what comes from outside in a tag, for the model. */
function unwrapped(said: string): string {
  return /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/.exec(said)?.[1] ?? said
}
