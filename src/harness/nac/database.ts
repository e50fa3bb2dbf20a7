/**
 * The SQLite store: a row for each session with all its messages as JSON, and a row for each task a worker did for it. Keys,
 * headers and addresses of servers stand there too and are never selected.
 */

import { hash128 } from '../../core/hash.ts'
import { parseTime } from '../../core/time.ts'
import { type Fields, fields, list, text } from '../fields.ts'
import type { Database, DatabaseFormat, DatabaseRow, TranscriptEntry } from '../harness.ts'
import { createNames } from '../message-names.ts'

export const databaseFormat: DatabaseFormat = { kind: 'database', transcripts, records }

interface SessionRecord {
  type: 'session'
  session: DatabaseRow
}

interface MessageRecord {
  type: 'message'
  /** Its name: a hash of what it says, since the whole history is written anew each time. */
  id: string
  message: unknown
  /** Tokens of the whole turn it ends. */
  usage?: unknown
}

/** A task that a worker, a thread of its own, did for the session. */
interface EpisodeRecord {
  type: 'episode'
  episode: DatabaseRow
}

/** When the session was written last. */
interface EndRecord {
  type: 'end'
  at: string
}

type NacRecord = SessionRecord | MessageRecord | EpisodeRecord | EndRecord

const SESSION = ['session_id', 'cwd', 'model', 'created_at', 'updated_at']
const OPTIONAL = ['backend', 'reasoning_effort']

function has(database: Database, table: string, ...columns: readonly string[]): boolean {
  const there = database.columns(table)
  return columns.every((column) => there.includes(column))
}

function hasEpisodes(database: Database): boolean {
  return has(database, 'episodes', 'id', 'thread_name', 'session_id', 'action', 'content', 'created_at')
}

/** A session's time of writing changes with each message, an episode is a new row. */
function transcripts(database: Database): TranscriptEntry[] {
  if (!has(database, 'sessions', 'messages_json', ...SESSION)) return []
  const episodes = hasEpisodes(database)
  const of = 'FROM episodes WHERE session_id = s.session_id'
  const sql = `SELECT s.session_id AS id, s.updated_at AS updated, s.model AS model,
    ${episodes ? `(SELECT count(*) ${of})` : '0'} AS episodes, ${episodes ? `(SELECT max(id) ${of})` : '0'} AS newest
    FROM sessions s WHERE s.messages_json <> '[]' ${episodes ? `OR EXISTS (SELECT 1 ${of})` : ''}
    ORDER BY s.created_at, s.session_id`
  return database.all(sql).map((row) => ({
    key: text(row['id']),
    version: hash128(...Object.values(row).map((value) => String(value))).toString('hex'),
    modifiedAt: parseTime(row['updated']) ?? 0,
  }))
}

function* records(database: Database, key: string): Iterable<NacRecord> {
  const hosted = has(database, 'sessions', 'host_id')
  const optional = OPTIONAL.filter((column) => has(database, 'sessions', column))
  const [session] = database.all(
    `SELECT ${[...SESSION, ...optional].join(', ')}, ${hosted ? "coalesce(host_id, '') = ''" : 'NULL'} AS is_local
      FROM sessions WHERE session_id = ?`,
    key,
  )
  if (!session) return
  yield { type: 'session', session }
  yield* messagesOf(database, key)
  if (hasEpisodes(database)) {
    const sql = `SELECT id, thread_name, action, content, created_at FROM episodes WHERE session_id = ? ORDER BY id`
    for (const episode of database.each(sql, key)) yield { type: 'episode', episode }
  }
  yield { type: 'end', at: text(session['updated_at']) }
}

function* messagesOf(database: Database, key: string): Iterable<MessageRecord> {
  const usages = has(database, 'sessions', 'token_usages_json') ? 'token_usages_json' : 'NULL'
  const [row] = database.all(`SELECT messages_json, ${usages} AS usages FROM sessions WHERE session_id = ?`, key)
  const value = parsed(row?.['messages_json'])
  if (!Array.isArray(value)) {
    yield { type: 'message', id: '', message: value }
    return
  }
  const answers = value.filter((message, place) => isAnswer(value, message, place))
  const tokens = list(parsed(row?.['usages']))
  const nameOf = createNames()
  for (const message of value) {
    const id = nameOf(...saidIn(fields(message)))
    // The list has an entry for each answer, or it cannot be told what its entries belong to.
    const answer = tokens.length === answers.length ? answers.indexOf(message) : -1
    yield { type: 'message', id, message, ...(answer >= 0 && { usage: tokens[answer] }) }
  }
}

/** The first message without calls that the model writes after a prompt ends the turn. */
function isAnswer(messages: readonly unknown[], value: unknown, place: number): boolean {
  if (!isDone(fields(value))) return false
  for (let before = place - 1; before >= 0; before--) {
    const message = fields(messages[before])
    if (message['role'] === 'user') return true
    if (isDone(message)) return false
  }
  return false
}

/** Whether a message of the model asks for nothing more. */
export function isDone(message: Fields): boolean {
  return message['role'] === 'assistant' && list(message['tool_calls']).length === 0
}

function saidIn(message: Fields): readonly string[] {
  const calls = list(message['tool_calls']).map((call) => text(fields(call)['id']))
  const content = JSON.stringify(message['content'] ?? null)
  return [text(message['role']), content, text(message['reasoning_text']), text(message['tool_call_id']), ...calls]
}

/** The value of a text that holds JSON; anything else stays what it is. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
