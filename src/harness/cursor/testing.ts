/** For tests: databases of Cursor out of fixtures in JSON, laid out as they are at home. */

import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'

export const FIXTURES = resolve(import.meta.dirname, '../../../test/fixtures/cursor')

/** Ids of the conversations in the fixtures. */
export const IDS = {
  watering: '11111111-aaaa-4aaa-8aaa-000000000001',
  forecast: '22222222-bbbb-4bbb-8bbb-000000000002',
  fence: '33333333-cccc-4ccc-8ccc-000000000003',
  roses: '44444444-dddd-4ddd-8ddd-000000000004',
  nails: '55555555-eeee-4eee-8eee-000000000005',
}

export const TRANSCRIPT = `home-ada-garden/agent-transcripts/${IDS.watering}/${IDS.watering}.jsonl`
export const SUBAGENT = `home-ada-garden/agent-transcripts/${IDS.watering}/subagents/${IDS.forecast}.jsonl`
export const OLD_TRANSCRIPT = `home-ada-garden/agent-transcripts/${IDS.roses}.jsonl`
export const CHAT = `5f1e0c/${IDS.watering}/store.db`
export const EDITOR = 'state.vscdb'
export const WORKSPACE = 'a1b2c3/state.vscdb'

/** Rows of the tables of an editor's database. */
export type EditorRows = Readonly<Record<string, readonly (readonly [key: string, value: unknown])[]>>

const COLUMNS: Readonly<Record<string, string>> = {
  cursorDiskKV: 'key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB',
  ItemTable: 'key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB',
  composerHeaders: 'composerId TEXT PRIMARY KEY, value TEXT',
}

export function writeEditor(path: string, tables: EditorRows): void {
  mkdirSync(dirname(path), { recursive: true })
  const database = new BetterSqlite3(path)
  for (const [table, rows] of Object.entries(tables)) {
    database.exec(`CREATE TABLE ${table} (${COLUMNS[table]})`)
    const insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?)`)
    for (const [key, value] of rows) insert.run(key, value === null ? null : JSON.stringify(value))
  }
  database.close()
}

/** A conversation of the command line. */
export interface ChatFixture {
  meta: Record<string, unknown>
  workspace: string
  branch: string
  messages: readonly unknown[]
}

/** Blobs are named after their SHA-256; the root lists the messages as protobuf does. */
export function writeChat(path: string, { meta, workspace, branch, messages }: ChatFixture): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  const database = new BetterSqlite3(path)
  database.exec(
    'CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB); CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)',
  )
  const insert = database.prepare('INSERT OR IGNORE INTO blobs VALUES (?, ?)')
  const put = (data: Buffer): Buffer => {
    const id = createHash('sha256').update(data).digest()
    insert.run(id.toString('hex'), data)
    return id
  }
  const ids = messages.map((message) => put(Buffer.from(JSON.stringify(message))))
  const tokens = Buffer.from([0x08, 0xa0, 0x60])
  const repository = Buffer.concat([field(1, Buffer.from(workspace)), field(2, Buffer.from(branch))])
  const root = put(
    Buffer.concat([
      ...ids.map((id) => field(1, id)),
      field(5, tokens),
      field(9, Buffer.from(workspace)),
      Buffer.from([0x50, 0x01]),
      field(21, repository),
    ]),
  )
  const told = JSON.stringify({ ...meta, latestRootBlobId: root.toString('hex') })
  database.prepare('INSERT INTO meta VALUES (?, ?)').run('0', Buffer.from(told).toString('hex'))
  database.close()
}

/** A field of a protobuf message that is shorter than 16 KiB. */
function field(number: number, bytes: Buffer): Buffer {
  const tag = number * 8 + 2
  return Buffer.concat([varint(tag), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  return value < 128 ? Buffer.from([value]) : Buffer.from([(value % 128) + 128, Math.floor(value / 128)])
}

export function fixture<T>(name: string): T {
  return JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as T
}

/** All fixtures below a new folder: `projects` and `chats` as in `~/.cursor`, `editor` as the editor's folders. */
export function layOut(): string {
  const folder = mkdtempSync(join(tmpdir(), 'varve-cursor-'))
  cpSync(join(FIXTURES, 'transcripts'), join(folder, 'projects'), { recursive: true })
  const chat = fixture<ChatFixture & { note: unknown }>('chat.json')
  writeChat(join(folder, 'chats', CHAT), chat)
  writeFileSync(join(folder, 'chats', dirname(CHAT), 'meta.json'), JSON.stringify(chat.note))
  writeEditor(join(folder, 'editor', EDITOR), fixture('editor.json'))
  writeEditor(join(folder, 'editor', WORKSPACE), fixture('workspace.json'))
  return folder
}
