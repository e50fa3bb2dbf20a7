/**
 * What an agent did, as the side tells it that the user was shown: commands, file changes, MCP calls, searches. As a rule
 * that is the twin of a call among the response items, and adds what those do not know: exit code, failure. In the code
 * mode a script of the model does these things, no response item tells of them, and they are calls of their own.
 */

import type { ToolUse } from '../../core/event.ts'
import { messageText } from './content.ts'
import { type Fields, fields, list, number, pick, string } from './fields.ts'
import { addAside, type RecordReading, toolUse } from './reading.ts'
import { findCall, isTwin, rememberCall } from './state.ts'
import { addToolCall, addToolResponse, commandLine, nameOf, searchText } from './tool-calls.ts'
import { mcpResultText } from './tool-outputs.ts'

interface Action {
  id: string | undefined
  name: string
  server?: string | undefined
  /** Read only when the action is a call of its own. */
  input: () => unknown
  text: () => string
  output: () => string
  exitCode?: number | undefined
  failed: boolean
  cwd?: string | undefined
  /** What a twin keeps. */
  facts: Fields | undefined
}

function readAction(reading: RecordReading, action: Action): void {
  const { state } = reading
  const { id, name, server, exitCode, failed } = action
  const call = findCall(state, id)
  if (call) {
    if (exitCode !== undefined) call.exitCode = exitCode
    if (failed) call.failed = true
    if (server !== undefined) call.server ??= server
    const kind = fields(reading.payload.item).type ?? reading.payload.type
    const twin = addAside(reading, 'runtime', action.facts, id && `twin:${String(kind)}:${id}`)
    // The output came first and did not know it: a command cut short, or one that went on in the background.
    if (call.answered && exitCode !== undefined) twin.tool = outcome(call.name, call.server, id, exitCode, failed)
    return
  }
  rememberCall(state, id, name, server)
  const draft = addToolCall(reading, name, server, id, action.input(), action.text())
  if (action.cwd !== undefined) draft.cwd = action.cwd
  addToolResponse(reading, name, server, id, action.output()).tool = outcome(name, server, id, exitCode, failed)
}

function outcome(
  name: string,
  server: string | undefined,
  id: string | undefined,
  exitCode: number | undefined,
  failed: boolean,
): ToolUse {
  const tool = toolUse('response', name, server, id)
  if (exitCode !== undefined) tool.exitCode = exitCode
  if (failed) tool.error = true
  return tool
}

/** Codex says that an action went wrong in one of these words. */
function isFailure(status: unknown): boolean {
  return status === 'failed' || status === 'declined' || status === 'errored'
}

/** `CommandExecution` and `exec_command_end`. */
export function readCommand(reading: RecordReading, id: string | undefined, command: Fields): void {
  const facts = pick(command, ['status', 'exit_code', 'source', 'process_id'])
  // A command the user typed themselves: the message that tells the model of it holds it too.
  if (command.source === 'user_shell' || command.source === 'userShell') {
    addAside(reading, 'runtime', facts)
    return
  }
  const cwd = pathOf(string(command.cwd))
  readAction(reading, {
    id,
    name: 'exec_command',
    input: () => ({ command: command.command, ...(cwd !== undefined && { workdir: cwd }) }),
    text: () => commandLine(command.command) ?? '',
    output: () => string(command.aggregated_output) ?? [string(command.stdout), string(command.stderr)].join(''),
    exitCode: number(command.exit_code),
    failed: isFailure(command.status),
    cwd,
    facts,
  })
}

/** A path, also where it is written as a `file:` URL; `/c:/x` of such a URL is `c:/x`. */
function pathOf(place: string | undefined): string | undefined {
  if (!place?.startsWith('file://')) return place
  const path = place.slice('file://'.length).replace(/^\/(?=[a-z]:)/i, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** `FileChange` and `patch_apply_end`: the paths are the keys of `changes`. */
export function readFileChange(reading: RecordReading, id: string | undefined, change: Fields): void {
  const changes = fields(change.changes)
  readAction(reading, {
    id,
    name: 'apply_patch',
    input: () => ({ changes }),
    text: () => patchText(changes),
    output: () => [string(change.stdout), string(change.stderr)].join(''),
    failed: isFailure(change.status) || change.success === false,
    facts: { ...pick(change, ['status']), paths: Object.keys(changes) },
  })
}

/** Changes written as the patch they came from, near enough to read and to find. */
function patchText(changes: Fields): string {
  return Object.entries(changes)
    .map(([path, value]) => {
      const change = fields(value)
      const move = string(change.move_path)
      const verb = change.type === 'add' ? 'Add' : change.type === 'delete' ? 'Delete' : 'Update'
      const head = `*** ${verb} File: ${path}${move === undefined ? '' : `\n*** Move to: ${move}`}`
      const body = string(change.unified_diff) ?? (change.type === 'delete' ? undefined : string(change.content))
      return body === undefined ? head : `${head}\n${body}`
    })
    .join('\n')
}

/** `McpToolCall` and `mcp_tool_call_end`. */
export function readMcpCall(reading: RecordReading, id: string | undefined, call: Fields): void {
  const server = string(call.server)
  const result = fields(call.result)
  const failure = call.error ?? result.Err ?? undefined
  const answer = result.Ok ?? call.result
  readAction(reading, {
    id,
    name: string(call.tool) ?? 'unknown',
    server,
    input: () => call.arguments,
    text: () => (call.arguments === undefined ? '' : JSON.stringify(call.arguments)),
    output: () => mcpResultText(failure ?? answer),
    failed: isFailure(call.status) || fields(answer).isError === true || failure !== undefined,
    facts: pick(call, ['server', 'tool', 'status']),
  })
}

/** `CollabAgentToolCall` and the `collab_…_end` events: one agent starts, asks or waits for others. */
export function readAgentCall(reading: RecordReading, id: string | undefined, name: string, call: Fields): void {
  readAction(reading, {
    id,
    name,
    input: () => pick(call, ['prompt', 'receiver_thread_ids', 'receiver_thread_id', 'model']),
    text: () => string(call.prompt) ?? '',
    output: () => (call.agents_states === undefined ? '' : JSON.stringify(call.agents_states)),
    failed: isFailure(call.status),
    facts: pick(call, [
      'tool',
      'status',
      'receiver_thread_ids',
      'receiver_thread_id',
      'new_thread_id',
      'agents_states',
    ]),
  })
}

/** `dynamic_tool_call_response`: a tool the client brought along. */
export function readDynamicCall(reading: RecordReading, id: string | undefined, call: Fields): void {
  const { name, server } = nameOf(string(call.tool), call.namespace)
  readAction(reading, {
    id,
    name,
    server,
    input: () => call.arguments,
    text: () => (call.arguments === undefined ? '' : JSON.stringify(call.arguments)),
    output: () => messageText(call.content_items) || (string(call.error) ?? ''),
    failed: call.success === false,
    facts: pick(call, ['tool', 'namespace', 'success']),
  })
}

/**
 * `web_search_end`, and the item `Extension`. The call among the response items may come after it and has not always an
 * id: what was searched for tells that they are the same. Results are told only here.
 */
export function readSearchEvent(reading: RecordReading, id: string | undefined, search: Fields): void {
  const text = searchText(fields(search.action), search.query)
  const twin = isTwin(reading.state, 'search', 'event', text)
  const found = list(search.results).map((result) => resultText(fields(result)))
  if (!twin) addToolCall(reading, 'web_search', undefined, id, search.action ?? { query: search.query }, text)
  if (found.length > 0) addToolResponse(reading, 'web_search', undefined, id, found.join('\n'))
  if (reading.drafts.length === 0) addAside(reading, 'runtime', undefined)
}

function resultText({ title, url, snippet }: Fields): string {
  return [string(title), string(url), string(snippet)].filter((each) => each !== undefined).join('\n')
}
