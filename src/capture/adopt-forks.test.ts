import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claudeCode } from '../harness/claude-code/index.ts'
import { hermes } from '../harness/hermes/index.ts'
import { makeDatabase } from '../harness/opencode/testing.ts'
import { piCodingAgent } from '../harness/pi-coding-agent/index.ts'
import { forget } from '../store/index.ts'
import { type Desk, dumpArchive, LONG_AGO, NOW, openDesk } from './capture.testing.ts'
import type { CaptureOptions } from './capture.ts'
import { captureFiles } from './capture.ts'
import { discover } from './discover.ts'
import { nodeFileSystem } from './file-system.ts'
import { createRedactor } from './redact/index.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

/** What depends on when something was captured, or how often. */
const PASSING = ['generation', 'adopted_after', 'copied', 'payload']

const capture = (options: Partial<CaptureOptions> = {}) =>
  desk.capture({ harnesses: [claudeCode, piCodingAgent], ...options })

function put(path: string, records: readonly object[], modifiedAt = LONG_AGO): string {
  const place = join(desk.home, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  utimesSync(place, modifiedAt / 1000, modifiedAt / 1000)
  return place
}

const PI = '.pi/agent/sessions/--home-ada-garden--'
const PARENT = '5e551010-0000-7000-8000-000000000001'
const FORK = '5e551010-0000-7000-8000-000000000002'
const PI_PARENT = `${PI}/2026-01-01T00-00-00-000Z_${PARENT}.jsonl`
const PI_FORK = `${PI}/2026-01-01T01-00-00-000Z_${FORK}.jsonl`

const piSaid = (id: string, timestamp: string, role: string, said: string) => ({
  type: 'message',
  id,
  timestamp,
  message: {
    role,
    content: [{ type: 'text', text: said }],
    ...(role === 'assistant' && { stopReason: 'stop', model: 'm', usage: { input: 5, output: 1 }, responseId: id }),
  },
})
const piHistory = [
  piSaid('a', '2026-01-01T00:00:01.000Z', 'user', 'Water the beds.'),
  piSaid('b', '2026-01-01T00:00:02.000Z', 'assistant', 'They are wet.'),
  piSaid('c', '2026-01-01T00:00:03.000Z', 'user', 'Prune the roses.'),
  piSaid('d', '2026-01-01T00:00:04.000Z', 'assistant', 'They are pruned.'),
]
const piHeader = (id: string, timestamp: string, more: object = {}) => ({
  type: 'session',
  version: 3,
  id,
  timestamp,
  cwd: '/home/ada/garden',
  ...more,
})
const piFork = (more: object = { parentSession: `/home/ada/${PI_PARENT}` }) => [
  piHeader(FORK, '2026-01-01T01:00:00.000Z', more),
  ...piHistory,
  piSaid('e', '2026-01-01T01:00:01.000Z', 'user', 'Rake the leaves.'),
  piSaid('f', '2026-01-01T01:00:02.000Z', 'assistant', 'They are raked.'),
]
const putPiParent = (modifiedAt?: number) =>
  put(PI_PARENT, [piHeader(PARENT, '2026-01-01T00:00:00.000Z'), ...piHistory], modifiedAt)

/** The prompts that belong to a turn, by session. */
const prompts = async (): Promise<string[]> => {
  const rows = await desk.engine.all<{ said: string }>(
    `SELECT session.native_id || ' ' || event.text AS said FROM event
      JOIN session ON session.pk = event.session_pk JOIN turn ON turn.pk = event.turn_pk
      WHERE event.type = (SELECT type FROM event WHERE text = 'Rake the leaves.') ORDER BY event.session_pk, event.pk`,
  )
  return rows.map(({ said }) => said)
}
const OWN = [`${FORK} Rake the leaves.`]
const ADOPTED = [`${FORK} Water the beds.`, `${FORK} Prune the roses.`, ...OWN]

/** The archive a fork makes that says nothing of its parent. */
const unmarked = async (): Promise<Record<string, string[]>> => {
  const other = await openDesk()
  try {
    const place = join(desk.home, PI_FORK)
    put(PI_FORK, piFork({}))
    await other.capture({
      harnesses: [piCodingAgent],
      host: { home: desk.home, env: {}, platform: process.platform },
      paths: [place],
    })
    return await dumpArchive(other.engine, [...PASSING, 'parent_native_id', 'parent_relation'])
  } finally {
    await other.close()
  }
}
const dump = () => dumpArchive(desk.engine, [...PASSING, 'parent_native_id', 'parent_relation'])

describe('a fork', () => {
  test('whose parent was deleted long ago adopts its history in the same pass, and the next one changes nothing', async () => {
    const expected = await unmarked()
    put(PI_FORK, piFork())
    expect(await capture()).toMatchObject({ files: 1, events: 7, finished: true })
    expect(await prompts()).toEqual(ADOPTED)
    expect(await dump()).toEqual(expected)
    const before = await dumpArchive(desk.engine)
    expect(await capture()).toMatchObject({ unchanged: 1, records: 0, events: 0, changed: 0 })
    expect(await dumpArchive(desk.engine)).toEqual(before)
  })

  test('whose parent is there leaves its history to it, in whatever order they are read', async () => {
    for (const modifiedAt of [LONG_AGO - 5_000, LONG_AGO + 5_000]) {
      putPiParent(modifiedAt)
      put(PI_FORK, piFork())
      await capture()
      expect((await prompts()).filter((said) => said.startsWith(FORK))).toEqual(OWN)
      await desk.close()
      desk = await openDesk()
    }
  })

  test('keeps what it adopted when the parent comes later, and keeps it out when the parent goes later', async () => {
    put(PI_FORK, piFork())
    await capture()
    putPiParent()
    await capture()
    expect(await prompts()).toEqual([...ADOPTED, `${PARENT} Water the beds.`, `${PARENT} Prune the roses.`])
    await desk.close()
    desk = await openDesk()
    putPiParent(LONG_AGO - 5_000)
    put(PI_FORK, piFork())
    await capture()
    rmSync(join(desk.home, PI_PARENT))
    await capture()
    expect((await prompts()).filter((said) => said.startsWith(FORK))).toEqual(OWN)
  })

  test('does not bring back a session its owner asked to forget', async () => {
    putPiParent(LONG_AGO - 5_000)
    put(PI_FORK, piFork())
    await capture()
    const parent = await desk.engine.get<{ id: Buffer }>(`SELECT id FROM session WHERE native_id = '${PARENT}'`)
    await forget(desk.engine, 1, { session: parent?.id ?? Buffer.alloc(0) }, () => NOW)
    await capture()
    rmSync(join(desk.home, PI_PARENT))
    await capture()
    expect(await prompts()).toEqual(OWN)
  })

  test('does not bring in what lies in a folder left out', async () => {
    const secret = piHeader(PARENT, '2026-01-01T00:00:00.000Z', { cwd: '/home/ada/secret' })
    put(PI_PARENT, [secret, ...piHistory], LONG_AGO - 5_000)
    put(PI_FORK, piFork())
    await capture({ exclude: ['/home/ada/secret'] })
    expect(await prompts()).toEqual(OWN)
    await capture()
    expect((await prompts()).filter((said) => said.startsWith(FORK))).toEqual(OWN)
  })

  test('that was only marked when the process died is read at the next pass', async () => {
    const expected = await unmarked()
    put(PI_FORK, piFork())
    const { transaction } = desk.engine
    // The process ends with the transaction that marks the fork.
    desk.engine.transaction = async (work, options) => {
      const result = await transaction.call(desk.engine, work, options)
      if (await desk.engine.get('SELECT pk FROM session WHERE adopted_after IS NOT NULL')) throw new Error('killed')
      return result as Awaited<ReturnType<typeof work>>
    }
    await expect(capture()).rejects.toThrow('killed')
    desk.engine.transaction = transaction
    expect(await prompts()).toEqual(OWN)
    await capture()
    expect(await dump()).toEqual(expected)
  })

  test('whose file went meanwhile loses nothing, and gets its history when the file comes back', async () => {
    const expected = await unmarked()
    const place = put(PI_FORK, piFork())
    let opened = 0
    const fileSystem = {
      ...nodeFileSystem,
      open(path: string) {
        if (path === place && ++opened > 1) throw Object.assign(new Error('gone'), { code: 'ENOENT' })
        return nodeFileSystem.open(path)
      },
    }
    expect(await capture({ fileSystem })).toMatchObject({ events: 7 })
    rmSync(place)
    await capture()
    expect(await prompts()).toEqual(OWN)
    expect(await desk.engine.get('SELECT COUNT(*) AS count FROM event')).toEqual({ count: 7 })
    put(PI_FORK, piFork())
    await capture()
    expect(await dump()).toEqual(expected)
  })

  test('that a watcher named adopts its history too', async () => {
    put(PI_FORK, piFork())
    const host = { home: desk.home, env: {}, platform: process.platform }
    const harnesses = [piCodingAgent]
    const { files } = discover(harnesses, host, { sources: ['pi'], fileSystem: nodeFileSystem })
    const redactor = createRedactor({ enabled: true })
    await captureFiles(
      {
        engine: desk.engine,
        owner: 1,
        harnesses,
        host,
        clock: () => NOW,
        redactor,
        projects: { projectOf: () => undefined },
      },
      files,
    )
    expect(await prompts()).toEqual(ADOPTED)
  })

  test('of many records is read again in batches, and goes on after a stop between two', async () => {
    const old = Array.from({ length: 4500 }, (_, place) =>
      piSaid(`old-${place}`, '2026-01-01T00:00:05.000Z', place % 2 === 0 ? 'user' : 'assistant', `Said ${place}.`),
    )
    const [header = {}, ...rest] = piFork()
    put(PI_FORK, [header, ...old, ...rest])
    const controller = new AbortController()
    let batches = 0
    await capture({ signal: controller.signal, onProgress: () => ++batches === 5 && controller.abort() })
    const placed = 'SELECT COUNT(*) AS count FROM event WHERE turn_pk > 0'
    const before = (await desk.engine.get<{ count: number }>(placed))?.count ?? 0
    expect(before).toBeGreaterThan(1000)
    expect(before).toBeLessThan(4507)
    await capture()
    expect(await desk.engine.get(placed)).toEqual({ count: 4507 })
    expect(await desk.engine.get('SELECT turn_count, event_count FROM session')).toEqual({
      turn_count: 2253,
      event_count: 4507,
    })
    expect(await desk.engine.get('SELECT COUNT(*) AS count FROM turn')).toEqual({ count: 2253 })
  })
})

test('a fork of Claude Code adopts what it repeats, with what it touched and cost', async () => {
  const record = (uuid: string, minute: number, type: string, message: object, forked: boolean) => ({
    type,
    uuid,
    sessionId: FORK,
    timestamp: `2026-01-01T00:0${minute}:00.000Z`,
    cwd: '/home/ada/garden',
    message: { role: type, ...message },
    ...(forked && { forkedFrom: { sessionId: PARENT, messageUuid: uuid } }),
  })
  const read = { type: 'tool_use', id: 'call', name: 'Read', input: { file_path: '/home/ada/garden/beds.txt' } }
  put(`.claude/projects/-home-ada-garden/${FORK}.jsonl`, [
    record('a', 1, 'user', { content: 'Water the beds.' }, true),
    record(
      'b',
      2,
      'assistant',
      { id: 'r1', model: 'm', content: [read], usage: { input_tokens: 5, output_tokens: 1 } },
      true,
    ),
    record('c', 3, 'user', { content: [{ type: 'tool_result', tool_use_id: 'call', content: 'dry' }] }, true),
    record('d', 4, 'user', { content: 'Rake the leaves.' }, false),
  ])
  await capture()
  expect(await prompts()).toEqual([`${FORK} Water the beds.`, `${FORK} Rake the leaves.`])
  expect(await desk.engine.all('SELECT name FROM touch')).toEqual([{ name: 'beds.txt' }])
  expect(await desk.engine.all('SELECT input, output FROM usage')).toEqual([{ input: 5, output: 1 }])
  expect(await desk.engine.all('SELECT first_prompt, turn_count, event_count FROM session')).toEqual([
    { first_prompt: 'Water the beds.', turn_count: 2, event_count: 4 },
  ])
})

test('a fork in a database adopts its history too', async () => {
  makeDatabase('hermes/state.sql', join(desk.home, '.hermes', 'state.db'))
  const fork = async () => {
    const rows = await desk.engine.all<{ text: string }>(
      "SELECT text FROM event JOIN turn ON turn.pk = event.turn_pk JOIN session ON session.pk = event.session_pk WHERE session.native_id = '20260501_110000_more' ORDER BY event.pk",
    )
    return rows.length
  }
  const options = { harnesses: [hermes] }
  await desk.capture(options)
  const own = await fork()
  await desk.close()
  desk = await openDesk()
  makeDatabase('hermes/state.sql', join(desk.home, '.hermes', 'state.db'))
  const database = new BetterSqlite3(join(desk.home, '.hermes', 'state.db'))
  database.exec("DELETE FROM messages WHERE session_id = '20260501_100000_beds'")
  database.exec("DELETE FROM sessions WHERE id = '20260501_100000_beds'")
  database.close()
  await desk.capture(options)
  expect(await fork()).toBeGreaterThan(own)
  expect(await desk.engine.get('SELECT COUNT(*) AS count FROM event WHERE copied = 1')).toEqual({ count: 0 })
  const before = await dumpArchive(desk.engine)
  expect(await desk.capture(options)).toMatchObject({ records: 0, events: 0, changed: 0 })
  expect(await dumpArchive(desk.engine)).toEqual(before)
})
