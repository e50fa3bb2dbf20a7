/** Databases of the conformance fixtures that are given as the rows or the statements they are made from. */

import { readFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'

function withDatabase(to: string, fill: (database: BetterSqlite3.Database) => void): void {
  const database = new BetterSqlite3(to)
  try {
    fill(database)
  } finally {
    database.close()
  }
}

function rowsOf(from: string): Record<string, unknown>[] {
  return readFileSync(from, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** NAC's store, from its dump. */
export function makeNacStore(from: string, to: string): void {
  withDatabase(to, (database) => database.exec(readFileSync(from, 'utf8')))
}

/** Cursor's database, from its keys and values. */
export function makeCursorState(from: string, to: string): void {
  withDatabase(to, (database) => {
    database.exec('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
    const insert = database.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)')
    for (const { key, value } of rowsOf(from)) insert.run(key, JSON.stringify(value))
  })
}

const OPENCODE = `
  CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, title TEXT,
    version TEXT, time_created INTEGER, time_updated INTEGER);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER,
    data TEXT);
  CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT, type TEXT, seq INTEGER, time_created INTEGER,
    time_updated INTEGER, data TEXT)`

/** OpenCode's database, from the rows another program read out of one. */
export function makeOpencodeDatabase(from: string, to: string): void {
  withDatabase(to, (database) => {
    database.exec(OPENCODE)
    const insert = (table: string, ...values: unknown[]): unknown =>
      database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
    for (const row of rowsOf(from)) {
      const { type, id, session_id, message_id, time_created, title, directory, data, message_type } = row
      const at = Number(time_created)
      const json = JSON.stringify(data)
      if (type === 'opencode_session') insert('session', id, 'p', null, '', directory, title, '1', at, at)
      if (type === 'opencode_message') insert('message', id, session_id, at, at, json)
      if (type === 'opencode_part') insert('part', id, message_id, session_id, at, at, json)
      if (type === 'opencode_session_message') insert('session_message', id, session_id, message_type, 1, at, at, json)
    }
  })
}
