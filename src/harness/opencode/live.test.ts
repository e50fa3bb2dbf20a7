/** A session captured again and again while it is written gives what capturing it once gives. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, test } from 'vitest'
import { captureOnce, createRedactor } from '../../capture/index.ts'
import { type Engine, openStore } from '../../store/index.ts'
import { fields } from '../fields.ts'
import { opencode } from './index.ts'
import { makeDatabase, temporaryFolder } from './testing.ts'

type Row = Record<string, string | number | null>

/** An answer or a part of one as it is before it has come to its end. */
function begun(table: string, row: Row): Row {
  const data = fields(JSON.parse(String(row['data'])))
  if (table === 'message' && data['role'] === 'assistant') {
    const { finish: _finish, error: _error, tokens: _tokens, time, ...rest } = data
    return { ...row, data: JSON.stringify({ ...rest, time: { created: fields(time)['created'] } }) }
  }
  if (data['type'] === 'tool') {
    return { ...row, data: JSON.stringify({ ...data, state: { status: 'pending', input: {}, raw: '' } }) }
  }
  const isStreamed = data['type'] === 'text' && data['time'] !== undefined
  return isStreamed ? { ...row, data: JSON.stringify({ ...data, text: '' }) } : row
}

async function captureFrom(engine: Engine, root: string): Promise<void> {
  const sources = opencode.sources.map((source) => ({ ...source, roots: () => [root] }))
  const { skipped } = await captureOnce({
    engine,
    owner: 1,
    harnesses: [{ ...opencode, sources }],
    host: { home: root, env: {}, platform: process.platform },
    clock: Date.now,
    redactor: createRedactor({ enabled: false }),
    projects: { projectOf: () => undefined },
  })
  expect(skipped).toEqual([])
}

async function archiveOf(engine: Engine): Promise<unknown> {
  const events =
    'SELECT native_id, type, text, tool_name, exit_code, ending, copied FROM event ORDER BY native_id, type'
  const turns = `SELECT session.native_id, turn.ending, turn.event_count, turn.tools FROM turn
    JOIN session ON session.pk = turn.session_pk ORDER BY session.native_id, turn.started_at`
  const usage = 'SELECT id, input, output, cache_read, cache_write, reasoning FROM usage ORDER BY id'
  return { events: await engine.all(events), turns: await engine.all(turns), usage: await engine.all(usage) }
}

test('a growing database is captured as the whole one is', async () => {
  const folder = temporaryFolder()
  const source = new BetterSqlite3(makeDatabase('opencode/current.sql', join(folder, 'source.db')), { readonly: true })
  const all = (sql: string): Row[] => source.prepare<[], Row>(sql).all()
  const live = join(folder, 'live')
  mkdirSync(live)
  const database = new BetterSqlite3(join(live, 'opencode.db'))
  database.pragma('journal_mode = WAL')
  for (const { sql } of all("SELECT sql FROM sqlite_master WHERE type = 'table'")) database.exec(String(sql))
  const insert = (table: string, row: Row): unknown =>
    database
      .prepare(
        `INSERT INTO ${table} VALUES (${Object.keys(row)
          .map(() => '?')
          .join(', ')})`,
      )
      .run(Object.values(row))
  let tick = 2_000_000
  const finish = (table: string, { id, data }: Row): unknown =>
    database.prepare(`UPDATE ${table} SET data = ?, time_updated = ? WHERE id = ?`).run(data, ++tick, id)

  const engine = await openStore({ url: ':memory:' })
  for (const row of all('SELECT * FROM session')) insert('session', row)
  for (const message of all("SELECT * FROM message WHERE data LIKE '{%' ORDER BY time_created, id")) {
    insert('message', begun('message', message))
    await captureFrom(engine, live)
    for (const part of all(`SELECT * FROM part WHERE message_id = '${message['id']}' ORDER BY id`)) {
      insert('part', begun('part', part))
      await captureFrom(engine, live)
      finish('part', part)
    }
    finish('message', message)
    await captureFrom(engine, live)
  }
  const grown = await archiveOf(engine)
  const fresh = await openStore({ url: ':memory:' })
  await captureFrom(fresh, live)
  expect(grown).toEqual(await archiveOf(fresh))
  for (const each of [engine, fresh]) await each.close()
  for (const each of [source, database]) each.close()
})
