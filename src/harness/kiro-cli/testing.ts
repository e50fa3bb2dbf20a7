/** For tests: the fixtures of Kiro CLI, its database made out of JSON. */

import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

const FIXTURES = resolve(import.meta.dirname, '../../../test/fixtures/kiro-cli')

/** Ids of the conversations in the fixtures. */
export const IDS = {
  hives: '11111111-aaaa-4aaa-8aaa-000000000001',
  bulbs: 'sess_22222222-bbbb-4bbb-8bbb-000000000002',
  pond: '33333333-cccc-4ccc-8ccc-000000000003',
  ditch: '44444444-dddd-4ddd-8ddd-000000000004',
}

export const SESSIONS = join(FIXTURES, 'sessions')
export const SESSION_LOG = `cli/${IDS.hives}.jsonl`
export const WORKSPACE_LOG = `9f3c1d0b7a4e2856/${IDS.bulbs}/messages.jsonl`
export const SUBAGENT_LOG = `9f3c1d0b7a4e2856/${IDS.bulbs}/sub-executions/dig.jsonl`
export const DATABASE = 'data.sqlite3'

export interface DatabaseFixture {
  conversations_v2: [folder: string, id: string, value: Record<string, unknown>, created: number, updated: number][]
  conversations: [folder: string, value: Record<string, unknown>][]
}

export function databaseFixture(): DatabaseFixture {
  return JSON.parse(readFileSync(join(FIXTURES, 'database.json'), 'utf8')) as DatabaseFixture
}

export function writeDatabase(path: string, rows: DatabaseFixture): void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new BetterSqlite3(path)
  database.exec(
    `CREATE TABLE conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL, value TEXT NOT NULL,
      created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (key, conversation_id));
    CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO auth_kv VALUES ('kirocli:social:token', 'not-for-reading')`,
  )
  for (const [folder, id, value, created, updated] of rows.conversations_v2) {
    const insert = database.prepare('INSERT INTO conversations_v2 VALUES (?, ?, ?, ?, ?)')
    insert.run(folder, id, JSON.stringify(value), created, updated)
  }
  for (const [folder, value] of rows.conversations) {
    database.prepare('INSERT INTO conversations VALUES (?, ?)').run(folder, JSON.stringify(value))
  }
  database.close()
}

/** All fixtures below a new folder: `sessions` as in `~/.kiro`, the database in `data`. */
export function layOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-kiro-'))
  cpSync(SESSIONS, join(folder, 'sessions'), { recursive: true })
  writeDatabase(join(folder, 'data', DATABASE), databaseFixture())
  return folder
}
