/**
 * The log of the third engine, which the editor uses too: `messages.jsonl` in a folder for each session. A record is
 * `{id, timestamp, payload}`, and the payload says what it is. `session.json` beside it tells title and workspace.
 */

import type { Ending, Reading, SessionFacts } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, fields, foreign, list, number, pick, smallFields, text } from '../fields.ts'
import { defineLayout, jsonLines, type NativeRecord, type Sidecar, type SourceFile } from '../harness.ts'
import { add, type Entry, modelName, openEntry, openState, type State } from './entry.ts'
import { isWorkspaceFile, placeOf, workspaceNotePath } from './paths.ts'
import { addCall, addResult, resultText } from './tools.ts'

const note: Sidecar = {
  pathOf: workspaceNotePath,
  read(value: unknown, file: SourceFile): Reading {
    const session = fields(value)
    const facts: SessionFacts = { nativeId: placeOf(file).session }
    const [folder] = list(session['workspacePaths'])
    if (text(session['title']) !== '') facts.title = text(session['title'])
    if (text(folder) !== '') facts.cwd = text(folder)
    return { drafts: [], sessions: [facts] }
  },
}

export const workspaceLog = defineLayout<State>({
  matches: isWorkspaceFile,
  format: jsonLines,
  sidecars: [note],
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const record = fields(value)
    const payload = fields(record['payload'])
    const entry = openEntry(state, text(record['id']), parseTime(record['timestamp']) ?? number(record['timestamp']))
    const read = READERS.get(text(payload['type']))
    if (read && isRecord(record['payload'])) read(entry, payload)
    if (entry.drafts.length === 0) add(entry, 'unknown', '', { payload: foreign(value) })
    const { drafts, sessions } = entry
    return sessions.length === 0 ? { drafts } : { drafts, sessions }
  },
})

const READERS = new Map<string, (entry: Entry, payload: Fields) => void>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['tool_call', readCall],
  ['tool_result', readResult],
  ['turn_end', readTurnEnd],
  ['session_start', readStart],
  ['usage_summary', (entry, payload) => addNote(entry, 'Usage', pick(payload, ['promptTurnSummaries']))],
  [
    'pending_interaction',
    (entry, payload) => addNote(entry, text(payload['question']), smallFields(payload, ['question'])),
  ],
  ['interaction_resolved', (entry, payload) => addNote(entry, text(payload['selectedOption']), smallFields(payload))],
  // The messages before it are no longer sent to the model.
  [
    'tombstone',
    (entry, payload) =>
      add(entry, 'compaction', resultText(payload['content']), { payload: smallFields(payload, ['content']) }),
  ],
  ...['turn_start', 'session_metadata', 'session_event', 'sub_agent_start', 'sub_agent_complete'].map(
    (type): [string, (entry: Entry, payload: Fields) => void] => [
      type,
      (entry, payload) => addNote(entry, '', smallFields(payload)),
    ],
  ),
])

function addNote(entry: Entry, said: string, payload: Fields | undefined): void {
  add(entry, 'runtime', said, payload ? { payload } : {})
}

/** What is typed to steer the agent at work belongs to the turn. */
function readUser(entry: Entry, payload: Fields): void {
  const pictures = list(payload['images']).map(() => '[image]')
  const said = [resultText(payload['content']), ...pictures].filter((part) => part !== '').join('\n')
  const draft = add(entry, 'user_input', said)
  if (payload['source'] === 'steer' && entry.state.isPrompted) return
  draft.opensTurn = true
  entry.state.isPrompted = true
}

/** Longest text taken for a prompt where a system prompt may stand. */
const PROMPT = 4000

/** The prompt of a session's first turn, in some clients; in others the system prompt, written later. */
function readStart(entry: Entry, payload: Fields): void {
  const said = resultText(payload['content'])
  if (!entry.state.isPrompted && said !== '' && said.length <= PROMPT) readUser(entry, payload)
  else add(entry, 'system', 'System prompt', { payload: { characters: said.length } })
}

function readAssistant(entry: Entry, payload: Fields): void {
  const { state } = entry
  const said = resultText(payload['content'])
  state.model = modelName(text(payload['modelId']) || text(payload['reasoningModelId'])) || state.model
  // Reasoning that is not shown is three dots.
  const draft =
    payload['operationType'] === 'Reasoning'
      ? add(entry, 'reasoning', said === '...' ? '' : said)
      : add(entry, 'assistant_response', said)
  if (state.model !== '') draft.model = state.model
}

/** A call is written again when it is approved: it is named after its own id. */
function readCall(entry: Entry, payload: Fields): void {
  addCall(entry, text(payload['toolCallId']), text(payload['toolName']), payload['args'])
}

function readResult(entry: Entry, payload: Fields): void {
  const failed = payload['success'] === false
  addResult(entry, { callId: text(payload['toolCallId']), content: payload['content'], failed })
}

const ENDINGS = new Map<string, Ending>([
  ['end_turn', 'answered'],
  ['cancelled', 'interrupted'],
  ['canceled', 'interrupted'],
  ['error', 'failed'],
  ['refusal', 'failed'],
  ['max_tokens', 'failed'],
  ['max_turn_requests', 'failed'],
])

function readTurnEnd(entry: Entry, payload: Fields): void {
  const reason = text(payload['stopReason'])
  const ends = ENDINGS.get(reason)
  add(entry, 'runtime', reason, { payload: smallFields(payload, ['stopReason']), ...(ends && { ends }) })
}
