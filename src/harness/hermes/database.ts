/** The SQLite database, Hermes' storage since 2026: sessions and their messages. */

import { hash128 } from '../../core/hash.ts'
import { number, text } from '../fields.ts'
import type { Database, DatabaseFormat, DatabaseRow, TranscriptEntry } from '../harness.ts'
import { createNames } from '../message-names.ts'
import { timeOf } from './entry.ts'
import { type HermesRecord, saidIn } from './records.ts'

export const databaseFormat: DatabaseFormat = { kind: 'database', transcripts, records }

/** Columns that are read where they are there; the schema grows with almost every release. */
const SESSION = `id source model model_config parent_session_id started_at title cwd git_branch profile_name`.split(' ')
const END =
  `ended_at end_reason input_tokens output_tokens cache_read_tokens cache_write_tokens reasoning_tokens`.split(' ')
const MESSAGE =
  `id role content tool_call_id tool_calls tool_name timestamp finish_reason reasoning reasoning_content active compacted
  display_kind codex_message_items`.split(/\s+/)

function columnsOf(database: Database, table: string, wanted: readonly string[], prefix = ''): string {
  const there = database.columns(table)
  return wanted
    .filter((name) => there.includes(name))
    .map((name) => prefix + name)
    .join(', ')
}

function isReadable(database: Database): boolean {
  const has = (table: string, ...columns: string[]) =>
    columns.every((column) => database.columns(table).includes(column))
  return has('sessions', 'id', 'started_at') && has('messages', 'id', 'session_id', 'role', 'content', 'timestamp')
}

/**
 * Sessions with what changes when they do. Everything is found by index, so that a listing costs their number and not what
 * they hold; that a message was taken back shows in the session's row.
 */
function transcripts(database: Database): TranscriptEntry[] {
  if (!isReadable(database)) return []
  const small = SESSION.filter((name) => name !== 'model_config')
  const sql = `SELECT ${columnsOf(database, 'sessions', [...small, ...END, 'rewind_count'], 's.')},
    (SELECT count(*) FROM messages WHERE session_id = s.id) AS messages,
    (SELECT max(id) FROM messages WHERE session_id = s.id) AS newest,
    (SELECT max(timestamp) FROM messages WHERE session_id = s.id) AS written
    FROM sessions s WHERE EXISTS (SELECT 1 FROM messages WHERE session_id = s.id) ORDER BY s.started_at, s.id`
  return database.all(sql).map((row) => ({
    key: text(row['id']),
    version: hash128(...Object.values(row).map((value) => String(value))).toString('hex'),
    modifiedAt: timeOf(row['written']) ?? 0,
  }))
}

function* records(database: Database, key: string): Iterable<HermesRecord> {
  const [session] = database.all(
    `SELECT ${columnsOf(database, 'sessions', [...SESSION, ...END])} FROM sessions WHERE id = ?`,
    key,
  )
  if (session) yield { type: 'session', session }
  const written = yield* messagesOf(database, key)
  if (session) yield { type: 'end', storage: 'database', end: { ...session, at: session['ended_at'] ?? written } }
}

/**
 * The messages in the order of their rows. Compaction leaves the old rows and writes those it keeps once more, with the
 * same time: one message. Returns the time of the newest.
 */
function* messagesOf(database: Database, key: string): Generator<HermesRecord, number | null> {
  const columns = columnsOf(database, 'messages', MESSAGE)
  const nameOf = createNames()
  const seen = new Set<string>()
  let newest: number | null = null
  for (const row of database.each(`SELECT ${columns} FROM messages WHERE session_id = ? ORDER BY id`, key)) {
    newest = Math.max(newest ?? 0, number(row['timestamp']) ?? 0)
    const { id: _row, ...message } = row
    if (isRepeated(message, seen)) continue
    yield { type: 'message', id: nameOf(...saidIn(message)), message }
  }
  return newest
}

function isRepeated(message: DatabaseRow, seen: Set<string>): boolean {
  const name = hash128(...saidIn(message), String(message['timestamp'])).toString('hex')
  if (seen.has(name)) return true
  seen.add(name)
  return false
}
