/** Transcripts that are no files of lines, captured by the program itself. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { zipOf } from '../../src/capture/zip.testing.ts'
import { varve } from './varve.ts'

const root = join(import.meta.dirname, '../..')

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'varve-formats-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 3 }))

interface Report {
  files: number
  unchanged: number
  records: number
  events: number
  sessions: number
  skipped: { reason: string; path: string }[]
}

async function capture(...args: string[]): Promise<Report> {
  const { stdout } = await varve(home, 'capture', '--once', '--json', ...args)
  return JSON.parse(stdout) as Report
}

describe('varve capture', { timeout: 60_000 }, () => {
  test('reads a database in use, tells its transcripts as files and its rows as records, and leaves it as it was', async () => {
    const folder = join(home, '.local', 'share', 'opencode')
    mkdirSync(folder, { recursive: true })
    const database = new BetterSqlite3(join(folder, 'opencode.db'))
    try {
      database.pragma('journal_mode = WAL')
      database.exec(readFileSync(join(root, 'test/fixtures/opencode/current.sql'), 'utf8'))
      const before = readdirSync(folder)
      const first = await capture()
      expect(first.skipped).toEqual([])
      expect(first.files).toBeGreaterThan(0)
      expect(first.records).toBeGreaterThan(first.files)
      expect(first.events).toBeGreaterThan(0)
      expect(await capture()).toMatchObject({ files: first.files, unchanged: first.files, records: 0, events: 0 })
      expect(readdirSync(folder)).toEqual(before)
    } finally {
      database.close()
    }
  })

  test('says of a download that is nobody’s, or broken, that it is so, and stores nothing', async () => {
    const photos = join(home, 'photos.zip')
    writeFileSync(photos, zipOf({ name: 'a.png', content: 'x' }))
    expect(await capture(photos)).toMatchObject({
      files: 0,
      events: 0,
      skipped: [{ reason: 'unrecognized', path: photos }],
    })
    const torn = join(home, 'torn.zip')
    writeFileSync(torn, zipOf({ name: 'conversations.json', content: '[]' }).subarray(0, 40))
    expect(await capture(torn)).toMatchObject({ files: 0, events: 0, skipped: [{ path: torn }] })
  })

  test('takes no file for a transcript that is just JSON', async () => {
    const strange: Record<string, string> = {
      'object.json': '{"hello":"world","list":[1,2]}',
      'list.json': '[{"name":"a"},{"name":"b"}]',
      'lines.jsonl': '{"a":1}\n{"b":2}\n',
      'number.json': '7',
    }
    for (const [name, content] of Object.entries(strange)) {
      const path = join(home, name)
      writeFileSync(path, content)
      expect(await capture(path), name).toMatchObject({
        events: 0,
        sessions: 0,
        skipped: [{ reason: 'unrecognized', path }],
      })
    }
  })
})
