/** What was asked, thought and said, and where a turn of the model ends. */

import { fields, list, pick, text } from '../fields.ts'
import { add, type Entry, end, note, progressOf } from './entry.ts'
import { addCall } from './tool-calls.ts'

/**
 * A prompt as it was typed. `source` says who speaks when it is no person: a skill, a schedule, the client. A subagent's
 * task comes from its parent.
 */
export function readUserMessage(entry: Entry): void {
  const { data, record } = entry
  const said = text(data['content'])
  const source = text(data['source'])
  const payload = pick(data, ['source', 'delivery', 'agentMode', 'interactionId'])
  const attachments = list(data['attachments']).map((item) => attachmentName(item))
  const rest = { payload: attachments.length === 0 ? payload : { ...payload, attachments } }
  const isTask = source.startsWith('agent-') && text(record['agentId']) !== ''
  if (source !== '' && source !== 'user' && !isTask) {
    add(entry, 'system', said, rest)
    return
  }
  const draft = add(entry, 'user_input', said, rest)
  // Given to the agent in the middle of its work.
  if (data['delivery'] === 'steering' && progressOf(entry) !== undefined) return
  draft.opensTurn = true
  note(entry, 'working')
}

function attachmentName(item: unknown): string {
  const { path, filePath, displayName, url, type } = fields(item)
  return [path, filePath, displayName, url, type].map(text).find((name) => name !== '') ?? ''
}

/** One response of the model: thought, text and calls. */
export function readAssistantMessage(entry: Entry): void {
  const { data, state, drafts } = entry
  const thought = text(data['reasoningText'])
  if (thought !== '' && shortened(thought) !== state.thought) add(entry, 'reasoning', thought)
  state.thought = ''
  const said = text(data['content'])
  const requests = list(data['toolRequests']).map(fields)
  if (said !== '') add(entry, 'assistant_response', said, requests.length > 0 ? { commentary: true } : {})
  for (const request of requests) addCall(entry, text(request['name']), request)
  if (drafts.length === 0) add(entry, 'runtime', '', { payload: { type: 'assistant.message' } })
  const model = text(data['model'])
  if (model !== '') for (const draft of drafts) draft.model = model
  note(entry, said !== '' && requests.length === 0 ? 'said' : 'working')
}

/** Older clients tell a thought by itself, too. */
export function readReasoning(entry: Entry): void {
  const said = text(entry.data['content'])
  add(entry, 'reasoning', said)
  entry.state.thought = shortened(said)
  note(entry, 'working')
}

function shortened(said: string): string {
  return `${said.length} ${said.slice(0, 100)}`
}

/**
 * A turn of the client's is one call of the model with its tools. What it says last, without calling a tool, is the
 * answer; after an interrupt or an error it has said nothing.
 */
export function readTurnEnd(entry: Entry): void {
  const draft = add(entry, 'runtime', '', { payload: { type: entry.type, ...pick(entry.data, ['turnId']) } })
  if (progressOf(entry) === 'said') end(entry, draft, 'answered')
}
