/** What the client tells about the turn and the session. */

import type { Draft, Ending, SessionFacts, Usage } from '../../core/event.ts'
import { count, type Fields, fields, number, pick, smallFields, text } from '../fields.ts'
import { add, type Entry, end } from './entry.ts'
import { spawningCall } from './tool-calls.ts'

/** The client's word for how a turn ended, and what the turn cost. */
export function readTurnCompleted(entry: Entry): void {
  const { update } = entry
  const usage = fields(update['usage'])
  const facts = { sessionUpdate: 'turn_completed', ...pick(update, ['stop_reason', 'prompt_id', 'elapsed_ms']) }
  const draft = add(entry, 'runtime', text(update['agent_result']), { payload: facts })
  const ending = ENDINGS.get(text(update['stop_reason']))
  if (ending) end(entry, draft, ending)
  addUsage(entry, draft, usage)
}

const ENDINGS = new Map<string, Ending>([
  ['end_turn', 'answered'],
  ['interrupted', 'interrupted'],
  ['cancelled', 'interrupted'],
  ['error', 'failed'],
  ['max_tokens', 'failed'],
  ['max_turn_requests', 'failed'],
  ['refusal', 'failed'],
])

/**
 * Tokens of a turn; the prompt holds what was cached. With more calls of the model than the turn had itself they are its
 * subagents' too, who tell of theirs again: then they are shown and not counted.
 */
function addUsage({ update, state }: Entry, draft: Draft, usage: Fields): void {
  const models = Object.keys(fields(usage['modelUsage']))
  if (models.length === 1 && models[0] !== undefined) draft.model = models[0]
  const cacheRead = count(usage['cachedReadTokens'])
  const cacheWrite = count(usage['cacheCreationTokens'])
  const tokens: Omit<Usage, 'id'> = {
    input: Math.max(0, count(usage['inputTokens']) - cacheRead - cacheWrite),
    output: count(usage['outputTokens']),
    cacheRead,
    cacheWrite,
    reasoning: count(usage['reasoningTokens']),
  }
  if (tokens.input + tokens.output + cacheRead + cacheWrite === 0) return
  const own = number(usage['numTurns'])
  if (own !== undefined && count(usage['modelCalls']) > own) {
    draft.payload = { ...fields(draft.payload), usageWithSubagents: tokens }
  } else draft.usage = { id: `${state.session} ${text(update['prompt_id'])}`, ...tokens }
}

/** A subagent has a session of its own; only its parent tells whose it is. */
export function readSubagentSpawned(entry: Entry): void {
  const { update, state, sessions } = entry
  const description = text(update['description'])
  add(entry, 'runtime', description, { payload: smallFields(update, ['description']) })
  const nativeId = text(update['child_session_id'])
  const callId = spawningCall(entry, description)
  const parent: NonNullable<SessionFacts['parent']> = { nativeId: state.session, relation: 'subagent' }
  if (callId !== undefined) parent.callId = callId
  if (nativeId !== '' && nativeId !== state.session) sessions.push({ nativeId, parent })
}

/** The summary itself lies in files of its own. */
export function readCompacted(entry: Entry): void {
  const { update } = entry
  add(entry, 'compaction', text(update['summary_preview']), { payload: smallFields(update, ['summary_preview']) })
}

/** A failed try and what came of it; the turn's end is told apart. */
export function readRetry(entry: Entry): void {
  const { update } = entry
  const said = text(update['reason']) || text(update['message'])
  add(entry, 'runtime', said, { payload: smallFields(update, ['reason', 'message']) })
}

/** The conversation goes on from an earlier prompt. What came after it stays in the archive. */
export function readRewind(entry: Entry): void {
  const draft = add(entry, 'runtime', 'The conversation was rewound.', { payload: smallFields(entry.update) })
  end(entry, draft, 'interrupted')
}

export function readTitle(entry: Entry): void {
  const { update, state, sessions } = entry
  const title = (text(update['session_summary']) || text(update['title'])).trim()
  add(entry, 'system', title, { payload: pick(update, ['sessionUpdate']) })
  if (title !== '') sessions.push({ nativeId: state.session, title })
}

export function readModel(entry: Entry): void {
  const { update, state } = entry
  const model = text(update['model_id'])
  if (model !== '') state.model = model
  add(entry, 'system', model, { payload: smallFields(update) })
}

/** What says nothing about the conversation that is not said elsewhere. */
export function readNote(entry: Entry): void {
  add(entry, 'runtime', '', { payload: smallFields(entry.update) })
}
