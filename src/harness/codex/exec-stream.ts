/**
 * The stream `codex exec --json` prints, which some people save beside rollouts: another grammar, with dotted types and
 * no times. It does not tell the prompt, and its usage stands in the rollout of the same thread.
 */

import { readCommand, readFileChange, readMcpCall, readSearchEvent } from './actions.ts'
import { readAssistantText, readReasoningParts } from './answers.ts'
import { errorText } from './event-messages.ts'
import { type Fields, fields, list, pick, string } from './fields.ts'
import { add, addAside, addUnknown, type Reader, type RecordReading } from './reading.ts'
import { endTurn } from './state.ts'

const READERS: ReadonlyMap<unknown, Reader> = new Map<string, Reader>([
  ['thread.started', readStart],
  ['turn.started', readProgress],
  ['item.started', readProgress],
  ['item.updated', readProgress],
  ['item.completed', readItem],
  ['turn.completed', (reading) => readEnd(reading, 'answered')],
  ['turn.failed', (reading) => readEnd(reading, 'failed')],
])

/** Ids of items count from 0 in each run, so that they name nothing. */
type ItemReader = (reading: RecordReading, item: Fields) => void

const ITEM_READERS: ReadonlyMap<unknown, ItemReader> = new Map<string, ItemReader>([
  ['agent_message', readAnswer],
  ['assistant_message', readAnswer],
  ['reasoning', readThought],
  ['command_execution', (reading, item) => readCommand(reading, undefined, item)],
  ['file_change', readChange],
  ['mcp_tool_call', (reading, item) => readMcpCall(reading, undefined, item)],
  ['web_search', (reading, item) => readSearchEvent(reading, undefined, item)],
  ['todo_list', (reading, item) => addAside(reading, 'runtime', pick(item, ['type', 'items']))],
  ['error', readItemError],
])

export function isStreamRecord(type: unknown): boolean {
  return READERS.has(type)
}

export function readStreamRecord(reading: RecordReading): void {
  const reader = READERS.get(reading.envelope.type) ?? addUnknown
  reader(reading)
}

function readStart(reading: RecordReading): void {
  const { envelope, state } = reading
  const thread = string(envelope.thread_id)
  if (thread !== undefined && !state.begun) state.session = thread
  addAside(reading, 'system', pick(envelope, ['thread_id']))
}

function readProgress(reading: RecordReading): void {
  addAside(reading, 'runtime', pick(fields(reading.envelope.item), ['id']))
}

function readEnd(reading: RecordReading, ends: 'answered' | 'failed'): void {
  const { envelope, state } = reading
  const draft = add(reading, 'runtime', errorText(envelope.error))
  draft.payload = pick(envelope, ['type', 'usage'])
  draft.ends = ends
  endTurn(state)
}

function readItem(reading: RecordReading): void {
  const item = fields(reading.envelope.item)
  const reader = ITEM_READERS.get(item.type ?? item.item_type) ?? addUnknown
  reader(reading, item)
}

function readAnswer(reading: RecordReading, item: Fields): void {
  readAssistantText(reading, 'event', string(item.text) ?? '', undefined, undefined)
}

function readThought(reading: RecordReading, item: Fields): void {
  readReasoningParts(reading, 'event', [string(item.text) ?? ''], undefined, undefined)
}

function readChange(reading: RecordReading, item: Fields): void {
  readFileChange(reading, undefined, { ...item, changes: changesByPath(item.changes) })
}

function readItemError(reading: RecordReading, item: Fields): void {
  add(reading, 'runtime', errorText(item)).payload = { type: 'error' }
}

/** The stream lists `{path, kind}` where a rollout has an object by path. */
function changesByPath(changes: unknown): Fields {
  return Object.fromEntries(
    list(changes).map((change) => [String(fields(change).path), { type: fields(change).kind ?? 'update' }]),
  )
}
