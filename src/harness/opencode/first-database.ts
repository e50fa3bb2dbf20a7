/**
 * The database of the first OpenCode, written in Go in the first half of 2025: `.opencode/opencode.db` in each project,
 * tables `sessions` and `messages`, the latter with all parts of a message in one column.
 */

import type { Draft, Ending, Reading, ToolUse } from '../../core/event.ts'
import { parseTime } from '../../core/time.ts'
import { callText } from '../call-text.ts'
import { type Fields, fields, foreign, list, number, pick, text } from '../fields.ts'
import type { Database, SourceFile, TranscriptEntry } from '../harness.ts'
import { toolName } from '../tool-name.ts'
import { projectOf } from './paths.ts'
import { parsed } from './records.ts'
import type { State } from './state.ts'

export const FIRST_SESSION = 'first-session'
export const FIRST_MESSAGE = 'first-message'

export function isFirstDatabase(database: Database): boolean {
  return database.columns('messages').includes('parts')
}

/** Sessions that hold messages: the client makes an empty one for each title it asks the model for. */
export function firstDatabaseTranscripts(database: Database): TranscriptEntry[] {
  return database
    .all(
      `SELECT s.id AS id, s.updated_at AS updated, count(*) AS messages, max(m.updated_at) AS written
        FROM sessions s JOIN messages m ON m.session_id = s.id GROUP BY s.id, s.updated_at ORDER BY min(m.created_at), s.id`,
    )
    .map(({ id, updated, messages, written }) => ({
      key: text(id),
      version: `${updated} ${messages} ${written}`,
      modifiedAt: timeOf(written) ?? timeOf(updated) ?? 0,
    }))
}

export function* firstDatabaseRecords(database: Database, key: string): Generator<unknown> {
  const [session] = database.all('SELECT * FROM sessions WHERE id = ?', key)
  if (session) yield { type: FIRST_SESSION, session }
  const rows = database.each('SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid', key)
  for (const row of rows) {
    yield { type: FIRST_MESSAGE, message: { ...row, parts: parsed(row['parts']) } }
  }
}

/** RFC 3339, or an integer: the column was said to hold milliseconds and mostly held seconds. */
function timeOf(value: unknown): number | undefined {
  const numeric = number(value)
  if (numeric === undefined) return parseTime(value)
  return numeric < 1e11 ? numeric * 1000 : numeric
}

export function readFirstSession(record: Fields, state: State, file: SourceFile): Reading {
  const session = fields(record['session'])
  const id = text(session['id']) || state.session
  const parent = text(session['parent_session_id'])
  const title = text(session['title'])
  const cwd = projectOf(file)
  const payload = pick(session, ['parent_session_id', 'prompt_tokens', 'completion_tokens', 'cost'])
  const draft: Draft = { session: id, type: 'system', text: '', native: { id, index: 0 } }
  const at = timeOf(session['created_at'])
  if (at !== undefined) draft.at = at
  if (payload) draft.payload = payload
  return {
    drafts: [draft],
    sessions: [
      {
        nativeId: id,
        ...(title !== '' && title !== 'New Session' && { title }),
        ...(text(session['summary']) !== '' && { summary: text(session['summary']) }),
        ...(cwd !== '' && { cwd }),
        // A subagent's session is named after the call that started it.
        ...(parent !== '' && { parent: { nativeId: parent, callId: id, relation: 'subagent' as const } }),
      },
    ],
  }
}

/** Reasons in a `finish` part that end a turn; `tool_use` goes on. */
const ENDINGS: ReadonlyMap<unknown, Ending> = new Map<string, Ending>([
  ['end_turn', 'answered'],
  ['canceled', 'interrupted'],
  ['permission_denied', 'interrupted'],
  ['max_tokens', 'failed'],
  ['error', 'failed'],
])

interface MessageReading {
  message: Fields
  id: string
  at: number | undefined
  state: State
  drafts: Draft[]
  finish: string
}

export function readFirstMessage(record: Fields, state: State): Reading {
  const message = fields(record['message'])
  const parts = list(message['parts']).map(fields)
  const finish = fields(parts.find((part) => part['type'] === 'finish')?.['data'])
  const at = timeOf(message['created_at'])
  const reading: MessageReading = {
    message,
    id: text(message['id']),
    at,
    state,
    drafts: [],
    finish: text(finish['reason']),
  }
  if (!Array.isArray(message['parts'])) add(reading, 0, 'unknown', '', { payload: foreign(message) })
  if (message['role'] === 'assistant') state.calls = []
  for (const [place, part] of parts.entries()) {
    const read = READERS.get(part['type'])
    if (read) read(reading, place, fields(part['data']))
    else add(reading, place, 'unknown', '', { payload: foreign(part) })
  }
  // An answer that has only begun.
  if (reading.drafts.length === 0) add(reading, parts.length, 'runtime', '')
  return { drafts: reading.drafts }
}

/** Parts are only ever added at the end, so a part's place names it. */
function add(
  reading: MessageReading,
  place: number,
  type: Draft['type'],
  said: string,
  more: Partial<Draft> = {},
): Draft {
  const { message, id, at, drafts, state } = reading
  const session = text(message['session_id']) || state.session
  const native = id === '' ? { index: place } : { id, index: place }
  const draft: Draft = { session, type, text: said, native, ...more }
  if (at !== undefined) draft.at ??= at
  if (text(message['model']) !== '') draft.model = text(message['model'])
  drafts.push(draft)
  return draft
}

type PartReader = (reading: MessageReading, place: number, data: Fields) => Draft | undefined

const READERS: ReadonlyMap<unknown, PartReader> = new Map<string, PartReader>([
  ['text', readText],
  ['reasoning', (reading, place, data) => add(reading, place, 'reasoning', text(data['thinking']))],
  ['tool_call', readCall],
  ['tool_result', readResult],
  ['finish', readFinish],
  ['image_url', readFile],
  ['binary', readFile],
])

function readFile(reading: MessageReading, place: number, data: Fields): Draft {
  const words = ['file', text(data['MIMEType']), text(data['Path'])]
  return add(reading, place, 'system', `[${words.filter((word) => word !== '').join(' ')}]`)
}

function readText(reading: MessageReading, place: number, data: Fields): Draft | undefined {
  const said = text(data['text'])
  if (said === '') return undefined
  if (reading.message['role'] !== 'user') {
    const draft = add(reading, place, 'assistant_response', said)
    if (reading.finish === 'tool_use') draft.commentary = true
    return draft
  }
  const isFirst = !reading.drafts.some(({ opensTurn }) => opensTurn)
  return add(reading, place, 'user_input', said, isFirst ? { opensTurn: true } : {})
}

function readCall(reading: MessageReading, place: number, data: Fields): Draft {
  const callId = text(data['id'])
  const name = text(data['name'])
  const raw = text(data['input'])
  const input = raw === '' ? undefined : parsed(raw)
  if (callId !== '') reading.state.calls.push([callId, name])
  const tool: ToolUse = { ...toolName(name), phase: 'call' }
  if (callId !== '') tool.callId = callId
  if (input !== undefined) tool.input = input
  return add(reading, place, 'tool_call', callText(input), { tool })
}

/** A result rarely has the tool's name; its call, which came just before, has. */
function readResult(reading: MessageReading, place: number, data: Fields): Draft {
  const callId = text(data['tool_call_id'])
  const name = text(data['name']) || (reading.state.calls.find(([id]) => id === callId)?.[1] ?? '')
  const tool: ToolUse = { ...toolName(name), phase: 'response' }
  if (callId !== '') tool.callId = callId
  if (data['is_error'] === true) tool.error = true
  const exitCode = name === 'bash' ? exitCodeOf(data) : undefined
  if (exitCode !== undefined) tool.exitCode = exitCode
  return add(reading, place, 'tool_response', text(data['content']), { tool })
}

/** The client writes an exit code below the output, but for 0; a command that ran has a time at which it ended. */
function exitCodeOf(data: Fields): number | undefined {
  const content = text(data['content'])
  const stated = /(?:^|\n)Exit code (-?\d+)\s*$/.exec(content)?.[1]
  if (stated !== undefined) return Number(stated)
  const hasEnded = number(fields(parsed(data['metadata']))['end_time']) !== undefined
  return hasEnded && data['is_error'] !== true && !content.includes(ABORTED) ? 0 : undefined
}

const ABORTED = 'Command was aborted before completion'

/** Prompts are finished too, which says nothing. */
function readFinish(reading: MessageReading, place: number, data: Fields): Draft | undefined {
  if (reading.message['role'] !== 'assistant') return undefined
  const ends = ENDINGS.get(data['reason'])
  const draft = add(reading, place, 'runtime', '', { payload: pick(data, ['reason']) })
  const finishedAt = timeOf(data['time'])
  if (finishedAt !== undefined) draft.at = finishedAt
  if (ends) draft.ends = ends
  return draft
}
