/** `item_completed`: one step as the user was shown it (the only kind of step event since 0.171). */

import { readAgentCall, readCommand, readFileChange, readMcpCall, readSearchEvent } from './actions.ts'
import { readAssistantText, readReasoningParts } from './answers.ts'
import { messageText } from './content.ts'
import { type Fields, fields, list, pick, string } from './fields.ts'
import { readUserEvent } from './prompts.ts'
import { add, addAside, addUnknown, type RecordReading } from './reading.ts'

type ItemReader = (reading: RecordReading, id: string | undefined, item: Fields) => void

const READERS: ReadonlyMap<unknown, ItemReader> = new Map<string, ItemReader>([
  ['UserMessage', readUserMessage],
  ['AgentMessage', readAgentMessage],
  ['Reasoning', readReasoning],
  ['CommandExecution', readCommand],
  ['FileChange', readFileChange],
  ['McpToolCall', readMcpCall],
  ['CollabAgentToolCall', (reading, id, item) => readAgentCall(reading, id, string(item.tool) ?? 'agent', item)],
  ['Extension', readSearchEvent],
  ['WebSearch', readSearchEvent],
  ['Plan', readPlan],
  ['SubAgentActivity', readShortItem],
  ['ContextCompaction', readShortItem],
])

export function readCompletedItem(reading: RecordReading): void {
  const item = fields(reading.payload.item)
  const reader = READERS.get(item.type) ?? addUnknown
  reader(reading, string(item.id), item)
}

function readUserMessage(reading: RecordReading, id: string | undefined, item: Fields): void {
  readUserEvent(reading, messageText(item.content), item.content, id && `item:${id}`)
}

/** Its id is that of the message among the response items. */
function readAgentMessage(reading: RecordReading, id: string | undefined, item: Fields): void {
  readAssistantText(reading, 'event', messageText(item.content), string(item.phase), id && `message:${id}`)
}

function readReasoning(reading: RecordReading, id: string | undefined, item: Fields): void {
  const parts = [...list(item.summary_text), ...list(item.raw_content)].map((part) => messageText(part))
  readReasoningParts(reading, 'event', parts, undefined, id && `reasoning:${id}`)
}

function readPlan(reading: RecordReading, id: string | undefined, item: Fields): void {
  const draft = add(reading, 'runtime', string(item.text) ?? '', id && `item:${id}`)
  draft.payload = { type: 'item_completed', item: 'Plan' }
}

/** Steps with little to say: a subagent started or ended, the context was compacted. */
function readShortItem(reading: RecordReading, id: string | undefined, item: Fields): void {
  const facts = pick(item, ['kind', 'model', 'status', 'agent_thread_id', 'agent_path'])
  addAside(reading, 'runtime', facts, id && `item:${String(item.type)}:${id}`)
}
