/** Telling a database's failures from our own mistakes. */

/** SQLSTATE classes and SQLite codes that mean: no room left. */
const EXHAUSTED = /^(53...|54...|SQLITE_FULL|SQLITE_NOMEM|SQLITE_TOOBIG)/

/** PostgreSQL's query_canceled, and SQLite's own word. */
const CANCELLED = /^(57014|SQLITE_INTERRUPT)/

/** The network between us and a database. */
const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/

/**
 * What kind of database failure an exception is; undefined when it is none. Statements we got wrong (a syntax error, a
 * missing column) count as the database's: the caller cannot do anything about either.
 */
export function databaseFailure(error: unknown): 'cancelled' | 'exhausted' | 'failed' | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const { code } = error
  const fromDatabase = code.startsWith('SQLITE_') || ('severity' in error && /^[0-9A-Z]{5}$/.test(code))
  if (!fromDatabase && !NETWORK.test(code)) return undefined
  if (CANCELLED.test(code)) return 'cancelled'
  return EXHAUSTED.test(code) ? 'exhausted' : 'failed'
}
