/** SQLite through better-sqlite3: one connection that writes, one that reads, so that a reader never waits. */

import { statSync } from 'node:fs'
import type BetterSqlite3 from 'better-sqlite3'
import type { Engine, Queryable, SqlValue } from './engine.ts'
import { groupCommits } from './group-commit.ts'
import { sqliteTextIndex } from './sqlite-text-index.ts'

type Connection = BetterSqlite3.Database

/** Milliseconds a statement waits for another process's write before it gives up. */
const BUSY_TIMEOUT = 15_000

/** Write-ahead log size, in 4 KiB pages, at which SQLite folds it back by itself. */
const WAL_PAGES = 8_000

/** Statements kept prepared; dynamic filters make new texts, and their number must stay bounded. */
const STATEMENT_CACHE = 400

export interface SqliteOptions {
  /** A file, or `:memory:`. */
  path: string
  /** Open without being able to write; the file must exist. */
  readOnly?: boolean
}

/** Opens a database file, creating it when missing. @throws when the file is no database or cannot be opened. */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  const { default: Database } = await import('better-sqlite3')
  const inMemory = options.path === ':memory:'
  const connect = (readonly: boolean): Connection => {
    const connection = new Database(options.path, { readonly, timeout: BUSY_TIMEOUT })
    // Readers are served from the mapped file; their own cache would only hold it twice.
    connection.pragma(readonly ? 'cache_size = -4000' : 'cache_size = -8000')
    connection.pragma('temp_store = MEMORY')
    connection.pragma('mmap_size = 134217728')
    if (!readonly) prepareWriter(connection)
    return connection
  }
  const writer = options.readOnly ? undefined : connect(false)
  const reader = inMemory && writer ? writer : connect(true)
  return makeEngine(options.path, writer, reader)
}

function prepareWriter(connection: Connection): void {
  connection.pragma('journal_mode = WAL')
  connection.pragma('synchronous = NORMAL')
  connection.pragma(`wal_autocheckpoint = ${WAL_PAGES}`)
  connection.pragma('journal_size_limit = 67108864')
  connection.pragma('foreign_keys = OFF')
}

function makeEngine(path: string, writer: Connection | undefined, reader: Connection): Engine {
  const onWriter = writer ? queryable(writer) : undefined
  const onReader = reader === writer && onWriter ? onWriter : queryable(reader)
  const shared = reader === writer
  let tail: Promise<unknown> = Promise.resolve()

  /** Runs `work` when all work queued before it is done: an `await` inside a transaction must not let others in. */
  const queued = <T>(work: () => Promise<T>): Promise<T> => {
    const result = tail.then(work, work)
    tail = result.catch(() => undefined)
    return result
  }
  const writable = (): Queryable => {
    if (!onWriter) throw new Error('the database was opened read-only')
    return onWriter
  }
  /** An in-memory database has one connection, so its readers wait for transactions too. */
  const read = <T>(work: () => Promise<T>): Promise<T> => (shared ? queued(work) : work())

  /** With a write-ahead log, NORMAL waits for the disk at checkpoints alone, FULL at each commit. */
  let synchronous = 'NORMAL'
  const inTransaction = async <T>(wanted: 'FULL' | 'NORMAL', work: (tx: Queryable) => Promise<T>): Promise<T> => {
    const tx = writable()
    if (synchronous !== wanted) writer?.pragma(`synchronous = ${wanted}`)
    synchronous = wanted
    await tx.run('BEGIN IMMEDIATE')
    try {
      const result = await work(tx)
      await tx.run('COMMIT')
      return result
    } catch (error) {
      if (writer?.inTransaction) await tx.run('ROLLBACK')
      throw error
    }
  }
  const durable = groupCommits(queued, (work) => inTransaction('FULL', work))

  const engine: Engine = {
    name: 'sqlite',
    all: (sql, params) => read(() => onReader.all(sql, params)),
    get: (sql, params) => read(() => onReader.get(sql, params)),
    run: (sql, params) => queued(() => writable().run(sql, params)),
    runMany: (sql, rows) => queued(() => writable().runMany(sql, rows)),
    transaction: (work, options) => (options?.durable ? durable(work) : queued(() => inTransaction('NORMAL', work))),
    forUpdate: () => '',
    textIndex: sqliteTextIndex({ all: (sql, params) => read(() => onReader.all(sql, params)) }),
    checkpoint: async () => {
      await queued(async () => writer?.pragma('wal_checkpoint(TRUNCATE)'))
    },
    size: async () => fileSize(path) + fileSize(`${path}-wal`),
    close: async () => {
      await tail
      if (reader !== writer) reader.close()
      writer?.close()
    },
  }
  return engine
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** Statements prepared once per text, the least used dropped first. */
function queryable(connection: Connection): Queryable {
  const cache = new Map<string, BetterSqlite3.Statement>()
  const prepare = (sql: string): BetterSqlite3.Statement => {
    let statement = cache.get(sql)
    if (statement) {
      cache.delete(sql)
    } else {
      statement = connection.prepare(sql)
      if (cache.size >= STATEMENT_CACHE) cache.delete(cache.keys().next().value ?? '')
    }
    cache.set(sql, statement)
    return statement
  }
  return {
    all: async <R>(sql: string, params: readonly SqlValue[] = []) => prepare(sql).all(...params) as R[],
    get: async <R>(sql: string, params: readonly SqlValue[] = []) => prepare(sql).get(...params) as R | undefined,
    run: async (sql, params = []) => {
      const statement = prepare(sql)
      if (statement.reader) return statement.all(...params).length
      return statement.run(...params).changes
    },
    runMany: async (sql, rows) => {
      const statement = prepare(sql)
      for (const row of rows) statement.run(...row)
    },
  }
}
