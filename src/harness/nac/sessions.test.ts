import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { makeDatabase, temporaryFolder } from '../opencode/testing.ts'
import { foldTurns, readFileOf, type TranscriptReading, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { nac } from './index.ts'

const store = makeDatabase('nac/store.sql', join(temporaryFolder(), 'store.db'))

const of = ({ drafts }: TranscriptReading, session: string): Draft[] =>
  drafts.filter((draft) => draft.session === session)

describe('a session', () => {
  test('has a turn for each prompt, which a message without calls answers', async () => {
    expect(foldTurns(of(await readFileOf(nac, store), 'beds'))).toMatchObject([
      {
        prompt: 'Check the beds.',
        answer: 'The beds are dry.',
        ending: 'answered',
        calls: ['bash', 'probe/fail failed'],
      },
      { prompt: 'And this?\n[image_url]', answer: 'A rose.', ending: 'answered', calls: [] },
      { prompt: 'Check the beds.', calls: [] },
    ])
  })

  test('tells tokens where there is an entry for each answer; what came from a cache is a part of the input', async () => {
    const reading = await readFileOf(nac, store)
    const beds = { input: 77, output: 24, cacheRead: 30, cacheWrite: 5, reasoning: 7 }
    expect(usageTotals(of(reading, 'beds'))).toEqual(beds)
    expect(usageTotals(of(reading, 'far'))).toMatchObject({ input: 0, output: 0 })
  })

  test('on another machine has no folder here, and one where nothing was said is none', async () => {
    const { sessions } = await readFileOf(nac, store)
    expect(sessions.find(({ nativeId }) => nativeId === 'far')?.cwd).toBeUndefined()
    expect(sessions.find(({ nativeId }) => nativeId === 'beds')?.cwd).toBe('/home/ada/garden')
    expect(sessions.some(({ nativeId }) => nativeId === 'empty')).toBe(false)
  })

  test('109: keys, headers, addresses and hosts reach nothing', async () => {
    const { state, ...reading } = await readFileOf(nac, store)
    expect(JSON.stringify([reading, state])).not.toMatch(/SECRET|example\.com|private/)
  })

  test('17: keeps the names of its messages when the history is cut, and tells equal ones apart', async () => {
    const path = makeDatabase('nac/store.sql', join(temporaryFolder(), 'store.db'))
    const names = async () =>
      of(await readFileOf(nac, path), 'beds').map(({ native, text }) => [native.id, text] as const)
    const before = await names()
    expect(new Set(before.filter(([, text]) => text === 'Check the beds.').map(([id]) => id)).size).toBe(2)
    const database = new BetterSqlite3(path)
    database.exec("UPDATE sessions SET messages_json = json_remove(messages_json, '$[0]') WHERE session_id = 'beds'")
    database.close()
    expect(await names()).toEqual(before.filter(([, text]) => text !== 'You are an agent.'))
  })

  test('looks different when a message or an episode is added', () => {
    const path = makeDatabase('nac/store.sql', join(temporaryFolder(), 'store.db'))
    const versions = () => {
      const database = new BetterSqlite3(path, { readonly: true })
      const each = (sql: string, ...params: (string | number)[]) => database.prepare(sql).all(...params) as never
      const format = nac.layouts[0]?.format
      if (format?.kind !== 'database') throw new Error('no database')
      const columns = (table: string) =>
        database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]
      const entries = [...format.transcripts({ columns, all: each, each })]
      database.close()
      return entries.find(({ key }) => key === 'beds')?.version
    }
    const change = (sql: string) => {
      const database = new BetterSqlite3(path)
      database.exec(sql)
      database.close()
      return versions()
    }
    const first = versions()
    const second = change("INSERT INTO episodes VALUES (NULL, 'counter', 'beds', 'a', 'b', '2026-05-01 10:09:00')")
    const third = change("UPDATE sessions SET updated_at = '2026-05-01 10:09:00' WHERE session_id = 'beds'")
    expect(new Set([first, second, third]).size).toBe(3)
  })
})

describe('a worker', () => {
  test('is a child session whose tasks are turns', async () => {
    const reading = await readFileOf(nac, store)
    expect(foldTurns(of(reading, 'beds/counter'))).toMatchObject([
      { prompt: 'Count the beds.', answer: 'Seven beds.', ending: 'answered' },
      { prompt: 'Count the roses.', answer: 'Three roses.', ending: 'answered' },
    ])
    expect(reading.sessions.find(({ nativeId }) => nativeId === 'beds/waterer')).toMatchObject({
      title: 'waterer',
      parent: { nativeId: 'beds', relation: 'subagent' },
    })
  })
})

describe('where NAC keeps its store', () => {
  const rootsOf = (env: Record<string, string>, platform: NodeJS.Platform = 'linux', home = '/home/ada') =>
    nac.sources.flatMap(({ roots }) => roots({ home, env, platform }))

  test('in its configuration folder, and nowhere below it', () => {
    expect(rootsOf({})).toEqual(['/home/ada/.config/nac'])
    expect(rootsOf({ XDG_CONFIG_HOME: '/x' })).toEqual(['/x/nac'])
    expect(rootsOf({ XDG_CONFIG_HOME: '/x', NAC_HOME: '~/n' })).toEqual(['/home/ada/n'])
    expect(rootsOf({}, 'win32', 'C:\\Users\\ada')).toEqual(['C:\\Users\\ada\\.config\\nac'])
    expect(nac.sources[0]?.matches('store.db')).toBe(true)
    expect(nac.sources[0]?.matches('old/store.db')).toBe(false)
  })
})

const shared = join(process.cwd(), '..', 'shared', 'conformance', 'harness-fixtures', 'nac', 'store.sql')

describe.skipIf(!existsSync(shared))('the shared conformance fixture', () => {
  test('reads as the messages and episodes in it stand', async () => {
    const path = join(temporaryFolder(), 'store.db')
    const database = new BetterSqlite3(path)
    database.exec(readFileSync(shared, 'utf8'))
    database.close()
    const reading = await readFileOf(nac, path)
    for (const cut of [1, 3, 5]) expect(await readFileOf(nac, path, { cut })).toEqual(reading)
    expect(await kindsLeftUnknown(nac, transcriptsAt(nac, path))).toEqual([])
    expect(foldTurns(of(reading, 'session-local'))).toMatchObject([
      { prompt: 'hello', answer: 'done', ending: 'answered', calls: ['moraine/search'] },
    ])
    expect(usageTotals(reading.drafts)).toEqual({ input: 10, output: 4, cacheRead: 2, cacheWrite: 0, reasoning: 0 })
    expect(foldTurns(of(reading, 'session-local/worker-a'))).toMatchObject([
      { prompt: 'inspect repository', answer: 'inspection complete', ending: 'answered' },
    ])
    expect(new Set(reading.sessions.map(({ nativeId }) => nativeId)).size).toBe(5)
    expect(JSON.stringify(reading)).not.toMatch(/fixture-secret|FIXTURE_SECRET|remote-host|private\/path/)
  })
})
