/** Tool calls, their results, and commands that people run themselves. */

import type { Draft, ToolUse } from '../../core/event.ts'
import { remember, take } from '../bounded.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, number, pick, text } from '../fields.ts'
import { type ToolName, toolName } from '../tool-name.ts'
import { textOf } from './content.ts'
import { add, type Entry, end, goOn } from './entry.ts'
import { usageOf } from './usage.ts'

export function readCall(entry: Entry, block: Fields): void {
  const callId = text(block['id'])
  const named = nameOf(text(block['name']))
  if (callId !== '') remember(entry.state.pending, callId, named)
  const input = block['arguments']
  add(entry, 'tool_call', callText(input), { tool: toolUse(named, callId, { phase: 'call', input }) })
}

/** Pi joins server and tool by two underscores, Oh My Pi by one: `mcp__probe__echo`, `mcp__probe_echo`. */
function nameOf(name: string): ToolName {
  const isJoinedByOne = /^mcp__(?!.*__)/.test(name)
  return toolName(isJoinedByOne ? `mcp_${name.slice('mcp__'.length)}` : name)
}

export function readResult(entry: Entry): void {
  const { message } = entry
  const callId = text(message['toolCallId'])
  const details = fields(message['details'])
  const named = take(entry.state.pending, callId) ?? nameOf(text(message['toolName']))
  const said = textOf(message['content'])
  const tool = toolUse(named, callId, { phase: 'response' })
  if (message['isError'] === true) tool.error = true
  const exitCode = exitCodeOf(message, details, said)
  if (exitCode !== undefined) tool.exitCode = exitCode
  const draft = add(entry, 'tool_response', said, { tool })
  const facts = pick(details, ['diff', 'fullOutputPath'])
  if (facts) draft.payload = facts
  // What a subagent cost stands in its own transcript.
  const usage = text(message['toolName']) === 'task' ? undefined : usageOf(entry, message['usage'])
  if (usage) draft.usage = usage
  goOn(entry)
  if (isHandingIn(entry, message['toolName']) && message['isError'] !== true) end(entry, draft, 'answered')
}

/** A subagent of Oh My Pi answers by this tool. */
export function isHandingIn({ state }: Entry, tool: unknown): boolean {
  return state.parent !== '' && tool === 'yield'
}

const SHELLS = new Set(['bash', 'powershell'])

/** Pi tells a failed command's exit code in the last line of its output; one that succeeded has none to tell. */
function exitCodeOf(message: Fields, details: Fields, said: string): number | undefined {
  const told = number(details['exitCode'])
  if (told !== undefined) return told
  if (!SHELLS.has(text(message['toolName']))) return undefined
  const line = said.slice(said.lastIndexOf('\n') + 1)
  const code = /^(?:Command|\[?Process) exited with code (-?\d+)\]?$/.exec(line.slice(0, 100).trim())?.[1]
  if (code !== undefined) return Number(code)
  const isOver = details['async'] === undefined && details['timedOut'] !== true
  return message['isError'] === false && isOver ? 0 : undefined
}

/**
 * `!command` and its like in Python: run by the person, so it opens no turn, and one that is over stays as it ended.
 */
export function readExecution(entry: Entry, name: string, input: Fields): void {
  const { message, id, at, state } = entry
  const named: ToolName = { name }
  const callId = id || `${name}@${at}`
  add(entry, 'tool_call', callText(input), { tool: toolUse(named, callId, { phase: 'call', input }) })
  const tool = toolUse(named, callId, { phase: 'response' })
  const exitCode = number(message['exitCode'])
  if (exitCode !== undefined) tool.exitCode = exitCode
  if (message['cancelled'] === true) tool.error = true
  const rest: Partial<Draft> = { tool }
  const facts = pick(message, ['cancelled', 'truncated', 'fullOutputPath', 'excludeFromContext'])
  if (facts) rest.payload = facts
  const draft = add(entry, 'tool_response', text(message['output']), rest)
  if (state.ended !== '') end(entry, draft, state.ended)
}

function toolUse(named: ToolName, callId: string, rest: Omit<ToolUse, 'name'>): ToolUse {
  return { ...named, ...(callId !== '' && { callId }), ...rest }
}
