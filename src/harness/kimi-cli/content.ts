/** Content as all clients of Kimi write it: a text, or a list of parts. */

import type { ToolUse } from '../../core/event.ts'
import { remember, take } from '../bounded.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, lines, list, text } from '../fields.ts'
import { toolName } from '../tool-name.ts'
import { add, type Entry } from './entry.ts'

export function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return list(content).map((part) => (typeof part === 'string' ? { type: 'text', text: part } : fields(part)))
}

/** What a person would read of parts that are no thoughts; media leave by reference. */
export function contentText(content: unknown): string {
  return lines(...partsOf(content).map(partText))
}

function partText(part: Fields): string {
  if (part['type'] === 'think') return ''
  if (typeof part['text'] === 'string') return part['text']
  const kind = /^(image|audio|video)_url$/.exec(text(part['type']))?.[1]
  return kind === undefined ? '' : `[${kind}]`
}

/** A thought, or something the model said; each is a part of its own. */
export function addPart(entry: Entry, part: Fields, id: string): void {
  if (part['type'] === 'think') add(entry, 'reasoning', text(part['think']), {}, id)
  else {
    const said = partText(part)
    add(entry, said === '' ? 'runtime' : 'assistant_response', said, {}, id)
  }
  entry.state.turnIsOpen = true
}

export function addCall(entry: Entry, callId: string, name: string, input: unknown, id: string): void {
  const tool = toolName(name)
  if (callId !== '') remember(entry.state.pending, pendingKey(entry, callId), tool)
  const use: ToolUse = { ...tool, ...(callId === '' ? {} : { callId }), phase: 'call', input }
  add(entry, 'tool_call', callText(input), { tool: use }, id)
  entry.state.turnIsOpen = true
}

export function addResult(
  entry: Entry,
  callId: string,
  said: string,
  failed: boolean,
  verdict: string,
  id: string,
): void {
  const tool = take(entry.state.pending, pendingKey(entry, callId)) ?? { name: '' }
  const use: ToolUse = { ...tool, ...(callId === '' ? {} : { callId }), phase: 'response' }
  if (failed) use.error = true
  const exitCode = SHELLS.has(tool.name) ? exitCodeIn(verdict, failed) : undefined
  if (exitCode !== undefined) use.exitCode = exitCode
  add(entry, 'tool_response', said, { tool: use }, id)
}

/** Calls of a subagent may have the ids of its parent's, where both stand in one file. */
function pendingKey({ session, state }: Entry, callId: string): string {
  return session === state.session ? callId : `${session} ${callId}`
}

const SHELLS = new Set(['Bash', 'Shell', 'CMD'])

/** What the client says last of a command that went wrong; of one that went well it may say nothing. */
function exitCodeIn(verdict: string, failed: boolean): number | undefined {
  const stated = /Command failed with exit code: (-?\d{1,10})\b[^\n]*\s*$/.exec(verdict.slice(-200))
  if (stated) return Number(stated[1])
  return failed ? undefined : 0
}

/** Arguments of a call, which the API wants as text. */
export function parsedArguments(given: unknown): unknown {
  if (typeof given !== 'string' || given === '') return given ?? {}
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}
