/** Opens the archive. */

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Engine } from './engine.ts'
import { migrate } from './migrate.ts'
import { postgresEngine } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

export interface StoreOptions {
  /** `postgres://…` for the team engine; otherwise a SQLite file or `:memory:`. */
  url: string
}

/** Opens and migrates the archive. Whoever opens it closes it. */
export async function openStore({ url }: StoreOptions): Promise<Engine> {
  const engine = /^postgres(ql)?:\/\//.test(url) ? await openPostgres(url) : await openFile(url)
  await migrate(engine)
  return engine
}

async function openPostgres(url: string): Promise<Engine> {
  const { connectPostgres } = await import('./postgres-driver.ts')
  return postgresEngine(await connectPostgres(url))
}

async function openFile(path: string): Promise<Engine> {
  // Transcripts are private: the folder is its owner's alone.
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return openSqlite({ path })
}
