/** The SQLite database, OpenCode's storage since 1.2: sessions, messages and parts, each with its JSON in a column. */

import { hash128 } from '../../core/hash.ts'
import { fields, number, text } from '../fields.ts'
import type { Database, DatabaseFormat, DatabaseRow, TranscriptEntry } from '../harness.ts'
import { firstDatabaseRecords, firstDatabaseTranscripts, isFirstDatabase } from './first-database.ts'
import {
  type MessageRecord,
  type NoteRecord,
  parsed,
  type SessionRecord,
  type StoredMessage,
  toRecords,
  withFields,
} from './records.ts'

export const databaseFormat: DatabaseFormat = {
  kind: 'database',
  transcripts: (database) => (isFirstDatabase(database) ? firstDatabaseTranscripts(database) : transcripts(database)),
  records: (database, key) =>
    isFirstDatabase(database) ? firstDatabaseRecords(database, key) : records(database, key),
}

/** Newest messages whose rows a version looks at. A message that is still written to is among them. */
const LOOKED_AT = 3

function transcripts(database: Database): TranscriptEntry[] {
  if (!has(database, 'message')) return []
  const isWhole = has(database, 'session') && has(database, 'part')
  if (!isWhole) return bareTranscripts(database)
  return database.all(listing(database)).map((row) => ({
    key: text(row['id']),
    version: hash128(...Object.values(row).map((value) => String(value))).toString('hex'),
    modifiedAt: number(row['updated']) ?? 0,
  }))
}

function has(database: Database, table: string): boolean {
  return database.columns(table).length > 0
}

/**
 * Sessions with what changes when they do. Everything is found by index, and only the newest messages are looked at, so
 * that listing a database costs the number of its sessions and not its size. What changes in older messages, such as one
 * that is taken back, shows in the session's row or in the number of messages.
 */
function listing(database: Database): string {
  const newest = `SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT ${LOOKED_AT}`
  const hasNotes = has(database, 'session_message')
  return `SELECT s.id AS id, s.time_updated AS updated, s.title AS title,
    ${has(database, 'event_sequence') ? '(SELECT seq FROM event_sequence WHERE aggregate_id = s.id)' : '0'} AS sequence,
    ${hasNotes ? '(SELECT count(*) FROM session_message WHERE session_id = s.id)' : '0'} AS notes,
    (SELECT count(*) FROM message WHERE session_id = s.id) AS messages,
    (SELECT max(time_updated) FROM message WHERE id IN (${newest})) AS answered,
    (SELECT count(*) FROM part WHERE message_id IN (${newest})) AS parts,
    (SELECT max(time_updated) FROM part WHERE message_id IN (${newest})) AS written
    FROM session s
    WHERE EXISTS (SELECT 1 FROM message WHERE session_id = s.id)
      ${hasNotes ? 'OR EXISTS (SELECT 1 FROM session_message WHERE session_id = s.id)' : ''}
    ORDER BY s.time_created, s.id`
}

/** A database cut down to its messages, as tools that only count tokens make them. */
function bareTranscripts(database: Database): TranscriptEntry[] {
  return database
    .all(
      `SELECT session_id AS id, count(*) AS messages, sum(length(data)) AS size, max(id) AS newest
        FROM message GROUP BY session_id ORDER BY session_id`,
    )
    .map(({ id, messages, size, newest }) => ({
      key: text(id),
      version: `${messages} ${size} ${newest}`,
      modifiedAt: 0,
    }))
}

/** The session, then its messages with notes between them, by time. */
function* records(database: Database, key: string): Generator<SessionRecord | MessageRecord | NoteRecord> {
  const session = sessionOf(database, key)
  if (session) yield session
  const notes = notesOf(database, key)
  for (const record of toRecords(messagesOf(database, key))) {
    const at = number(fields(fields(record.message)['time'])['created'])
    while (at !== undefined && notes[0]?.createdAt !== undefined && notes[0].createdAt < at) {
      const [note] = notes.splice(0, 1)
      if (note) yield note
    }
    yield record
  }
  yield* notes
}

function sessionOf(database: Database, key: string): SessionRecord | undefined {
  if (!has(database, 'session')) return undefined
  const [row] = database.all('SELECT * FROM session WHERE id = ?', key)
  if (!row) return undefined
  const session: Record<string, unknown> = {
    id: row['id'],
    projectID: row['project_id'],
    parentID: row['parent_id'],
    slug: row['slug'],
    directory: row['directory'],
    title: row['title'],
    version: row['version'],
    time: { created: row['time_created'], updated: row['time_updated'] },
  }
  return { type: 'session', session }
}

function* messagesOf(database: Database, key: string): Generator<StoredMessage> {
  const timed = database.columns('message').includes('time_created')
  const ids = database.all(
    `SELECT id FROM message WHERE session_id = ? ORDER BY ${timed ? 'time_created, id' : 'id'}`,
    key,
  )
  const hasParts = has(database, 'part')
  for (const { id } of ids) {
    const [row] = database.all('SELECT * FROM message WHERE id = ?', text(id))
    // Taken back since: the session reads anew soon.
    if (!row) continue
    const parts = hasParts ? database.all('SELECT * FROM part WHERE message_id = ? ORDER BY id', text(id)) : []
    yield { session: key, message: storedValue(row), parts: parts.map(storedValue) }
  }
}

/** A row's JSON with the columns beside it. JSON of its own may have an id, which is the one the client knows. */
function storedValue(row: DatabaseRow): unknown {
  const data = parsed(row['data'])
  const own: Record<string, unknown> = { id: fields(data)['id'] ?? row['id'] }
  if (row['time_created'] !== undefined) own['time_created'] = row['time_created']
  return withFields(data, own)
}

function notesOf(database: Database, key: string): NoteRecord[] {
  if (!has(database, 'session_message')) return []
  return database
    .all('SELECT * FROM session_message WHERE session_id = ? ORDER BY time_created, id', key)
    .map((row) => ({
      type: 'note',
      session: key,
      id: text(row['id']),
      kind: text(row['type']),
      createdAt: number(row['time_created']),
      data: parsed(row['data']),
    }))
}
