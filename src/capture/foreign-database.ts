/**
 * Reads the database of another program such that the program never notices: nothing is written, no lock is held while
 * others work, and no file comes to lie beside it.
 */

import { copyFileSync, constants as fileConstants, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import type { Database, DatabaseRow } from '../harness/harness.ts'
import { accessFailure, type FileSystem, nodeFileSystem, openFile, ReadFailure } from './file-system.ts'

export interface ForeignDatabase extends Database {
  /**
   * Items made of rows, all from one state of the database. Where readers and writers lock each other out, from the
   * state at each statement, whose rows are then taken at once: a change in between shows in the transcript's version.
   */
  snapshot<T>(items: () => Iterable<T>): Iterable<T>
  close(): void
}

/** Milliseconds to wait for a writer. */
const BUSY_TIMEOUT = 250

/** Attempts to copy a database between two writes to it. */
const COPY_ATTEMPTS = 3

const MAGIC = 'SQLite format 3\0'

/** Byte of the header that is 2 when readers need the write-ahead log. */
const READ_VERSION = 19

/**
 * Opens a database for reading. One that needs a write-ahead log and has none, or none that is in use, is copied first:
 * reading it in place would make these files. @throws ReadFailure also `busy` and `damaged`
 */
export function openForeignDatabase(path: string, fileSystem: FileSystem = nodeFileSystem): ForeignDatabase {
  const header = readHeader(path, fileSystem)
  if (header.length === 0) return emptyDatabase()
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new ReadFailure('damaged', 'no SQLite database')
  const usesLog = header[READ_VERSION] === 2
  if (!usesLog) return openInPlace(path, false)
  if (!exists(`${path}-wal`) || !exists(`${path}-shm`)) return openCopy(path)
  try {
    return openInPlace(path, true)
  } catch (error) {
    // In a folder that may not be written to, a log left by a crash can be read in a copy alone.
    if (error instanceof ReadFailure && error.reason === 'unreadable') return openCopy(path)
    throw error
  }
}

function readHeader(path: string, fileSystem: FileSystem): Buffer {
  const open = openFile(fileSystem, path)
  try {
    const header = Buffer.alloc(100)
    return header.subarray(0, open.read(header, 0))
  } finally {
    open.close()
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

/** A program makes its file before it fills it. */
function emptyDatabase(): ForeignDatabase {
  return { columns: () => [], all: () => [], each: () => [], snapshot: (items) => items(), close: () => {} }
}

/** `shared`: reading does not keep others from writing. */
function openInPlace(path: string, shared: boolean): ForeignDatabase {
  const connection = orFailure(() => {
    const opened = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT })
    try {
      // The file is looked into at the first statement only.
      opened.prepare('PRAGMA schema_version').get()
      return opened
    } catch (error) {
      opened.close()
      throw error
    }
  })
  return toDatabase(connection, shared)
}

function openCopy(path: string): ForeignDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'varve-database-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const copy = join(folder, 'copy.db')
    copyAtRest(path, copy)
    const database = openInPlace(copy, true)
    // Where open files may be removed, nothing of it is left behind even when this process is killed.
    if (process.platform !== 'win32') remove()
    return {
      ...database,
      close: () => {
        database.close()
        remove()
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}

/** @throws ReadFailure `busy` when the database is written to again and again meanwhile */
function copyAtRest(path: string, copy: string): void {
  for (let attempt = 0; attempt < COPY_ATTEMPTS; attempt++) {
    const before = stampOf(path)
    try {
      copyFileSync(path, copy, fileConstants.COPYFILE_FICLONE)
      rmSync(`${copy}-wal`, { force: true })
      if (exists(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`, fileConstants.COPYFILE_FICLONE)
    } catch (error) {
      if (accessFailure(error) !== 'missing' || !exists(path)) throw new ReadFailure(accessFailure(error), error)
    }
    if (stampOf(path) === before) return
  }
  throw new ReadFailure('busy', 'the database is being written to')
}

function stampOf(path: string): string {
  return [path, `${path}-wal`, `${path}-journal`]
    .map((each) => {
      const stat = statSync(each, { throwIfNoEntry: false })
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : ''
    })
    .join(',')
}

function toDatabase(connection: BetterSqlite3.Database, shared: boolean): ForeignDatabase {
  const statements = new Map<string, BetterSqlite3.Statement>()
  const prepare = (sql: string): BetterSqlite3.Statement => {
    const prepared = connection.prepare(sql).safeIntegers(true)
    statements.set(sql, prepared)
    return prepared
  }
  const all = (sql: string, ...params: (string | number)[]): DatabaseRow[] =>
    orFailure(() => (statements.get(sql) ?? prepare(sql)).all(...params).map(toRow))
  return {
    all,
    columns: (table) => all('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => String(name)),
    each: (sql, ...params) => (shared ? eachRow(connection, sql, params) : all(sql, ...params)),
    *snapshot(items) {
      if (!shared) return yield* items()
      orFailure(() => connection.exec('BEGIN'))
      try {
        yield* items()
      } finally {
        connection.exec('COMMIT')
      }
    },
    close: () => connection.close(),
  }
}

function* eachRow(
  connection: BetterSqlite3.Database,
  sql: string,
  params: (string | number)[],
): Generator<DatabaseRow> {
  // A statement of its own, since the same one may be asked for again before its rows are over.
  const rows = orFailure(() =>
    connection
      .prepare(sql)
      .safeIntegers(true)
      .iterate(...params),
  )
  try {
    for (let next = orFailure(() => rows.next()); !next.done; next = orFailure(() => rows.next())) {
      yield toRow(next.value)
    }
  } finally {
    rows.return?.()
  }
}

/** The driver gives a row as an object of its columns; integers are numbers where they fit, bytes are bytes alone. */
function toRow(row: unknown): DatabaseRow {
  const columns = row as DatabaseRow
  for (const name in columns) {
    const value = columns[name]
    if (typeof value === 'bigint' && BigInt.asIntN(54, value) === value) columns[name] = Number(value)
    else if (value instanceof Uint8Array) columns[name] = new Uint8Array(value)
  }
  return columns
}

/** What the driver reports becomes a failure of this one file. */
function orFailure<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof BetterSqlite3.SqliteError) throw new ReadFailure(reasonOf(error.code), error)
    throw error
  }
}

function reasonOf(code: string): ReadFailure['reason'] {
  if (/^SQLITE_(BUSY|LOCKED|READONLY_ROLLBACK)/.test(code)) return 'busy'
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR_SHORT_READ)/.test(code)) return 'damaged'
  return code.startsWith('SQLITE_PERM') ? 'permission' : 'unreadable'
}
