/** Messages in the shape of the chat API, told apart by role. */

import type { ToolUse } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { remember, take } from '../bounded.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, foreign, lines, list, number, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { contentOf } from './content.ts'
import { add, type Entry, end } from './entry.ts'
import { callsOf, parsed } from './records.ts'

export function readMessage(entry: Entry, message: Fields): void {
  const reader = READERS.get(text(message['role']))
  if (reader) reader(entry, message)
  else add(entry, 'unknown', '', { payload: foreign(message) })
  if (number(message['active']) === 0 && number(message['compacted']) === 0) noteRewound(entry)
}

/** Taken back by the person since; it happened all the same. */
function noteRewound({ drafts }: Entry): void {
  for (const draft of drafts) draft.payload = { ...fields(draft.payload), rewound: true }
}

const READERS = new Map<string, (entry: Entry, message: Fields) => void>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['tool', readResult],
  ['system', readSystem],
  ['session_meta', (entry) => add(entry, 'runtime', '')],
])

/** What stands before the summary of a compacted history, under whichever name the model's API wants it. */
const SUMMARY = /^\[(?:CONTEXT COMPACTION|CONTEXT SUMMARY|PRIOR CONTEXT)\b/

/** What the client says in the user's name: a process or a subagent is done, the list of tasks lives on. */
const INJECTED =
  /^\[(?:SYSTEM:|System note:|IMPORTANT: Background process|ASYNC DELEGATION|Your active task list|Continuing toward)/

function readUser(entry: Entry, message: Fields): void {
  const said = contentOf(message['content'])
  if (SUMMARY.test(said)) add(entry, 'compaction', said)
  else if (said === '' || INJECTED.test(said) || text(message['display_kind']) !== '') add(entry, 'system', said)
  else {
    add(entry, 'user_input', said, { opensTurn: true })
    entry.state.turnIsOpen = true
  }
}

function readAssistant(entry: Entry, message: Fields): void {
  const { drafts, state } = entry
  const reasoning = text(message['reasoning']) || text(message['reasoning_content'])
  if (reasoning.trim() !== '') add(entry, 'reasoning', reasoning)
  const calls = callsOf(message)
  const said = contentOf(message['content']) || replyOf(message)
  if (SUMMARY.test(said)) add(entry, 'compaction', said)
  else if (said !== '') add(entry, 'assistant_response', said, calls.length > 0 ? { commentary: true } : {})
  for (const call of calls) readCall(entry, call)
  if (drafts.length === 0) add(entry, 'runtime', '')
  if (state.model !== '') for (const draft of drafts) draft.model = state.model
  const last = drafts.at(-1)
  if (last && last.type !== 'compaction') {
    state.turnIsOpen = true
    const ending = calls.length === 0 ? ENDINGS.get(text(message['finish_reason'])) : undefined
    if (ending) end(entry, last, ending)
  }
}

const ENDINGS = new Map<string, 'answered' | 'failed'>([
  ['stop', 'answered'],
  ['end_turn', 'answered'],
  ['length', 'failed'],
  ['content_filter', 'failed'],
  ['error', 'failed'],
])

/** With one kind of API an answer may stand in the raw items alone. */
function replyOf(message: Fields): string {
  const items = list(parsed(message['codex_message_items'])).map(fields)
  const replies = items.filter(({ phase }) => phase !== 'commentary' && phase !== 'analysis')
  return lines(...replies.map((item) => contentOf(item['content'])))
}

function readCall(entry: Entry, call: Fields): void {
  const callee = fields(call['function'])
  const callId = text(call['id']) || text(call['call_id'])
  const named = toolName(text(callee['name']) || text(call['name']))
  if (callId !== '') remember(entry.state.pending, callId, named)
  const input = parsed(callee['arguments'])
  add(entry, 'tool_call', callText(input), { tool: toolUse(named, callId, { phase: 'call', input }) })
}

function readResult(entry: Entry, message: Fields): void {
  const callId = text(message['tool_call_id'])
  const named =
    take(entry.state.pending, callId) ?? toolName(text(message['tool_name']) || text(message['name']) || 'unknown')
  const { said, exitCode, failed } = resultOf(contentOf(message['content']))
  const tool = toolUse(named, callId, { phase: 'response' })
  if (exitCode !== undefined) tool.exitCode = exitCode
  if (failed || message['finish_reason'] === 'error') tool.error = true
  const draft = add(entry, 'tool_response', said, { tool })
  if (CANCELLED.test(said)) end(entry, draft, 'interrupted')
}

/** What stands in for the result of a call that was still to be made when the person interrupted. */
const CANCELLED = /^\[Tool execution (?:cancelled|skipped)\b[^\n]*(?:interrupt)/

/** Characters up to which a result is looked into. */
const LOOKED_INTO = 1_000_000

/** Many tools answer in JSON: the terminal with `output`, `exit_code` and `error`. */
function resultOf(content: string): { said: string; exitCode?: number; failed: boolean } {
  const value = content.startsWith('{') && content.length <= LOOKED_INTO ? parsed(content) : undefined
  if (!isRecord(value)) return { said: content, failed: false }
  const output = text(value['output'])
  const error = text(value['error'])
  const exitCode = number(value['exit_code'])
  const said = lines(output, error) || content
  return { said, failed: error !== '' || value['success'] === false, ...(exitCode !== undefined && { exitCode }) }
}

/** A prompt of the system is bulky, and no conversation; a note is neither. */
const NOTE = 2000

function readSystem(entry: Entry, message: Fields): void {
  const said = contentOf(message['content'])
  if (said.length <= NOTE) add(entry, 'system', said)
  else add(entry, 'system', '', { payload: { leftOut: { content: said.length } } })
}

export function toolUse(named: ToolName, callId: string, rest: Omit<ToolUse, 'name'>): ToolUse {
  return { ...named, ...(callId !== '' && { callId }), ...rest }
}
