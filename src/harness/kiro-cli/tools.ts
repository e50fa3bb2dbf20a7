/** Tool calls and what they returned, which all engines tell alike. */

import type { ToolUse } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, lines, number, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { add, type Entry, remember, take } from './entry.ts'

/** Why the agent calls the tool, which the model must say; shown nowhere else. */
const PURPOSE = '__tool_use_purpose'

export function addCall(entry: Entry, callId: string, name: string, input: unknown): void {
  const tool = kiroToolName(name)
  const use: ToolUse = { ...tool, phase: 'call', input }
  if (callId !== '') use.callId = callId
  const { [PURPOSE]: purpose, ...own } = fields(input)
  const said = lines(text(purpose), callText(isRecord(input) ? own : input))
  add(entry, 'tool_call', said, { tool: use }, callId === '' ? undefined : `call/${callId}`)
  remember(entry.state, callId, tool)
}

/** How a call went. */
export interface Outcome {
  callId: string
  /** The tool, as the result tells it. */
  tool?: ToolName | undefined
  content: unknown
  failed: boolean
}

export function addResult(entry: Entry, { callId, tool: told, content, failed }: Outcome): void {
  const called = take(entry.state, callId)
  const use: ToolUse = { ...(called ?? told ?? { name: 'unknown' }), phase: 'response' }
  if (called && told?.server !== undefined) use.server ??= told.server
  if (callId !== '') use.callId = callId
  const exitCode = exitCodeOf(content)
  if (exitCode !== undefined) use.exitCode = exitCode
  if (failed) use.error = true
  const name = callId === '' ? undefined : `result/${callId}`
  add(entry, 'tool_response', resultText(content), { tool: use }, name)
}

/** `@server/tool` as people write it, `server___tool` as the model does, and the spellings of others. */
export function kiroToolName(name: string): ToolName {
  const [, server, tool] = /^@([^/]+)\/(.+)$/.exec(name) ?? /^(.+?)___(.+)$/.exec(name) ?? []
  return server && tool ? { name: tool, server } : toolName(name || 'unknown')
}

/** Results are texts, or blocks of text and JSON in the words of their engine: `{kind, data}`, `{Text}`, `{Json}`. */
export function resultText(content: unknown): string {
  if (typeof content === 'string') return shellText(parsed(content)) || content
  if (Array.isArray(content)) return lines(...content.map(blockText))
  return isRecord(content) ? blockText(content) : ''
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block
  if (!isRecord(block)) return ''
  const kind = text(block['kind']) || text(block['type'])
  if (kind === 'image' || 'Image' in block) return '[image]'
  const value = block['Text'] ?? block['Json'] ?? block['data'] ?? block['text'] ?? block
  if (typeof value === 'string') return value
  return shellText(value) || (isRecord(value) && Object.keys(value).length === 0 ? '' : JSON.stringify(value))
}

/** Output of a command. */
function shellText(value: unknown): string {
  const result = fields(value)
  if (!isExit(result['exit_status']) && number(result['exitCode']) === undefined) return ''
  return lines(text(result['stdout']), text(result['output']), text(result['stderr']))
}

/** `0`, `exit status: 1`: of the first block that tells one. */
function exitCodeOf(content: unknown): number | undefined {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  for (const block of blocks) {
    const whole = fields(typeof block === 'string' ? parsed(block) : block)
    const result = fields(whole['Json'] ?? whole['data'] ?? whole)
    const status = result['exit_status']
    const code = number(result['exitCode']) ?? number(status) ?? /(-?\d{1,10})\s*$/.exec(text(status))?.[1]
    if (code !== undefined) return Number(code)
  }
  return undefined
}

function isExit(status: unknown): boolean {
  return typeof status === 'number' || (typeof status === 'string' && status !== '')
}

function parsed(value: string): unknown {
  if (!value.startsWith('{')) return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Results that went well say so in one of these words, or say nothing. */
export function isFailure(block: Fields): boolean {
  return !['', 'success', 'ok'].includes(text(block['status']).toLowerCase())
}
