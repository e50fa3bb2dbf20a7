/**
 * The database of the first engine: a row for each conversation, all of it as JSON in one value. `conversations_v2` names
 * conversations, `conversations` before it kept one for each folder. Nothing else in it is read, least of all accounts.
 */

import { isRecord } from '../../core/json.ts'
import { type Fields, list, number, text } from '../fields.ts'
import type { Database, DatabaseFormat, DatabaseRow } from '../harness.ts'

export interface ConversationRecord {
  type: 'conversation'
  /** Facts of the conversation, without its history; its text where it is no JSON. */
  conversation: unknown
  /** Working directory. */
  folder: string
  createdAt: number | undefined
}

export interface ExchangeRecord {
  type: 'exchange'
  /** What was said to the model and what it answered. */
  exchange: unknown
}

/** Prefix of the keys of rows that have no id of their own. */
const BY_FOLDER = 'folder:'

export const databaseFormat: DatabaseFormat = {
  kind: 'database',
  *transcripts(database) {
    if (database.columns('conversations_v2').includes('value')) {
      const rows = database.all(
        `SELECT conversation_id AS id, updated_at AS updated, octet_length(value) AS size
          FROM conversations_v2 ORDER BY created_at, conversation_id`,
      )
      for (const { id, updated, size } of rows) {
        if (text(id) !== '') yield { key: text(id), version: `${updated} ${size}`, modifiedAt: number(updated) ?? 0 }
      }
    }
    if (!database.columns('conversations').includes('value')) return
    const rows = database.all(
      'SELECT key, rowid AS place, octet_length(value) AS size FROM conversations ORDER BY rowid',
    )
    for (const { key, place, size } of rows) {
      if (typeof size === 'number') yield { key: BY_FOLDER + text(key), version: `${place} ${size}`, modifiedAt: 0 }
    }
  },
  *records(database, key) {
    const row = rowOf(database, key)
    if (!row) return
    const value = parsed(row['value'])
    const { history, rest } = split(value)
    const createdAt = number(row['created_at'])
    const folder = text(row['key'])
    yield { type: 'conversation', conversation: rest, folder, createdAt } satisfies ConversationRecord
    for (const exchange of history) yield { type: 'exchange', exchange } satisfies ExchangeRecord
  },
}

function rowOf(database: Database, key: string): DatabaseRow | undefined {
  const [row] = key.startsWith(BY_FOLDER)
    ? database.all('SELECT key, value FROM conversations WHERE key = ?', key.slice(BY_FOLDER.length))
    : database.all('SELECT key, value, created_at FROM conversations_v2 WHERE conversation_id = ?', key)
  return row
}

/** Of what stands beside the history, tools are bulky and the transcript repeats it. */
const KEPT = ['conversation_id', 'model_info', 'latest_summary', 'user_turn_metadata'] as const

function split(value: unknown): { history: readonly unknown[]; rest: unknown } {
  if (!isRecord(value)) return { history: [], rest: value }
  const rest: Record<string, unknown> = {}
  for (const name of KEPT) if (value[name] !== undefined) rest[name] = value[name]
  return { history: list(value['history']), rest: rest satisfies Fields }
}

function parsed(value: unknown): unknown {
  const written = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value
  if (typeof written !== 'string') return written
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}
