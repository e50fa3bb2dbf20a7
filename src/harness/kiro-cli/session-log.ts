/**
 * The log of the second engine: `<session>.jsonl`, a line for each message. Prompts alone have a time. Beside it,
 * `<session>.json` tells what the session is and how its turns ended.
 */

import type { Ending, Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, fields, foreign, list, number, text } from '../fields.ts'
import { defineLayout, jsonLines, type NativeRecord } from '../harness.ts'
import type { ToolName } from '../tool-name.ts'
import { add, type Entry, modelName, openEntry, openState, type State } from './entry.ts'
import { isSessionFile, sessionNotePath } from './paths.ts'
import { readSessionNote } from './session-note.ts'
import { addCall, addResult, isFailure } from './tools.ts'

export const sessionLog = defineLayout<State>({
  matches: isSessionFile,
  format: jsonLines,
  sidecars: [{ pathOf: sessionNotePath, read: readSessionNote }],
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const record = fields(value)
    const data = fields(record['data'])
    const named = text(data['session_id'])
    if (named !== '') state.session = named
    const entry = openEntry(state, text(data['message_id']), timeOf(data))
    const read = READERS.get(text(record['kind']))
    if (read && isRecord(record['data'])) read(entry, data)
    if (entry.drafts.length === 0) add(entry, 'unknown', '', { payload: foreign(value) })
    const { drafts, sessions } = entry
    return sessions.length === 0 ? { drafts } : { drafts, sessions }
  },
})

/** Seconds since 1970. */
function timeOf(data: Fields): number | undefined {
  const stamp = fields(data['meta'])['timestamp']
  const seconds = number(stamp)
  return seconds === undefined ? parseTime(stamp) : seconds * 1000
}

const READERS = new Map<string, (entry: Entry, data: Fields) => void>([
  ['Prompt', readPrompt],
  ['AssistantMessage', readAnswer],
  ['ToolResults', readResults],
  ['Compaction', (entry, data) => add(entry, 'compaction', text(data['summary']))],
  ['Cancelled', (entry) => add(entry, 'runtime', 'Cancelled', { ends: 'interrupted' satisfies Ending })],
  // What these take back stays in the log and in the archive.
  ['ResetTo', (entry, data) => add(entry, 'system', 'Reset to an earlier message', { payload: foreign(data) })],
  ['PromptClear', (entry) => add(entry, 'system', 'Conversation cleared')],
  ['Clear', (entry) => add(entry, 'system', 'Conversation cleared')],
])

/** All of one prompt is one event, however many blocks it came in. */
function readPrompt(entry: Entry, data: Fields): void {
  const said: string[] = []
  const rest: Fields[] = []
  for (const block of list(data['content']).map(fields)) {
    if (block['kind'] === 'text') said.push(text(block['data']))
    else if (block['kind'] === 'image') said.push('[image]')
    else rest.push(block)
  }
  const prompt = said.filter((part) => part !== '').join('\n')
  if (prompt !== '') {
    add(entry, 'user_input', prompt, { opensTurn: true })
    entry.state.isPrompted = true
  }
  for (const block of rest) readResultBlock(entry, block, {})
}

/** An answer without a tool call is the last of its turn: the agent is asked again only after a tool. */
function readAnswer(entry: Entry, data: Fields): void {
  const { state } = entry
  const blocks = list(data['content']).map(fields)
  state.model = modelName(text(data['model']) || text(fields(blocks.find(isCall)?.['data'])['modelId'])) || state.model
  for (const block of blocks) readAnswerBlock(entry, block)
  if (blocks.length === 0) add(entry, 'system', '')
  if (state.model !== '') for (const draft of entry.drafts) draft.model = state.model
  const last = entry.drafts.findLast(({ type }) => type === 'assistant_response')
  if (!last) return
  if (blocks.some(isCall)) last.commentary = true
  else last.ends = 'answered'
}

function isCall(block: Fields): boolean {
  return block['kind'] === 'toolUse'
}

function readAnswerBlock(entry: Entry, block: Fields): void {
  const data = fields(block['data'])
  switch (block['kind']) {
    case 'text':
      add(entry, 'assistant_response', text(block['data']))
      return
    case 'image':
      add(entry, 'assistant_response', '[image]')
      return
    case 'thinking':
      add(entry, 'reasoning', text(data['text']) || text(block['data']))
      return
    case 'toolUse':
      addCall(entry, text(data['toolUseId']), text(data['name']), data['input'])
      return
    default:
      add(entry, 'unknown', '', { payload: foreign(block) })
  }
}

function readResults(entry: Entry, data: Fields): void {
  for (const block of list(data['content'])) readResultBlock(entry, fields(block), fields(data['results']))
}

function readResultBlock(entry: Entry, block: Fields, results: Fields): void {
  const data = fields(block['data'])
  if (block['kind'] !== 'toolResult') {
    add(entry, 'unknown', '', { payload: foreign(block) })
    return
  }
  const callId = text(data['toolUseId'])
  addResult(entry, { callId, tool: toolOf(fields(results[callId])), content: data['content'], failed: isFailure(data) })
}

/** `{BuiltIn: {Read: …}}` or `{Mcp: {serverName, toolName}}`. */
function toolOf(result: Fields): ToolName | undefined {
  const kind = fields(fields(result['tool'])['kind'])
  const served = fields(kind['Mcp'])
  const [name] = Object.keys(fields(kind['BuiltIn']))
  if (text(served['toolName']) !== '') return { name: text(served['toolName']), server: text(served['serverName']) }
  return name === undefined ? undefined : { name }
}
