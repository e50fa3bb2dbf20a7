/** What happens in a step of Kimi Code: one request to the model, and the tools it called. */

import { type Fields, fields, lines, pick, text } from '../fields.ts'
import { addCall, addPart, addResult, contentText } from './content.ts'
import { add, addUnknown, type Entry, end } from './entry.ts'
import { usageOf } from './usage.ts'

export function readLoopEvent(entry: Entry): void {
  const event = fields(entry.record['event'])
  const id = text(event['uuid'])
  switch (event['type']) {
    case 'step.begin':
      entry.state.step = id
      add(entry, 'runtime', '', { payload: pick(event, ['type', 'turnId', 'step']) })
      return
    case 'content.part':
      addPart(entry, fields(event['part']), id)
      return
    case 'tool.call':
      addCall(entry, text(event['toolCallId']), text(event['name']), event['args'], id)
      return
    case 'tool.result':
      readResult(entry, event)
      return
    case 'step.end':
      readStepEnd(entry, event, id)
      return
    default:
      addUnknown(entry)
  }
}

function readResult(entry: Entry, event: Fields): void {
  const result = fields(event['result'])
  const said = contentText(result['output'])
  const call = text(event['parentUuid'])
  const id = call === '' ? '' : `${call}/result`
  addResult(entry, text(event['toolCallId']), said, result['isError'] === true, lines(said), id)
}

/** Before 2.0 nothing but its last step tells that a turn was answered. */
function readStepEnd(entry: Entry, event: Fields, id: string): void {
  const { state } = entry
  const reason = text(event['finishReason'])
  const draft = add(entry, 'runtime', '', { payload: pick(event, ['type', 'finishReason', 'messageId']) }, id)
  const usage = usageOf(event['usage'], id || `${state.session} ${entry.index}`)
  if (usage) {
    draft.usage = usage
    if (state.model !== '') draft.model = state.model
  }
  if (reason === 'end_turn') end(entry, draft, 'answered')
}
