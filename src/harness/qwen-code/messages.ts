/** Records of type `user`, `assistant` and `tool_result`: what was asked, said, called and answered. */

import type { ToolUse, Usage } from '../../core/event.ts'
import { remember, take } from '../bounded.ts'
import { callText } from '../call-text.ts'
import { count, type Fields, fields, foreign, list, number, text } from '../fields.ts'
import { answerOf, exitCodeIn, partsOf, textOfParts } from '../google-parts.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { add, type Entry, end } from './entry.ts'

/** Under the user's name, and yet from the client: the record's subtype says so. */
const INJECTED = new Set(['notification', 'cron', 'background_task_completed', 'goal_control', 'goal_runtime'])

/** Hooks add their context to the prompt in a part of its own. */
const HOOK_CONTEXT = '<qwen:user-prompt-submit-context>'

export function readUser(entry: Entry): void {
  const { record, state } = entry
  const parts = messageParts(record)
  const subtype = text(record['subtype'])
  const displayed = text(fields(record['systemPayload'])['displayText'])
  const typed = parts.filter((part) => !text(part['text']).startsWith(HOOK_CONTEXT))
  const said = displayed || textOfParts(typed)
  if (INJECTED.has(subtype) || INJECTED.has(text(record['provenance'])) || record['provenance'] === 'system') {
    add(entry, 'system', said, { payload: { subtype: subtype || record['provenance'] } })
  } else if (subtype === 'mid_turn_user_message') {
    // Typed while the agent was at work, and given to it within the same turn.
    add(entry, 'user_input', said, { payload: { subtype } })
  } else if (said !== '') {
    add(entry, 'user_input', said, { opensTurn: true })
    state.turnIsOpen = true
    state.responded = false
  }
  readOthers(entry, parts)
}

export function readAssistant(entry: Entry): void {
  const { record, state } = entry
  const parts = messageParts(record)
  for (const part of parts) {
    if (part['functionCall'] !== undefined) readCall(entry, fields(part['functionCall']))
    else if (part['thought'] === true) {
      if (text(part['text']) !== '') add(entry, 'reasoning', text(part['text']))
    } else {
      const said = textOfParts([part])
      if (said !== '') add(entry, 'assistant_response', said)
    }
  }
  const { drafts } = entry
  const usage = usageOf(entry)
  if (usage) (drafts[0] ?? add(entry, 'runtime', '')).usage = usage
  readOthers(entry, parts)
  const model = text(record['model'])
  if (model !== '') for (const draft of drafts) draft.model = model
  const calls = drafts.some(({ type }) => type === 'tool_call')
  const last = drafts.findLast(({ type }) => type === 'assistant_response')
  if (calls) {
    for (const draft of drafts) if (draft.type === 'assistant_response') draft.commentary = true
    state.turnIsOpen = true
  } else if (last) {
    state.turnIsOpen = true
    end(entry, last, isWhole(entry) ? 'answered' : 'interrupted')
  }
  state.responded = false
}

/**
 * Whether a text without calls is an answer. A client that marks where records come from writes an interrupted one down
 * as far as it went, without usage and without having told of a response; older ones do not write it down at all.
 */
function isWhole({ record, state }: Entry): boolean {
  return record['provenance'] === undefined || record['usageMetadata'] !== undefined || state.responded
}

function readCall(entry: Entry, call: Fields): void {
  const name = text(call['name'])
  const args = fields(call['args'])
  // Tools that are not given to the model at start are called through this one.
  const wrapped = name === 'tool_call' ? text(args['name']) : ''
  const named = toolName(name, { wrapped: wrapped || undefined })
  const input = wrapped === '' ? call['args'] : args['arguments']
  const callId = text(call['id'])
  if (callId !== '') remember(entry.state.pending, callId, named)
  add(entry, 'tool_call', callText(input), { tool: toolUse(named, callId, { phase: 'call', input }) })
}

export function readToolResult(entry: Entry): void {
  const { record, state } = entry
  const parts = messageParts(record)
  const responses = parts.flatMap((part) =>
    part['functionResponse'] === undefined ? [] : [fields(part['functionResponse'])],
  )
  const result = fields(record['toolCallResult'])
  for (const response of responses.length > 0 ? responses : [{}]) readResponse(entry, response, result)
  readOthers(entry, parts)
  state.responded = false
}

function readResponse(entry: Entry, response: Fields, result: Fields): void {
  const callId = text(result['callId']) || text(response['id']) || entry.uuid
  const named = take(entry.state.pending, callId) ?? toolName(text(response['name']) || text(result['displayName']))
  const display = result['resultDisplay']
  const answer = answerOf(response)
  const said = answer.text || text(display) || text(fields(display)['text'])
  const status = text(result['status'])
  const tool = toolUse(named, callId, { phase: 'response' })
  if (FAILED.has(status) || answer.failed || text(fields(result['error'])['message']) !== '') tool.error = true
  const exitCode = number(fields(display)['exitCode']) ?? exitCodeIn(said)
  if (exitCode !== undefined && !CANCELLED.has(status)) tool.exitCode = exitCode
  const draft = add(entry, 'tool_response', said, { tool })
  // The client stops when the user stops a tool.
  if (CANCELLED.has(status)) {
    draft.payload = { status }
    end(entry, draft, 'interrupted')
  } else entry.state.turnIsOpen = true
}

const CANCELLED = new Set(['cancelled', 'canceled'])
const FAILED = new Set(['error', 'failed', ...CANCELLED])

function toolUse(named: ToolName, callId: string, rest: Omit<ToolUse, 'name'>): ToolUse {
  return { ...named, ...(callId !== '' && { callId }), ...rest }
}

function messageParts(record: Fields): readonly Fields[] {
  return partsOf(fields(record['message'])['parts'])
}

const KNOWN = ['text', 'thought', 'functionCall', 'functionResponse', 'inlineData', 'fileData', 'executableCode']

/** Parts of a kind nobody knows are kept; a record without any part is an event too. */
function readOthers(entry: Entry, parts: readonly Fields[]): void {
  for (const part of parts) {
    if (KNOWN.some((kind) => part[kind] !== undefined) || part['codeExecutionResult'] !== undefined) continue
    add(entry, 'unknown', '', { payload: foreign(part) })
  }
  if (entry.drafts.length === 0) add(entry, 'system', '', { payload: { parts: list(parts).length } })
}

/**
 * `candidatesTokenCount` holds the thoughts where the provider speaks OpenAI's language, and not where it speaks Google's;
 * the total tells which. The prompt holds what was cached.
 */
function usageOf({ record, session, uuid }: Entry): Usage | undefined {
  const usage = fields(record['usageMetadata'])
  const prompt = count(usage['promptTokenCount'])
  const said = count(usage['candidatesTokenCount'])
  const reasoning = count(usage['thoughtsTokenCount'])
  const cacheRead = count(usage['cachedContentTokenCount'])
  const beside = Math.max(0, count(usage['totalTokenCount']) - prompt - said)
  const output = said + Math.min(beside, reasoning)
  const input = Math.max(0, prompt - cacheRead) + Math.max(0, beside - reasoning)
  if (input + output + cacheRead === 0) return undefined
  return { id: uuid || `${session} ${prompt} ${said}`, input, output, cacheRead, cacheWrite: 0, reasoning }
}
