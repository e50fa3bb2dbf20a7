/** Messages under the user's name, and what the client shows beside the conversation. */

import { type Fields, fields, foreign, text } from '../fields.ts'
import { answerOf, partsOf, textOfParts } from '../google-parts.ts'
import { add, type Entry } from './entry.ts'
import { isSessionContext, isSummary, noteDirectory } from './headers.ts'
import { remember } from './state.ts'
import { addAnswer } from './tool-calls.ts'

/** What the client says to the model in the user's name when it stopped too early. */
const CONTINUE = new Set(['Please continue.', 'System: Please continue.'])

/** A prompt; the results of tools, which were told with their calls; or what the client puts in. */
export function readUser(entry: Entry): void {
  const { record } = entry
  const parts = partsOf(record['content'] ?? record['parts'])
  const responses = parts.flatMap((part) =>
    part['functionResponse'] === undefined ? [] : [fields(part['functionResponse'])],
  )
  for (const response of responses) readResponse(entry, response)
  // Files named with @ are written out for the model; what was typed is kept apart.
  const said = textOfParts(partsOf(record['displayContent'])) || textOfParts(parts)
  if (said !== '') readText(entry, said, responses.length > 0)
  else if (responses.length === 0) add(entry, 'system', '', '')
}

function readText(entry: Entry, said: string, besideResponse: boolean): void {
  const { state, id } = entry
  if (isSessionContext(said)) {
    noteDirectory(entry, said)
    add(entry, 'system', said, '')
  } else if (isSummary(said)) {
    remember(state.summaries, id)
    add(entry, 'compaction', said, '')
  } else if (CONTINUE.has(said.trim())) add(entry, 'system', said, '')
  else if (besideResponse) add(entry, 'user_input', said, 'text')
  else {
    add(entry, 'user_input', said, '', { opensTurn: true })
    state.turnIsOpen = true
    state.prompt = id
  }
}

/** The same result as in the message that called; the only one when the client was stopped in between. */
function readResponse(entry: Entry, response: Fields): void {
  const callId = text(response['id'])
  if (callId !== '' && entry.state.answered.includes(callId)) {
    add(entry, 'runtime', '', `response/${callId}`, { payload: { functionResponse: callId } })
    return
  }
  const { text: said, failed } = answerOf(response)
  addAnswer(entry, { callId, name: text(response['name']), displayName: '' }, said, failed)
}

/** `info`, `warning` and `error`: what the client showed on the screen. */
export function readNotice(entry: Entry): void {
  const { record, state } = entry
  const said = textOfParts(partsOf(record['content']))
  const kind = text(record['type'])
  const draft = add(entry, 'runtime', said, '', { payload: { type: kind } })
  if (!state.turnIsOpen) return
  if (kind === 'info' && said.startsWith('Request cancelled')) draft.ends = 'interrupted'
  else if (kind === 'error' && said.startsWith('[API Error')) draft.ends = 'failed'
  if (draft.ends) state.turnIsOpen = false
}

/** What no rule covers is kept as it is. */
export function readUnknown(entry: Entry): void {
  add(entry, 'unknown', '', '', { payload: foreign(entry.record) })
}
