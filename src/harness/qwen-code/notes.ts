/** Records of type `system`: what the client notes about the session, and what its telemetry tells. */

import { type Fields, fields, foreign, list, pick, smallFields, text } from '../fields.ts'
import { partsOf, textOfParts } from '../google-parts.ts'
import { add, type Entry, end } from './entry.ts'

export function readSystem(entry: Entry): void {
  const subtype = text(entry.record['subtype'])
  const payload = fields(entry.record['systemPayload'])
  const reader = READERS.get(subtype)
  if (reader) reader(entry, payload)
  else if (NOTES.has(subtype)) add(entry, 'system', '', { payload: { subtype, ...smallFields(payload) } })
  else readUnknown(entry)
}

const READERS = new Map<string, (entry: Entry, payload: Fields) => void>([
  ['custom_title', readTitle],
  ['chat_compression', readCompression],
  ['rewind', readRewind],
  ['ui_telemetry', readTelemetry],
  ['slash_command', readSlashCommand],
  ['at_command', readAtCommand],
  ['turn_result', readTurnResult],
  ['parent_session', readParentSession],
])

/** Kept small: snapshots of files and settings, and history that stands elsewhere. */
const NOTES = new Set([
  'agent_bootstrap',
  'agent_retry',
  'agent_session_ready',
  'attribution_snapshot',
  'branch_checkpoint',
  'file_history_snapshot',
  'goal_state',
  'goal_turn_end',
  'omni_recall',
  'session_approval_mode',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_execution_engine',
  'session_model',
  'session_notes',
  'session_source',
  'session_sources_snapshot',
  'user_text_elements',
])

/** The title is written again now and then; one without a source was given by a person. */
function readTitle(entry: Entry, payload: Fields): void {
  const { state, session, sessions } = entry
  const title = text(payload['customTitle']).trim()
  add(entry, 'system', title, { payload: { subtype: 'custom_title', ...pick(payload, ['titleSource']) } })
  const made = payload['titleSource'] === 'auto'
  if (title === '' || entry.copied || (made && state.titled)) return
  if (!made) state.titled = true
  sessions.push({ nativeId: session, title })
}

/** The client's enumeration begins with success; older clients wrote its name. */
const COMPRESSED: readonly unknown[] = [1, 'COMPRESSED']

/** What remains of the history is a summary, then the newest messages, which stand in the file already. */
function readCompression(entry: Entry, payload: Fields): void {
  const info = fields(payload['info'])
  const facts = { subtype: 'chat_compression', ...smallFields(info) }
  const first = fields(list(payload['compressedHistory'])[0])
  const said = textOfParts(partsOf(first['parts']))
  if (!COMPRESSED.includes(info['compressionStatus'])) add(entry, 'runtime', '', { payload: facts })
  else add(entry, 'compaction', said.trimStart().startsWith('<state_snapshot>') ? said : '', { payload: facts })
}

/** The abandoned messages stay; only their children are no longer among them. */
function readRewind(entry: Entry, payload: Fields): void {
  const draft = add(entry, 'runtime', 'The conversation was rewound.', {
    payload: { subtype: 'rewind', ...smallFields(payload) },
  })
  end(entry, draft, 'interrupted')
}

/** Telemetry repeats calls and responses; it alone tells of errors, and that a response has come to its end. */
function readTelemetry(entry: Entry, payload: Fields): void {
  const event = fields(payload['uiEvent'])
  const kind = text(event['event.name'])
  const facts = { subtype: 'ui_telemetry', ...pick(event, TELEMETRY) }
  const message = text(event['error_message']) || text(event['error'])
  const draft = add(entry, 'runtime', kind.endsWith('api_error') ? message : '', { payload: facts })
  // Subagents and the client's own errands tell of their requests here, too.
  if (text(event['subagent_name']) !== '') return
  if (kind.endsWith('api_response')) entry.state.responded = true
  if (kind.endsWith('api_error')) end(entry, draft, 'failed')
}

const TELEMETRY = [
  'event.name',
  'response_id',
  'call_id',
  'function_name',
  'mcp_server_name',
  'status',
  'status_code',
  'error_type',
  'duration_ms',
  'model',
  'subagent_name',
]

/** A command the client carries out itself: written before and after. */
function readSlashCommand(entry: Entry, payload: Fields): void {
  const phase = text(payload['phase'])
  const said = phase === 'result' ? '' : text(payload['rawCommand'])
  add(entry, 'runtime', said, { payload: { subtype: 'slash_command', ...smallFields(payload) } })
}

/** Files that were named with @ in a prompt, and read into it. */
function readAtCommand(entry: Entry, payload: Fields): void {
  const files = list(payload['filesRead']).filter((path) => typeof path === 'string')
  add(entry, 'runtime', files.join('\n'), {
    payload: { subtype: 'at_command', ...pick(payload, ['status', 'message']) },
  })
}

/** How a turn came out, where the program runs as a server. */
function readTurnResult(entry: Entry, payload: Fields): void {
  const state = text(payload['state'])
  const message = text(fields(payload['error'])['message'])
  const draft = add(entry, 'runtime', message, {
    payload: { subtype: 'turn_result', ...pick(payload, ['state', 'stopReason', 'startedAt', 'endedAt']) },
  })
  if (state === 'completed') end(entry, draft, 'answered')
  else if (state === 'cancelled') end(entry, draft, 'interrupted')
  else if (state === 'error') end(entry, draft, 'failed')
}

/** A session that another one asked for. */
function readParentSession(entry: Entry, payload: Fields): void {
  const nativeId = text(payload['parentSessionId'])
  add(entry, 'system', '', { payload: { subtype: 'parent_session', ...smallFields(payload) } })
  if (nativeId !== '' && !entry.copied) {
    entry.sessions.push({ nativeId: entry.session, parent: { nativeId, relation: 'subagent' } })
  }
}

/** What no rule covers is kept as it is. */
export function readUnknown(entry: Entry): void {
  add(entry, 'unknown', '', { payload: foreign(entry.record) })
}
