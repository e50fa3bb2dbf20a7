/** A database that tells a test of every statement before it runs. */

import type { Engine, Queryable, SqlValue } from './engine.ts'

/** Told of a statement and its parameters. What it throws becomes the failure of the statement. */
type Watcher = (sql: string, parameters: readonly SqlValue[]) => void

/** The same database, watched. */
export function watchedEngine(engine: Engine, watch: Watcher): Engine {
  return {
    ...watchedStatements(engine, watch),
    name: engine.name,
    textIndex: engine.textIndex,
    transaction: (work, options) => engine.transaction((tx) => work(watchedStatements(tx, watch)), options),
    forUpdate: (table) => engine.forUpdate(table),
    checkpoint: () => engine.checkpoint(),
    size: () => engine.size(),
    close: () => engine.close(),
  }
}

function watchedStatements(db: Queryable, watch: Watcher): Queryable {
  return {
    async all(sql, parameters, signal) {
      watch(sql, parameters ?? [])
      return db.all(sql, parameters, signal)
    },
    async get(sql, parameters, signal) {
      watch(sql, parameters ?? [])
      return db.get(sql, parameters, signal)
    },
    async run(sql, parameters) {
      watch(sql, parameters ?? [])
      return db.run(sql, parameters)
    },
    async runMany(sql, rows) {
      watch(sql, rows.flat())
      return db.runMany(sql, rows)
    },
  }
}
