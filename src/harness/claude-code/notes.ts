/** Everything that is neither the user's nor the model's: what the client notes down while it works. */

import type { Draft } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { callText } from './call-text.ts'
import { foreignPayload, recordField, smallFields, textField, textOf } from './content.ts'
import { add, type Entry, tellSubagent, tellTitle } from './entry.ts'
import { append } from './state.ts'
import { meaningOf } from './user.ts'

/** Fields every record repeats, or that a draft holds already. */
const ENVELOPE: ReadonlySet<string> = new Set([
  'uuid',
  'parentUuid',
  'logicalParentUuid',
  'sessionId',
  'session_id',
  'timestamp',
  'cwd',
  'version',
  'gitBranch',
  'userType',
  'entrypoint',
  'slug',
  'isSidechain',
  'agentId',
  'isMeta',
  'content',
  'rendered',
  'renderedRole',
  'renderedBesideToolResult',
  'forkedFrom',
  // Of no use in a search, and personal.
  'ownerAccountUuid',
  'ownerOrganizationUuid',
])

/** A record of no interest but its small fields: modes, snapshots, costs, and the copies of API requests. */
export function readNote(entry: Entry): void {
  add(entry, 'system', '', { payload: smallFields(entry.record, ENVELOPE) })
}

export function readUnknown(entry: Entry): void {
  add(entry, 'unknown', '', { payload: foreignPayload(entry.record) })
}

export function readSystem(entry: Entry): void {
  const { record, state } = entry
  const payload = smallFields(record, ENVELOPE)
  const text = textField(record, 'content')
  switch (record['subtype']) {
    case 'compact_boundary':
    case 'microcompact_boundary':
      add(entry, 'compaction', text, { payload })
      return
    case 'turn_duration':
    case 'stop_hook_summary':
      // Written when a turn has run its course; they close one that ended without a text of the model.
      add(entry, 'system', '', state.turnIsOpen && entry.main ? { payload, ends: 'answered' } : { payload })
      return
    case 'api_error':
    case 'error':
      add(entry, 'runtime', errorText(record['error']), { payload: retryFields(record) })
      return
    case 'api_refusal':
      add(entry, 'runtime', text || textField(record, 'apiRefusalExplanation'), { payload, ends: 'failed' })
      return
    case 'local_command': {
      const meaning = meaningOf(record, text, false)
      add(entry, 'runtime', meaning.text)
      return
    }
    default:
      add(entry, 'system', text, { payload })
  }
}

function errorText(error: unknown): string {
  if (typeof error === 'string') return error
  if (!isRecord(error)) return ''
  return textField(error, 'formatted') || textField(error, 'message') || errorText(error['error'])
}

function retryFields(record: Record<string, unknown>): Record<string, unknown> {
  const { subtype, retryAttempt, maxRetries, retryInMs, source } = record
  return smallFields({
    subtype,
    status: recordField(record, 'error')['status'],
    retryAttempt,
    maxRetries,
    retryInMs,
    source,
  })
}

/** Signs of life of a running tool or hook. A subagent's messages are copied here too; they have a file of their own. */
export function readProgress(entry: Entry): void {
  const { record } = entry
  const data = recordField(record, 'data')
  const { toolUseID, parentToolUseID, status, durationMs } = record
  if (data['type'] === 'agent_progress') {
    tellSubagent(entry, textField(data, 'agentId'), textField(record, 'parentToolUseID'))
  }
  add(entry, 'system', '', {
    payload: smallFields({ toolUseID, parentToolUseID, status, durationMs, ...smallFields(data) }),
  })
}

/** Context the client adds to a request: files, memories, reminders, hook output. Named, not repeated. */
export function readAttachment(entry: Entry): void {
  const attachment = recordField(entry.record, 'attachment')
  switch (attachment['type']) {
    case 'queued_command':
      readQueuedCommand(entry, attachment)
      return
    case 'hook_blocking_error':
      add(entry, 'system', textField(recordField(attachment, 'blockingError'), 'blockingError'), {
        payload: { attachment: smallFields(attachment, HOOK_ERROR) },
      })
      return
    default: {
      const rest: Partial<Draft> = { payload: { attachment: smallFields(attachment, undefined, ATTACHED) } }
      if (attachment['hookEvent'] === 'SessionEnd' && entry.state.turnIsOpen && entry.main) rest.ends = 'exited'
      add(entry, 'system', attachmentText(attachment), rest)
    }
  }
}

/** The error itself is the event's text. */
const HOOK_ERROR: ReadonlySet<string> = new Set(['blockingError'])

/** Fields that hold what was attached. */
const ATTACHED: ReadonlySet<string> = new Set(['content', 'prompt', 'snippet', 'text'])

/** The file or memory an attachment is about, by which it may be looked for. */
function attachmentText(attachment: Record<string, unknown>): string {
  return (
    textField(attachment, 'filename') ||
    textField(attachment, 'fileName') ||
    textField(attachment, 'path') ||
    textField(attachment, 'stderr').slice(0, HOOK_TEXT) ||
    (textField(attachment, 'type') === 'hook_additional_context'
      ? textOf(attachment['content']).slice(0, HOOK_TEXT)
      : '')
  )
}

/** Characters of a hook's output shown. */
const HOOK_TEXT = 2000

/** What was typed while the agent worked and was given to it between two calls: the person's, in the same turn. */
function readQueuedCommand(entry: Entry, attachment: Record<string, unknown>): void {
  const text = textOf(attachment['prompt'])
  const mode = textField(attachment, 'commandMode')
  const meaning = meaningOf(attachment, text, true)
  const isPrompt = meaning.type === 'user_input' && (mode === '' || mode === 'prompt')
  add(entry, isPrompt ? 'user_input' : 'runtime', meaning.text)
}

export function readQueueOperation(entry: Entry): void {
  const { record } = entry
  const text = textOf(record['content'])
  add(entry, 'runtime', meaningOf(record, text, true).text, { payload: smallFields(record, ENVELOPE) })
}

/**
 * `{summary, leafUuid}` titles the conversation that ends with that message, which is often another one: clients wrote
 * such records into whatever file was open. A summary without a leaf is a compaction.
 */
export function readSummary(entry: Entry): void {
  const { record, state } = entry
  const leaf = textField(record, 'leafUuid')
  const text = textField(record, 'summary') || textOf(recordField(record, 'message')['content'])
  if (leaf === '') {
    add(entry, 'compaction', text)
    return
  }
  if (state.recent.includes(leaf)) tellTitle(entry, text, 1)
  else append(state.summaries, [leaf, text.slice(0, TITLE)])
  add(entry, 'system', '', { payload: { type: 'summary', summary: text, leafUuid: leaf } })
}

/** Characters of a title worth remembering. */
const TITLE = 300

export function readAiTitle(entry: Entry): void {
  readTitle(entry, textField(entry.record, 'aiTitle'), 2)
}

export function readCustomTitle(entry: Entry): void {
  readTitle(entry, textField(entry.record, 'customTitle'), 3)
}

function readTitle(entry: Entry, title: string, rank: number): void {
  tellTitle(entry, title, rank)
  add(entry, 'system', title, { payload: { type: entry.record['type'] } })
}

/** A link to what came of the session: a pull request, a preview. */
export function readLink(entry: Entry): void {
  const { record } = entry
  const text = [textField(record, 'title'), textField(record, 'prUrl') || textField(record, 'frameUrl')]
  add(entry, 'system', text.filter((part) => part !== '').join('\n'), { payload: smallFields(record, ENVELOPE) })
}

/** Early clients wrote a tool's call and result as records of their own, without ids. */
export function readBareToolUse(entry: Entry): void {
  const name = textField(entry.record, 'name')
  const { input } = entry.record
  add(entry, 'tool_call', callText(name, input), { tool: { name, phase: 'call', input } })
}

export function readBareToolResult(entry: Entry): void {
  const text = textOf(entry.record['output'])
  add(entry, 'tool_response', text, { tool: { name: textField(entry.record, 'name'), phase: 'response' } })
}
