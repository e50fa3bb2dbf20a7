/** What the second engine writes beside a session's log: title, folder, parent, and how each turn went. */

import type { Draft, Ending, Reading, SessionFacts, Usage } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { count, type Fields, fields, list, number, pick, text } from '../fields.ts'
import type { SourceFile } from '../harness.ts'
import { modelName } from './entry.ts'
import { placeOf } from './paths.ts'

/** Named after the file, as its log is. */
export function readSessionNote(value: unknown, file: SourceFile): Reading {
  const note = fields(value)
  const { session } = placeOf(file)
  const facts: SessionFacts = { nativeId: session }
  if (text(note['title']) !== '') facts.title = text(note['title'])
  if (text(note['cwd']) !== '') facts.cwd = text(note['cwd'])
  const parent = text(note['parent_session_id'])
  if (parent !== '' && parent !== session) {
    const relation = note['session_created_reason'] === 'subagent' ? 'subagent' : 'fork'
    facts.parent = { nativeId: parent, relation }
  }
  const state = fields(note['session_state'])
  const model = text(fields(fields(state['rts_model_state'])['model_info'])['model_id'])
  const turns = list(fields(state['conversation_metadata'])['user_turn_metadatas'])
  return { drafts: turns.map((turn, place) => turnDraft(fields(turn), place, session, model)), sessions: [facts] }
}

const ENDINGS = new Map<string, Ending>([
  ['UserTurnEnd', 'answered'],
  ['Cancelled', 'interrupted'],
  ['ToolUseRejected', 'interrupted'],
  ['Error', 'failed'],
])

const KEPT = ['end_reason', 'metering_usage', 'context_usage_percentage', 'total_request_count', 'builtin_tool_uses']

/** One note for each turn, after the turn. Credits are no tokens and stay in the payload. */
function turnDraft(turn: Fields, place: number, session: string, sessionModel: string): Draft {
  const id = `turn/${turnName(turn, place)}`
  const draft: Draft = { session, type: 'runtime', text: '', native: { id, index: 0 } }
  const payload = pick(turn, KEPT)
  if (payload) draft.payload = payload
  const at = parseTime(turn['end_timestamp'])
  if (at !== undefined) draft.at = at
  const ends = ENDINGS.get(text(turn['end_reason']))
  if (ends) draft.ends = ends
  const model = modelName(text(turn['model'])) || modelName(sessionModel)
  if (model !== '') draft.model = model
  const usage = usageOf(turn, `${session}/${id}`)
  if (usage) draft.usage = usage
  return draft
}

function turnName(turn: Fields, place: number): string {
  const messages = list(turn['message_ids'])
  const loop = number(fields(turn['loop_id'])['rand'])
  return (
    text(messages.at(-1)) || (loop === undefined ? '' : String(loop)) || text(turn['end_timestamp']) || String(place)
  )
}

/** Newer clients count on the service's side and write zeros. */
function usageOf(turn: Fields, id: string): Usage | undefined {
  const usage: Usage = {
    id,
    input: count(turn['input_token_count']),
    output: count(turn['output_token_count']),
    cacheRead: count(turn['cache_read_input_token_count']),
    cacheWrite: count(turn['cache_write_input_token_count']),
    reasoning: 0,
  }
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0 ? undefined : usage
}
