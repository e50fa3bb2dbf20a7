/** `response_item`: what went to the model and came back from it. */

import { readAssistantText, readReasoningParts } from './answers.ts'
import { messageText } from './content.ts'
import { type Fields, fields, list, parsed, pick, string } from './fields.ts'
import { addPrompt, readUserItem } from './prompts.ts'
import { add, addAside, addUnknown, type Reader, type RecordReading } from './reading.ts'
import { findCall, isTwin, rememberCall } from './state.ts'
import { addToolCall, addToolResponse, callText, commandLine, nameOf, searchText } from './tool-calls.ts'
import { readOutput } from './tool-outputs.ts'
import { readTokenCount } from './usage.ts'

const READERS: ReadonlyMap<unknown, Reader> = new Map<string, Reader>([
  ['message', readMessage],
  ['reasoning', readReasoning],
  ['function_call', readCall],
  ['function_call_output', readCallOutput],
  ['custom_tool_call', readCall],
  ['custom_tool_call_output', readCallOutput],
  ['local_shell_call', readLocalShell],
  ['local_shell_call_output', readCallOutput],
  ['tool_search_call', readToolSearch],
  ['tool_search_output', readFoundTools],
  ['web_search_call', readWebSearch],
  ['image_generation_call', readImageGeneration],
  ['agent_message', readAgentTraffic],
  ['additional_tools', readAdditionalTools],
  ['ghost_snapshot', readGhostSnapshot],
  ['compaction', readCompactionItem],
  ['compaction_summary', readCompactionItem],
  ['compaction_trigger', readCompactionItem],
  ['context_compaction', readCompactionItem],
  ['token_count', readTokenCount],
  // Spellings of the first releases.
  ['tool_call', readCall],
  ['tool_result', readCallOutput],
  ['function_result', readCallOutput],
])

export function readResponseItem(reading: RecordReading): void {
  const reader = READERS.get(reading.payload.type) ?? addUnknown
  reader(reading)
}

/** The id of a response item, which survives copying the file, with the kind of item in front. */
function idOf({ payload }: RecordReading, kind: string): string | undefined {
  const id = string(payload.id)
  return id === undefined ? undefined : `${kind}:${id}`
}

function readMessage(reading: RecordReading): void {
  const { payload, envelope } = reading
  const id = idOf(reading, 'message')
  if (payload.role === 'user') readUserItem(reading, id)
  else if (payload.role !== 'assistant') readInstructions(reading, id)
  else if (fields(envelope.metadata).compaction_output === true) {
    // The summary a compaction wrote: `compacted` holds it, and nobody was answered.
    addAside(reading, 'runtime', { role: 'assistant', compaction_output: true }, id)
  } else readAssistantText(reading, 'item', messageText(payload.content), string(payload.phase), id)
}

/** Messages of the roles `developer` and `system`. Base instructions are long and always the same: only their size. */
function readInstructions(reading: RecordReading, id: string | undefined): void {
  const { payload } = reading
  const kinds = list(fields(payload.internal_chat_message_metadata_passthrough).content_item_kinds)
  const text = messageText(payload.content)
  const base = kinds.length === 1 && kinds[0] === 'model.base_instructions'
  const draft = add(reading, 'system', base ? '' : text, id)
  draft.payload = {
    type: 'message',
    ...pick(payload, ['role']),
    ...(kinds.length > 0 && { kinds }),
    ...(base && { characters: text.length }),
  }
}

function readReasoning(reading: RecordReading): void {
  const { payload } = reading
  const parts = [...list(payload.summary), ...list(payload.content)].map((part) => messageText(part))
  readReasoningParts(reading, 'item', parts, string(payload.encrypted_content), idOf(reading, 'reasoning'))
}

function readCall(reading: RecordReading): void {
  const { payload } = reading
  const named = string(payload.name) ?? string(fields(payload.function).name)
  const { name, server } = nameOf(named, payload.namespace)
  const raw = string(payload.input) ?? string(payload.arguments)
  const input =
    payload.type === 'custom_tool_call' ? (raw ?? payload.input) : parsed(payload.arguments ?? payload.input)
  addCall(reading, name, server, input, callText(input, raw))
}

function readLocalShell(reading: RecordReading): void {
  const { action } = reading.payload
  addCall(reading, 'local_shell', undefined, action, commandLine(fields(action).command) ?? '')
}

function readToolSearch(reading: RecordReading): void {
  const { arguments: input } = reading.payload
  addCall(reading, 'tool_search', undefined, input, string(fields(input).query) ?? '')
}

function addCall(reading: RecordReading, name: string, server: string | undefined, input: unknown, text: string): void {
  const { payload, state } = reading
  const callId = string(payload.call_id)
  rememberCall(state, callId, name, server)
  addToolCall(reading, name, server, callId, input, text).payload = pick(payload, ['namespace', 'execution'])
}

/** An output takes its tool's name, and what its text does not say of its end, from what is known of the call. */
function readCallOutput(reading: RecordReading): void {
  const { payload, state } = reading
  const callId = string(payload.call_id)
  const call = findCall(state, callId)
  const { text, exitCode, failed, running, images } = readOutput(payload.output ?? payload.result)
  const draft = addToolResponse(
    reading,
    call?.name ?? nameOf(string(payload.name), undefined).name,
    call?.server,
    callId,
    text,
  )
  const { tool } = draft
  const code = exitCode ?? call?.exitCode
  if (tool && code !== undefined) tool.exitCode = code
  if (tool && (failed || call?.failed)) tool.error = true
  if (call && code === undefined) call.answered = true
  if (call && running) call.running = true
  if (images) draft.payload = { images }
}

function readFoundTools(reading: RecordReading): void {
  const { payload, state } = reading
  const callId = string(payload.call_id)
  const names = list(payload.tools).flatMap((tool) => toolNames(fields(tool)))
  addToolResponse(reading, findCall(state, callId)?.name ?? 'tool_search', undefined, callId, names.join('\n'))
}

/** A found tool, or a namespace of them: names only, their schemas are long and not conversation. */
function toolNames(tool: Fields): string[] {
  const name = string(tool.name) ?? ''
  const inner = list(tool.tools).flatMap((each) => toolNames(fields(each)))
  return inner.length > 0 ? inner.map((each) => `${name}.${each}`) : [name]
}

/** A search the provider ran itself. Its twin is the event `web_search_end`, which alone may know results. */
function readWebSearch(reading: RecordReading): void {
  const { payload, state } = reading
  const action = fields(payload.action)
  const text = searchText(action)
  const id = string(payload.id)
  if (isTwin(state, 'search', 'item', text)) {
    addAside(reading, 'runtime', pick(payload, ['status']), id)
    return
  }
  addToolCall(reading, 'web_search', undefined, id, payload.action, text).payload = pick(payload, ['status'])
}

function readImageGeneration(reading: RecordReading): void {
  const { payload } = reading
  const text = string(payload.revised_prompt) ?? ''
  const draft = addToolCall(reading, 'image_generation', undefined, string(payload.id), undefined, text)
  draft.payload = { ...pick(payload, ['status', 'saved_path']), result_characters: string(payload.result)?.length ?? 0 }
}

function readAdditionalTools(reading: RecordReading): void {
  addAside(reading, 'system', { tools: list(reading.payload.tools).length }, idOf(reading, 'additional_tools'))
}

/** A commit that saves the working tree, so that the client can undo. */
function readGhostSnapshot(reading: RecordReading): void {
  addAside(reading, 'system', pick(fields(reading.payload.ghost_commit), ['id', 'parent']))
}

/** The model's side of a compaction; the record `compacted` that follows tells of it. */
function readCompactionItem(reading: RecordReading): void {
  addAside(reading, 'runtime', undefined, idOf(reading, 'compaction'))
}

/**
 * A message from one agent to another. A task that a parent gives to its child (`/root` to `/root/NAME`) and that starts
 * a turn is the child's prompt; anything else is news from the team. The words may be encrypted.
 */
function readAgentTraffic(reading: RecordReading): void {
  const { payload, state } = reading
  const { author, recipient } = payload
  const content = list(payload.content)
  const id = idOf(reading, 'agent_message')
  const task = typeof author === 'string' && typeof recipient === 'string' && recipient.startsWith(`${author}/`)
  const opens = task && state.triggered === true
  delete state.triggered
  const text = messageText(content)
  const draft = opens ? addPrompt(reading, text, id) : add(reading, 'system', text, id)
  const ciphers = content.map((part) => string(fields(part).encrypted_content)?.length ?? 0)
  const encrypted = ciphers.reduce((sum, length) => sum + length, 0)
  draft.payload = {
    type: 'agent_message',
    ...pick(payload, ['author', 'recipient']),
    ...(encrypted > 0 && { encrypted_characters: encrypted }),
  }
}
