/** One item of the history: a message, and what belongs to it. */

import type { Draft, Usage } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { count, type Fields, fields, foreign, lines, list, text } from '../fields.ts'
import { add, type Entry, nameOf } from './entry.ts'
import { readCall, readToolMessage } from './tools.ts'

export function readItem(entry: Entry, item: Fields): void {
  const message = fields(item['message'])
  const role = text(message['role'])
  const said = contentText(message['content'])
  const id = nameOf(entry, role, said)
  switch (role) {
    case 'user':
      add(entry, 'user_input', said, id, { opensTurn: true, ...attached(item) })
      break
    case 'assistant':
      readAnswer(entry, item, message, said, id)
      break
    case 'thinking':
      add(entry, 'reasoning', said, id)
      break
    case 'tool':
      readToolMessage(entry, message, said, id)
      break
    case 'system':
      add(entry, 'system', said, id)
      break
    default:
      add(entry, 'unknown', '', id, { payload: foreign(item) })
  }
  const summary = text(item['conversationSummary'])
  if (summary !== '') add(entry, 'compaction', summary, `${id}/summary`)
}

/** Media leave by reference. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return lines(
    ...list(content).map((part) => {
      if (typeof part === 'string') return part
      const { type, text: said } = fields(part)
      return type === 'imageUrl' ? '[image]' : text(said)
    }),
  )
}

/** What was given along with a prompt is named; its content is that of files. */
function attached(item: Fields): { payload?: unknown } {
  const names = list(item['contextItems']).map((context) => text(fields(context)['name']))
  const named = names.filter((name) => name !== '')
  return named.length === 0 ? {} : { payload: { contextItems: named } }
}

function readAnswer(entry: Entry, item: Fields, message: Fields, said: string, id: string): void {
  const { state } = entry
  const [log] = list(item['promptLogs']).map(fields)
  state.model = text(fields(message['usage'])['model']) || text(log?.['modelTitle']) || state.model
  const thought = text(fields(item['reasoning'])['text'])
  if (thought !== '') add(entry, 'reasoning', thought, `${id}/thought`)
  const calls = callsOf(item, message)
  // The message itself: an event also where it says nothing, since its usage hangs on it.
  const draft: Draft = add(entry, said === '' ? 'runtime' : 'assistant_response', said, id)
  if (said !== '' && calls.length === 0) draft.ends = 'answered'
  else if (said !== '') draft.commentary = true
  const usage = usageOf(message, `${state.session} ${id}`)
  if (usage) {
    draft.usage = usage
    if (state.model !== '') draft.model = state.model
  }
  for (const call of calls) readCall(entry, call, id)
}

/** The states of calls, of which older versions had one; without any, the calls of the message itself. */
function callsOf(item: Fields, message: Fields): Fields[] {
  const states = [...list(item['toolCallStates']), item['toolCallState']].filter(isRecord)
  const told = new Set(states.map((state) => state['toolCallId']))
  const bare = list(message['toolCalls']).filter(isRecord)
  return [
    ...states,
    ...bare.filter((call) => !told.has(call['id'])).map((toolCall) => ({ toolCall, toolCallId: toolCall['id'] })),
  ]
}

/** `prompt_tokens` holds what was cached. */
function usageOf(message: Fields, id: string): Usage | undefined {
  const usage = fields(message['usage'])
  const details = fields(usage['prompt_tokens_details'])
  const cacheRead = count(details['cached_tokens'] ?? details['cache_read_tokens'])
  const cacheWrite = count(details['cache_write_tokens'])
  const input = Math.max(0, count(usage['prompt_tokens']) - cacheRead - cacheWrite)
  const output = count(usage['completion_tokens'])
  if (input + output + cacheRead + cacheWrite === 0) return undefined
  const reasoning = count(fields(usage['completion_tokens_details'])['reasoning_tokens'])
  return { id, input, output, cacheRead, cacheWrite, reasoning }
}
