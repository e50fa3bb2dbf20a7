/** What a tool of the terminal client answered. */

import type { ToolUse } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { type Fields, fields, lines, list, text } from '../fields.ts'
import { toolName } from '../tool-name.ts'

/** Its tool that runs commands. */
const COMMANDS = 'run_commands'

/** A `tool_result` block: what to read of it, and how the call went. */
export function readResult(block: Fields): { said: string; tool: ToolUse } {
  const content = parsed(block['content'])
  const name = text(block['name'])
  const callId = text(block['tool_use_id'])
  const tool: ToolUse = { ...toolName(name), phase: 'response' }
  if (callId !== '') tool.callId = callId
  const parts = partsOf(content)
  const exitCode = name === COMMANDS ? exitCodeOf(parts) : undefined
  if (exitCode !== undefined) tool.exitCode = exitCode
  if (exitCode === undefined && (block['is_error'] === true || hasFailed(content, parts))) tool.error = true
  return { said: textOf(content, parts), tool }
}

/** Answers are JSON, as a value or as text. */
function parsed(content: unknown): unknown {
  if (typeof content !== 'string' || !/^\s*[[{]/.test(content)) return content
  try {
    return JSON.parse(content)
  } catch {
    return content
  }
}

/** One part for each command or file: `{query, result, error, success}`. */
function partsOf(content: unknown): readonly Fields[] {
  const parts = (Array.isArray(content) ? content : [content]).map(fields)
  return parts.every((part) => 'result' in part || 'success' in part) ? parts : []
}

/** Of several commands the first that failed tells. */
function exitCodeOf(parts: readonly Fields[]): number | undefined {
  if (parts.length === 0) return undefined
  const failed = parts.find((part) => part['success'] !== true)
  if (!failed) return 0
  const stated = /exited with code (-?\d+)/.exec(text(failed['error']))?.[1]
  return stated === undefined ? undefined : Number(stated)
}

/** A part without success, or an MCP server's `isError`. */
function hasFailed(content: unknown, parts: readonly Fields[]): boolean {
  return parts.some((part) => part['success'] === false) || fields(content)['isError'] === true
}

function textOf(content: unknown, parts: readonly Fields[]): string {
  if (typeof content === 'string') return content
  if (parts.length > 0) return lines(...parts.map(partText))
  const blocks = Array.isArray(content) ? content : list(fields(content)['content'])
  const said = lines(...blocks.map(blockText)) || text(fields(content)['text'])
  return said || (content === undefined || content === null ? '' : JSON.stringify(content))
}

function partText(part: Fields): string {
  const result = part['result']
  const said = typeof result === 'string' ? result : Array.isArray(result) ? lines(...result.map(blockText)) : ''
  return said || text(part['error']) || (isRecord(result) ? JSON.stringify(result) : '')
}

function blockText(block: unknown): string {
  if (typeof block === 'string') return block
  const { type, text: said, mediaType, mimeType } = fields(block)
  return (
    text(said) ||
    (type === 'image' ? `[${['image', text(mediaType) || text(mimeType)].filter(Boolean).join(' ')}]` : '')
  )
}
