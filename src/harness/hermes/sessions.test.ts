import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { captureOnce, createRedactor } from '../../capture/index.ts'
import { openStore } from '../../store/index.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import type { SourceFile } from '../harness.ts'
import { makeDatabase, temporaryFolder } from '../opencode/testing.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { hermes } from './index.ts'

const FIXTURES = 'test/fixtures/hermes'
const DOCUMENT = join(FIXTURES, 'home', 'sessions', 'session_20260501_100000_beds.json')
const database = makeDatabase('hermes/state.sql', join(temporaryFolder(), 'state.db'))

const file: SourceFile = {
  source: 'hermes',
  path: '/home/ada/.hermes/sessions/session_s.json',
  relative: 'sessions/session_s.json',
  modifiedAt: 0,
}

let made = 0
const message = (role: string, content: unknown, more: object = {}) => ({
  type: 'message',
  id: `m${++made}`,
  message: { role, content, ...more },
})
const session = (more: object = {}) => ({
  type: 'session',
  session: { session_id: 's', session_start: '2026-05-01T10:00:00.000000', ...more },
})
const read = (...records: object[]) => readWith(hermes, file, [session(), ...records])
const turns = (...records: object[]) => foldTurns(read(...records).drafts)
const calls = (id: string, name: string, args: unknown) =>
  message('assistant', null, { tool_calls: [{ id, function: { name, arguments: JSON.stringify(args) } }] })
const result = (id: string, content: unknown, more: object = {}) =>
  message('tool', typeof content === 'string' ? content : JSON.stringify(content), { tool_call_id: id, ...more })

describe('turns', () => {
  test('a prompt opens one, and an answer that stops ends it', () => {
    const answer = message('assistant', 'They are wet.', { finish_reason: 'stop' })
    expect(turns(message('user', 'Water the beds.'), answer)).toMatchObject([
      { prompt: 'Water the beds.', answer: 'They are wet.', ending: 'answered' },
    ])
  })

  test('what the client says in the user’s name opens none', () => {
    const { drafts } = read(
      message('user', '[CONTEXT COMPACTION — REFERENCE ONLY] The beds are dry.'),
      message('user', '[SYSTEM: Background process 7 completed]'),
      message('user', 'done', { display_kind: 'async_delegation_complete' }),
      message('system', 'x'.repeat(3000)),
    )
    expect(drafts.slice(1).map(({ type, opensTurn }) => [type, opensTurn])).toEqual([
      ['compaction', undefined],
      ['system', undefined],
      ['system', undefined],
      ['system', undefined],
    ])
    expect(drafts.at(-1)?.text).toBe('')
  })

  test('an answer that was too long failed, one without a reason has no end', () => {
    const ending = (finish_reason?: string) =>
      turns(message('user', 'a'), message('assistant', 'A.', { finish_reason }))[0]?.ending
    expect(ending('length')).toBe('failed')
    expect(ending()).toBeUndefined()
  })

  test('a call that was skipped by an interrupt ends the turn', () => {
    const skipped = result('c', '[Tool execution cancelled — terminal was skipped due to user interrupt]')
    expect(turns(message('user', 'a'), calls('c', 'terminal', {}), skipped)[0]?.ending).toBe('interrupted')
  })

  test('a session that ends in the middle of a turn was left, unless it was compacted into another', () => {
    const end = (end_reason: string) => ({ type: 'end', storage: 'database', end: { at: 1, end_reason } })
    expect(turns(message('user', 'a'), end('user_exit'))[0]?.ending).toBe('exited')
    expect(turns(message('user', 'a'), end('compression'))[0]?.ending).toBeUndefined()
    const answer = message('assistant', 'A.', { finish_reason: 'stop' })
    expect(turns(message('user', 'a'), answer, end('user_exit'))[0]?.ending).toBe('answered')
  })
})

describe('tool calls', () => {
  test('exit codes and errors stand in the JSON of the result', () => {
    const outcome = (content: unknown, more: object = {}) =>
      turns(message('user', 'a'), calls('c', 'terminal', { command: 'x' }), result('c', content, more))[0]?.calls
    expect(outcome({ output: 'bad', exit_code: 3, error: null })).toEqual(['terminal 3'])
    expect(outcome({ error: 'no such file' })).toEqual(['terminal failed'])
    expect(outcome('plain', { finish_reason: 'error' })).toEqual(['terminal failed'])
    expect(outcome('{"half')).toEqual(['terminal'])
  })

  test('servers of MCP are told from the name', () => {
    expect(turns(message('user', 'a'), calls('c', 'mcp_probe_echo', {}))[0]?.calls).toEqual(['probe/echo'])
  })
})

describe('sessions', () => {
  test('17: the database and the JSON file give the same messages the same names', async () => {
    const named = (drafts: readonly { native: { id?: string; index: number }; type: string }[]) =>
      drafts
        .filter(({ type }) => !['system', 'runtime'].includes(type))
        .map(({ native, type }) => ({ ...native, type }))
    const inDatabase = await readFileOf(hermes, database, { key: '20260501_100000_beds' })
    const inDocument = await readFileOf(hermes, DOCUMENT)
    expect(named(inDocument.drafts).length).toBeGreaterThan(9)
    expect(named(inDatabase.drafts)).toEqual(expect.arrayContaining(named(inDocument.drafts)))
  })

  test('what a compaction writes once more is one message, and a message that was taken back says so', async () => {
    const { drafts } = await readFileOf(hermes, database, { key: '20260501_100000_beds' })
    expect(drafts.filter(({ text }) => text.startsWith('And this one?'))).toHaveLength(1)
    expect(drafts.find(({ text }) => text === 'Never mind.')?.payload).toEqual({ rewound: true })
  })

  test('40: neither the mark before parts nor base64 becomes text', async () => {
    const { drafts } = await readFileOf(hermes, database)
    const said = drafts.map(({ text }) => text).join('\n')
    expect(said).toContain('And this one?\n[image_url]')
    expect(said).not.toMatch(/json:|base64|iVBOR/)
  })

  test('a compacted session goes on in a fork whose copied beginning is not counted; a subagent is one', async () => {
    const { drafts, sessions } = await readFileOf(hermes, database)
    const parents = Object.fromEntries(sessions.map(({ nativeId, parent }) => [nativeId, parent?.relation]))
    expect(parents).toMatchObject({ '20260501_110000_more': 'fork', '20260501_100100_count': 'subagent' })
    const more = drafts.filter(({ session: id }) => id === '20260501_110000_more')
    expect(foldTurns(more)).toMatchObject([{ prompt: 'Water them.', ending: 'exited', calls: ['terminal'] }])
  })

  test('tokens are the session’s own sums', async () => {
    const { drafts } = await readFileOf(hermes, database)
    expect(usageTotals([...drafts, ...drafts])).toEqual({
      input: 360,
      output: 48,
      cacheRead: 100,
      cacheWrite: 5,
      reasoning: 12,
    })
  })

  test('a client that writes both a database and JSON files is captured once', async () => {
    const root = temporaryFolder()
    makeDatabase('hermes/state.sql', join(root, 'state.db'))
    const engine = await openStore({ url: ':memory:' })
    const capture = async (...paths: string[]) => {
      const sources = hermes.sources.map((source) => ({ ...source, roots: () => [] }))
      await captureOnce({
        engine,
        owner: 1,
        harnesses: [{ ...hermes, sources }],
        host: { home: root, env: {}, platform: process.platform },
        clock: Date.now,
        redactor: createRedactor({ enabled: false }),
        projects: { projectOf: () => undefined },
        paths,
      })
      const sql = "SELECT count(*) AS n FROM event WHERE native_id NOT LIKE 'end/%'"
      return (await engine.all<{ n: number }>(sql))[0]?.n
    }
    const first = await capture(join(root, 'state.db'))
    expect(first).toBeGreaterThan(20)
    // The one message more is a mark that the database does not keep.
    expect(await capture(DOCUMENT)).toBe(Number(first) + 1)
    await engine.close()
  })
})

describe('trajectories', () => {
  const run = (more: object, ...conversations: object[]) =>
    readWith(hermes, { ...file, path: '/t/1.jsonl', relative: '1.jsonl' }, [{ ...more, conversations }])

  test('the run says how its last turn ended', () => {
    const ending = (more: object) =>
      foldTurns(run(more, { from: 'human', value: 'a' }, { from: 'gpt', value: '<think>b</think>' }).drafts)[0]?.ending
    expect(ending({ completed: true })).toBe('answered')
    expect(ending({ completed: false })).toBe('failed')
    expect(ending({ completed: false, partial: true })).toBe('interrupted')
    expect(ending({})).toBeUndefined()
  })

  test('calls take their ids from the results, which come in the same order', async () => {
    const { drafts } = await readFileOf(hermes, join(FIXTURES, 'trajectories', '001.jsonl'))
    const tools = drafts.flatMap(({ tool, type }) => (tool ? [[type, tool.name, tool.callId]] : []))
    expect(tools.slice(0, 4)).toEqual([
      ['tool_call', 'terminal', 'z1'],
      ['tool_call', 'rain', 'z2'],
      ['tool_response', 'terminal', 'z1'],
      ['tool_response', 'rain', 'z2'],
    ])
  })

  test('a tag that is not closed is text', () => {
    const { drafts } = run({}, { from: 'human', value: 'a' }, { from: 'gpt', value: 'So <tool_call>{"name"' })
    expect(drafts.at(-1)).toMatchObject({ type: 'assistant_response', text: 'So <tool_call>{"name"' })
  })

  test('each line is a session of its own, named by what it holds', async () => {
    const { sessions } = await readFileOf(hermes, join(FIXTURES, 'trajectories', '001.jsonl'))
    expect(new Set(sessions.map(({ nativeId }) => nativeId)).size).toBe(2)
  })
})

describe('where Hermes keeps transcripts', () => {
  const rootsOf = (env: Record<string, string>, platform: NodeJS.Platform = 'linux', home = '/home/ada') =>
    hermes.sources.flatMap(({ roots }) => roots({ home, env, platform }))

  test('below its folder at home, wherever that is', () => {
    expect(rootsOf({})).toEqual(['/home/ada/.hermes'])
    expect(rootsOf({ HERMES_HOME: '~/h' })).toEqual(['/home/ada/h'])
    expect(rootsOf({ LOCALAPPDATA: 'C:\\L' }, 'win32', 'C:\\Users\\ada')).toEqual(['C:\\L\\hermes'])
  })

  test('the database and the files of sessions, of each profile too; other folders are not looked through', () => {
    const [source] = hermes.sources
    const paths = [
      'state.db',
      'sessions/session_1.json',
      'profiles/work/state.db',
      'sessions/sessions.json',
      'kanban.db',
    ]
    expect(paths.map((path) => source?.matches(path))).toEqual([true, true, true, false, false])
    expect(
      ['sessions', 'profiles/work/sessions', 'cache', 'profiles/work/logs'].map((path) => source?.skips?.(path)),
    ).toEqual([false, false, true, true])
  })
})

const shared = join(process.cwd(), '..', 'shared', 'corpus', 'hermes')
const files = existsSync(shared)
  ? readdirSync(shared, { recursive: true, encoding: 'utf8' })
      .map((name) => join(shared, name))
      .filter((path) => /(?:\/hermes\/[a-z_]+|session_[^/]+)\.json$|trajectories\/[^/]+\.jsonl$/.test(path))
  : []

describe.skipIf(!existsSync(shared))('every transcript of the shared corpus', () => {
  test('is there', () => expect(files.length).toBe(5))

  test('reads in halves as at once, and leaves no kind of record unknown', async () => {
    for (const path of files) {
      const whole = await readFileOf(hermes, path)
      expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
      for (const cut of [1, 2, 3]) expect(await readFileOf(hermes, path, { cut })).toEqual(whole)
      expect(await kindsLeftUnknown(hermes, transcriptsAt(hermes, path))).toEqual([])
    }
  })

  test('turns, calls and endings are as they stand in the files', async () => {
    const told = await Promise.all(
      files.map(async (path) =>
        foldTurns((await readFileOf(hermes, path)).drafts).map(({ prompt, ending, calls }) => [prompt, ending, calls]),
      ),
    )
    expect(told.flat().sort()).toEqual([
      ['Check the current directory.', 'answered', ['shell']],
      ['Exercise additive Hermes metadata.', undefined, ['memory failed']],
      ['Summarize this directory.', 'answered', []],
      ['What is the weather in Boston right now?', 'answered', ['weather']],
      ["What's today's date?", 'answered', ['shell']],
    ])
  })
})
