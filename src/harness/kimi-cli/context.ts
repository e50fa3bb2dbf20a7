/**
 * The history that Kimi CLI sends to the model, one message a line. The wire beside it tells the same and more, so of a
 * session that has one only what happened before it is read here: a session may be older than the wire.
 */

import { dirname, join } from 'node:path'
import { isRecord } from '../../core/json.ts'
import { fields, lines, smallFields, text } from '../fields.ts'
import type { Files, SourceFile } from '../harness.ts'
import { addCall, addPart, addResult, contentText, parsedArguments, partsOf } from './content.ts'
import { add, addPrompt, addUnknown, type Entry, end } from './entry.ts'

export function* contextRecords(files: Files, file: SourceFile): Iterable<unknown> {
  const wire = file.relative.split('/').length > 2 ? join(dirname(file.path), 'wire.jsonl') : ''
  const records = linesOf(files.json(file.path))
  const told = wire === '' ? undefined : firstPrompt(files.json(wire))
  if (told === undefined) yield* records.length > 0 ? records : [{ role: '_empty' }]
  else {
    // A history that was begun anew since then has the wire's first prompt no more: all of it is in the wire.
    const before = records.findIndex((record) => isPrompt(record, told))
    yield* before < 0 ? [] : records.slice(0, before)
  }
}

/**
 * The values of lines; of a file with a single one the value itself is given. A line that is no JSON stays a text, but
 * for the last one while it is being written.
 */
function linesOf(content: unknown): unknown[] {
  if (typeof content !== 'string') return content === undefined ? [] : [content]
  const texts = content.split('\n')
  return texts.flatMap((line, place) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      return place === texts.length - 1 ? [] : [line]
    }
  })
}

function firstPrompt(wire: unknown): string | undefined {
  for (const record of linesOf(wire)) {
    const { type, payload } = fields(fields(record)['message'])
    if (type === 'TurnBegin') return contentText(fields(payload)['user_input'])
  }
  return undefined
}

function isPrompt(record: unknown, said: string): boolean {
  const { role, content } = fields(record)
  return role === 'user' && contentText(content) === said
}

export function readContextRecord(entry: Entry): void {
  const { record } = entry
  switch (record['role']) {
    case 'user':
      readUser(entry)
      return
    case 'assistant':
      readAssistant(entry)
      return
    case 'tool':
      readTool(entry)
      return
    case '_checkpoint':
    case '_empty':
    case '_usage':
      add(entry, 'runtime', '', { payload: smallFields(record) })
      return
    case '_system_prompt':
    case 'system':
      add(entry, 'system', '', { payload: smallFields(record) })
      return
    default:
      addUnknown(entry)
  }
}

/** What the program says in the user's name is in tags, or is the summary of a compacted history. */
function readUser(entry: Entry): void {
  const said = contentText(entry.record['content'])
  if (COMPACTED.test(said)) add(entry, 'compaction', said)
  else if (PUT_IN.test(said)) add(entry, 'system', said)
  else addPrompt(entry, said)
}

const PUT_IN = /^\s*<(?:system|system-reminder|notification|git-context)\b/
const COMPACTED = /^\s*(?:<system>\s*)?Previous context has been compacted/

function readAssistant(entry: Entry): void {
  const { record } = entry
  for (const part of partsOf(record['content'])) addPart(entry, part, '')
  const calls = Array.isArray(record['tool_calls']) ? record['tool_calls'].filter(isRecord) : []
  for (const call of calls) {
    const { name, arguments: given } = fields(call['function'])
    addCall(entry, text(call['id']), text(name), parsedArguments(given), '')
  }
  const last = entry.drafts.at(-1)
  if (!last) add(entry, 'runtime', '')
  // A message that calls no tool is the answer: the agent then waits.
  else if (calls.length === 0 && last.type === 'assistant_response') end(entry, last, 'answered')
}

const VERDICT = /^<system>([\s\S]*)<\/system>$/

/** The program's own word on the call comes first, in a tag. */
function readTool(entry: Entry): void {
  const { record } = entry
  const texts = partsOf(record['content']).map((part) => contentText([part]))
  const verdict = VERDICT.exec(texts[0] ?? '')?.[1]?.trim() ?? ''
  const output = lines(...(verdict === '' ? texts : texts.slice(1)))
  addResult(entry, text(record['tool_call_id']), output || verdict, verdict.startsWith('ERROR'), verdict, '')
}
