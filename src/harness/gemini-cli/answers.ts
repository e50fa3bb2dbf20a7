/** Messages of the model: what it thought, said and called, and what that cost. */

import type { Usage } from '../../core/event.ts'
import { count, type Fields, fields, lines, list, text } from '../fields.ts'
import { partsOf, textOfParts } from '../google-parts.ts'
import { add, type Entry } from './entry.ts'
import { addCall, COMPLETION, readToolCall } from './tool-calls.ts'

export function readAnswer(entry: Entry): void {
  const { record } = entry
  const parts = partsOf(record['content'] ?? record['parts'])
  const thoughts = [
    ...list(record['thoughts']).map(thoughtText),
    ...parts.filter(isThought).map((part) => text(part['text'])),
  ]
  for (const [place, thought] of thoughts.entries()) add(entry, 'reasoning', thought, `thought/${place}`)
  const said = textOfParts(parts)
  // The message itself: an event also where it says nothing, since its usage hangs on it.
  const message = add(entry, said === '' ? 'runtime' : 'assistant_response', said, '')
  const calls = list(record['toolCalls']).map(fields)
  for (const call of calls) readToolCall(entry, call)
  const others = parts.flatMap((part) => (part['functionCall'] === undefined ? [] : [fields(part['functionCall'])]))
  const untold = others.filter((call) => !calls.some((told) => told['id'] === call['id']))
  for (const call of untold) {
    addCall(entry, { callId: text(call['id']), name: text(call['name']), displayName: '' }, call['args'])
  }
  const usage = usageOf(entry)
  if (usage) message.usage = usage
  const model = text(record['model'])
  if (model !== '') for (const draft of entry.drafts) draft.model = model
  if (said === '') return
  const handsIn = calls.some((call) => call['name'] === COMPLETION)
  if (calls.length + untold.length > 0) {
    if (!handsIn) message.commentary = true
  } else if (isWhole(said, fields(record['tokens']))) {
    message.ends = 'answered'
    entry.state.turnIsOpen = false
    return
  }
  if (!handsIn) entry.state.turnIsOpen = true
}

/**
 * Whether a message without tool calls is an answer. Calls are written down only once their tools have answered, so a
 * message may stand here without them; then it cost more tokens than its text can have. A token is a byte or more.
 */
function isWhole(said: string, tokens: Fields): boolean {
  return count(tokens['output']) <= Buffer.byteLength(said)
}

function isThought(part: Fields): boolean {
  return part['thought'] === true
}

function thoughtText(thought: unknown): string {
  const { subject, description } = fields(thought)
  return lines(text(subject), text(description))
}

/** `input` holds what was cached; `output` does not hold the thoughts; `tool` is what tools fed back to the model. */
function usageOf({ record, state, id }: Entry): Usage | undefined {
  const tokens = fields(record['tokens'])
  const cacheRead = count(tokens['cached'])
  const reasoning = count(tokens['thoughts'])
  const input = Math.max(0, count(tokens['input']) - cacheRead) + count(tokens['tool'])
  const output = count(tokens['output']) + reasoning
  if (input + output + cacheRead === 0) return undefined
  return { id: `${state.session} ${id}`, input, output, cacheRead, cacheWrite: 0, reasoning }
}
