/** Reads the shared corpus of real files; passes, and says so, where it is missing. */

import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { filesBelow } from '../golden.testing.ts'
import type { SourceFile } from '../harness.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals, valuesOf } from '../reading.testing.ts'
import { cursor } from './index.ts'

const shared = resolve(import.meta.dirname, '../../../../shared')
const corpus = join(shared, 'corpus', 'cursor')
const isThere = existsSync(corpus)

/** A database by the name that its client gives it. */
function placed(folder: string, path: string): string {
  const name = path.endsWith('.db') ? 'store.db' : 'state.vscdb'
  const copy = join(folder, basename(path).replace(/\.\w+$/, ''), name)
  mkdirSync(join(copy, '..'), { recursive: true })
  copyFileSync(path, copy)
  return copy
}

describe.skipIf(!isThere)('every transcript and database of the shared corpus', () => {
  let folder: string
  const files: SourceFile[] = []
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'varve-cursor-'))
    for (const path of filesBelow(corpus)) {
      if (path.endsWith('.jsonl') && !path.endsWith('state-vscdb-kv.jsonl')) files.push(...transcriptsAt(cursor, path))
      if (/\.(?:db|vscdb)$/.test(path)) {
        files.push(...transcriptsAt(cursor, placed(folder, path), { source: 'cursor-sqlite' }))
      }
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('reads, in halves as at once, and each record gives a draft', async () => {
    expect(files.length).toBeGreaterThan(10)
    for (const file of files) {
      const values = await valuesOf(cursor, file)
      const whole = readWith(cursor, file, values)
      expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
      for (let cut = 0; cut <= values.length; cut++) expect(readWith(cursor, file, values, { cut })).toEqual(whole)
    }
  })

  test('leaves no kind of record unknown', async () => {
    expect(await kindsLeftUnknown(cursor, files)).toEqual([])
  })
})

describe.skipIf(!isThere)('what the corpus says', () => {
  const transcriptIn = (...path: string[]) => readFileOf(cursor, join(corpus, ...path))
  const stage = (...path: string[]) =>
    transcriptIn('alias16+agent-sessions/Resources/Fixtures/stage0/agents/cursor', ...path)

  test('turns with results in the user’s name', async () => {
    const { drafts } = await stage('large.jsonl')
    expect(foldTurns(drafts)).toMatchObject([
      { prompt: 'What files are here?', ending: 'answered', answer: 'There are two files.', calls: ['Bash'] },
      { prompt: 'Read file1.txt.', ending: 'answered', answer: 'The file contains: hello world.', calls: ['Read'] },
      { prompt: 'Thanks.', ending: 'answered', answer: 'You are welcome.', calls: [] },
    ])
    expect(drafts.filter(({ type }) => type === 'tool_response').map(({ tool, text }) => [tool?.name, text])).toEqual([
      ['Bash', 'file1.txt\nfile2.txt'],
      ['Read', 'hello world'],
    ])
  })

  test('a turn that its client closes', async () => {
    const { drafts } = await stage('small.jsonl')
    expect(foldTurns(drafts).map(({ prompt, ending }) => [prompt, ending])).toEqual([
      ['List the files.', 'answered'],
      ['Run ls.', 'answered'],
    ])
  })

  test('a subagent below its parent, as the real layout has it', async () => {
    const { sessions } = await stage('subagent', 'subagents', 'child.jsonl')
    expect(sessions).toEqual([{ nativeId: 'child', parent: { nativeId: 'subagent', relation: 'subagent' } }])
  })

  test('blocks nobody has seen before are read by what they hold', async () => {
    const { drafts } = await stage('schema_drift.jsonl')
    expect(drafts.map(({ type }) => type)).toEqual([
      'user_input',
      'reasoning',
      'tool_call',
      'assistant_response',
      'tool_response',
      'assistant_response',
      'runtime',
    ])
  })

  test('the conformance transcript: a prompt, reasoning, a call with its result, two texts', async () => {
    const id = '11111111-2222-4333-8444-555555555555'
    const path = join(shared, 'conformance/harness-fixtures/cursor/projects/demo/agent-transcripts', id, `${id}.jsonl`)
    const { drafts } = await readFileOf(cursor, path)
    expect(new Set(drafts.map(({ session }) => session))).toEqual(new Set([id]))
    expect(drafts.map(({ type }) => type)).toEqual([
      'user_input',
      'assistant_response',
      'tool_call',
      'tool_response',
      'reasoning',
      'assistant_response',
      'runtime',
      'system',
    ])
    expect(foldTurns(drafts)).toMatchObject([{ calls: ['Read'], ending: 'answered' }])
  })

  test('the conformance rows of the editor, loaded into a table', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'varve-cursor-'))
    try {
      const path = join(folder, 'state.vscdb')
      const database = new BetterSqlite3(path)
      database.exec('CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
      const rows = readFileSync(join(shared, 'conformance/harness-fixtures/cursor/state-vscdb-kv.jsonl'), 'utf8')
      for (const line of rows.trim().split('\n')) {
        const { key, value } = JSON.parse(line) as { key: string; value: unknown }
        database.prepare('INSERT INTO cursorDiskKV VALUES (?, ?)').run(key, JSON.stringify(value))
      }
      database.close()
      const { drafts, sessions } = await readFileOf(cursor, path, { source: 'cursor-sqlite' })
      expect(drafts.map(({ type }) => type)).toEqual([
        'system',
        'user_input',
        'reasoning',
        'tool_call',
        'tool_response',
        'tool_call',
        'tool_response',
        'assistant_response',
        'runtime',
      ])
      expect(foldTurns(drafts)).toMatchObject([
        {
          prompt: 'Please rename the helper and fix the loop bounds.',
          calls: ['edit_file_v2', 'run_terminal_command_v2 1'],
          ending: 'answered',
        },
      ])
      expect(sessions).toMatchObject([
        { title: 'Demo refactor session', summary: 'Edited game.js', cwd: '/Users/demo/project' },
      ])
      expect(usageTotals(drafts).input).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
