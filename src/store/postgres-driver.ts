/** The `pg` driver as Varve uses it. */

import type { SqlValue } from './engine.ts'
import type { PostgresConnection, PostgresPool } from './postgres.ts'

/** PostgreSQL type numbers whose values the driver would otherwise hand over as text (pg_type.dat). */
const INT8 = 20
const NUMERIC = 1700

/** A pool of at most `size` connections to the server named by a `postgres://` URL. */
export async function connectPostgres(url: string, size = 8): Promise<PostgresPool> {
  const { default: pg } = await import('pg')
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format ?? 'text'),
  }
  const pool = new pg.Pool({ connectionString: url, max: size, types: types as typeof pg.types })
  // A connection that breaks while idle is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {})
  // Our statements are short: starting a worker process or a compiler takes longer than most of them run.
  pool.on('connect', (client) => {
    client.query('SET max_parallel_workers_per_gather = 0; SET jit = off').catch(() => {})
  })
  return {
    async use(work, signal) {
      signal?.throwIfAborted()
      const client = await pool.connect()
      const backend = (client as unknown as { processID?: number }).processID
      const cancel = (): void => {
        if (backend !== undefined) pool.query('SELECT pg_cancel_backend($1)', [backend]).catch(() => {})
      }
      signal?.addEventListener('abort', cancel, { once: true })
      try {
        return await work(asConnection(client))
      } finally {
        signal?.removeEventListener('abort', cancel)
        client.release()
      }
    },
    close: () => pool.end(),
  }
}

interface DriverClient {
  query(sql: string, params: SqlValue[]): Promise<{ rows: unknown[]; rowCount: number | null }>
}

function asConnection(client: DriverClient): PostgresConnection {
  return {
    async query(sql, params) {
      const result = await client.query(sql, [...params])
      return { rows: result.rows, affected: result.rowCount ?? 0 }
    },
  }
}
