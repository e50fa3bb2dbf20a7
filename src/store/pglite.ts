/** PostgreSQL inside this process, for tests; the product never loads it. */

import { PGlite } from '@electric-sql/pglite'
import type { Engine } from './engine.ts'
import { type PostgresConnection, postgresEngine } from './postgres.ts'

/** PostgreSQL type numbers that are read as numbers, as `connectPostgres` reads them. */
const INT8 = 20
const NUMERIC = 1700

/** Starting PGlite takes a second, so a process has one and empties it. */
let server: Promise<PGlite> | undefined

/** An empty database, not migrated. Opening another ends this one. */
export async function openPglite(): Promise<Engine> {
  server ??= PGlite.create({ parsers: { [INT8]: Number, [NUMERIC]: Number } })
  const db = await server
  await db.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const connection: PostgresConnection = {
    async query(sql, params) {
      const { rows, affectedRows } = await db.query<Record<string, unknown>>(sql, [...params])
      return { rows: rows.map(withBuffers), affected: affectedRows ?? 0 }
    },
  }
  let tail: Promise<unknown> = Promise.resolve()
  return postgresEngine({
    // There is one connection, so users of it wait for each other.
    use: (work) => {
      const result = tail.then(() => work(connection))
      tail = result.catch(() => undefined)
      return result
    },
    close: async () => {},
  })
}

function withBuffers(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value) : value]),
  )
}
