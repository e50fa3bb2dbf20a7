/** `event_msg`: what the user was shown, and how turns begin and end. */

import type { Draft } from '../../core/event.ts'
import { readAgentCall, readCommand, readDynamicCall, readFileChange, readMcpCall, readSearchEvent } from './actions.ts'
import { readAssistantText, readReasoningParts } from './answers.ts'
import { readCompletedItem } from './completed-items.ts'
import { messageText } from './content.ts'
import { type Fields, fields, list, pick, string } from './fields.ts'
import { readUserEvent } from './prompts.ts'
import { add, addAside, addUnknown, type Reader, type RecordReading } from './reading.ts'
import { readThreadName, readThreadSettings } from './session-records.ts'
import { endTurn } from './state.ts'
import { readTokenCount } from './usage.ts'

const READERS: ReadonlyMap<unknown, Reader> = new Map<string, Reader>([
  ['item_completed', readCompletedItem],
  ['token_count', readTokenCount],
  ['user_message', readUserMessage],
  ['agent_message', readAgentMessage],
  ['agent_reasoning', readAgentReasoning],
  ['agent_reasoning_raw_content', readAgentReasoning],
  ['task_complete', readTurnEnd],
  ['turn_complete', readTurnEnd],
  ['turn.completed', readTurnEnd],
  ['turn_aborted', readTurnAborted],
  ['error', readError],
  ['turn.failed', readError],
  ['exec_command_end', (reading) => readCommand(reading, callIdOf(reading), reading.payload)],
  ['patch_apply_end', (reading) => readFileChange(reading, callIdOf(reading), reading.payload)],
  ['mcp_tool_call_end', readMcpEnd],
  ['web_search_end', (reading) => readSearchEvent(reading, callIdOf(reading), reading.payload)],
  ['dynamic_tool_call_response', (reading) => readDynamicCall(reading, callIdOf(reading), reading.payload)],
  ['collab_agent_spawn_end', agentCallReader('spawn_agent')],
  ['collab_agent_interaction_end', agentCallReader('send_input')],
  ['collab_waiting_end', agentCallReader('wait')],
  ['collab_close_end', agentCallReader('close_agent')],
  ['collab_resume_end', agentCallReader('resume_agent')],
  ['image_generation_end', readImageEnd],
  ['thread_settings_applied', readThreadSettings],
  ['thread_name_updated', readThreadName],
  ['entered_review_mode', readReviewMode],
  ['exited_review_mode', readReviewMode],
])

export function readEventMessage(reading: RecordReading): void {
  const reader = READERS.get(reading.payload.type) ?? readNotice
  reader(reading)
}

function callIdOf({ payload }: RecordReading): string | undefined {
  return string(payload.call_id)
}

function agentCallReader(tool: string): Reader {
  return (reading) => readAgentCall(reading, callIdOf(reading), tool, reading.payload)
}

/** Clients of 2025 repeated injected texts too, but said so. */
const INJECTED_KINDS: readonly unknown[] = ['user_instructions', 'environment_context']

function readUserMessage(reading: RecordReading): void {
  const { payload } = reading
  if (INJECTED_KINDS.includes(payload.kind)) {
    addAside(reading, 'runtime', pick(payload, ['kind']))
    return
  }
  readUserEvent(reading, messageText(payload.message), imageParts(payload), undefined)
}

function readAgentMessage(reading: RecordReading): void {
  const { payload } = reading
  readAssistantText(reading, 'event', messageText(payload.message), string(payload.phase), undefined)
}

function readAgentReasoning(reading: RecordReading): void {
  readReasoningParts(reading, 'event', [messageText(reading.payload.text)], undefined, undefined)
}

function readMcpEnd(reading: RecordReading): void {
  const { invocation, result } = reading.payload
  readMcpCall(reading, callIdOf(reading), { ...fields(invocation), result })
}

function imageParts(payload: Fields): Fields[] {
  const urls = list(payload.images).map((url) => ({ image_url: url }))
  return [...urls, ...list(payload.local_images).map((path) => ({ path }))]
}

/**
 * A turn is over, well or with an error: the type alone is no success. The end of a command that is not conversation
 * (compact) has neither prompt nor work before it and ends nothing.
 */
function readTurnEnd(reading: RecordReading): void {
  const { payload, state } = reading
  const { prompted, worked, failed } = state.turn
  const error = payload.error ?? undefined
  const answer = string(payload.last_agent_message)
  const draft = addEnd(reading, error === undefined ? '' : errorText(error))
  if (prompted || worked) draft.ends = error !== undefined || (failed && answer === undefined) ? 'failed' : 'answered'
  endTurn(state)
}

function readTurnAborted(reading: RecordReading): void {
  const { payload, state } = reading
  const draft = addEnd(reading, string(payload.reason) ?? '')
  if (state.turn.prompted || state.turn.worked) draft.ends = 'interrupted'
  endTurn(state)
}

function addEnd(reading: RecordReading, text: string): Draft {
  const { payload } = reading
  const type = String(payload.type)
  const turn = string(payload.turn_id)
  const draft = add(reading, 'runtime', text, turn === undefined ? undefined : `${type}:${turn}`)
  draft.payload = { type, ...pick(payload, ['turn_id', 'reason', 'duration_ms', 'error', 'usage']) }
  return draft
}

/** An error stops the turn unless the agent goes on; the end of the turn that may follow does not repeat it. */
function readError(reading: RecordReading): void {
  const { payload, state } = reading
  const draft = add(reading, 'runtime', errorText(payload.error ?? payload))
  draft.payload = { type: payload.type, ...pick(payload, ['codex_error_info', 'error']) }
  if (state.turn.prompted || state.turn.worked) draft.ends = 'failed'
  state.turn.failed = true
}

export function errorText(error: unknown): string {
  return typeof error === 'string' ? error : (string(fields(error).message) ?? string(fields(error).text) ?? '')
}

/** The call among the response items, before or after this, tells of the picture. */
function readImageEnd(reading: RecordReading): void {
  const { payload } = reading
  addAside(reading, 'runtime', {
    ...pick(payload, ['call_id', 'status', 'saved_path', 'revised_prompt']),
    result_characters: string(payload.result)?.length ?? 0,
  })
}

/** A review runs inside the session; what it found is worth finding. */
function readReviewMode(reading: RecordReading): void {
  const { payload } = reading
  const output = fields(payload.review_output)
  const findings = list(output.findings).map((finding) => {
    const { title, body } = fields(finding)
    return `${string(title) ?? ''}\n${string(body) ?? ''}`
  })
  const said = string(payload.user_facing_hint) ?? string(payload.prompt)
  const text = [said, string(output.overall_explanation), ...findings].filter((each) => each !== undefined).join('\n')
  const draft = add(reading, 'runtime', text)
  draft.payload = { type: payload.type, ...pick(payload, ['turn_id', 'target']) }
}

/** Events with little to say: beginnings whose end tells all, progress, settings. */
const NOTICES = new Set([
  'account/rateLimits/updated',
  'agent_reasoning_section_break',
  'apply_patch_approval_request',
  'background_event',
  'codex/event/raw_item',
  'collab_agent_interaction_begin',
  'collab_agent_spawn_begin',
  'collab_close_begin',
  'collab_waiting_begin',
  'context_compacted',
  'deprecation_notice',
  'dynamic_tool_call_request',
  'elicitation_request',
  'exec_approval_request',
  'exec_command_begin',
  'guardian_assessment',
  'hook_completed',
  'hook_started',
  'image_generation_begin',
  'item_started',
  'mcp_tool_call_begin',
  'model_reroute',
  'patch_apply_begin',
  'plan_update',
  'request_user_input',
  'session_configured',
  'shutdown_complete',
  'stream_error',
  'sub_agent_activity',
  'task_started',
  'thread_goal_updated',
  'thread_rolled_back',
  'turn_diff',
  'turn_started',
  'undo_completed',
  'undo_started',
  'view_image_tool_call',
  'warning',
  'web_search_begin',
])

/** Longest value a notice's payload keeps; longer ones repeat what another record tells. */
const NOTICE_VALUE = 200

function readNotice(reading: RecordReading): void {
  const { payload } = reading
  if (!NOTICES.has(String(payload.type))) {
    addUnknown(reading)
    return
  }
  const facts: Fields = {}
  for (const [name, value] of Object.entries(payload)) {
    if (typeof value === 'string' ? value.length <= NOTICE_VALUE : typeof value === 'number') facts[name] = value
  }
  const turn = string(payload.turn_id)
  const starts = payload.type === 'task_started' || payload.type === 'turn_started'
  const draft = addAside(reading, 'runtime', facts, starts && turn ? `${payload.type}:${turn}` : undefined)
  if (payload.type === 'warning' || payload.type === 'stream_error') draft.text = errorText(payload)
}
