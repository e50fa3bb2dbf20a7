import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openForeignDatabase } from '../../capture/foreign-database.ts'
import { foldTurns, readFileOf, type TranscriptReading, usageTotals } from '../reading.testing.ts'
import { databaseFormat } from './database.ts'
import { kiroCli } from './index.ts'
import { DATABASE, type DatabaseFixture, databaseFixture, IDS, writeDatabase } from './testing.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-kiro-'))
  path = join(folder, DATABASE)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function read(rows: DatabaseFixture = databaseFixture()): Promise<TranscriptReading> {
  rmSync(path, { force: true })
  writeDatabase(path, rows)
  return readFileOf(kiroCli, path)
}

describe('conversations in the database', () => {
  test('turns are answered and cut short, with calls and exit codes', async () => {
    const { drafts } = await read()
    const turns = foldTurns(drafts.filter(({ session }) => session === IDS.pond))
    expect(turns.map(({ prompt, ending, answer, calls }) => ({ prompt, ending, answer, calls }))).toEqual([
      {
        prompt: 'Feed the fish.',
        ending: 'answered',
        answer: 'The fish are fed.',
        calls: ['execute_bash 0', 'fs_write'],
      },
      { prompt: 'And the frogs?', ending: 'interrupted', answer: undefined, calls: ['execute_bash failed'] },
      { prompt: 'Leave them.', ending: 'answered', answer: 'They are left alone.', calls: [] },
    ])
  })

  test('the row tells the folder, requests tell time, model and tokens', async () => {
    const { drafts, sessions } = await read()
    expect(sessions).toEqual([
      { nativeId: IDS.pond, cwd: '/home/ada/pond' },
      { nativeId: IDS.ditch, cwd: '/home/ada/ditch' },
    ])
    expect(drafts.find(({ text }) => text === 'Feed the fish.')?.at).toBe(Date.parse('2026-09-03T18:21:00.050Z'))
    expect(drafts.find(({ text }) => text === 'The fish are fed.')).toMatchObject({
      at: 1788459666500,
      model: 'model-w',
    })
    expect(usageTotals(drafts)).toEqual({ input: 200, output: 30, cacheRead: 50, cacheWrite: 0, reasoning: 0 })
  })

  test('names outlive the loss of a conversation’s beginning', async () => {
    const rows = databaseFixture()
    const before = await read(rows)
    const history = rows.conversations_v2[0]?.[2]['history'] as unknown[]
    history.shift()
    const names = ({ drafts }: TranscriptReading) => drafts.map(({ native }) => `${native.id} ${native.index}`)
    const after = names(await read(rows))
    expect(after.filter((name) => !names(before).includes(name))).toEqual([])
  })

  test('what has changed is listed with another version', async () => {
    const rows = databaseFixture()
    await read(rows)
    const before = versionsIn(path)
    const [row] = rows.conversations_v2
    if (row) row[4] += 1000
    await read(rows)
    expect(Object.keys(before)).toEqual([IDS.pond, 'folder:/home/ada/ditch'])
    expect(versionsIn(path)[IDS.pond]).not.toBe(before[IDS.pond])
  })

  test('accounts, tools and the repeated transcript are not read', async () => {
    const all = JSON.stringify(await read())
    for (const secret of ['not-for-reading', 'xxxxx', '> Feed']) expect(all).not.toContain(secret)
  })

  test('a conversation that is no JSON is kept as it is', async () => {
    const { drafts } = await readText('not JSON')
    expect(drafts).toMatchObject([{ type: 'unknown', payload: { conversation: 'not JSON' } }])
  })
})

function versionsIn(at: string): Record<string, string> {
  const database = openForeignDatabase(at)
  try {
    return Object.fromEntries([...databaseFormat.transcripts(database)].map(({ key, version }) => [key, version]))
  } finally {
    database.close()
  }
}

async function readText(value: string): Promise<TranscriptReading> {
  writeDatabase(path, { conversations_v2: [], conversations: [] })
  const database = new BetterSqlite3(path)
  database.prepare('INSERT INTO conversations_v2 VALUES (?, ?, ?, ?, ?)').run('/w', 'C', value, 1, 2)
  database.close()
  return readFileOf(kiroCli, path)
}
