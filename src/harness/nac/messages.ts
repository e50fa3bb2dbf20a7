/** Messages in the shape of the chat API, told apart by role. */

import type { Draft, EventType, ToolUse, Usage } from '../../core/event.ts'
import { remember, take } from '../bounded.ts'
import { callText } from '../call-text.ts'
import { count, type Fields, fields, foreign, lines, list, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { isDone, parsed } from './database.ts'
import type { State } from './state.ts'

interface Entry {
  state: State
  id: string
  message: Fields
  drafts: Draft[]
}

export function readMessage(record: Fields, state: State): Draft[] {
  const message = fields(record['message'])
  const entry: Entry = { state, id: text(record['id']), message, drafts: [] }
  switch (message['role']) {
    case 'user':
      add(entry, 'user_input', contentOf(message['content']), { opensTurn: true })
      break
    case 'assistant':
      readAssistant(entry, record['usage'])
      break
    case 'tool':
      readResult(entry)
      break
    case 'system':
    case 'developer':
      readSystem(entry)
      break
    default:
      add(entry, 'unknown', '', { payload: foreign(record['message']) })
  }
  return entry.drafts
}

function add({ state, id, drafts }: Entry, type: EventType, said: string, rest?: Partial<Draft>): Draft {
  const { session, startedAt, cwd } = state
  const index = drafts.length
  const draft: Draft = { session, type, text: said, native: id === '' ? { index } : { id, index }, ...rest }
  if (startedAt !== null) draft.at = startedAt
  if (cwd !== '') draft.cwd = cwd
  drafts.push(draft)
  return draft
}

/** A message that calls no tool ends the turn: that is how the agent's loop knows it is done. */
function readAssistant(entry: Entry, tokens: unknown): void {
  const { message, drafts, state, id } = entry
  const reasoning = text(message['reasoning_text'])
  if (reasoning.trim() !== '') add(entry, 'reasoning', reasoning)
  const said = contentOf(message['content'])
  const done = isDone(message)
  if (said !== '') add(entry, 'assistant_response', said, done ? {} : { commentary: true })
  for (const call of list(message['tool_calls'])) readCall(entry, fields(call))
  if (drafts.length === 0) add(entry, 'runtime', '')
  if (state.model !== '') for (const draft of drafts) draft.model = state.model
  const last = drafts.at(-1)
  if (!last || !done) return
  if (said !== '') last.ends = 'answered'
  const usage = usageOf(`nac ${state.session} ${id}`, fields(tokens))
  if (usage) last.usage = usage
}

/** `input_tokens` holds what came from a cache, `output_tokens` the reasoning. */
function usageOf(id: string, tokens: Fields): Usage | undefined {
  const cacheRead = count(tokens['cache_read_tokens'])
  const cacheWrite = count(tokens['cache_write_tokens'] ?? tokens['cache_creation_tokens'])
  const input = Math.max(0, count(tokens['input_tokens']) - cacheRead - cacheWrite)
  const output = count(tokens['output_tokens'])
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  return { id, input, output, cacheRead, cacheWrite, reasoning: count(tokens['reasoning_tokens']) }
}

function readCall(entry: Entry, call: Fields): void {
  const callee = fields(call['function'])
  const callId = text(call['id'])
  const named = toolName(text(callee['name']))
  if (callId !== '') remember(entry.state.pending, callId, named)
  const input = parsed(callee['arguments'])
  add(entry, 'tool_call', callText(input), { tool: toolUse(named, callId, { phase: 'call', input }) })
}

function readResult(entry: Entry): void {
  const { message, state } = entry
  const callId = text(message['tool_call_id'])
  const named = take(state.pending, callId) ?? toolName(text(message['name']) || 'unknown')
  const tool = toolUse(named, callId, { phase: 'response' })
  if (message['is_error'] === true) tool.error = true
  add(entry, 'tool_response', contentOf(message['content']), { tool })
}

/** A prompt of the system is bulky, and no conversation; a note is neither. */
const NOTE = 2000

function readSystem(entry: Entry): void {
  const said = contentOf(entry.message['content'])
  if (said.length <= NOTE) add(entry, 'system', said)
  else add(entry, 'system', '', { payload: { leftOut: { content: said.length } } })
}

/** A text, or parts of which only texts are told. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts = list(content).map(fields)
  return lines(...parts.map((part) => (typeof part['text'] === 'string' ? part['text'] : `[${text(part['type'])}]`)))
}

function toolUse(named: ToolName, callId: string, rest: Omit<ToolUse, 'name'>): ToolUse {
  return { ...named, ...(callId !== '' && { callId }), ...rest }
}
