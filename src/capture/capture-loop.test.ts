import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import type { Engine } from '../store/engine.ts'
import { leaseHolder, loadCaptureStatus, openStore, takeLease } from '../store/index.ts'
import { lines, notebook } from './capture.testing.ts'
import { captureLeaseName, takeCaptureLease } from './capture-lease.ts'
import { type CaptureLoop, type CaptureLoopOptions, startCaptureLoop } from './capture-loop.ts'
import { nodeFileSystem } from './file-system.ts'
import { BOOKS, databaseNotes, documentNotes } from './formats.testing.ts'
import { createRedactor } from './redact/index.ts'

let home = ''
let engine: Engine
let logged: string[] = []
const loops: CaptureLoop[] = []

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'varve-loop-'))
  engine = await openStore({ url: join(home, 'archive', 'varve.db') })
  logged = []
})
afterEach(async () => {
  for (const loop of loops.splice(0)) await loop.close()
  await engine.close()
  rmSync(home, { recursive: true, force: true })
})

function start(holder: string, options: Partial<CaptureLoopOptions> = {}): CaptureLoop {
  const loop = startCaptureLoop({
    engine,
    owner: 1,
    harnesses: [notebook],
    host: { home, env: {}, platform: process.platform },
    clock: systemClock,
    redactor: createRedactor({ enabled: true }),
    projects: { projectOf: () => undefined },
    holder,
    log: (line) => logged.push(line),
    ...options,
  })
  loops.push(loop)
  return loop
}

function put(name: string, ...texts: string[]): string {
  const path = join(home, 'notes', name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, lines(...texts.map((text) => ({ text }))))
  return path
}

async function texts(): Promise<string[]> {
  return (await engine.all<{ text: string }>('SELECT text FROM event ORDER BY pk')).map(({ text }) => text)
}

/** Waits until something holds; the milliseconds it took. */
async function until(holds: () => Promise<boolean>, patience = 10_000): Promise<number> {
  const started = performance.now()
  while (!(await holds())) {
    if (performance.now() - started > patience)
      throw new Error(`waited ${patience} ms in vain; log: ${logged.join('; ')}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - started
}

describe('what is read as a whole', () => {
  test('a database is read when its write-ahead log grows, long before the next sweep (fault 58)', async () => {
    mkdirSync(join(home, 'databases'), { recursive: true })
    const database = new BetterSqlite3(join(home, 'databases', 'books.db'))
    try {
      database.pragma('journal_mode = WAL')
      database.exec(`${BOOKS}; INSERT INTO book VALUES ('a', 1, 0)`)
      const add = (place: number, text: string): void => {
        database.prepare('INSERT INTO note VALUES (?, ?, ?)').run('a', place, JSON.stringify({ id: text, text }))
        database.prepare('UPDATE book SET version = version + 1').run()
      }
      add(0, 'one')
      start('first', { harnesses: [databaseNotes], sweepEvery: 3_600_000 })
      await until(async () => (await texts()).length === 1)
      await until(async () => (await loadCaptureStatus(engine, 1))?.finishedAt !== null)
      add(1, 'two')
      await until(async () => (await texts()).includes('two'))
      add(2, 'three')
      add(3, 'four')
      // The database rests after it was read, the longer the slower the machine.
      await until(async () => (await texts()).length === 4, 60_000)
      expect(logged).toEqual([])
    } finally {
      database.close()
    }
  }, 90_000)

  test('a document that changes while it is left alone after being read is read again by itself', async () => {
    const path = join(home, 'documents', 'a.json')
    mkdirSync(join(path, '..'))
    const write = (...ids: string[]): void =>
      writeFileSync(path, JSON.stringify({ notes: ids.map((id) => ({ id, text: id })) }))
    write('one')
    start('first', { harnesses: [documentNotes], sweepEvery: 3_600_000 })
    await until(async () => (await texts()).length === 1)
    await until(async () => (await loadCaptureStatus(engine, 1))?.finishedAt !== null)
    for (const count of [2, 3, 4, 5, 6]) {
      write(...Array.from({ length: count }, (_, n) => (n === 0 ? 'one' : `note ${n}`)))
      await new Promise((resolve) => setTimeout(resolve, 30))
    }
    await until(async () => (await texts()).length === 6, 60_000)
  }, 90_000)
})

describe('the capture loop', () => {
  test('reads what is there, then a new line within two seconds, a new file and a new folder', async () => {
    const path = put('a.jsonl', 'one')
    start('first')
    await until(async () => (await texts()).length === 1)
    await until(async () => (await loadCaptureStatus(engine, 1))?.finishedAt !== null)
    appendFileSync(path, lines({ text: 'two' }))
    expect(await until(async () => (await texts()).includes('two'))).toBeLessThan(2000)
    put('b.jsonl', 'three')
    expect(await until(async () => (await texts()).includes('three'))).toBeLessThan(2000)
    put('deep/er/c.jsonl', 'four')
    expect(await until(async () => (await texts()).includes('four'))).toBeLessThan(2000)
    expect(logged).toEqual([])
  })

  test('finds what the watcher cannot see at the next sweep: a root that comes later, a file that is gone', async () => {
    start('first', { sweepEvery: 200 })
    await until(async () => (await loadCaptureStatus(engine, 1))?.finishedAt !== null)
    const path = put('a.jsonl', 'one')
    await until(async () => (await texts()).length === 1)
    rmSync(path)
    await until(async () => (await engine.get("SELECT path FROM source_file WHERE status = 'gone'")) !== undefined)
    expect(await texts()).toEqual(['one'])
  })

  test('a line written in pieces is one event', async () => {
    const path = put('a.jsonl', 'one')
    start('first')
    await until(async () => (await texts()).length === 1)
    for (const piece of ['{"te', 'xt":"t', 'wo"}', '\n']) {
      appendFileSync(path, piece)
      await new Promise((resolve) => setTimeout(resolve, 80))
    }
    await until(async () => (await texts()).length === 2)
    expect(await texts()).toEqual(['one', 'two'])
  })

  test('an archived file goes on under its new path', async () => {
    const path = put('a.jsonl', 'one')
    start('first', { sweepEvery: 200 })
    await until(async () => (await texts()).length === 1)
    mkdirSync(join(home, 'notes', 'archived'))
    renameSync(path, join(home, 'notes', 'archived', 'a.jsonl'))
    appendFileSync(join(home, 'notes', 'archived', 'a.jsonl'), lines({ text: 'two' }))
    await until(async () => (await texts()).includes('two'))
    expect(await texts()).toEqual(['one', 'two'])
  })

  test('closes at once, gives the lease back and leaves nothing running', async () => {
    put('a.jsonl', 'one')
    const loop = start('first')
    await until(async () => (await texts()).length === 1)
    expect(await leaseHolder(engine, captureLeaseName(1), Date.now())).toBe('first')
    const started = performance.now()
    await loop.close()
    expect(performance.now() - started).toBeLessThan(1000)
    expect(await leaseHolder(engine, captureLeaseName(1), Date.now())).toBeUndefined()
  })

  test('tells other processes how far it is', async () => {
    put('a.jsonl', 'one', 'two')
    writeFileSync(join(home, 'notes', 'b.jsonl'), 'nonsense\n')
    const closed = join(home, 'notes', 'c.jsonl')
    writeFileSync(closed, '')
    const open = (path: string) => {
      if (path === closed) throw Object.assign(new Error('no'), { code: 'EACCES' })
      return nodeFileSystem.open(path)
    }
    start('first', { fileSystem: { ...nodeFileSystem, open } })
    await until(async () => (await loadCaptureStatus(engine, 1))?.finishedAt != null)
    expect(await loadCaptureStatus(engine, 1)).toMatchObject({
      running: false,
      filesTotal: 3,
      filesDone: 3,
      holder: { name: 'first', pid: process.pid },
      problems: 2,
      unreadable: [{ path: closed, reason: 'permission' }],
    })
  })

  test('a file that cannot be stored keeps no other out and is tried again', async () => {
    const path = put('a.jsonl', 'one')
    put('b.jsonl', 'two')
    utimesSync(path, 1000, 1000)
    // The two files share a transaction first; then each is tried by itself.
    let failures = 2
    const failing: Engine = {
      ...engine,
      transaction: (work) =>
        failures-- > 0 ? Promise.reject(new Error('database is locked')) : engine.transaction(work),
    }
    start('first', { engine: failing })
    await until(async () => (await texts()).length === 2)
    expect(await texts()).toEqual(['two', 'one'])
    expect(logged).toEqual([`capture of ${path} failed, trying again: database is locked`])
  })

  test('a store that is down is told and tried again', async () => {
    for (const name of ['a', 'b', 'c', 'd']) put(`${name}.jsonl`, name)
    // Once together, then three files in a row.
    let failures = 4
    const failing: Engine = {
      ...engine,
      transaction: (work) => (failures-- > 0 ? Promise.reject(new Error('disk full')) : engine.transaction(work)),
    }
    start('first', { engine: failing })
    await until(async () => (await texts()).length === 4)
    expect(logged).toEqual(['capture failed, trying again: disk full'])
  })
})

describe('one process captures at a time', () => {
  const options = (holder: string, clock = systemClock) => ({
    engine,
    owner: 1,
    holder,
    clock,
    duration: 300,
    renewEvery: 50,
  })

  test('the second waits until the first closes (fault 94)', async () => {
    put('a.jsonl', 'one')
    const first = start('first')
    await until(async () => (await texts()).length === 1)
    start('second')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await leaseHolder(engine, captureLeaseName(1), Date.now())).toBe('first')
    await first.close()
    await until(async () => (await leaseHolder(engine, captureLeaseName(1), Date.now())) === 'second')
    appendFileSync(join(home, 'notes', 'a.jsonl'), lines({ text: 'two' }))
    await until(async () => (await texts()).length === 2)
  })

  test('a living holder keeps renewing', async () => {
    const lease = await takeCaptureLease(options('first'))
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(await takeCaptureLease(options('second'))).toBeUndefined()
    await lease?.release()
    const next = await takeCaptureLease(options('second'))
    expect(next).toBeDefined()
    await next?.release()
  })

  test("a dead holder's lease is taken over when it has run out", async () => {
    const now = Date.now()
    await takeLease(engine, captureLeaseName(1), 'dead', now, now + 400)
    expect(await takeCaptureLease(options('second'))).toBeUndefined()
    await until(async () => {
      const lease = await takeCaptureLease(options('second'))
      await lease?.release()
      return lease !== undefined
    }, 3000)
  })

  test('a holder that slept past its time is told that it lost the lease', async () => {
    let now = 1_000
    const lease = await takeCaptureLease(options('first', () => now))
    now += 10_000
    await takeLease(engine, captureLeaseName(1), 'second', now, now + 60_000)
    await until(async () => lease?.lost.aborted === true, 2000)
    await lease?.release()
    expect(await leaseHolder(engine, captureLeaseName(1), now)).toBe('second')
  })
})
