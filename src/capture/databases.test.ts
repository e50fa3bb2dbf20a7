/** Databases of other programs, which go on writing while we read. */

import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DatabaseFormat, Harness } from '../harness/harness.ts'
import { loadCheckpoint } from '../store/index.ts'
import { type Desk, LONG_AGO, NOW, type Note, openDesk } from './capture.testing.ts'
import { createDatabases, type Databases } from './databases.ts'
import { nodeFileSystem, ReadFailure } from './file-system.ts'
import { openForeignDatabase } from './foreign-database.ts'
import { BOOKS, databaseNotes } from './formats.testing.ts'

let desk: Desk
let path: string
let folder: string
let open: BetterSqlite3.Database[] = []
beforeEach(async () => {
  desk = await openDesk()
  folder = join(desk.home, 'databases')
  path = join(folder, 'books.db')
  mkdirSync(folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const each of open) each.close()
  open = []
  await desk.close()
})

/** The program whose database it is. */
function program(journal: 'wal' | 'delete'): BetterSqlite3.Database {
  const database = new BetterSqlite3(path, { timeout: 0 })
  open.push(database)
  database.pragma(`journal_mode = ${journal}`)
  database.pragma('wal_autocheckpoint = 0')
  return database
}

function closed(database: BetterSqlite3.Database): void {
  database.close()
  open = open.filter((each) => each !== database)
}

let version = 0
function write(database: BetterSqlite3.Database, book: string, ...notes: Note[]): void {
  database.transaction(() => {
    version++
    database
      .prepare('INSERT INTO book VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET version = excluded.version')
      .run(book, version, LONG_AGO + version)
    const count = database.prepare('SELECT COUNT(*) FROM note WHERE book = ?').pluck().get(book) as number
    notes.forEach((note, index) => {
      database
        .prepare('INSERT INTO note VALUES (?, ?, ?)')
        .run(book, count + index, JSON.stringify({ session: book, ...note }))
    })
  })()
}

const note = (id: string): Note => ({ id, text: `note ${id}`, at: LONG_AGO })
const capture = (databases?: Databases) => desk.capture({ harnesses: [databaseNotes], ...(databases && { databases }) })

function fingerprint(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  )
}

describe.each(['wal', 'delete'] as const)('a database with journal mode %s', (journal) => {
  test('holds a transcript for each of its own; one that changed is read, the others are not', async () => {
    const database = program(journal)
    database.exec(BOOKS)
    write(database, 'a', note('1'), note('2'))
    write(database, 'b', note('3'))
    expect(await capture()).toMatchObject({ files: 2, records: 3, events: 3, sessions: 2, skipped: [] })
    expect(await capture()).toMatchObject({ files: 2, unchanged: 2, records: 0 })
    write(database, 'a', note('4'))
    expect(await capture()).toMatchObject({ files: 2, unchanged: 1, records: 3, events: 1 })
    expect((await desk.texts()).sort()).toEqual(['note 1', 'note 2', 'note 3', 'note 4'])
    expect(await loadCheckpoint(desk.engine, 1, 'databases', `${path}#a`)).toMatchObject({
      status: 'active',
      records: 3,
    })
  })

  test('is read as it was found: no byte of it changes and no file comes to lie beside it', async () => {
    const database = program(journal)
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    const before = fingerprint()
    await capture()
    const { [`books.db-shm`]: _locks, ...rest } = fingerprint()
    const { [`books.db-shm`]: _before, ...expected } = before
    expect(rest).toEqual(expected)
    closed(database)
    const atRest = fingerprint()
    expect(Object.keys(atRest)).toEqual(['books.db'])
    write(program(journal), 'a', note('2'))
    for (const each of open) each.close()
    open = []
    const changed = fingerprint()
    expect(await capture()).toMatchObject({ events: 1 })
    expect(fingerprint()).toEqual(changed)
  })

  test('whose program writes while a transcript is read is never kept waiting (fault 98)', async () => {
    const database = program(journal)
    database.exec(BOOKS)
    write(database, 'a', ...Array.from({ length: 5000 }, (_, n) => note(`${n}`)))
    const reader = openForeignDatabase(path)
    try {
      let rows = 0
      for (const _ of reader.snapshot(() => reader.each('SELECT json FROM note WHERE book = ?', 'a'))) {
        rows++
        // Without any patience: a lock of ours would make this throw at once.
        if (rows % 1000 === 1) write(database, 'b', note(`while ${rows}`))
      }
      expect(rows).toBe(5000)
    } finally {
      reader.close()
    }
    expect(await capture()).toMatchObject({ files: 2, events: 5005 })
  })

  test('that is damaged is said and keeps what was stored; mended, it is read again', async () => {
    const database = program(journal)
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    database.pragma('wal_checkpoint(TRUNCATE)')
    closed(database)
    await capture()
    const good = readFileSync(path)
    writeFileSync(path, 'not what it was')
    expect((await capture()).skipped).toMatchObject([{ reason: 'damaged', path }])
    expect(await loadCheckpoint(desk.engine, 1, 'databases', `${path}#a`)).toMatchObject({ status: 'active' })
    writeFileSync(path, good)
    expect(await capture()).toMatchObject({ unchanged: 1, skipped: [] })
    expect(await desk.texts()).toEqual(['note 1'])
  })
})

describe('the write-ahead log', () => {
  test('is read with the database: what is in it alone is found (fault 58)', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    const main = statSync(path).mtimeMs
    write(database, 'a', note('in the log'))
    expect(statSync(path).mtimeMs).toBe(main)
    const databases = createDatabases(Date.now)
    await capture(databases)
    expect(await desk.texts()).toEqual(['note in the log'])
    write(database, 'a', note('later'))
    expect(await capture(databases)).toMatchObject({ events: 1 })
  })

  test('left by a crash is read in a copy where its index is gone, and in place where it is not', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    const crashed = join(desk.home, 'crashed')
    cpSync(folder, crashed, { recursive: true })
    closed(database)
    rmSync(folder, { recursive: true })
    cpSync(crashed, folder, { recursive: true })
    rmSync(`${path}-shm`)
    const before = fingerprint()
    expect(await capture()).toMatchObject({ events: 1 })
    expect(fingerprint()).toEqual(before)
    cpSync(join(crashed, 'books.db-shm'), `${path}-shm`)
    const log = fingerprint()['books.db-wal']
    expect(await capture()).toMatchObject({ unchanged: 1 })
    expect(fingerprint()['books.db-wal']).toBe(log)
    expect(fingerprint()['books.db']).toBe(before['books.db'])
  })
})

test('a copy leaves nothing behind, not even while it is read', () => {
  const database = program('wal')
  database.exec(BOOKS)
  write(database, 'a', ...Array.from({ length: 3000 }, (_, n) => note(`${n}`)))
  closed(database)
  const temporary = join(desk.home, 'temporary')
  mkdirSync(temporary)
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary)
  const reader = openForeignDatabase(path)
  if (process.platform !== 'win32') expect(readdirSync(temporary)).toEqual([])
  expect([...reader.snapshot(() => reader.each('SELECT * FROM note'))]).toHaveLength(3000)
  expect(reader.all('SELECT COUNT(*) AS count FROM note')).toEqual([{ count: 3000 }])
  reader.close()
  expect(readdirSync(temporary)).toEqual([])
})

describe('what others do', () => {
  test('a database locked by its program is said, keeps what was stored, and is read at the next pass (fault 98)', async () => {
    const database = program('delete')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    await capture()
    write(database, 'a', note('2'))
    database.exec('BEGIN EXCLUSIVE')
    const report = await capture()
    expect(report.skipped).toMatchObject([{ reason: 'busy', path }])
    expect(await loadCheckpoint(desk.engine, 1, 'databases', `${path}#a`)).toMatchObject({ status: 'active' })
    database.exec('COMMIT')
    expect(await capture()).toMatchObject({ events: 1, skipped: [] })
  })

  test('one database that cannot be read does not keep another from being read', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    mkdirSync(join(folder, 'other'))
    writeFileSync(join(folder, 'other', 'books.db'), 'garbage')
    expect(await capture()).toMatchObject({ files: 1, events: 1, skipped: [{ reason: 'damaged' }] })
  })

  test('an empty file, and a database without the tables, hold nothing', async () => {
    writeFileSync(path, '')
    expect(await capture()).toMatchObject({ files: 0, skipped: [] })
    program('delete').exec('CREATE TABLE other (x)')
    expect(await capture()).toMatchObject({ files: 0, skipped: [] })
  })

  test.each(['wal', 'delete'] as const)('a path with ?, #, % and blanks is no URI (fault 65), %s', async (journal) => {
    const odd = join(folder, 'a b?mode=rwc#50%25')
    mkdirSync(odd)
    path = join(odd, 'books.db')
    const database = program(journal)
    database.exec(BOOKS)
    write(database, 'a#1', note('1'))
    expect(await capture()).toMatchObject({ files: 1, events: 1, skipped: [] })
    closed(database)
    write(program(journal), 'a#1', note('2'))
    for (const each of open) each.close()
    open = []
    expect(await capture()).toMatchObject({ files: 1, events: 1, skipped: [] })
    expect(readdirSync(odd)).toEqual(['books.db'])
  })

  test('a database that may not be read is said to be that, and its transcripts are not gone (fault 64)', async () => {
    const database = program('delete')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    await capture()
    write(database, 'a', note('2'))
    const fileSystem = {
      ...nodeFileSystem,
      open: (name: string): number => {
        if (name === path) throw Object.assign(new Error('no'), { code: 'EACCES' })
        return nodeFileSystem.open(name)
      },
    }
    const report = await desk.capture({ harnesses: [databaseNotes], fileSystem })
    expect(report.skipped).toMatchObject([{ reason: 'permission', path }])
    expect(await loadCheckpoint(desk.engine, 1, 'databases', `${path}#a`)).toMatchObject({ status: 'active' })
  })

  test('a transcript that is gone from its database is marked so and kept', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    write(database, 'b', note('2'))
    await capture()
    database.exec("DELETE FROM book WHERE id = 'a'")
    await capture()
    expect(await loadCheckpoint(desk.engine, 1, 'databases', `${path}#a`)).toMatchObject({ status: 'gone' })
    expect(await loadCheckpoint(desk.engine, 1, 'databases', `${path}#b`)).toMatchObject({ status: 'active' })
    expect(await desk.texts()).toHaveLength(2)
  })

  test('a column that is no JSON costs its record alone', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'), note('2'), note('3'))
    database.prepare("UPDATE note SET json = '{half' WHERE place = 1").run()
    const report = await capture()
    expect(report).toMatchObject({ records: 3, events: 3, skipped: [{ reason: 'not-object', count: 1 }] })
    expect((await desk.texts()).filter((text) => text !== '')).toEqual(['note 1', 'note 3'])
  })

  test('named by its path anywhere, a database is recognised and read', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    const elsewhere = join(desk.home, 'backup', 'old.db')
    mkdirSync(dirname(elsewhere))
    database.pragma('wal_checkpoint(TRUNCATE)')
    cpSync(path, elsewhere)
    const report = await desk.capture({ harnesses: [databaseNotes], paths: [elsewhere] })
    expect(report).toMatchObject({ files: 1, events: 1 })
    expect(readdirSync(dirname(elsewhere))).toEqual(['old.db'])
    expect(await capture()).toMatchObject({ files: 1, events: 0 })
  })

  test('is recognised although another harness, which is asked first, finds nothing in it', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    closed(database)
    utimesSync(path, LONG_AGO / 1000, LONG_AGO / 1000)
    const [layout] = databaseNotes.layouts
    const format: DatabaseFormat = { kind: 'database', transcripts: () => [], records: () => [] }
    const other: Harness = { ...databaseNotes, id: 'other', layouts: layout ? [{ ...layout, format }] : [] }
    const report = await desk.capture({ harnesses: [other, databaseNotes], paths: [path] })
    expect(report).toMatchObject({ files: 1, events: 1, skipped: [] })
  })
})

describe('an idle database', () => {
  test('is not opened again while its files look the same', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), LONG_AGO / 1000, LONG_AGO / 1000)
    let opened = 0
    const fileSystem = {
      ...nodeFileSystem,
      open: (name: string) => {
        opened++
        return nodeFileSystem.open(name)
      },
    }
    const databases = createDatabases(() => LONG_AGO + 60_000, fileSystem)
    await capture(databases)
    expect(opened).toBe(1)
    expect(await capture(databases)).toMatchObject({ files: 1, unchanged: 1 })
    expect(opened).toBe(1)
    write(database, 'a', note('2'))
    expect(await capture(databases)).toMatchObject({ events: 1 })
    expect(opened).toBe(2)
  })
})

describe('a new process', () => {
  test('does not open a database that looks as it did when another one read it', async () => {
    const database = program('wal')
    database.exec(BOOKS)
    write(database, 'a', note('1'))
    write(database, 'b', note('2'))
    closed(database)
    utimesSync(path, LONG_AGO / 1000, LONG_AGO / 1000)
    await capture(createDatabases(() => NOW))
    const fileSystem = {
      ...nodeFileSystem,
      open: (): number => {
        throw new Error('opened')
      },
    }
    expect(await capture(createDatabases(() => NOW, fileSystem))).toMatchObject({ files: 2, unchanged: 2, skipped: [] })
    const again = program('wal')
    write(again, 'b', note('3'))
    expect(await capture(createDatabases(() => NOW))).toMatchObject({ files: 2, unchanged: 1, events: 1 })
    rmSync(folder, { recursive: true })
    expect(await capture(createDatabases(() => NOW))).toMatchObject({ files: 0, skipped: [] })
    const statuses = await desk.engine.all('SELECT DISTINCT status FROM source_file')
    expect(statuses).toEqual([{ status: 'gone' }])
  })
})

describe('rows', () => {
  test('have text as text, bytes as bytes, and integers as numbers where they fit', () => {
    const database = program('delete')
    database.exec(
      "CREATE TABLE t (a, b, c, d, e); INSERT INTO t VALUES ('ü', x'0001ff', 9007199254740991, 9007199254740993, NULL)",
    )
    const reader = openForeignDatabase(path)
    try {
      const [row] = reader.all('SELECT * FROM t')
      expect(row).toEqual({
        a: 'ü',
        b: new Uint8Array([0, 1, 255]),
        c: 9007199254740991,
        d: 9007199254740993n,
        e: null,
      })
      expect(reader.columns('t')).toEqual(['a', 'b', 'c', 'd', 'e'])
      expect(reader.columns('nothing')).toEqual([])
      expect(() => reader.all('SELECT * FROM nothing')).toThrow(ReadFailure)
      expect(() => reader.all('INSERT INTO t VALUES (1, 2, 3, 4, 5) RETURNING a')).toThrow(ReadFailure)
    } finally {
      reader.close()
    }
  })
})
