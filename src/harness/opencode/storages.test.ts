import { copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { discover } from '../../capture/discover.ts'
import { nodeFileSystem } from '../../capture/file-system.ts'
import { openForeignDatabase } from '../../capture/foreign-database.ts'
import type { Host, SourceFile } from '../harness.ts'
import { foldTurns, layoutFor, readFileOf, readWith, usageTotals } from '../reading.testing.ts'
import { databaseFormat } from './database.ts'
import { opencode } from './index.ts'
import { projectOf } from './paths.ts'
import { toRecords } from './records.ts'
import { makeDatabase, makeStorage, temporaryFolder } from './testing.ts'

const folder = temporaryFolder()

const at = (path: string): SourceFile => ({ source: 'opencode', path, relative: 'opencode.db', modifiedAt: 0 })

function versions(path: string): Map<string, string> {
  const database = openForeignDatabase(path)
  try {
    return new Map([...databaseFormat.transcripts(database)].map(({ key, version }) => [key, version]))
  } finally {
    database.close()
  }
}

describe('the places', () => {
  const [source] = opencode.sources
  const host = (more: Partial<Host>): Host => ({ home: '/home/kim', env: {}, platform: 'linux', ...more })

  test('follow the XDG rules on every platform, and the variable that names a database', () => {
    expect(source?.roots(host({}))).toEqual(['/home/kim/.local/share/opencode'])
    expect(source?.roots(host({ env: { XDG_DATA_HOME: '/data' } }))).toEqual(['/data/opencode'])
    expect(source?.roots(host({ home: 'C:\\Users\\kim', platform: 'win32' }))).toEqual([
      'C:\\Users\\kim\\.local\\share\\opencode',
    ])
    expect(source?.roots(host({ env: { OPENCODE_DB: '/mnt/opencode-work.db' } }))).toEqual([
      '/home/kim/.local/share/opencode',
      '/mnt',
    ])
  })

  test.each([
    ['opencode.db', true],
    ['opencode-dev.db', true],
    ['storage/session/prj/ses_1.json', true],
    ['project/home-kim/storage/session/info/ses_1.json', true],
    ['opencode.db-wal', false],
    ['kilo.db', false],
    ['storage/session/info/ses_1.json', false],
    ['storage/message/ses_1/msg_1.json', false],
    ['storage/session_diff/ses_1.json', false],
    ['snapshot/prj/opencode.db', false],
    ['auth.json', false],
  ])('%s: %s', (path, expected) => {
    expect(source?.matches(path)).toBe(expected)
  })

  test('hold much else, which is not looked through', () => {
    const folders = [
      'snapshot',
      'worktree/prj/a',
      'log',
      'storage/part',
      'storage/message/ses_1',
      'storage/session_diff',
    ]
    expect(folders.filter((path) => !source?.skips?.(path))).toEqual([])
    const needed = ['storage', 'storage/session', 'storage/session/prj', 'project', 'project/kim/storage/session/info']
    expect(needed.filter((path) => source?.skips?.(path))).toEqual([])
    const root = makeStorage(join(folder, 'looked'))
    makeDatabase('opencode/current.sql', join(root, 'opencode.db'))
    const entered: string[] = []
    const fileSystem = {
      ...nodeFileSystem,
      readDirectory: (path: string) => {
        entered.push(relative(root, path).replaceAll('\\', '/'))
        return nodeFileSystem.readDirectory(path)
      },
    }
    const host = { home: root, env: {}, platform: process.platform }
    const sources = opencode.sources.map((each) => ({ ...each, roots: () => [root] }))
    const { files } = discover([{ ...opencode, sources }], host, { fileSystem })
    expect([...new Set(files.map(({ file }) => file.relative))].sort()).toEqual([
      'opencode.db',
      'project/home-kim-raft/storage/session/info/ses_raft.json',
      'storage/session/prj/ses_boat.json',
    ])
    expect(entered).not.toContain('storage/part')
  })

  test('the first OpenCode kept its database in the project', () => {
    expect(projectOf(at('/home/kim/fence/.opencode/opencode.db'))).toBe('/home/kim/fence')
    expect(projectOf(at('C:\\work\\fence\\.opencode\\opencode.db'))).toBe('C:\\work\\fence')
    expect(projectOf(at('/home/kim/.local/share/opencode/opencode.db'))).toBe('')
  })
})

describe('the database', () => {
  test('lists the sessions that hold something', () => {
    const path = makeDatabase('opencode/current.sql', join(folder, 'listed', 'opencode.db'))
    expect([...versions(path).keys()]).toEqual(['ses_kite', 'ses_tail', 'ses_fork'])
  })

  test.each([
    ['a message', "INSERT INTO message VALUES ('msg_98', 'ses_tail', 1, 1, '{}')"],
    ['a part', "INSERT INTO part VALUES ('prt_98', 'msg_21', 'ses_tail', 1, 1, '{}')"],
    ['a part that goes on', "UPDATE part SET data = '{}', time_updated = 1099999 WHERE id = 'prt_2101'"],
    ['a message that is over', "UPDATE message SET data = '{}', time_updated = 1099999 WHERE id = 'msg_21'"],
    ['a title', "UPDATE session SET title = 'Bows' WHERE id = 'ses_tail'"],
    ['a message taken back', "DELETE FROM message WHERE id = 'msg_20'"],
    ['a note', "INSERT INTO session_message VALUES ('evt_9', 'ses_tail', 'weather', 1, 1, 1, '{}')"],
    ['an event', "INSERT INTO event_sequence VALUES ('ses_tail', 5)"],
  ])('%s changes the version of its session alone', (_what, sql) => {
    const path = makeDatabase('opencode/current.sql', join(folder, 'changed', `${sql.length}.db`))
    const before = versions(path)
    const writer = new BetterSqlite3(path)
    writer.exec(sql)
    writer.close()
    const after = versions(path)
    const changed = [...after].filter(([key, version]) => before.get(key) !== version).map(([key]) => key)
    expect(changed).toEqual(['ses_tail'])
  })

  test('is listed without a look at any part but the newest', () => {
    const path = makeDatabase('opencode/current.sql', join(folder, 'plan', 'opencode.db'))
    const database = new BetterSqlite3(path)
    database.exec(`CREATE INDEX message_session_idx ON message (session_id, time_created, id);
      CREATE INDEX part_message_idx ON part (message_id);
      CREATE INDEX note_session_idx ON session_message (session_id)`)
    const statements: string[] = []
    const all = (sql: string): [] => {
      statements.push(sql)
      return []
    }
    const columns = (table: string): string[] =>
      database
        .prepare<[string], { name: string }>('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => name)
    void [...databaseFormat.transcripts({ columns, all, each: () => [] })]
    const plan = statements.flatMap((sql) =>
      database
        .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all()
        .map(({ detail }) => detail),
    )
    database.close()
    expect(statements).toHaveLength(1)
    expect(plan.filter((step) => /^SCAN (?:message|part|session_message|event_sequence)/.test(step))).toEqual([])
  })

  test('shows what only its write-ahead log holds (fault 58)', async () => {
    const path = makeDatabase('opencode/current.sql', join(folder, 'log', 'opencode.db'))
    const writer = new BetterSqlite3(path)
    writer.pragma('journal_mode = WAL')
    writer.pragma('wal_autocheckpoint = 0')
    writer.exec(
      `INSERT INTO session VALUES ('ses_new', 'prj', NULL, 'new', '/home/kim', 'New', '1.18.0', 1400000, 1400000);
       INSERT INTO message VALUES ('msg_90', 'ses_new', 1400001, 1400001, '{"role":"user","time":{"created":1400001}}');
       INSERT INTO part VALUES ('prt_90', 'msg_90', 'ses_new', 1400001, 1400001, '{"type":"text","text":"In the log."}')`,
    )
    for (const ending of ['', '-wal', '-shm']) {
      if (existsSync(path + ending)) copyFileSync(path + ending, join(folder, `opencode.db${ending}`))
    }
    writer.close()
    const { drafts } = await readFileOf(opencode, join(folder, 'opencode.db'), { key: 'ses_new' })
    expect(drafts.map(({ text }) => text)).toEqual(['', 'In the log.'])
  })

  test('is none of ours, or empty, and then holds nothing', () => {
    const path = join(folder, 'foreign.db')
    const database = new BetterSqlite3(path)
    database.exec('CREATE TABLE plants (id TEXT)')
    database.close()
    expect([...versions(path)]).toEqual([])
  })
})

describe('an unfinished answer', () => {
  const stored = (role: string, more: object = {}) => ({ session: 's', message: { role, ...more }, parts: [{}] })
  const marks = (...messages: ReturnType<typeof stored>[]) =>
    [...toRecords(messages)].map(({ superseded }) => superseded)

  test('is over when the model is asked again, and not when a prompt is put into the queue', () => {
    expect(marks(stored('user'), stored('assistant'))).toEqual([false, false])
    expect(marks(stored('user'), stored('assistant'), stored('user'))).toEqual([false, false, false])
    expect(marks(stored('user'), stored('assistant'), stored('user'), stored('assistant'))).toEqual([
      false,
      true,
      false,
      false,
    ])
  })

  test('that has no part yet is not told of', () => {
    expect(marks(stored('user'), { ...stored('assistant'), parts: [] })).toEqual([false])
    const begun = { ...stored('assistant'), parts: [{ type: 'step-start' }, { type: 'text', text: '' }] }
    expect(marks(stored('user'), begun)).toEqual([false])
    expect(marks(stored('user'), begun, stored('user'), stored('assistant'))).toEqual([false, true, false, false])
    expect(marks({ ...stored('assistant', { finish: 'stop' }), parts: [] })).toEqual([false])
  })
})

describe('the folder of JSON files', () => {
  test('holds the same as the database it became, under the same ids', async () => {
    const root = makeStorage(join(folder, 'moved'))
    const path = join(root, 'storage/session/prj/ses_boat.json')
    const stored = await readFileOf(opencode, path, { root })
    const database = new BetterSqlite3(makeDatabase('opencode/current.sql', join(root, 'opencode.db')))
    database.exec(
      "INSERT INTO session VALUES ('ses_boat', 'prj', NULL, '', '/home/kim/boat', 'New session - 2025-10-01T08:00:00.000Z', '0.15.0', 2000000, 2009000)",
    )
    const { format } = layoutFor(opencode, at(path))
    expect(format.kind).toBe('bundle')
    const files = [
      ['message', 'msg_a', 'msg_a', 'message/ses_boat/msg_a.json'],
      ['message', 'msg_b', 'msg_b', 'message/ses_boat/msg_b.json'],
      ['part', 'prt_a1', 'msg_a', 'part/msg_a/prt_a1.json'],
      ...[1, 2, 3, 4, 5].map((n) => ['part', `prt_b${n}`, 'msg_b', `part/msg_b/prt_b${n}.json`]),
    ]
    for (const [table, id, parent, name] of files) {
      const data = readFileSync(join(root, 'storage', name ?? ''), 'utf8')
      const time = parent === 'msg_a' ? 2001000 : 2002000
      if (table === 'message') {
        database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, 'ses_boat', time, time, data)
      } else {
        database.prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(id, parent, 'ses_boat', time, time, data)
      }
    }
    database.close()
    const moved = await readFileOf(opencode, join(root, 'opencode.db'), { root, key: 'ses_boat' })
    expect(moved.drafts).toEqual(stored.drafts)
  })

  test('looks different when a message comes', () => {
    const file = at('/data/opencode/storage/session/prj/ses_boat.json')
    const { format } = layoutFor(opencode, file)
    expect(format.kind === 'bundle' && format.related(file)).toEqual(['/data/opencode/storage/message/ses_boat'])
    const oldest = at('/data/opencode/project/raft/storage/session/info/ses_raft.json')
    expect(format.kind === 'bundle' && format.related(oldest)).toEqual([
      '/data/opencode/project/raft/storage/session/message/ses_raft',
    ])
  })

  test('with parts in one folder, as in copies made by hand, is read too', async () => {
    const root = makeStorage(join(folder, 'loose'))
    const part = join(root, 'storage/part')
    for (const name of ['msg_a/prt_a1.json', 'msg_b/prt_b4.json'])
      copyFileSync(join(part, name), join(part, name.slice(6)))
    rmSync(join(part, 'msg_a'), { recursive: true })
    rmSync(join(part, 'msg_b'), { recursive: true })
    const { drafts } = await readFileOf(opencode, join(root, 'storage/session/prj/ses_boat.json'), { root })
    expect(drafts.map(({ text }) => text)).toEqual(['', 'Build a boat.', 'It floats.', ''])
  })

  test('of the first months has messages that hold their parts', () => {
    const metadata = {
      time: { created: 5, completed: 9 },
      assistant: { modelID: 'm-old', path: { cwd: '/home/kim' }, tokens: { input: 3, output: 1 }, cost: 0.1 },
      tool: { c1: { title: 'ls', time: { start: 6, end: 7 }, exit: 0 } },
    }
    const invocation = { state: 'result', toolCallId: 'c1', toolName: 'bash', args: { command: 'ls' }, result: 'a' }
    const messages: Record<string, unknown> = {
      'b.json': {
        id: 'b',
        role: 'assistant',
        metadata,
        parts: [
          { type: 'tool-invocation', toolInvocation: invocation },
          { type: 'text', text: 'One file.' },
        ],
      },
      'a.json': { id: 'a', role: 'user', metadata: { time: { created: 4 } }, parts: [{ type: 'text', text: 'List.' }] },
    }
    const file = at('/data/opencode/project/kim/storage/session/info/ses_old.json')
    const { format } = layoutFor(opencode, file)
    if (format.kind !== 'bundle') throw new Error('JSON files are a bundle')
    const isMessages = (path: string): boolean => path.includes('/message/ses_old')
    const records = format.records(
      {
        names: (folder) => (isMessages(folder) ? Object.keys(messages) : []),
        json: (path) => (isMessages(path) ? messages[path.split('/').at(-1) ?? ''] : { id: 'ses_old' }),
      },
      file,
    )
    const { drafts } = readWith(opencode, file, records)
    expect(foldTurns(drafts)).toMatchObject([{ prompt: 'List.', ending: 'answered', calls: ['bash 0'] }])
    expect(drafts[2]).toMatchObject({ at: 6, model: 'm-old', cwd: '/home/kim', native: { id: 'b/0', index: 0 } })
    expect(usageTotals(drafts)).toMatchObject({ input: 3, output: 1 })
  })
})
