/** Records of type `assistant`: what the model said, thought and called, and what the client says in its place. */

import type { Draft, Ending, ToolUse } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { callText } from './call-text.ts'
import { blockText, foreignPayload, smallFields, textField, textOf } from './content.ts'
import { add, type Entry } from './entry.ts'
import { type PendingCall, remember } from './state.ts'
import { readToolResult, SUBAGENT_TOOLS } from './tool-result.ts'
import { usageOf } from './usage.ts'

/** Model of messages the client writes itself. */
const SYNTHETIC = '<synthetic>'

/** Characters of a subagent's prompt remembered until its sidechain begins. */
const PROMPT_START = 200

export function readAssistant(entry: Entry): void {
  const message = entry.record['message']
  const fields = isRecord(message) ? message : {}
  if (entry.record['isApiErrorMessage'] === true) readApiError(entry, fields)
  else if (fields['model'] === SYNTHETIC) {
    // `No response requested.` and the like: the client filling a gap, never an answer.
    add(entry, 'system', textOf(fields['content']), { payload: { model: SYNTHETIC } })
  } else readMessage(entry, fields, isRecord(message) ? message['content'] : message)
}

/** The error shown in place of an answer once the client has given up. */
function readApiError(entry: Entry, message: Record<string, unknown>): void {
  const text = textOf(message['content'])
  // Older clients report Escape this way too.
  const ends: Ending = text.includes('Request was aborted') ? 'interrupted' : 'failed'
  const { error, apiErrorStatus, apiErrorType } = entry.record
  add(entry, 'runtime', text, { ends, payload: smallFields({ error, apiErrorStatus, apiErrorType }) })
}

function readMessage(entry: Entry, message: Record<string, unknown>, content: unknown): void {
  const blocks = Array.isArray(content) ? content : [content ?? '']
  for (const block of blocks) readBlock(entry, block)
  const first = entry.drafts[0] ?? add(entry, 'assistant_response', '')
  const model = textField(message, 'model')
  if (model !== '') for (const draft of entry.drafts) draft.model = model
  const usage = usageOf(entry, message)
  if (usage) first.usage = usage
  end(entry, message)
}

/**
 * Marks the message's last text as the end of its turn, or, before a tool call, as no answer. `end_turn` and
 * `stop_sequence` are answers; a refusal or a full context window leaves nothing to wait for, so the turn failed unless
 * the client goes on. Clients before 2.1.62 write no final stop_reason: there a text counts as the answer until a tool
 * call follows it. One that was cut short never does.
 */
function end(entry: Entry, message: Record<string, unknown>): void {
  const reason = textField(message, 'stop_reason')
  const text = lastText(entry.drafts)
  if (reason === 'end_turn') entry.state.stopsAreReal = true
  if (text && reason === 'tool_use') text.commentary = true
  const ending = endingOf(reason)
  if (text && ending) text.ends = ending
  if (text && ending === 'failed') text.payload = { stop_reason: reason }
  if (reason !== '' || entry.state.stopsAreReal || entry.record['isAbortedMidStream'] === true) return
  if (text && text === entry.drafts[entry.drafts.length - 1]) text.ends = 'answered'
}

function endingOf(reason: string): Ending | undefined {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'answered'
    case 'max_tokens':
    case 'refusal':
    case 'model_context_window_exceeded':
      return 'failed'
    default:
      return undefined
  }
}

function lastText(drafts: readonly Draft[]): Draft | undefined {
  return drafts.findLast((draft) => draft.type === 'assistant_response')
}

function readBlock(entry: Entry, block: unknown): void {
  if (typeof block === 'string') {
    add(entry, 'assistant_response', block)
    return
  }
  if (!isRecord(block)) {
    add(entry, 'unknown', '', { payload: foreignPayload(block) })
    return
  }
  const type = textField(block, 'type')
  switch (type) {
    case 'text':
    case 'image':
    case 'document':
      add(entry, 'assistant_response', blockText(block))
      return
    case 'thinking':
      readThinking(entry, block)
      return
    case 'redacted_thinking':
      add(entry, 'reasoning', '', { payload: { encrypted: textField(block, 'data') } })
      return
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      readToolCall(entry, block)
      return
    case 'fallback':
      add(entry, 'system', `Model fallback: ${modelName(block['from'])} to ${modelName(block['to'])}`)
      return
    case 'compaction':
      add(entry, 'compaction', textOf(block['content']))
      return
    default:
      if (type.endsWith('tool_result')) readToolResult(entry, block)
      else add(entry, 'unknown', '', { payload: foreignPayload(block) })
  }
}

/** Reasoning the client did not show is there only encrypted, in the signature. */
function readThinking(entry: Entry, block: Record<string, unknown>): void {
  const text = textField(block, 'thinking')
  const signature = textField(block, 'signature')
  add(entry, 'reasoning', text, text === '' && signature !== '' ? { payload: { encrypted: signature } } : undefined)
}

function readToolCall(entry: Entry, block: Record<string, unknown>): void {
  const { name, server } = calledTool(block)
  const { input } = block
  const tool: ToolUse = { name, phase: 'call', input }
  if (server !== undefined) tool.server = server
  const id = textField(block, 'id')
  if (id !== '') tool.callId = id
  const pending: PendingCall = { name }
  if (server !== undefined) pending.server = server
  if (SUBAGENT_TOOLS.has(name) && isRecord(input)) pending.prompt = textField(input, 'prompt').slice(0, PROMPT_START)
  remember(entry.state.pending, id, pending)
  add(entry, 'tool_call', callText(server === undefined ? name : '', input), { tool })
}

function calledTool(block: Record<string, unknown>): ToolName {
  return toolName(textField(block, 'name'), { server: textField(block, 'server_name') })
}

function modelName(side: unknown): string {
  return (isRecord(side) && textField(side, 'model')) || 'unknown'
}
