/** Messages of a conversation, as transcripts and the command line's database hold them: a role, and content in blocks. */

import { isRecord } from '../../core/json.ts'
import { type Fields, fields, foreign, text } from '../fields.ts'
import { add, type Entry, endTurn, tell } from './entry.ts'
import { namePrompt, nameStep, nameText } from './names.ts'
import { plainText, readCall, readResult } from './tools.ts'
import { readUserText } from './user-text.ts'

/** Stands at the end of a text where the agent's reasoning was. */
const REDACTED = '[REDACTED]'

/** A message with its blocks; `content` beside it where a message has none of its own. */
export interface Message {
  role: string
  content: unknown
  /** The message's other fields. */
  fields: Fields
}

export function readMessage(entry: Entry, message: Message): void {
  switch (message.role) {
    case 'user':
      readUser(entry, message)
      break
    case 'assistant':
      readAssistant(entry, message)
      break
    case 'tool':
      readTool(entry, message)
      break
    case 'system':
    case 'runtime':
      addNote(entry, 'System prompt', plainText(message.content).length)
      break
    default:
      add(entry, 'unknown', '', undefined, { payload: foreign({ role: message.role, content: message.content }) })
  }
  if (entry.drafts.length === 0) addNote(entry, '', 0)
}

/** What is no conversation, and bulky: told by its name and size. */
function addNote(entry: Entry, said: string, characters: number): void {
  const name = nameStep(entry.state.naming, 'note')
  add(entry, 'system', said, name, characters === 0 ? {} : { payload: { characters } })
}

function blocksOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? content : [content]
}

/** `tool-result` and `tool_result` are one. */
function typeOf(block: Fields): string {
  return (text(block['type']) || text(block['kind'])).toLowerCase().replaceAll('-', '_')
}

const RESULTS = new Set(['tool_result', 'function_call_output', 'tool_call_result'])
const CALLS = new Set(['tool_use', 'tool_call', 'function_call'])

function readUser(entry: Entry, message: Message): void {
  const said: string[] = []
  let isBesideResult = false
  for (const block of blocksOf(message.content)) {
    const type = typeOf(fields(block))
    if (RESULTS.has(type)) {
      readResult(entry, fields(block), message.fields)
      isBesideResult = true
    } else if (type === 'image' || type === 'file') said.push(`[${type}]`)
    else if (typeof block === 'string' || text(fields(block)['text']) !== '') said.push(plainText(block))
    else if (block !== undefined && block !== null) addForeign(entry, block)
  }
  const options = fields(fields(message.fields['providerOptions'])['cursor'])
  const whole = said.join('\n')
  if (whole === '') return
  if (options['isSummary'] === true) add(entry, 'compaction', whole, nameStep(entry.state.naming, 'compaction'))
  else if (options['loopReminder'] !== undefined) addNote(entry, 'Reminder', whole.length)
  else readPrompt(entry, whole, isBesideResult)
}

/** What comes with a tool's result was typed while the agent worked. */
function readPrompt(entry: Entry, whole: string, isBesideResult: boolean): void {
  const { prompt, added, size, at, cwd, branch } = readUserText(whole)
  tell(entry, { cwd, branch })
  if (prompt !== '') {
    const draft = add(entry, 'user_input', prompt, namePrompt(entry.state.naming, prompt))
    if (!isBesideResult) draft.opensTurn = true
    if (at !== undefined) draft.at ??= at
  }
  if (added.length > 0) addNote(entry, `Added by the client: ${added.join(', ')}`, size)
}

function readAssistant(entry: Entry, message: Message): void {
  const { state } = entry
  let last = ''
  let calls = 0
  for (const block of blocksOf(message.content)) {
    const type = typeOf(fields(block))
    if (CALLS.has(type)) {
      readCall(entry, fields(block))
      calls++
    } else if (RESULTS.has(type)) readResult(entry, fields(block), message.fields)
    else last = readSaid(entry, block, type) || last
  }
  if (state.model !== '') for (const draft of entry.drafts) draft.model = state.model
  // The agent is asked again after each round of tools, so an answer that calls none is its last.
  if (calls === 0 && last !== '' && !state.endsAreTold) endTurn(entry, 'answered', '')
}

/** Text or reasoning. Returns what the agent said. */
function readSaid(entry: Entry, block: unknown, type: string): string {
  const { naming } = entry.state
  if (block === undefined || block === null) return ''
  if (type === 'reasoning' || type === 'thinking') {
    const thought = text(fields(block)['text']) || text(fields(block)['thinking'])
    add(entry, 'reasoning', thought, nameStep(naming, 'reasoning'))
    return ''
  }
  if (type === 'redacted' || type === 'redacted_reasoning') {
    add(entry, 'reasoning', '', nameStep(naming, 'reasoning'), { payload: { redacted: true } })
    return ''
  }
  const whole = type === 'image' ? '[image]' : typeof block === 'string' ? block : text(fields(block)['text'])
  const said = withoutRedacted(whole)
  if (said !== '') add(entry, 'assistant_response', said, nameText(naming, said))
  else if (whole !== '') add(entry, 'reasoning', '', nameStep(naming, 'reasoning'), { payload: { redacted: true } })
  else if (type !== 'text' && block !== '') addForeign(entry, block)
  return said
}

function withoutRedacted(whole: string): string {
  const end = whole.trimEnd()
  return end.endsWith(REDACTED) ? end.slice(0, -REDACTED.length).trimEnd() : whole
}

function readTool(entry: Entry, message: Message): void {
  for (const block of blocksOf(message.content)) {
    const type = typeOf(fields(block))
    if (RESULTS.has(type)) readResult(entry, fields(block), message.fields)
    else if (typeof block === 'string' || isRecord(block)) {
      readResult(entry, { content: block, tool_use_id: message.fields['tool_call_id'] }, message.fields)
    }
  }
}

function addForeign(entry: Entry, block: unknown): void {
  add(entry, 'unknown', '', undefined, { payload: foreign(block) })
}

/** The content of a record, wherever it stands. */
export function contentOf(record: Fields): unknown {
  const message = record['message']
  const inner = fields(message)
  return (
    inner['content'] ??
    record['content'] ??
    inner['text'] ??
    record['text'] ??
    (typeof message === 'string' ? message : undefined)
  )
}
