/** What a message of the terminal client means. Its content has the shape of Anthropic's API. */

import type { Draft, EventType, Usage } from '../../core/event.ts'
import { callText } from '../call-text.ts'
import { count, type Fields, fields, foreign, lines, list, number, text } from '../fields.ts'
import { toolName } from '../tool-name.ts'
import type { SessionState } from './state.ts'
import { readResult } from './tool-results.ts'

interface MessageReading {
  state: SessionState
  message: Fields
  id: string
  isSubagent: boolean
  blocks: readonly Fields[]
  drafts: Draft[]
}

/** `record`: a message and whether it is a subagent's. */
export function readMessage(record: Fields, state: SessionState): Draft[] {
  const message = fields(record['message'])
  const content = message['content']
  const reading: MessageReading = {
    state,
    message,
    id: text(message['id']),
    isSubagent: record['subagent'] === true,
    blocks: typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(fields),
    drafts: [],
  }
  if (message['role'] === 'user') readUser(reading)
  else if (message['role'] === 'assistant') readAssistant(reading)
  else add(reading, 0, 'unknown', '', { payload: foreign(record['message']) })
  if (reading.drafts.length === 0) add(reading, 0, 'runtime', '')
  state.last = reading.id
  return reading.drafts
}

/** Adds an event named after its message and its block's place. */
function add(reading: MessageReading, place: number, type: EventType, said: string, more: Partial<Draft> = {}): Draft {
  const { state, message, id, drafts } = reading
  const native = id === '' ? { index: place } : { id, index: place }
  const draft: Draft = { session: state.session, type, text: said, native, ...more }
  const at = number(message['ts'])
  const model = text(fields(message['modelInfo'])['id'])
  if (at !== undefined) draft.at = at
  if (model !== '') draft.model = model
  if (state.cwd !== '') draft.cwd = state.cwd
  drafts.push(draft)
  return draft
}

/** What the user typed is wrapped; a subagent's task is not. */
const WRAPPED = /<user_input\b([^>]*)>([\s\S]*?)<\/user_input>/g

/** A user message's text without its wrapping, and without what the client put around it. */
export function unwrapped(said: string): string {
  const inputs = [...said.matchAll(WRAPPED)].map((match) => (match[2] ?? '').trim())
  return inputs.length === 0 ? said : inputs.join('\n')
}

/** A compaction puts this message in the place of what it summarizes. */
const SUMMARY = 'Context summary:'

function readUser(reading: MessageReading): void {
  const hasResults = reading.blocks.some((block) => block['type'] === 'tool_result')
  for (const [place, block] of reading.blocks.entries()) {
    if (block['type'] === 'tool_result') {
      const { said, tool } = readResult(block)
      add(reading, place, 'tool_response', said, { tool })
    } else if (block['type'] === 'text') readUserText(reading, place, text(block['text']), hasResults)
    else readOther(reading, place, block)
  }
}

function readUserText(reading: MessageReading, place: number, said: string, hasResults: boolean): void {
  const isWrapped = said.includes('<user_input')
  if (said === '') return
  if (!isWrapped && said.startsWith(SUMMARY)) add(reading, place, 'compaction', said)
  else if (!isWrapped && hasResults) add(reading, place, 'system', said)
  else {
    const isFirst = !reading.drafts.some(({ opensTurn }) => opensTurn)
    const mode = /\bmode="(\w+)"/.exec(said)?.[1]
    const draft = add(reading, place, 'user_input', unwrapped(said))
    if (isFirst) draft.opensTurn = true
    if (isWrapped && mode !== undefined) draft.payload = { mode }
    reading.state.isOpen = true
  }
}

function readAssistant(reading: MessageReading): void {
  const { blocks, message, state, drafts } = reading
  if (fields(message['metadata'])['displayRole'] === 'error') {
    readError(reading)
    return
  }
  const calls = blocks.some((block) => block['type'] === 'tool_use')
  for (const [place, block] of blocks.entries()) {
    if (block['type'] === 'text') {
      const said = text(block['text'])
      if (said !== '') add(reading, place, 'assistant_response', said, calls ? { commentary: true } : {})
    } else if (block['type'] === 'thinking') {
      if (text(block['thinking']) !== '') add(reading, place, 'reasoning', text(block['thinking']))
    } else if (block['type'] === 'tool_use') readCall(reading, place, block)
    else readOther(reading, place, block)
  }
  const last = drafts.at(-1)
  const usage = usageOf(reading)
  if (last && usage) last.usage = usage
  state.isOpen = true
  // The loop goes on as long as the model calls tools.
  if (calls || last?.type !== 'assistant_response') return
  last.ends = 'answered'
  state.isOpen = false
}

/** What the user was shown instead of an answer; the model never sees it. */
function readError(reading: MessageReading): void {
  const said = lines(...reading.blocks.map((block) => text(block['text'])))
  add(reading, 0, 'runtime', said, { ends: 'failed' })
  reading.state.isOpen = false
}

function readCall(reading: MessageReading, place: number, block: Fields): void {
  const callId = text(block['id'])
  const input = block['input']
  const tool: Draft['tool'] = { ...toolName(text(block['name'])), phase: 'call' }
  if (callId !== '') tool.callId = callId
  if (input !== undefined) tool.input = input
  add(reading, place, 'tool_call', textOfCall(fields(input), input), { tool })
}

/** Several commands, or a subagent's task; else what arguments say by their names. */
function textOfCall(named: Fields, input: unknown): string {
  const commands = list(named['commands']).map((command) => (typeof command === 'string' ? command : callText(command)))
  const files = list(named['files']).map((file) => text(fields(file)['path']))
  return lines(...commands) || text(named['task']) || lines(...files) || callText(input)
}

/** Pictures and documents leave by reference. */
function readOther(reading: MessageReading, place: number, block: Fields): void {
  const kind = text(block['type'])
  const source = fields(block['source'])
  const type = text(source['media_type']) || text(block['mediaType']) || text(block['mimeType'])
  const isMedia = kind === 'image' || kind === 'document' || kind === 'file'
  if (kind === 'redacted_thinking') add(reading, place, 'reasoning', '')
  else if (isMedia) add(reading, place, 'system', `[${[kind, text(block['path']), type].filter(Boolean).join(' ')}]`)
  else add(reading, place, 'unknown', '', { payload: foreign(block) })
}

/**
 * Tokens of one answer. `inputTokens` is the whole prompt, with what came from a cache and what was written to it; where
 * it is smaller than these it cannot be.
 */
function usageOf({ message, id }: MessageReading): Usage | undefined {
  const metrics = fields(message['metrics'])
  const cacheRead = count(metrics['cacheReadTokens'])
  const cacheWrite = count(metrics['cacheWriteTokens'])
  const whole = count(metrics['inputTokens'])
  const output = count(metrics['outputTokens'])
  const input = whole >= cacheRead + cacheWrite ? whole - cacheRead - cacheWrite : whole
  if (id === '' || input + output + cacheRead + cacheWrite === 0) return undefined
  return { id, input, output, cacheRead, cacheWrite, reasoning: count(metrics['reasoningTokens']) }
}
