/** Calls of tools, each with its state and, once there is one, its result. */

import type { ToolUse } from '../../core/event.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, lines, list, text } from '../fields.ts'
import { toolName } from '../tool-name.ts'
import { add, type Entry } from './entry.ts'

/** States in which a call goes no further. */
const FINAL = new Set(['done', 'errored', 'canceled'])

/** Most ids that are remembered: calls run in parallel by the dozen. */
const LIMIT = 128

export function readCall(entry: Entry, call: Fields, messageId: string): void {
  const { name, arguments: given } = fields(fields(call['toolCall'])['function'])
  const callId = text(call['toolCallId'])
  const tool = { ...toolName(text(name)), ...(callId === '' ? {} : { callId }) }
  const input = call['parsedArgs'] ?? parsed(given)
  const id = callId === '' ? `${messageId}/call` : `call/${callId}`
  add(entry, 'tool_call', callText(input), id, { tool: { ...tool, phase: 'call', input } })
  const status = text(call['status'])
  const output = list(call['output'])
  if (!FINAL.has(status) && output.length === 0) return
  const said = lines(...output.map((part) => resultText(text(fields(part)['content']))))
  const use: ToolUse = { ...tool, phase: 'response' }
  if (status === 'errored' || status === 'canceled') use.error = true
  const exitCode = tool.name === 'Bash' ? exitCodeIn(said, status) : undefined
  if (exitCode !== undefined) use.exitCode = exitCode
  const response = add(entry, 'tool_response', said, callId === '' ? `${messageId}/result` : `result/${callId}`, {
    tool: use,
  })
  if (status === 'canceled') response.payload = { status }
  if (callId === '') return
  entry.state.answered.push(callId)
  if (entry.state.answered.length > LIMIT) entry.state.answered.shift()
}

/** A result as editors send it to the model, mostly the one told with its call. */
export function readToolMessage(entry: Entry, message: Fields, said: string, id: string): void {
  const callId = text(message['toolCallId'])
  if (entry.state.answered.includes(callId)) {
    add(entry, 'runtime', '', id, { payload: { toolCallId: callId } })
    return
  }
  const tool: ToolUse = { name: text(message['name']), ...(callId === '' ? {} : { callId }), phase: 'response' }
  add(entry, 'tool_response', resultText(said), callId === '' ? id : `result/${callId}`, { tool })
}

/** What an MCP server answers is a list of parts, as JSON. */
function resultText(content: string): string {
  if (!content.startsWith('[{"type":')) return content
  const parts = parsed(content)
  if (!Array.isArray(parts)) return content
  return lines(
    ...parts.map((part) => {
      const { type, text: said } = fields(part)
      return type === 'text' ? text(said) : `[${text(type)}]`
    }),
  )
}

/** `Error (exit code 3): ...`; a command that is done went well. */
function exitCodeIn(said: string, status: string): number | undefined {
  const stated = /^Error executing tool Bash: Error \(exit code (-?\d{1,10})\)/.exec(said)
  if (stated) return Number(stated[1])
  return status === 'done' ? 0 : undefined
}

function parsed(given: unknown): unknown {
  if (typeof given !== 'string' || given === '') return given ?? {}
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
