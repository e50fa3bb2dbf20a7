import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Engine } from './engine.ts'
import { postgresEngine } from './postgres.ts'
import { connectPostgres } from './postgres-driver.ts'
import { storeContract } from './store.suite.ts'

/** A server to test against: `postgres://user@host:port/database`. Each test makes and drops a schema of its own. */
const server = process.env['VARVE_TEST_PG']

async function withServer<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = postgresEngine(await connectPostgres(server ?? '', 1))
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

if (server === undefined) {
  describe('the store on a PostgreSQL server', () => {
    it.skip('is tested when VARVE_TEST_PG names one (postgres://…)', () => {})
  })
} else {
  storeContract('a PostgreSQL server', async () => {
    const schema = `varve_test_${randomBytes(6).toString('hex')}`
    await withServer((engine) => engine.run(`CREATE SCHEMA ${schema}`))
    const url = new URL(server)
    url.searchParams.set('options', `-c search_path=${schema}`)
    return {
      connect: async () => postgresEngine(await connectPostgres(url.href, 4)),
      shared: true,
      drop: () => withServer(async (engine) => void (await engine.run(`DROP SCHEMA ${schema} CASCADE`))),
    }
  })

  describe('a PostgreSQL server', () => {
    it('stops a statement whose caller has gone', async () => {
      await withServer(async () => {
        const engine = postgresEngine(await connectPostgres(server, 2))
        const controller = new AbortController()
        const slow = engine.all('SELECT pg_sleep(20)', [], controller.signal)
        setTimeout(() => controller.abort(), 100)
        await expect(slow).rejects.toThrow()
        await engine.close()
      })
    })
  })
}
