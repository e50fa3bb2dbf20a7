/** What every engine must do. Each engine's test file runs this one contract. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { adoptedForksContract } from './adopted-forks.suite.ts'
import { contextContract } from './context.suite.ts'
import type { Engine } from './engine.ts'
import { leaseHolder, releaseLease, takeLease } from './lease.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { textIndexContract } from './text-index.suite.ts'
import { writeBatchContract } from './write-batch.suite.ts'

/** An empty database of some engine. */
export interface TestDatabase {
  /** Opens it, as one more process would where the engine allows several; not migrated. */
  connect(): Promise<Engine>
  /** Whether several can be open at once. */
  shared: boolean
  /** Removes it, when all its engines are closed. */
  drop(): Promise<void>
}

export function storeContract(name: string, create: () => Promise<TestDatabase>): void {
  describe(`the store on ${name}`, () => {
    let database: TestDatabase
    let engines: Engine[]

    const connect = async (): Promise<Engine> => {
      const engine = await database.connect()
      engines.push(engine)
      return engine
    }
    const openMigrated = async (): Promise<Engine> => {
      const engine = await connect()
      await migrate(engine)
      return engine
    }

    beforeEach(async () => {
      database = await create()
      engines = []
    })
    afterEach(async () => {
      for (const engine of engines) await engine.close()
      await database.drop()
    })

    describe('migrations', () => {
      const names = async (engine: Engine) =>
        (await engine.all<{ name: string }>('SELECT name FROM migration ORDER BY name')).map(({ name }) => name)

      it('can run again without harm', async () => {
        const engine = await openMigrated()
        await engine.run("INSERT INTO setting (name, value) VALUES ('kept', 'yes')")
        await migrate(engine)
        expect(await names(engine)).toEqual(migrations.map((migration) => migration.name))
        expect(await engine.get('SELECT value FROM setting')).toEqual({ value: 'yes' })
      })

      it('can run from several processes at once', async () => {
        const several = database.shared ? [await connect(), await connect(), await connect()] : [await connect()]
        await Promise.all(several.map(migrate))
        for (const engine of several) expect(await names(engine)).toEqual(migrations.map((migration) => migration.name))
      })

      it('refuse a database of a newer Varve', async () => {
        const engine = await openMigrated()
        await engine.run("INSERT INTO migration (name) VALUES ('9999-future')")
        await expect(migrate(engine)).rejects.toThrow('newer Varve')
      })
    })

    describe('a transaction', () => {
      it('is undone as a whole when it fails', async () => {
        const engine = await openMigrated()
        const failing = engine.transaction(async (tx) => {
          await tx.run("INSERT INTO setting (name, value) VALUES ('a', '1')")
          throw new Error('no')
        })
        await expect(failing).rejects.toThrow('no')
        expect(await engine.all('SELECT name FROM setting')).toEqual([])
        await engine.transaction((tx) => tx.run("INSERT INTO setting (name, value) VALUES ('b', '2')"))
        expect(await engine.all('SELECT name FROM setting')).toEqual([{ name: 'b' }])
      })

      it('lets no other in between', async () => {
        const engine = await openMigrated()
        const add = () =>
          engine.transaction(async (tx) => {
            const row = await tx.get<{ value: number }>(
              "UPDATE counter SET value = value + 0 WHERE name = 'event' RETURNING value",
            )
            await new Promise((resolve) => setTimeout(resolve, 1))
            await tx.run("UPDATE counter SET value = ? WHERE name = 'event'", [(row?.value ?? 0) + 1])
          })
        await Promise.all(Array.from({ length: 10 }, add))
        expect(await engine.get("SELECT value FROM counter WHERE name = 'event'")).toEqual({ value: 10 })
      })
    })

    describe('values', () => {
      it('come back as they went in', async () => {
        const engine = await openMigrated()
        await engine.run(
          'INSERT INTO turn (owner, pk, id, session_pk, started_at, updated_at, event_count, has_prompt, tools, types) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          [1, 1, Buffer.from('00ff80', 'hex'), 2 ** 40, Date.UTC(2026, 3, 29), -1, 0, 1, 'ünï 🚀 \'"?', ''],
        )
        const row = await engine.get<{ id: Buffer }>(
          'SELECT id, session_pk, started_at, updated_at, tools, ending FROM turn',
        )
        expect(row).toEqual({
          id: Buffer.from('00ff80', 'hex'),
          session_pk: 2 ** 40,
          started_at: Date.UTC(2026, 3, 29),
          updated_at: -1,
          tools: 'ünï 🚀 \'"?',
          ending: null,
        })
        expect(Buffer.isBuffer(row?.id)).toBe(true)
      })

      it('go in by the thousand', async () => {
        const engine = await openMigrated()
        const rows = Array.from({ length: 5_000 }, (_, index) => [`name-${index}`, `${index}`])
        await engine.runMany('INSERT INTO setting (name, value) VALUES (?, ?)', rows)
        expect(await engine.get('SELECT COUNT(*) AS count FROM setting')).toEqual({ count: 5_000 })
        await engine.runMany('UPDATE setting SET value = ? WHERE name = ?', [['x', 'name-7']])
        expect(await engine.get("SELECT value FROM setting WHERE name = 'name-7'")).toEqual({ value: 'x' })
        await engine.runMany('INSERT INTO setting (name, value) VALUES (?, ?)', [])
      })
    })

    describe('a lease', () => {
      it('is held by one, renewed by its holder, and taken over when it has run out', async () => {
        const engine = await openMigrated()
        expect(await takeLease(engine, 'capture', 'a', 0, 100)).toBe(true)
        expect(await takeLease(engine, 'capture', 'b', 50, 150)).toBe(false)
        expect(await takeLease(engine, 'capture', 'a', 60, 200)).toBe(true)
        expect(await leaseHolder(engine, 'capture', 200)).toBe('a')
        expect(await leaseHolder(engine, 'capture', 201)).toBeUndefined()
        expect(await takeLease(engine, 'capture', 'b', 201, 300)).toBe(true)
        await releaseLease(engine, 'capture', 'a')
        expect(await leaseHolder(engine, 'capture', 250)).toBe('b')
        await releaseLease(engine, 'capture', 'b')
        expect(await takeLease(engine, 'capture', 'a', 251, 300)).toBe(true)
      })

      it('goes to one of many who ask at once', async () => {
        const several = database.shared
          ? [await openMigrated(), await connect(), await connect()]
          : [await openMigrated()]
        const asked = await Promise.all(
          several.flatMap((engine, place) =>
            ['x', 'y'].map((suffix) => takeLease(engine, 'capture', `${place}${suffix}`, 0, 100)),
          ),
        )
        expect(asked.filter((taken) => taken)).toHaveLength(1)
      })
    })

    adoptedForksContract(openMigrated)
    writeBatchContract(openMigrated)
    textIndexContract(openMigrated)
    contextContract(openMigrated)
  })
}
