/** Records about the session itself: whose file it is, where it works, with which model. */

import type { SessionFacts } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { timeOfUuid } from './copied-history.ts'
import { type Fields, fields, list, number, pick, string } from './fields.ts'
import { add, addAside, type RecordReading } from './reading.ts'
import { endTurn } from './state.ts'

const META_FIELDS = [
  'id',
  'timestamp',
  'originator',
  'cli_version',
  'source',
  'thread_source',
  'forked_from_id',
  'parent_thread_id',
  'agent_nickname',
  'agent_path',
  'model_provider',
  'history_mode',
  'git',
]

/**
 * `session_meta`. The first one names the file's session. A later one with another id is part of a copied history; it
 * starts one when nothing else has been read yet, which is how forks look that do not declare themselves.
 */
export function readSessionMeta(reading: RecordReading): void {
  const { payload, state } = reading
  const id = string(payload.id)
  const own = !state.owned || id === undefined || id === state.session
  if (!state.owned) {
    state.owned = true
    if (id !== undefined && !state.begun) state.session = id
    const madeAt = timeOfUuid(state.session) ?? parseTime(payload.timestamp) ?? reading.at
    if (madeAt !== undefined) state.madeAt = madeAt
  } else if (!own && !state.begun && !state.copied) {
    expectCopy(reading, undefined)
    reading.sessions.push({ nativeId: state.session, parent: { nativeId: id, relation: 'fork' } })
  }
  const draft = add(reading, 'system', '')
  draft.payload = { type: 'session_meta', ...pick(payload, META_FIELDS), ...sizes(payload) }
  if (!own) {
    draft.copied = true
    return
  }
  const cwd = string(payload.cwd)
  if (cwd !== undefined) {
    draft.cwd = cwd
    state.cwd = cwd
  }
  reading.sessions.push(factsOf(payload, state.session))
  const start = number(payload.subagent_history_start_ordinal)
  if (state.begun || state.copied) return
  if (start !== undefined || string(payload.forked_from_id) !== undefined) expectCopy(reading, start)
}

function expectCopy({ state, at }: RecordReading, untilOrdinal: number | undefined): void {
  state.copied = at === undefined ? {} : { previousAt: at }
  if (untilOrdinal !== undefined) state.copied.untilOrdinal = untilOrdinal
  if (state.madeAt !== undefined) state.copied.forkedAt = state.madeAt
}

function factsOf(payload: Fields, nativeId: string): SessionFacts {
  const facts: SessionFacts = { nativeId }
  const parent = parentOf(payload)
  const cwd = string(payload.cwd)
  const branch = string(fields(payload.git).branch)
  const cliVersion = string(payload.cli_version)
  if (parent && parent.nativeId !== nativeId) facts.parent = parent
  if (cwd !== undefined) facts.cwd = cwd
  if (branch !== undefined) facts.branch = branch
  if (cliVersion !== undefined) facts.cliVersion = cliVersion
  return facts
}

function parentOf(payload: Fields): SessionFacts['parent'] {
  const { subagent } = fields(payload.source)
  const spawned = string(fields(fields(subagent).thread_spawn).parent_thread_id)
  const nativeId = spawned ?? string(payload.parent_thread_id) ?? string(payload.forked_from_id)
  if (nativeId === undefined) return undefined
  const isSubagent = subagent !== undefined || payload.thread_source === 'subagent'
  return { nativeId, relation: isSubagent ? 'subagent' : 'fork' }
}

/** Instructions and tool lists are long and the same in every session: only their size is kept. */
function sizes(payload: Fields): Fields {
  const instructions = string(fields(payload.base_instructions).text) ?? string(payload.instructions)
  const tools = list(payload.dynamic_tools).length
  return {
    ...(instructions !== undefined && { instructions_characters: instructions.length }),
    ...(tools > 0 && { dynamic_tools: tools }),
  }
}

const CONTEXT_FIELDS = ['turn_id', 'model', 'effort', 'cwd', 'approval_policy', 'multi_agent_version', 'summary']

/** `turn_context`: before each turn, and again when something changed. */
export function readTurnContext(reading: RecordReading): void {
  const { payload, state } = reading
  const context = payload.turn_context === undefined ? payload : fields(payload.turn_context)
  const sandbox = fields(context.sandbox_policy)
  const mode = string(sandbox.type) ?? string(sandbox.mode)
  const draft = addAside(reading, 'system', {
    ...pick(context, CONTEXT_FIELDS),
    ...(mode !== undefined && { sandbox: mode }),
  })
  applySettings(reading, context)
  if (state.cwd !== undefined) draft.cwd = state.cwd
}

/** `thread_settings_applied`. */
export function readThreadSettings(reading: RecordReading): void {
  const settings = fields(reading.payload.thread_settings)
  addAside(reading, 'system', pick(settings, ['model', 'cwd', 'approval_policy', 'service_tier']))
  applySettings(reading, settings)
}

function applySettings({ state, sessions }: RecordReading, settings: Fields): void {
  const model = string(settings.model)
  const cwd = string(settings.cwd)
  if (model !== undefined) state.model = model
  if (cwd === undefined) return
  // The store keeps the first one; saying it again and again would only cost time.
  if (state.cwd === undefined) sessions.push({ nativeId: state.session, cwd })
  state.cwd = cwd
}

/** `world_state`: facts about the environment, whole once and then as changes. Not conversation. */
export function readWorldState(reading: RecordReading): void {
  const { payload } = reading
  addAside(reading, 'system', {
    ...(typeof payload.full === 'boolean' && { full: payload.full }),
    keys: Object.keys(fields(payload.state)),
  })
}

/** `thread_name_updated`: the user renamed the session. */
export function readThreadName(reading: RecordReading): void {
  const { payload, state, sessions } = reading
  const title = string(payload.thread_name)
  const draft = addAside(reading, 'system', pick(payload, ['thread_name']))
  const thread = string(payload.thread_id)
  if (title === undefined || (thread !== undefined && thread !== state.session)) return
  draft.text = title
  sessions.push({ nativeId: state.session, title })
}

/** `compacted`: the history so far was replaced by a summary. What it was replaced with is history, not news. */
export function readCompacted(reading: RecordReading): void {
  const { payload } = reading
  const draft = add(reading, 'compaction', string(payload.message) ?? '')
  draft.payload = {
    ...pick(payload, ['window_id', 'window_number', 'compaction_response_id']),
    replacement_items: list(payload.replacement_history).length,
  }
}

/** The copy of another session's history is over: what was open in it does not go on here. */
export function leaveCopy({ state }: RecordReading): void {
  delete state.copied
  delete state.promptAt
  delete state.triggered
  endTurn(state)
}
