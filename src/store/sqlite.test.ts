import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { openSqlite } from './sqlite.ts'
import { storeContract } from './store.suite.ts'

storeContract('SQLite in memory', async () => ({
  connect: () => openSqlite({ path: ':memory:' }),
  shared: false,
  drop: async () => {},
}))

function temporaryFile(): { path: string; remove: () => void } {
  const directory = mkdtempSync(join(tmpdir(), 'varve-store-'))
  return { path: join(directory, 'varve.db'), remove: () => rmSync(directory, { recursive: true, force: true }) }
}

storeContract('a SQLite file', async () => {
  const { path, remove } = temporaryFile()
  // Several connections of one process would wait for each other without end: statements here are synchronous.
  return { connect: () => openSqlite({ path }), shared: false, drop: async () => remove() }
})

/** What one of several processes does: opens and migrates the archive, asks for a lease, and writes. */
const PROCESS = `
  import { openStore } from './src/store/store.ts'
  import { takeLease } from './src/store/lease.ts'
  const [path, name] = process.argv.slice(-2)
  const engine = await openStore({ url: path })
  const taken = await takeLease(engine, 'capture', name, 0, 100)
  for (let round = 0; round < 20; round++) {
    await engine.transaction(async (tx) => {
      const row = await tx.get("UPDATE counter SET value = value WHERE name = 'event' RETURNING value")
      await tx.run("UPDATE counter SET value = ? WHERE name = 'event'", [row.value + 1])
    })
  }
  await engine.close()
  process.stdout.write(String(taken))
`

describe('a SQLite file', () => {
  it('is migrated, leased and written by several processes at once', async () => {
    const { path, remove } = temporaryFile()
    const run = (name: string) =>
      promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', PROCESS, '--', path, name])
    const results = await Promise.all(['a', 'b', 'c'].map(run))
    expect(results.map(({ stdout }) => stdout).sort()).toEqual(['false', 'false', 'true'])
    const engine = await openSqlite({ path })
    expect(await engine.get("SELECT value FROM counter WHERE name = 'event'")).toEqual({ value: 60 })
    await engine.close()
    remove()
  })

  it('can be read by another process while one writes, and sees what is committed', async () => {
    const { path, remove } = temporaryFile()
    const writer = await openSqlite({ path })
    await migrate(writer)
    const reader = await openSqlite({ path, readOnly: true })
    await writer.transaction(async (tx) => {
      await tx.run("INSERT INTO setting (name, value) VALUES ('a', '1')")
      expect(await reader.all('SELECT name FROM setting')).toEqual([])
    })
    expect(await reader.all('SELECT name FROM setting')).toEqual([{ name: 'a' }])
    await expect(reader.run('DELETE FROM setting')).rejects.toThrow('read-only')
    await reader.close()
    await writer.close()
    remove()
  })

  it('waits with a write until another process is done with its own, and drops neither (fault 95)', async () => {
    const { path, remove } = temporaryFile()
    const engine = await openSqlite({ path })
    await migrate(engine)
    // It says when it holds the lock, and keeps it for a while.
    const holder = `
      import { openSqlite } from './src/store/sqlite.ts'
      const engine = await openSqlite({ path: process.argv.at(-1) })
      await engine.transaction(async (tx) => {
        await tx.run("INSERT INTO setting (name, value) VALUES ('theirs', '1')")
        process.stdout.write('held')
        await new Promise((resolve) => setTimeout(resolve, 700))
      })
      await engine.close()`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', holder, '--', path])
    const ended = once(child, 'exit')
    await once(child.stdout, 'data')
    const begun = Date.now()
    await engine.run("INSERT INTO setting (name, value) VALUES ('ours', '2')")
    expect(Date.now() - begun).toBeGreaterThan(200)
    expect(await ended).toEqual([0, null])
    expect(await engine.all('SELECT name FROM setting ORDER BY name')).toEqual([{ name: 'ours' }, { name: 'theirs' }])
    await engine.close()
    remove()
  })

  it('keeps what it was given when it is opened again', async () => {
    const { path, remove } = temporaryFile()
    const first = await openSqlite({ path })
    await migrate(first)
    await first.run("INSERT INTO setting (name, value) VALUES ('a', '1')")
    await first.checkpoint()
    expect(await first.size()).toBeGreaterThan(0)
    await first.close()
    const second = await openSqlite({ path })
    await migrate(second)
    expect(await second.all('SELECT name FROM setting')).toEqual([{ name: 'a' }])
    await second.close()
    remove()
  })
})
