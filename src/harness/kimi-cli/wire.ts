/** The wire of Kimi CLI: what the agent told whoever showed it. Times are seconds with a fraction. */

import { isRecord } from '../../core/json.ts'
import { type Fields, fields, lines, pick, smallFields, text } from '../fields.ts'
import { addCall, addPart, addResult, contentText, parsedArguments } from './content.ts'
import { add, addPrompt, addUnknown, type Entry, end } from './entry.ts'
import { agentSession } from './paths.ts'
import { usageOf } from './usage.ts'

export function isWireRecord(record: Fields): boolean {
  return record['type'] === undefined && isRecord(record['message'])
}

export function readWireRecord(entry: Entry): void {
  readWireMessage(entry, entry.record['message'])
}

/** Also one of a subagent's inside its parent's. */
function readWireMessage(entry: Entry, message: unknown): void {
  const { type, payload } = fields(message)
  const reader = READERS.get(text(type))
  if (reader) reader({ ...entry, record: fields(payload) })
  else addUnknown(entry)
}

const READERS = new Map<string, (entry: Entry) => void>([
  ['TurnBegin', (entry) => addPrompt(entry, contentText(entry.record['user_input']))],
  ['SteerInput', (entry) => add(entry, 'user_input', contentText(entry.record['user_input']))],
  ['TurnEnd', readTurnEnd],
  ['StepBegin', readStepBegin],
  ['StepInterrupted', readInterruption],
  ['ContentPart', (entry) => addPart(entry, entry.record, '')],
  ['ToolCall', readCall],
  ['ToolCallPart', readNote],
  ['ToolResult', readResult],
  ['StatusUpdate', readStatus],
  ['CompactionBegin', readNote],
  ['CompactionEnd', (entry) => add(entry, 'compaction', '')],
  ['SubagentEvent', readSubagentEvent],
  ['Notification', (entry) => add(entry, 'system', lines(text(entry.record['title']), text(entry.record['body'])))],
  ['PlanDisplay', (entry) => add(entry, 'system', text(entry.record['content']), keeping(entry, ['file_path']))],
  ['HookTriggered', readNote],
  ['HookResolved', readNote],
  ['MCPLoadingBegin', readNote],
  ['MCPLoadingEnd', readNote],
  ['MCPStatusSnapshot', readNote],
  ['BtwBegin', readNote],
  ['BtwEnd', readNote],
  ['ApprovalRequest', readNote],
  ['ApprovalRequestResolved', readNote],
  ['ApprovalResponse', readNote],
  ['QuestionRequest', readNote],
  ['QuestionResponse', readNote],
  ['ToolCallRequest', readNote],
])

function keeping({ record }: Entry, names: readonly string[]): { payload?: unknown } {
  const payload = pick(record, names)
  return payload ? { payload } : {}
}

function readNote(entry: Entry): void {
  add(entry, 'runtime', '', { payload: smallFields(entry.record) })
}

function readStepBegin(entry: Entry): void {
  entry.state.isInterrupted = false
  readNote(entry)
}

/** By the user or by an error: the wire does not tell them apart. */
function readInterruption(entry: Entry): void {
  entry.state.isInterrupted = true
  end(entry, add(entry, 'runtime', ''), 'interrupted')
}

/** Also told of a turn whose last step was cut short; some clients then leave it out. */
function readTurnEnd(entry: Entry): void {
  const draft = add(entry, 'runtime', '')
  if (!entry.state.isInterrupted) end(entry, draft, 'answered')
}

function readCall(entry: Entry): void {
  const { record } = entry
  const { name, arguments: given } = fields(record['function'])
  const callId = text(record['id'])
  addCall(entry, callId, text(name), parsedArguments(given), callId === '' ? '' : `call/${callId}`)
}

function readResult(entry: Entry): void {
  const { record } = entry
  const callId = text(record['tool_call_id'])
  const value = fields(record['return_value'] ?? record['result'])
  const message = text(value['message'])
  const said = contentText(value['output']) || message
  const id = callId === '' ? '' : `result/${callId}`
  addResult(entry, callId, said, value['is_error'] === true, message || said, id)
}

function readStatus(entry: Entry): void {
  const { record, session, index } = entry
  const draft = add(entry, 'runtime', '', keeping(entry, ['context_tokens', 'max_context_tokens', 'plan_mode']))
  const usage = usageOf(record['token_usage'], text(record['message_id']) || `${session} ${index}`)
  if (usage) draft.usage = usage
}

/** A subagent with a file of its own is read there; the first ones had none, and are read here. */
function readSubagentEvent(entry: Entry): void {
  const { record, state, sessions } = entry
  const callId = text(record['parent_tool_call_id']) || text(record['task_tool_call_id'])
  const agent = text(record['agent_id'])
  if (agent === '' && callId === '') {
    readNote(entry)
    return
  }
  const session = agentSession(entry.session, agent || callId)
  const parent = { nativeId: entry.session, relation: 'subagent' as const, ...(callId === '' ? {} : { callId }) }
  sessions.push({ nativeId: session, parent })
  if (agent !== '') {
    add(entry, 'runtime', '', { payload: { agent_id: agent } })
    return
  }
  const { turnIsOpen, isInterrupted } = state
  readWireMessage({ ...entry, session }, record['event'])
  Object.assign(state, { turnIsOpen, isInterrupted })
  if (entry.drafts.length === 0) readNote(entry)
}
