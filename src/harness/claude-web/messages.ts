/** The blocks of a message, in their order. */

import type { Ending } from '../../core/event.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, foreign, lines, list, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { add, type Conversation, fileNames, type Message, webTime } from '../web-conversation.ts'

/** A message while it is read. */
interface Entry {
  readonly conversation: Conversation
  readonly message: Message
  /** Calls without a result so far. */
  readonly calls: Call[]
}

interface Call {
  callId: string
  tool: ToolName
}

export function readMessage(conversation: Conversation, message: Message, record: Fields): void {
  switch (record['sender']) {
    case 'human':
      add(conversation, message, 'user_input', promptText(record), { opensTurn: true })
      return
    case 'assistant':
      readAnswer(conversation, message, record)
      return
    default:
      add(conversation, message, 'unknown', '', { payload: foreign(record) })
  }
}

/** What was typed, then the names of what was attached, with the text that was taken out of documents. */
function promptText(record: Fields): string {
  const blocks = list(record['content']).map((block) => text(fields(block)['text']))
  const attachments = list(record['attachments']).map(fields)
  const files = [...attachments, ...list(record['files']).map(fields)].map((file) => text(file['file_name']))
  return lines(
    lines(...blocks) || text(record['text']),
    ...fileNames(files),
    ...attachments.map((file) => text(file['extracted_content'])),
  )
}

function readAnswer(conversation: Conversation, message: Message, record: Fields): void {
  const content = list(record['content']).map(fields)
  const blocks = content.length > 0 ? content : [{ type: 'text', text: text(record['text']) }]
  const last = blocks.at(-1)
  const ending = endingOf(record)
  const entry: Entry = { conversation, message, calls: [] }
  for (const block of blocks) {
    const at = webTime(block['stop_timestamp']) ?? webTime(block['start_timestamp']) ?? message.at
    readBlock({ ...entry, message: { ...message, at } }, block, block === last)
  }
  const draft = conversation.drafts.at(-1)
  if (!draft || message.branch === 'answer') return
  if (ending !== undefined && ending !== 'answered') draft.ends = ending
  else if (draft.type === 'assistant_response') draft.ends = 'answered'
}

function readBlock(entry: Entry, block: Fields, isLast: boolean): void {
  const { conversation, message } = entry
  switch (block['type']) {
    case 'text':
    case 'voice_note': {
      const said = lines(text(block['text']), text(block['transcript']))
      if (said === '') add(conversation, message, 'runtime', '')
      else add(conversation, message, 'assistant_response', said, isLast ? {} : { commentary: true })
      return
    }
    case 'thinking':
      add(conversation, message, 'reasoning', text(block['thinking']) || thoughtSummary(block))
      return
    case 'redacted_thinking':
      add(conversation, message, 'reasoning', '')
      return
    case 'tool_use':
      readCall(entry, block)
      return
    case 'tool_result':
      readResult(entry, block)
      return
    case 'token_budget':
    case 'flag':
      add(conversation, message, 'runtime', '', { payload: foreign(block) })
      return
    default:
      add(conversation, message, 'unknown', '', { payload: foreign(block) })
  }
}

function thoughtSummary(block: Fields): string {
  return lines(...list(block['summaries']).map((summary) => text(fields(summary)['summary'])))
}

function readCall({ conversation, message, calls }: Entry, block: Fields): void {
  const callId = text(block['id']) || `${message.id}/${conversation.places.get(message.id) ?? 0}`
  const tool = nameOf(block)
  calls.push({ callId, tool })
  const input = block['input']
  add(conversation, message, 'tool_call', lines(callText(input)), { tool: { ...tool, callId, phase: 'call', input } })
}

/** By the call's id; older exports have none, and the result then stands behind its call. */
function readResult({ conversation, message, calls }: Entry, block: Fields): void {
  const id = text(block['tool_use_id'])
  const name = nameOf(block)
  const place = calls.findIndex(({ callId, tool }) => (id === '' ? tool.name === name.name : callId === id))
  const [call] = place < 0 ? [] : calls.splice(place, 1)
  const callId = call?.callId ?? id
  const tool = { ...(call?.tool ?? name), ...(callId === '' ? {} : { callId }), phase: 'response' as const }
  add(conversation, message, 'tool_response', resultText(block['content']), {
    tool: block['is_error'] === true ? { ...tool, error: true } : tool,
  })
}

/** `integration_name` is the connector, which is an MCP server; tools of the page itself have none. */
function nameOf(block: Fields): ToolName {
  const name = text(block['name'])
  const server = text(block['integration_name'])
  const bare = server !== '' && name.startsWith(`${server}:`) ? name.slice(server.length + 1) : name
  return toolName(bare, server === '' ? {} : { server })
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  return lines(...list(content).map((part) => partText(fields(part))))
}

/** Media leave by reference. */
function partText(part: Fields): string {
  const said = lines(text(part['title']), text(part['url']), text(part['text']))
  if (said !== '' || part['type'] === 'text') return said
  return part['type'] === 'image' ? '[image]' : ''
}

/** Only a conversation saved alone says how an answer ended. */
function endingOf(record: Fields): Ending | undefined {
  switch (record['stop_reason']) {
    case 'user_canceled':
    case 'user_cancelled':
      return 'interrupted'
    case 'error':
    case 'max_tokens':
    case 'refusal':
      return 'failed'
    case 'end_turn':
    case 'stop_sequence':
      return 'answered'
    default:
      return undefined
  }
}
