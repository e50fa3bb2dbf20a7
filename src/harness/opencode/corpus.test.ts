/** The shared corpus: databases of every schema, JSON files, and what client 1.18.33 wrote in seven scenarios. */

import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { fields } from '../fields.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals, valuesOf } from '../reading.testing.ts'
import { opencode } from './index.ts'
import { makeDatabase, temporaryFolder } from './testing.ts'

const corpus = resolve('../shared/corpus/opencode')
const fixture = resolve('../shared/conformance/harness-fixtures/opencode/session.jsonl')
const GENERATED = 'generated/opencode-1.18.33'
const STORED = 'alias16+agent-sessions/Resources/Fixtures/stage0/agents/opencode'
const FIRST = 'tuist+Noora/7c639cb9/.opencode'

describe.skipIf(!existsSync(corpus))('the corpus', () => {
  const folder = temporaryFolder()

  /** Files of the corpus as capture would see them. The JSON files get the folder's real name. */
  const places = (): { path: string; root: string }[] => {
    const databases = [
      ...readdirSync(join(corpus, GENERATED)).map((name) => `${GENERATED}/${name}/.local/share/opencode`),
      'holgern+toktrail/tests/fixtures',
      FIRST,
      'tuist+Noora/557a2d11/packages/web/assets/.opencode',
    ].map((root) => ({ root: join(corpus, root), path: join(corpus, root, 'opencode.db') }))
    const stored = ['storage_v2', 'storage_legacy'].flatMap((name) => {
      const root = join(folder, name)
      cpSync(join(corpus, STORED, name), join(root, 'storage'), { recursive: true })
      const sessions = join(root, 'storage/session/proj_test')
      return readdirSync(sessions).map((session) => ({ root, path: join(sessions, session) }))
    })
    return [...databases, ...stored]
  }

  test('every transcript reads, in halves as well as at once, and each record gives a draft', async () => {
    let transcripts = 0
    for (const { path, root } of places()) {
      for (const file of transcriptsAt(opencode, path, { root })) {
        const values = await valuesOf(opencode, file)
        const whole = readWith(opencode, file, values)
        expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
        for (const part of [0.13, 0.5, 0.87]) {
          expect(readWith(opencode, file, values, { cut: Math.floor(values.length * part) })).toEqual(whole)
        }
        transcripts++
      }
    }
    expect(transcripts).toBe(8 + 1 + 4 + 3)
  })

  test('no record and no part of one is left unknown', async () => {
    for (const { path, root } of places()) {
      const files = transcriptsAt(opencode, path, { root })
      expect(await kindsLeftUnknown(opencode, files)).toEqual([])
      for (const file of files) {
        const { drafts } = readWith(opencode, file, await valuesOf(opencode, file))
        expect(drafts.filter(({ type }) => type === 'unknown')).toEqual([])
      }
    }
  })

  test('the first OpenCode: four sessions, most of them in the write-ahead log alone (fault 58)', async () => {
    const { drafts, sessions } = await readFileOf(opencode, join(corpus, FIRST, 'opencode.db'))
    const of = (id: string) => foldTurns(drafts.filter(({ session }) => session === id))
    expect(sessions.map(({ nativeId }) => of(nativeId).map(({ ending }) => ending))).toEqual([
      ['interrupted', 'answered', 'answered', 'interrupted', 'answered'],
      ['interrupted'],
      ['interrupted', 'interrupted'],
      ['interrupted'],
    ])
    // As `json_each` over the column counts them: 91 calls, 89 results, 9 prompts.
    expect(drafts.filter(({ type }) => type === 'tool_call')).toHaveLength(91)
    expect(drafts.filter(({ type }) => type === 'tool_response')).toHaveLength(89)
    expect(drafts.filter(({ opensTurn }) => opensTurn)).toHaveLength(9)
    expect(drafts.every(({ tool, type }) => type !== 'tool_response' || tool?.name !== '')).toBe(true)
    expect(sessions[0]).toEqual({
      nativeId: '2530334d-ccd1-4294-9961-2aa13749f060',
      title: 'CLI design system monorepo migration review and validation',
      cwd: resolve(corpus, 'tuist+Noora/7c639cb9'),
    })
  })

  test('a database of messages alone gives their tokens', async () => {
    const { drafts } = await readFileOf(opencode, join(corpus, 'holgern+toktrail/tests/fixtures/opencode.db'))
    expect(drafts).toHaveLength(1)
    expect(drafts[0]).toMatchObject({ session: 'ses-fixture', model: 'claude-sonnet-4' })
    // output 500 and reasoning 100 exclude each other there.
    expect(usageTotals(drafts)).toEqual({ input: 1000, output: 600, cacheRead: 200, cacheWrite: 50, reasoning: 100 })
  })

  test('JSON files: tools, exit codes, an abort and a compaction', async () => {
    const root = join(folder, 'again')
    cpSync(join(corpus, STORED, 'storage_v2'), join(root, 'storage'), { recursive: true })
    const path = join(root, 'storage/session/proj_test/ses_s_stage0_large.json')
    const { drafts } = await readFileOf(opencode, path, { root })
    expect(foldTurns(drafts)).toMatchObject([
      { prompt: 'Step 1', ending: 'interrupted', calls: ['bash 1'] },
      { prompt: 'Step 2', calls: [] },
    ])
    expect(drafts.filter(({ type }) => type === 'compaction')).toHaveLength(1)
  })
})

interface Scenario {
  drafts: Draft[]
  turns(session?: string): unknown[]
  usage(session?: string): object
}

async function scenario(name: string): Promise<Scenario> {
  const path = join(corpus, GENERATED, name, '.local/share/opencode/opencode.db')
  const { drafts, sessions } = await readFileOf(opencode, path)
  const main = sessions.find(({ parent }) => !parent)?.nativeId
  const of = (session = main) => drafts.filter((draft) => draft.session === session)
  return {
    drafts,
    turns: (session) => foldTurns(of(session)).map(({ prompt, ending, calls }) => ({ prompt, ending, calls })),
    usage: (session) => usageTotals(of(session)),
  }
}

describe.skipIf(!existsSync(corpus))('the scenarios of client 1.18.33', () => {
  // Totals are those the client keeps on the session's row; `output` there excludes reasoning.
  test('a: two turns, the second resumed, both in the write-ahead log', async () => {
    const { turns, usage } = await scenario('a-two-turns')
    expect(turns()).toEqual([
      {
        prompt: 'Create a small greeting script in Python, check it and tell me what the check says. (ref A1)',
        ending: 'answered',
        calls: ['bash 0', 'todowrite', 'write', 'read', 'edit', 'bash 3'],
      },
      {
        prompt: 'What does the script do now, and how long is it? (ref A2)',
        ending: 'answered',
        calls: ['bash 0', 'bash 0'],
      },
    ])
    expect(usage()).toEqual({ input: 21071, output: 375 + 53, cacheRead: 53484, cacheWrite: 0, reasoning: 53 })
  })

  test('b: an answer cut short, a command cut short, and an answer', async () => {
    const { turns, usage } = await scenario('b-interrupt')
    expect(turns()).toEqual([
      { prompt: 'Explain at length how a greeting script works. (ref B1)', ending: 'interrupted', calls: [] },
      { prompt: 'Run the slow check. (ref B2)', ending: 'interrupted', calls: ['bash'] },
      { prompt: 'Continue after the interruption, briefly. (ref B3)', ending: 'answered', calls: [] },
    ])
    expect(usage()).toEqual({ input: 1566, output: 13, cacheRead: 6266, cacheWrite: 0, reasoning: 0 })
  })

  test('c: a subagent is a session of its own below the call that started it', async () => {
    const { turns, usage } = await scenario('c-subagent')
    const child = 'ses_dd244f820ffeIPeyf2nVyMiwBK'
    expect(turns()).toEqual([
      {
        prompt: 'Have a helper count the lines of notes.txt and tell me the number. (ref C1)',
        ending: 'answered',
        calls: ['task'],
      },
    ])
    expect(turns(child)).toEqual([
      {
        prompt: 'Count the lines of the file notes.txt in the current folder and report only the number. (ref C2)',
        ending: 'answered',
        calls: ['bash 0'],
      },
    ])
    expect(usage()).toEqual({ input: 9267, output: 75 + 9, cacheRead: 6283, cacheWrite: 0, reasoning: 9 })
    expect(usage(child)).toEqual({ input: 7293, output: 27 + 8, cacheRead: 4915, cacheWrite: 0, reasoning: 8 })
    const path = join(corpus, GENERATED, 'c-subagent/.local/share/opencode/opencode.db')
    const { sessions } = await readFileOf(opencode, path)
    const parent = 'ses_dd244ff34ffea3Uc6QrRfaX3N8'
    expect(sessions).toContainEqual({
      nativeId: child,
      parent: { nativeId: parent, callId: 'call_pWrBVncIIxwNgVAgVirrTjCt', relation: 'subagent' },
    })
    expect(sessions.find(({ nativeId, title }) => nativeId === child && title)).toMatchObject({
      title: 'Count lines of notes.txt (@general subagent)',
      parent: { nativeId: parent, relation: 'subagent' },
    })
  })

  test('d: a compaction is no turn and no answer', async () => {
    const { drafts, turns, usage } = await scenario('d-compact')
    expect(turns()).toEqual([
      { prompt: 'Show me notes.txt and say what it holds. (ref D1)', ending: 'answered', calls: ['bash 0'] },
      { prompt: 'And how many words does it have? (ref D2)', ending: 'answered', calls: ['bash 0'] },
      { prompt: 'Thanks. One last line, please. (ref D3)', ending: 'answered', calls: [] },
    ])
    expect(drafts.filter(({ type }) => type === 'compaction').map(({ text }) => text.slice(0, 30))).toEqual([
      '',
      'The user asked for a small gre',
    ])
    expect(usage()).toEqual({ input: 212029, output: 990 + 8, cacheRead: 18673, cacheWrite: 0, reasoning: 8 })
  })

  test('e: a retried request is answered, a refused one fails', async () => {
    const { drafts, turns } = await scenario('e-error')
    expect(turns()).toEqual([
      { prompt: 'Say hello after a hiccup. (ref E1)', ending: 'answered', calls: [] },
      { prompt: 'Say hello again. (ref E2)', ending: 'failed', calls: [] },
    ])
    expect(drafts.find(({ ends }) => ends === 'failed')).toMatchObject({
      text: 'invalid api key (scripted)',
      payload: { error: { name: 'APIError', statusCode: 401 } },
    })
  })

  test('f: MCP tools, one of which fails', async () => {
    const { drafts, turns, usage } = await scenario('f-mcp')
    expect(turns()).toEqual([
      {
        prompt: 'Use the probe server: echo a word, add two numbers, then call its failing tool. (ref F1)',
        ending: 'answered',
        calls: ['probe_echo', 'probe_add', 'probe_fail failed'],
      },
    ])
    // As the server saw them.
    expect(drafts.filter(({ type }) => type === 'tool_response').map(({ text }) => text)).toEqual([
      'echo: hello probe',
      '{"sum":42}',
      'this tool always fails',
    ])
    expect(usage()).toEqual({ input: 12720, output: 72 + 9, cacheRead: 19312, cacheWrite: 0, reasoning: 9 })
  })

  test('g: a terminal session with Escape and a compact command', async () => {
    const { turns, usage } = await scenario('g-terminal')
    expect(turns()).toEqual([
      { prompt: 'Show me notes.txt, please. (ref G1)', ending: 'answered', calls: ['bash 0'] },
      { prompt: 'Explain at length how to keep notes. (ref G2)', ending: 'interrupted', calls: [] },
      { prompt: 'Thanks, that is enough. (ref G3)', ending: 'answered', calls: [] },
    ])
    expect(usage()).toEqual({ input: 12071, output: 312 + 8, cacheRead: 13210, cacheWrite: 0, reasoning: 8 })
  })
})

describe.skipIf(!existsSync(fixture))('the conformance fixture', () => {
  test('put into the tables it was made from', async () => {
    const folder = temporaryFolder()
    const path = makeDatabase('opencode/current.sql', join(folder, 'opencode.db'))
    const database = new BetterSqlite3(path)
    const text = (value: unknown): string => String(value)
    const lines = readFileSync(fixture, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => fields(JSON.parse(line)))
    for (const line of lines) {
      const { type, id, session_id, message_id, time_created, title, directory, data, message_type } = line
      const at = Number(time_created)
      const json = JSON.stringify(data)
      const insert = (table: string, values: unknown[]): unknown =>
        database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`).run(...values)
      if (type === 'opencode_session') insert('session', [id, 'p', null, '', text(directory), text(title), '1', at, at])
      if (type === 'opencode_message') insert('message', [id, session_id, at, at, json])
      if (type === 'opencode_part') insert('part', [id, message_id, session_id, at, at, json])
      if (type === 'opencode_session_message')
        insert('session_message', [id, session_id, message_type, 1, at, at, json])
    }
    database.close()
    const { drafts, sessions } = await readFileOf(opencode, path, { key: 'ses_demo' })
    expect(sessions[0]).toMatchObject({ title: 'OpenCode fixture session', cwd: lines[0]?.['directory'] })
    expect(foldTurns(drafts)).toMatchObject([
      { prompt: 'Check the package metadata.', ending: 'answered', calls: ['bash', 'bash failed'] },
    ])
    expect(drafts.map(({ type }) => type)).toEqual([
      'system',
      'user_input',
      'reasoning',
      'assistant_response',
      'tool_call',
      'tool_response',
      'tool_call',
      'tool_response',
      'runtime',
      'runtime',
    ])
    expect(usageTotals(drafts)).toEqual({ input: 20, output: 6, cacheRead: 7, cacheWrite: 0, reasoning: 1 })
  })
})
