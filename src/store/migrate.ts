/** Brings a database to the newest schema, one remembered migration at a time. */

import type { Engine } from './engine.ts'
import { migrations } from './migrations/index.ts'
import { POSTGRES_WORDS, SQLITE_WORDS } from './migrations/migration.ts'

/** Any number no other program using the same database is likely to lock. */
const MIGRATION_LOCK = 827_465_013

/**
 * Applies what is missing, each migration in a transaction of its own. Safe to run from many processes at once.
 * @throws when the database was written by a newer Varve, whose schema this one does not know.
 */
export async function migrate(engine: Engine): Promise<void> {
  const applied = await appliedMigrations(engine)
  const unknown = [...applied].find((name) => !migrations.some((migration) => migration.name === name))
  if (unknown !== undefined) throw new Error(`the database is from a newer Varve (migration ${unknown}); update Varve`)
  if (migrations.every(({ name }) => applied.has(name))) return
  await engine.transaction(async (tx) => {
    // PostgreSQL fails when two create a table at once, even where it may exist already.
    if (engine.name === 'postgres') await tx.run('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
    await tx.run('CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY)')
  })
  const words = engine.name === 'sqlite' ? SQLITE_WORDS : POSTGRES_WORDS
  for (const { name, statements } of migrations) {
    await engine.transaction(async (tx) => {
      // Another process may be at the same step: the table lock (or SQLite's single writer) makes it wait, then see.
      if (engine.name === 'postgres') await tx.run('LOCK TABLE migration IN EXCLUSIVE MODE')
      if (await tx.get('SELECT name FROM migration WHERE name = ?', [name])) return
      for (const statement of statements(words)) await tx.run(statement)
      await tx.run('INSERT INTO migration (name) VALUES (?)', [name])
    })
  }
}

/** Names of the migrations a database has; none for a new one. */
async function appliedMigrations(engine: Engine): Promise<Set<string>> {
  const exists =
    engine.name === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'migration'"
      : "SELECT tablename AS name FROM pg_tables WHERE tablename = 'migration' AND schemaname = current_schema()"
  if (!(await engine.get(exists))) return new Set()
  const rows = await engine.all<{ name: string }>('SELECT name FROM migration')
  return new Set(rows.map(({ name }) => name))
}
