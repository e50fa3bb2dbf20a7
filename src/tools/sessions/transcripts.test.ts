/** Transcripts that are known to trip readers up, from the file on disk to the answer of a tool. */

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { captureOnce, createProjects, createRedactor } from '../../capture/index.ts'
import { harnesses } from '../../harness/index.ts'
import { exportArchive } from '../../store/index.ts'
import { listSessions } from './list-sessions.ts'
import { open } from './open/index.ts'
import { searchSessions } from './search-sessions.ts'
import { at, listAt, type TestArchive, testArchive, textAt } from './tools.testing.ts'

const FIRST = '11111111-2222-4333-8444-555555555555'
const SECOND = '22222222-2222-4333-8444-555555555555'
const ROLLOUT = 'rollout-2026-03-01T10-00-00-33333333-2222-7333-8444-555555555555.jsonl'
const START = Date.UTC(2026, 2, 1, 10)
const EVER = { start_datetime: '1970-01-01T00:00:00Z', end_datetime: '2100-01-01T00:00:00Z' }
const SECRET = `ghp_${'Ab3dE5fG7hI9'.repeat(3)}`

let archive: TestArchive
let home: string
beforeEach(async () => {
  archive = await testArchive()
  home = mkdtempSync(join(tmpdir(), 'varve-transcripts-'))
})
afterEach(async () => {
  await archive.close()
  rmSync(home, { recursive: true, force: true })
})

type Row = Record<string, unknown>

const time = (second: number) => new Date(START + second * 1000).toISOString()

function said(session: string, uuid: string, second: number, text: string, more: Row = {}): Row {
  const message = { role: 'user', content: text }
  return { type: 'user', sessionId: session, uuid, timestamp: time(second), message, ...more }
}

function answered(session: string, uuid: string, second: number, text: string, more: Row = {}): Row {
  const message = {
    id: `message ${text}`,
    role: 'assistant',
    model: 'model-x',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text }],
    usage: { input_tokens: 10, output_tokens: 5 },
  }
  return { type: 'assistant', sessionId: session, uuid, timestamp: time(second), requestId: 'r', message, ...more }
}

/** Lays a transcript below the home; `modified` orders files, the oldest being read first. */
function lay(path: string, rows: readonly Row[], modified = 0): void {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  utimesSync(file, START / 1000 + modified, START / 1000 + modified)
}

const claude = (folder: string, session: string, rows: readonly Row[], modified = 0) =>
  lay(`.claude/projects/${folder}/${session}.jsonl`, rows, modified)

const capture = () =>
  captureOnce({
    engine: archive.engine,
    owner: archive.caller.owner,
    harnesses,
    host: { home, env: {}, platform: 'linux' },
    clock: () => START + 86_400_000,
    redactor: createRedactor({ enabled: true }),
    projects: createProjects(),
  })

const list = () => archive.ask(listSessions, EVER)
const search = (query: string, more: Row = {}) => archive.ask(searchSessions, { query, ...more })
const found = async (query: string) => listAt(await search(query), 'data.results', 'snippet.text')

/** The texts of every turn of the one session there is, in order. */
async function texts(): Promise<string[]> {
  const rows = await archive.engine.all<{ text: string }>(
    "SELECT text FROM event WHERE copied = 0 AND text <> '' ORDER BY turn_pk, ordinal",
  )
  return rows.map(({ text }) => text)
}

const usage = () =>
  archive.engine.get('SELECT COUNT(*) AS responses, SUM(input) AS input, SUM(output) AS output FROM usage')

describe('a session that was resumed', () => {
  test.each([
    ['the original first', 0],
    ['the copy first', 2],
  ])('into a new file counts its responses once, %s (faults 4, 5, 17)', async (_order, modified) => {
    claude('-w', FIRST, [said(FIRST, 'u1', 1, 'question'), answered(FIRST, 'a1', 2, 'reply')], modified)
    claude(
      '-w',
      SECOND,
      [
        said(SECOND, 'u8', 1, 'question'),
        answered(SECOND, 'a8', 2, 'reply'),
        said(SECOND, 'u9', 60, 'more'),
        answered(SECOND, 'a9', 61, 'another'),
      ],
      1,
    )
    expect(await capture()).toMatchObject({ files: 2, skipped: [] })
    expect(await usage()).toEqual({ responses: 2, input: 20, output: 10 })
    expect(await found('question')).toEqual(['question'])
    expect(await found('reply')).toEqual(['reply'])
  })

  test.each([
    ['the stub first', 0],
    ['the stub last', 2],
  ])('from two folders is one session, %s (fault 19)', async (_order, modified) => {
    claude('-a', FIRST, [{ type: 'summary', summary: 'A stub', leafUuid: 'x' }], modified)
    claude('-b', FIRST, [said(FIRST, 'u1', 1, 'question'), answered(FIRST, 'a1', 2, 'reply')], 1)
    await capture()
    const listed = await list()
    expect(listAt(listed, 'data.sessions', 'session.turn_count')).toEqual([1])
    expect(listAt(listed, 'data.sessions', 'session.completed')).toEqual([true])
    expect(await found('question')).toEqual(['question'])
  })
})

describe('a session that was compacted', () => {
  const boundary = (uuid: string, second: number, parent: string, compactMetadata: Row): Row => ({
    ...{ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', sessionId: FIRST },
    ...{ uuid, timestamp: time(second), parentUuid: null, logicalParentUuid: parent, compactMetadata },
  })
  const summary = (uuid: string, second: number, text: string, parentUuid: string) =>
    said(FIRST, uuid, second, text, { isCompactSummary: true, parentUuid })

  test('twice is read whole and in the order of its file, reachable from its end or not (faults 10, 11, 13)', async () => {
    claude('-w', FIRST, [
      said(FIRST, 'u1', 1, 'before', { parentUuid: null }),
      answered(FIRST, 'a1', 2, 'reply one', { parentUuid: 'u1' }),
      boundary('c1', 3, 'a1', { trigger: 'manual', preservedSegment: { headUuid: 'u1', tailUuid: 'a1' } }),
      summary('s1', 4, 'summary one', 'c1'),
      said(FIRST, 'u2', 5, 'between', { parentUuid: 's1' }),
      answered(FIRST, 'a2', 6, 'reply two', { parentUuid: 'u2' }),
      boundary('c2', 7, 'a2', { trigger: 'auto', preservedMessages: { uuids: ['u2'] } }),
      summary('s2', 8, 'summary two', 'c2'),
      said(FIRST, 'u3', 9, 'after', { parentUuid: 'a1' }),
      answered(FIRST, 'a3', 10, 'reply three', { parentUuid: 'u3' }),
    ])
    expect(await capture()).toMatchObject({ skipped: [] })
    const inOrder = (await texts()).filter((text) => !text.startsWith('Conversation'))
    const spoken = ['before', 'reply one', 'summary one', 'between', 'reply two', 'summary two', 'after', 'reply three']
    expect(inOrder).toEqual(spoken)
    expect(listAt(await list(), 'data.sessions', 'session.turn_count')).toEqual([3])
    for (const text of ['before', 'between', 'after']) expect(await found(text)).toEqual([text])
    const compactions = await search('summary', { event_types: ['compaction'] })
    expect(listAt(compactions, 'data.results', 'snippet.text')).toEqual(['summary two', 'summary one'])
  })

  test('loses no message to a snapshot of files with its id (fault 16)', async () => {
    claude('-w', FIRST, [
      said(FIRST, 'u1', 1, 'question'),
      { type: 'file-history-snapshot', messageId: 'u1', snapshot: { messageId: 'u1', trackedFileBackups: {} } },
      answered(FIRST, 'a1', 2, 'reply', { parentUuid: 'u1' }),
      { type: 'file-history-snapshot', messageId: 'a1', isSnapshotUpdate: true, snapshot: { messageId: 'a1' } },
    ])
    await capture()
    expect(await found('question')).toEqual(['question'])
    expect(await found('reply')).toEqual(['reply'])
    expect(listAt(await list(), 'data.sessions', 'session.completed')).toEqual([true])
  })
})

describe('the project of a session', () => {
  const projects = async () => {
    const rows = await archive.engine.all<{ cwd: string; project_id: string }>(
      'SELECT cwd, project_id FROM session ORDER BY cwd',
    )
    return new Map(rows.map(({ cwd, project_id }) => [cwd, project_id]))
  }

  test('is read from its records, never from the name of its folder (faults 22, 23, 25)', async () => {
    const places = [
      ['-w-Open-Source-x', '/w/Open Source/x'],
      ['-w-Open-Source-x', '/w/Open-Source/x'],
      ['-w------', '/w/мама'],
      ['-w------', '/w/папа'],
      ['C--Users-me-Gr--e', 'C:\\Users\\me\\Größe'],
    ] as const
    for (const [index, [folder, cwd]] of places.entries()) {
      const session = FIRST.replace('1', `${index}`)
      claude(folder, session, [said(session, 'u', index, 'question', { cwd })])
    }
    await capture()
    const known = await projects()
    expect([...known.keys()].sort()).toEqual(places.map(([, cwd]) => cwd).sort())
    expect(new Set(known.values()).size).toBe(places.length)
    expect(listAt(await list(), 'data.sessions')).toHaveLength(places.length)
  })

  test('is one for all clients and for worktrees inside it (faults 20, 26)', async () => {
    const cwd = join(home, 'app')
    mkdirSync(join(cwd, '.git'), { recursive: true })
    claude('-app', FIRST, [said(FIRST, 'u1', 1, 'question', { cwd })])
    claude('-app-w', SECOND, [said(SECOND, 'u2', 2, 'question', { cwd: join(cwd, '.claude/worktrees/fix') })])
    lay(`.codex/sessions/2026/03/01/${ROLLOUT}`, [
      { timestamp: time(3), type: 'session_meta', payload: { id: ROLLOUT.slice(-42, -6), cwd: join(cwd, 'src') } },
      { timestamp: time(4), type: 'event_msg', payload: { type: 'user_message', message: 'question' } },
    ])
    await capture()
    const known = await projects()
    expect(known.size).toBe(3)
    expect(new Set(known.values()).size).toBe(1)
  })
})

test('subagents hang below their parent, are searched, and journals are no sessions (faults 76, 77; C73)', async () => {
  const folder = `.claude/projects/-w/${FIRST}/subagents`
  claude('-w', FIRST, [said(FIRST, 'u1', 1, 'question'), answered(FIRST, 'a1', 9, 'reply')])
  for (const agent of ['a1', 'a2']) {
    const own = { isSidechain: true, agentId: agent }
    lay(`${folder}/agent-${agent}.jsonl`, [said(FIRST, `${agent}-u`, 2, `task of ${agent}`, own)])
    lay(`${folder}/agent-${agent}.meta.json`, [{ agentType: 'Explore' }])
  }
  lay(`${folder}/workflows/wf_1/journal.jsonl`, [{ type: 'started', key: 'k' }])
  expect(await capture()).toMatchObject({ sessions: 3, skipped: [] })
  const hits = await search('task')
  expect(listAt(hits, 'data.results', 'snippet.text').sort()).toEqual(['task of a1', 'task of a2'])
  const parent = textAt(await search('question'), 'data.results.0.open.session_id')
  const ids = new Set(listAt(hits, 'data.results', 'open.session_id'))
  expect(ids.size).toBe(2)
  expect(ids).not.toContain(parent)
  for (const id of ids) expect(at(await archive.ask(open, { id }), 'data.parent.id')).toBe(parent)
})

test('a secret is in no answer, title or export, wherever it stood (fault 109)', async () => {
  const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: `echo ${SECRET} needle` } }
  const result = { type: 'tool_result', tool_use_id: 't1', content: `needle ${SECRET}` }
  claude('-w', FIRST, [
    said(FIRST, 'u1', 1, `${SECRET} is the needle`),
    { ...answered(FIRST, 'a1', 2, 'x'), message: { id: 'm', role: 'assistant', content: [call] } },
    { ...said(FIRST, 'u2', 3, ''), message: { role: 'user', content: [result] } },
    { type: 'ai-title', sessionId: FIRST, aiTitle: `Use ${SECRET}` },
    { type: 'custom-title', sessionId: FIRST, customTitle: `Try ${SECRET}` },
  ])
  await capture()
  const types = ['user_input', 'tool_call', 'tool_response']
  const hits = await search('needle', { event_types: types })
  expect(listAt(hits, 'data.results')).toHaveLength(3)
  expect(at(await search(SECRET, { event_types: types }), 'data.results')).toEqual([])
  const answers = [hits, await list()]
  for (const id of listAt(hits, 'data.results', 'id')) answers.push(await archive.ask(open, { id }))
  const session = textAt(hits, 'data.results.0.open.session_id')
  answers.push(await archive.ask(open, { id: session, limit: 10 }))
  const exported: unknown[] = []
  for await (const row of exportArchive(archive.engine, archive.caller, { sensitive: true })) exported.push(row)
  expect(JSON.stringify(exported)).toContain('[REDACTED:')
  expect(JSON.stringify(exported)).not.toContain(SECRET)
  for (const { text, structured } of answers) {
    expect(JSON.stringify(structured)).not.toContain(SECRET)
    expect(text).not.toContain(SECRET)
  }
})

test('a picture or a data URI is in no answer, and its letters are not searched (faults 40, 46, 47)', async () => {
  const data = 'iVBORw0KGgoAAAANSUhEUg'.repeat(5_000)
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }
  claude('-w', FIRST, [
    said(FIRST, 'u1', 1, `needle data:image/png;base64,${data} end`),
    { ...said(FIRST, 'u2', 2, ''), message: { role: 'user', content: [picture, { type: 'text', text: 'needle' }] } },
    said(FIRST, 'u3', 3, `\0sentinel:${data} needle`),
  ])
  await capture()
  const hits = await search('needle')
  expect(listAt(hits, 'data.results')).toHaveLength(3)
  for (const id of listAt(hits, 'data.results', 'id')) {
    const { structured, text } = await archive.ask(open, { id })
    expect(JSON.stringify(structured)).not.toContain(data.slice(0, 60))
    expect(text).not.toContain(data.slice(0, 60))
  }
  expect(await found('iVBORw0KGgo*')).toEqual([])
})

test('a session without a time that any calendar knows is listed (fault 32)', async () => {
  claude('-w', FIRST, [said(FIRST, 'u1', 1, 'one', { timestamp: 8640000000000001 })])
  claude('-w', SECOND, [said(SECOND, 'u2', 1, 'two', { timestamp: 'yesterday' })])
  await capture()
  expect(listAt(await list(), 'data.sessions')).toHaveLength(2)
  for (const at of listAt(await list(), 'data.sessions', 'session.updated_at')) expect(at).toBe(time(0))
})

test('a lone surrogate reaches nobody, and what stands behind it is found in its place (faults 37, 38, 41)', async () => {
  claude('-w', FIRST, [said(FIRST, 'u1', 1, 'cut \ud83d here 😀 don’t lose the needle')])
  await capture()
  const hits = await search('needle')
  expect(textAt(hits, 'data.results.0.snippet.text')).toBe('cut \ufffd here 😀 don’t lose the needle')
  const opened = await archive.ask(open, { id: textAt(hits, 'data.results.0.id') })
  for (const sent of [JSON.stringify(hits), JSON.stringify(opened)]) expect(sent).not.toMatch(/\\ud83d(?!\\ude00)/i)
  expect(textAt(opened, 'data.content.text')).toContain('\ufffd here 😀')
})
