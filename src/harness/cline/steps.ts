/** What one step that the extension showed its user means. A step says something (`say`) or asks for an answer (`ask`). */

import type { Draft, EventType, Reading, SessionFacts, Usage } from '../../core/event.ts'
import { count, type Fields, fields, foreign, lines, list, number, pick, text } from '../fields.ts'
import { callOf, responseOf } from './shown-tools.ts'
import type { TaskState } from './state.ts'

export interface StepReading {
  state: TaskState
  step: Fields
  id: string
  model: string
  said: string
  drafts: Draft[]
  sessions: SessionFacts[]
}

type StepReader = (reading: StepReading) => void

/** `record`: a step with its id and the model in use. */
export function readStep(record: Fields, state: TaskState): Reading {
  const step = fields(record['step'])
  const reading: StepReading = {
    state,
    step,
    id: text(record['id']),
    model: text(fields(step['modelInfo'])['modelId']) || text(record['model']),
    said: text(step['text']),
    drafts: [],
    sessions: [],
  }
  const kind = text(step['say']) || text(step['ask'])
  const read = (step['type'] === 'ask' ? ASKED : SAID).get(kind)
  if (read) read(reading)
  else add(reading, 'unknown', '', { payload: foreign(record['step']) })
  const { drafts, sessions } = reading
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}

export function add(reading: StepReading, type: EventType, said: string, more: Partial<Draft> = {}): Draft {
  const { state, step, id, model, drafts } = reading
  const native = id === '' ? { index: drafts.length } : { id, index: drafts.length }
  const draft: Draft = { session: state.session, type, text: said, native, ...more }
  const at = number(step['ts'])
  if (at !== undefined) draft.at = at
  if (model !== '') draft.model = model
  if (state.cwd !== '') draft.cwd = state.cwd
  drafts.push(draft)
  return draft
}

const note: StepReader = (reading) => {
  const { step, said } = reading
  add(reading, 'system', said.length <= NOTE ? said : '', { payload: { type: step['say'] ?? step['ask'] } })
}

/** Characters of a note that are kept. */
const NOTE = 2000

const SAID: ReadonlyMap<string, StepReader> = new Map<string, StepReader>([
  ['task', readPrompt],
  ['user_feedback', readPrompt],
  ['text', (reading) => answer(reading, true)],
  ['completion_result', (reading) => answer(reading, false)],
  ['reasoning', (reading) => add(reading, 'reasoning', reading.said || text(reading.step['reasoning']))],
  ['api_req_started', readRequest],
  ['subagent_usage', readRequest],
  ['error', (reading) => add(reading, 'runtime', reading.said)],
  ['diff_error', (reading) => add(reading, 'runtime', reading.said)],
  ...['tool', 'command', 'use_mcp_server', 'browser_action_launch', 'browser_action', 'use_subagents'].map(
    (kind) => [kind, readCall] as const,
  ),
  ...['command_output', 'mcp_server_response', 'browser_action_result', 'subagent'].map(
    (kind) => [kind, readResponse] as const,
  ),
  ...[
    'api_req_finished',
    'api_req_retried',
    'checkpoint_created',
    'clineignore_error',
    'command_permission_denied',
    'conditional_rules_applied',
    'deleted_api_reqs',
    'error_retry',
    'generate_explanation',
    'hook_output_stream',
    'hook_status',
    'info',
    'load_mcp_documentation',
    'mcp_notification',
    'mcp_server_request_started',
    'shell_integration_warning',
    'shell_integration_warning_with_suggestion',
    'task_progress',
    'user_feedback_diff',
  ].map((kind) => [kind, note] as const),
])

const ASKED: ReadonlyMap<string, StepReader> = new Map<string, StepReader>([
  ['followup', readQuestion],
  ['plan_mode_respond', readQuestion],
  ['completion_result', (reading) => end(reading, 'answered')],
  ['api_req_failed', (reading) => end(reading, 'failed')],
  ['mistake_limit_reached', (reading) => end(reading, 'failed')],
  ['resume_task', (reading) => end(reading, 'interrupted')],
  ...['tool', 'command', 'use_mcp_server', 'browser_action_launch', 'use_subagents'].map(
    (kind) => [kind, readCall] as const,
  ),
  ['command_output', readResponse],
  ['condense', (reading) => add(reading, 'compaction', reading.said)],
  ['summarize_task', (reading) => add(reading, 'compaction', reading.said)],
  ...['act_mode_respond', 'new_task', 'report_bug', 'resume_completed_task'].map((kind) => [kind, note] as const),
])

/** The task, or what the user said when it was asked for or in between. */
function readPrompt(reading: StepReading): void {
  const { step, state, said } = reading
  const media = [
    ...list(step['images']).map(() => '[image]'),
    ...list(step['files']).map((file) => `[file ${text(file)}]`),
  ]
  add(reading, 'user_input', lines(said, ...media), { opensTurn: true })
  state.isOpen = true
  state.call = null
}

/** Marks, at the end of a result, that files were changed. */
const CHANGES_FLAG = /HAS_CHANGES$/

function answer(reading: StepReading, commentary: boolean): void {
  const { said, state } = reading
  const draft = add(reading, 'assistant_response', said.replace(CHANGES_FLAG, ''))
  if (commentary) draft.commentary = true
  state.isOpen = true
}

/** A question, or a plan to talk over: the user is next. */
function readQuestion(reading: StepReading): void {
  const { step, said, state } = reading
  const shown = fields(parsed(said))
  const words = text(shown['question']) || text(shown['response']) || said
  const options = list(shown['options']).filter((option) => typeof option === 'string')
  const draft = add(reading, 'assistant_response', lines(words, ...options.map((option) => `- ${option}`)))
  if (step['partial'] === true) return
  draft.ends = 'answered'
  state.isOpen = false
}

/** The client waits for its user. Whatever ended before stays so. */
function end(reading: StepReading, ends: NonNullable<Draft['ends']>): void {
  const { step, said, state } = reading
  const draft = add(reading, 'runtime', ends === 'answered' ? '' : said, { payload: { type: step['ask'] } })
  if (!state.isOpen || step['partial'] === true) return
  draft.ends = ends
  state.isOpen = false
}

/** One request to the model: what it cost, and whether it was cut short. The request itself is not kept. */
function readRequest(reading: StepReading): void {
  const { step, state, said } = reading
  const request = fields(parsed(said))
  const cwd = /# Current (?:Working|Workspace) Directory \((.+?)\) Files/.exec(text(request['request']))?.[1]
  if (cwd !== undefined && state.cwd === '') {
    state.cwd = cwd
    reading.sessions.push({ nativeId: state.session, cwd })
  }
  const draft = add(reading, 'runtime', text(request['streamingFailedMessage']), {
    payload: { type: step['say'], ...pick(request, ['cost', 'cancelReason']) },
  })
  const usage = usageOf(reading, request)
  if (usage) draft.usage = usage
  const reason = request['cancelReason']
  if (typeof reason !== 'string') return
  draft.ends = reason === 'user_cancelled' ? 'interrupted' : 'failed'
  state.isOpen = false
}

/** `tokensIn` excludes what came from a cache or was written to it. */
function usageOf({ id, state }: StepReading, request: Fields): Usage | undefined {
  const usage = {
    id: `${state.session}/${id}`,
    input: count(request['tokensIn']),
    output: count(request['tokensOut']),
    cacheRead: count(request['cacheReads']),
    cacheWrite: count(request['cacheWrites']),
    reasoning: 0,
  }
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0 ? undefined : usage
}

function readCall(reading: StepReading): void {
  const { step, state, id, said } = reading
  const call = callOf(text(step['say']) || text(step['ask']), said, parsed(said))
  add(reading, 'tool_call', call.text, {
    tool: {
      name: call.name,
      ...(call.server !== '' && { server: call.server }),
      ...(id !== '' && { callId: id }),
      phase: 'call',
      input: call.input,
    },
  })
  state.call = { id, name: call.name, server: call.server }
  state.isOpen = true
}

/** Belongs to the call before it: one thing happens at a time. */
function readResponse(reading: StepReading): void {
  const { state, said } = reading
  const { id = '', name = '', server = '' } = state.call ?? {}
  add(reading, 'tool_response', responseOf(said, parsed(said)), {
    tool: { name, ...(server !== '' && { server }), ...(id !== '' && { callId: id }), phase: 'response' },
  })
}

/** JSON text as its value; anything else as it is. */
function parsed(said: string): unknown {
  if (!/^\s*[[{]/.test(said)) return said
  try {
    return JSON.parse(said)
  } catch {
    return said
  }
}
