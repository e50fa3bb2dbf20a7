/** PostgreSQL through `pg`, or through PGlite in tests: the same statements with `$1` in place of `?`. */

import type { Engine, Queryable, SqlValue } from './engine.ts'
import { postgresTextIndex } from './postgres-text-index.ts'

/** What Varve needs of a driver connection. */
export interface PostgresConnection {
  query(sql: string, params: readonly SqlValue[]): Promise<{ rows: unknown[]; affected: number }>
}

/** Where connections come from: a pool, or the only one there is. */
export interface PostgresPool {
  /** Lends a connection to `work`; aborting cancels the running statement where the driver can. */
  use<T>(work: (connection: PostgresConnection) => Promise<T>, signal?: AbortSignal): Promise<T>
  close(): Promise<void>
}

/** Parameter rows sent in one statement by `runMany`; PostgreSQL allows 65,535 parameters. */
const MAX_PARAMETERS = 30_000

/** An engine over any source of PostgreSQL connections. */
export function postgresEngine(pool: PostgresPool): Engine {
  const all = <R>(sql: string, params: readonly SqlValue[] = [], signal?: AbortSignal) =>
    pool.use((connection) => queryable(connection).all<R>(sql, params), signal)
  return {
    name: 'postgres',
    all,
    get: async <R>(sql: string, params: readonly SqlValue[] = [], signal?: AbortSignal) =>
      (await all<R>(sql, params, signal))[0],
    run: (sql, params) => pool.use((connection) => queryable(connection).run(sql, params)),
    runMany: (sql, rows) => pool.use((connection) => queryable(connection).runMany(sql, rows)),
    transaction: (work) =>
      pool.use(async (connection) => {
        await connection.query('BEGIN', [])
        try {
          const result = await work(queryable(connection))
          await connection.query('COMMIT', [])
          return result
        } catch (error) {
          await connection.query('ROLLBACK', [])
          throw error
        }
      }),
    forUpdate: (table) => ` FOR UPDATE OF ${table}`,
    textIndex: postgresTextIndex({ all }),
    checkpoint: async () => {},
    size: async () => {
      const [row] = await all<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
      return row?.bytes ?? 0
    },
    close: () => pool.close(),
  }
}

function queryable(connection: PostgresConnection): Queryable {
  return {
    all: async <R>(sql: string, params: readonly SqlValue[] = []) =>
      (await connection.query(numbered(sql), params)).rows as R[],
    get: async <R>(sql: string, params: readonly SqlValue[] = []) =>
      (await connection.query(numbered(sql), params)).rows[0] as R | undefined,
    run: async (sql, params = []) => (await connection.query(numbered(sql), params)).affected,
    runMany: (sql, rows) => runMany(connection, sql, rows),
  }
}

/** `INSERT … VALUES (?, ?)` for many rows becomes one statement per few thousand rows; anything else runs row by row. */
async function runMany(
  connection: PostgresConnection,
  sql: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const match = /^(INSERT INTO[^?]*VALUES\s*)(\([?,\s]*\))([^?]*)$/.exec(sql)
  if (!match) {
    const text = numbered(sql)
    for (const row of rows) await connection.query(text, row)
    return
  }
  const [, head = '', tuple = '', end = ''] = match
  const width = rows[0]?.length ?? 1
  const size = Math.max(1, Math.floor(MAX_PARAMETERS / width))
  for (let start = 0; start < rows.length; start += size) {
    const part = rows.slice(start, start + size)
    await connection.query(numbered(head + part.map(() => tuple).join(', ') + end), part.flat())
  }
}

const numberedTexts = new Map<string, string>()

/** `?` to `$1`, `$2`, …; our statements hold no question mark but parameters. */
function numbered(sql: string): string {
  const known = numberedTexts.get(sql)
  if (known !== undefined) return known
  let count = 0
  const text = sql.replace(/\?/g, () => `$${++count}`)
  if (numberedTexts.size < 1_000 && sql.length < 4_000) numberedTexts.set(sql, text)
  return text
}
