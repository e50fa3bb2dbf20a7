import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Engine, Queryable } from './engine.ts'
import { groupCommits } from './group-commit.ts'
import { openStore } from './store.ts'

const put = (tx: Queryable, name: string) => tx.run('INSERT INTO setting (name, value) VALUES (?, ?)', [name, ''])

describe('durable transactions that come together', () => {
  let folder: string
  let engine: Engine

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'varve-group-'))
    engine = await openStore({ url: join(folder, 'varve.db') })
  })
  afterEach(async () => {
    await engine.close()
    rmSync(folder, { recursive: true })
  })

  const names = async () => {
    const rows = await engine.all<{ name: string }>('SELECT name FROM setting ORDER BY name')
    return rows.map((row) => row.name)
  }

  test('each give their own result', async () => {
    const results = await Promise.all(
      ['a', 'b', 'c'].map((name) => engine.transaction(async (tx) => [name, await put(tx, name)], { durable: true })),
    )
    expect(results).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ])
    expect(await names()).toEqual(['a', 'b', 'c'])
  })

  test('one that fails is undone alone', async () => {
    const results = await Promise.allSettled(
      ['a', 'bad', 'c', 'a'].map((name) =>
        engine.transaction(
          async (tx) => {
            await put(tx, `${name}-first`)
            await put(tx, name)
            if (name === 'bad') throw new Error('no')
          },
          { durable: true },
        ),
      ),
    )
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(await names()).toEqual(['a', 'a-first', 'c', 'c-first'])
  })

  test('one that waits lets nobody else in between', async () => {
    const order: string[] = []
    const slow = engine.transaction(
      async (tx) => {
        order.push('slow begins')
        await new Promise((resolve) => setTimeout(resolve, 30))
        await put(tx, 'slow')
        order.push('slow ends')
      },
      { durable: true },
    )
    const others = [true, false].map((durable) =>
      engine.transaction(
        async (tx) => order.push(`${durable} sees ${(await tx.all('SELECT name FROM setting')).length}`),
        {
          durable,
        },
      ),
    )
    await Promise.all([slow, ...others])
    expect(order).toEqual(['slow begins', 'slow ends', 'true sees 1', 'false sees 1'])
  })

  test('wait for the disk at the commit, ordinary ones do not', async () => {
    const modes: number[] = []
    const look = async (tx: Queryable) => {
      const row = await tx.get<{ synchronous: number }>('PRAGMA synchronous')
      modes.push(row?.synchronous ?? -1)
    }
    await engine.transaction(look)
    await engine.transaction(look, { durable: true })
    await Promise.all([engine.transaction(look, { durable: true }), engine.transaction(look, { durable: true })])
    await engine.transaction(look)
    expect(modes).toEqual([1, 2, 2, 2, 1])
  })
})

describe('a group', () => {
  const immediately = (work: () => Promise<void>) => Promise.resolve().then(work)

  test('has one commit for many, and not more than 64 in one', async () => {
    const statements: string[] = []
    let commits = 0
    const tx = { run: async (sql: string) => statements.push(sql) } as unknown as Queryable
    let tail: Promise<void> = Promise.resolve()
    const queued = (work: () => Promise<void>) => {
      tail = tail.then(work)
      return tail
    }
    const grouped = groupCommits(queued, async (work) => {
      commits++
      return work(tx)
    })
    await Promise.all(Array.from({ length: 130 }, () => grouped(async () => undefined)))
    expect(commits).toBe(3)
    expect(statements.filter((sql) => sql === 'SAVEPOINT piece')).toHaveLength(130)
  })

  test('whose commit fails fails as a whole', async () => {
    const tx = { run: async () => 0 } as unknown as Queryable
    const grouped = groupCommits(immediately, async (work) => {
      await work(tx)
      throw new Error('disk full')
    })
    const results = await Promise.allSettled([grouped(async () => 'a'), grouped(async () => 'b')])
    expect(results.map((result) => (result.status === 'rejected' ? String(result.reason) : result.status))).toEqual([
      'Error: disk full',
      'Error: disk full',
    ])
  })
})
