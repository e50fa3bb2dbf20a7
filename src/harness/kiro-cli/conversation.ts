/** Conversations of the first engine: exchanges of what was said to the model and what it answered. */

import type { Reading, Usage } from '../../core/event.ts'
import { hash128 } from '../../core/hash.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { count, type Fields, fields, foreign, list, number, pick, text } from '../fields.ts'
import { defineLayout, type NativeRecord } from '../harness.ts'
import { databaseFormat } from './database.ts'
import { add, type Entry, modelName, openEntry, openState, type State } from './entry.ts'
import { isDatabaseFile } from './paths.ts'
import { addCall, addResult, isFailure } from './tools.ts'

export const conversation = defineLayout<State>({
  matches: isDatabaseFile,
  format: databaseFormat,
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const record = fields(value)
    const { conversation: told, exchange } = record
    if (record['type'] === 'conversation' && isRecord(told)) return readConversation(record, told, state)
    if (record['type'] === 'exchange' && isRecord(exchange)) return readExchange(exchange, state)
    const entry = openEntry(state, '', undefined)
    add(entry, 'unknown', '', { payload: foreign(value) })
    return { drafts: entry.drafts }
  },
})

function readConversation(record: Fields, told: Fields, state: State): Reading {
  state.session = text(told['conversation_id']) || state.session
  state.cwd = text(record['folder'])
  state.model = modelName(text(fields(told['model_info'])['model_id']))
  const entry = openEntry(state, '', number(record['createdAt']))
  const payload = pick(told, ['model_info', 'user_turn_metadata'])
  add(entry, 'system', '', payload ? { payload: foreign(payload) } : {}, 'conversation')
  // What the history that was cut off said.
  const summary = Array.isArray(told['latest_summary']) ? text(told['latest_summary'][0]) : text(told['latest_summary'])
  if (summary !== '') add(entry, 'compaction', summary, {}, `summary/${hash128(summary).toString('hex')}`)
  return { drafts: entry.drafts, sessions: [{ nativeId: state.session, ...(state.cwd !== '' && { cwd: state.cwd }) }] }
}

/** The answer's id names all of an exchange: a history loses its beginning, so places mean nothing. */
function readExchange(exchange: Fields, state: State): Reading {
  const user = fields(exchange['user'])
  const assistant = fields(exchange['assistant'])
  const metadata = fields(exchange['request_metadata'])
  const answer = fields(assistant['ToolUse'] ?? assistant['Response'])
  const id = text(answer['message_id']) || text(metadata['message_id']) || text(user['timestamp'])
  const asked = parseTime(user['timestamp']) ?? number(metadata['request_start_timestamp_ms'])
  const entry = openEntry(state, '', asked)
  readUser(entry, fields(user['content']), id)
  const said = openEntry(state, '', number(metadata['stream_end_timestamp_ms']) ?? asked)
  state.model = modelName(text(metadata['model_id'])) || state.model
  readAnswer(said, assistant, answer, id)
  const usage = usageOf(metadata, id)
  const [first] = said.drafts
  if (first && usage) first.usage = usage
  if (state.model !== '') for (const draft of said.drafts) draft.model = state.model
  const drafts = [...entry.drafts, ...said.drafts]
  drafts.forEach((draft, index) => {
    if (draft.native.id === undefined) draft.native = { index }
  })
  if (drafts.length === 0) {
    add(entry, 'unknown', '', { payload: foreign(exchange) })
    return { drafts: entry.drafts }
  }
  return { drafts }
}

function nameOf(kind: string, id: string): string | undefined {
  return id === '' ? undefined : `${kind}/${id}`
}

function readUser(entry: Entry, content: Fields, id: string): void {
  const cancelled = fields(content['CancelledToolUses'])
  const results = fields(content['ToolUseResults'] ?? content['CancelledToolUses'])
  for (const block of list(results['tool_use_results']).map(fields)) {
    const failed = isFailure(block) || content['CancelledToolUses'] !== undefined
    addResult(entry, { callId: text(block['tool_use_id']), content: block['content'], failed })
  }
  if (content['CancelledToolUses'] !== undefined) {
    add(entry, 'runtime', 'Tool uses cancelled', { ends: 'interrupted' }, nameOf('cancelled', id))
  }
  const prompt = text(fields(content['Prompt'])['prompt']) || text(cancelled['prompt'])
  if (prompt !== '') add(entry, 'user_input', prompt, { opensTurn: true }, nameOf('prompt', id))
}

/** `ToolUse` is an answer that goes on with tools; `Response` is the last of its turn. */
function readAnswer(entry: Entry, assistant: Fields, answer: Fields, id: string): void {
  const said = text(answer['content'])
  if (isRecord(assistant['ToolUse'])) {
    if (said !== '') add(entry, 'assistant_response', said, { commentary: true }, nameOf('text', id))
    for (const call of list(answer['tool_uses']).map(fields)) {
      addCall(entry, text(call['id']), text(call['name']), call['args'] ?? call['orig_args'])
    }
  } else if (isRecord(assistant['Response'])) {
    add(entry, 'assistant_response', said, { ends: 'answered' }, nameOf('text', id))
  }
}

/** Most clients write no counts. */
function usageOf(metadata: Fields, message: string): Usage | undefined {
  const id = text(metadata['request_id']) || message
  const usage: Usage = {
    id,
    input: count(metadata['uncached_input_tokens'] ?? metadata['input_tokens']),
    output: count(metadata['output_tokens']),
    cacheRead: count(metadata['cache_read_input_tokens']),
    cacheWrite: count(metadata['cache_write_input_tokens']),
    reasoning: 0,
  }
  return id === '' || usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0 ? undefined : usage
}
