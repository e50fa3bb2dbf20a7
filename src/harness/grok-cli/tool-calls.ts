/** Tool calls: begun, told more exactly, and ended. */

import type { ToolUse } from '../../core/event.ts'
import { recall, remember, take } from '../bounded.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, lines, list, number, pick, text } from '../fields.ts'
import { toolName } from '../tool-name.ts'
import { add, type Entry, noteWork } from './entry.ts'
import { contentText } from './messages.ts'
import type { PendingCall } from './state.ts'

/** Starts a subagent. */
export const SPAWN = 'spawn_subagent'

export function readToolCall(entry: Entry): void {
  const { update, state } = entry
  noteWork(entry)
  const input = fields(update['rawInput'])
  const shown = fields(fields(update['_meta'])['x.ai/tool'])
  // Tools of MCP servers are called through one of the client's own.
  const wrapped = text(input['tool_name'])
  const named: PendingCall = toolName(text(shown['name']) || text(update['title']), { wrapped: wrapped || undefined })
  if (named.name === SPAWN) named.description = text(input['description'])
  const callId = text(update['toolCallId'])
  if (callId !== '') remember(state.pending, callId, named)
  const args = wrapped === '' ? update['rawInput'] : input['tool_input']
  add(entry, 'tool_call', callText(args), { tool: toolUse(named, callId, { phase: 'call', input: args }) })
}

/** Without a status it tells the call once more, in the client's own words; with one, the call has ended. */
export function readToolCallUpdate(entry: Entry): void {
  const { update, state } = entry
  const callId = text(update['toolCallId'])
  const status = text(update['status'])
  if (!ENDED.has(status)) {
    add(entry, 'runtime', '', { payload: pick(update, ['sessionUpdate', 'toolCallId', 'title', 'kind', 'status']) })
    return
  }
  const output = fields(update['rawOutput'])
  const server = text(output['server_name'])
  const named =
    take(state.pending, callId) ?? toolName(text(output['tool_name']) || text(update['title']) || 'unknown', { server })
  const tool = toolUse(named, callId, { phase: 'response' })
  if (status !== 'completed' || output['is_error'] === true) tool.error = true
  const exitCode = number(output['exit_code'])
  if (exitCode !== undefined && status !== 'cancelled') tool.exitCode = exitCode
  const draft = add(entry, 'tool_response', answerText(update, output), { tool })
  const facts = pick(output, ['signal', 'timed_out', 'truncated', 'output_file', 'subagent_id'])
  if (facts) draft.payload = facts
  noteWork(entry)
}

const ENDED = new Set(['completed', 'failed', 'cancelled'])

/** The call that started a subagent: by its description, where several are at work. */
export function spawningCall({ state }: Entry, description: string): string | undefined {
  const calls = Object.keys(state.pending).filter((id) => recall(state.pending, id)?.name === SPAWN)
  return calls.find((id) => recall(state.pending, id)?.description === description) ?? calls[0]
}

function toolUse({ name, server }: PendingCall, callId: string, rest: Omit<ToolUse, 'name'>): ToolUse {
  return { name, ...(server !== undefined && { server }), ...(callId !== '' && { callId }), ...rest }
}

/** What the client shows of a result; where it shows nothing, what the tool gave back. */
function answerText(update: Fields, output: Fields): string {
  const shown = list(update['content']).map((item) => {
    const { type, content, path, oldText, newText } = fields(item)
    if (type === 'diff') return callText({ file_path: path, old_string: oldText, new_string: newText })
    return contentText(content)
  })
  return lines(...shown) || outputText(output)
}

/** A shell's output is an array of bytes, beside which it stands as text. */
function outputText(output: Fields): string {
  const { OkayOutput: fine, Error: refused } = fields(output['output'])
  const said = [output['output_for_prompt'], fine, refused, output['output'], output['error'], output['message']]
  const todos = fields(output['TodosUpdated'])['summary_for_prompt']
  return [...said, todos].map(text).find((part) => part !== '') ?? ''
}
