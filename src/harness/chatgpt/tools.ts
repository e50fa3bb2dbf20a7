/** Tool calls, which are messages to a recipient, and the answers of tools. Nothing but the tree ties them together. */

import type { ToolUse } from '../../core/event.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, text } from '../fields.ts'
import { toolName } from '../tool-name.ts'
import { add } from '../web-conversation.ts'
import { contentText } from './content.ts'
import type { Entry } from './messages.ts'

export interface Call {
  callId: string
  /** The recipient: `python`, `web`, `canmore.create_textdoc`. */
  recipient: string
}

/** Messages between a call and its answer that are looked at: thoughts, other calls and their answers. */
const NEAR = 64

export function readCall(entry: Entry, recipient: string): void {
  const { conversation, message, record, calls, node } = entry
  const said = contentText(record)
  const input = parsed(said)
  calls.set(node, { callId: message.id, recipient })
  const tool: ToolUse = { ...toolName(recipient), callId: message.id, phase: 'call', input }
  add(conversation, message, 'tool_call', callText(input), { tool })
}

export function readAnswer(entry: Entry): void {
  const { conversation, message, record } = entry
  const author = text(fields(record['author'])['name'])
  const call = callOf(entry, author)
  const name = toolName(call?.recipient ?? author)
  const tool: ToolUse = call ? { ...name, callId: call.callId, phase: 'response' } : { ...name, phase: 'response' }
  if (isFailure(record)) tool.error = true
  add(conversation, message, 'tool_response', contentText(record), { tool })
}

/** The nearest call above to the tool that answers; to any tool where none has its name. */
function callOf({ node, calls, parents }: Entry, author: string): Call | undefined {
  let nearest: Call | undefined
  let above = parents.get(node)
  for (let steps = 0; above && steps < NEAR; steps++) {
    const call = calls.get(above)
    if (call && isSameTool(call.recipient, author)) return call
    nearest ??= call
    above = parents.get(above)
  }
  return author === '' ? nearest : undefined
}

/** The call may name a function of a tool, and the answer the tool. */
function isSameTool(recipient: string, author: string): boolean {
  return recipient === author || recipient.startsWith(`${author}.`) || author.startsWith(`${recipient}.`)
}

function isFailure(record: Fields): boolean {
  if (fields(record['content'])['content_type'] === 'system_error') return true
  return text(fields(fields(record['metadata'])['aggregate_result'])['status']).startsWith('failed')
}

/** Arguments are JSON for most tools, a program for `python`. */
function parsed(said: string): unknown {
  if (!/^\s*[{[]/.test(said)) return said
  try {
    return JSON.parse(said)
  } catch {
    return said
  }
}
