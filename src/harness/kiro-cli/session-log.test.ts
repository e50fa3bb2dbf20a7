import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import { foldTurns, readFileOf, readWith, usageTotals } from '../reading.testing.ts'
import { kiroCli } from './index.ts'
import { readSessionNote } from './session-note.ts'
import { IDS, SESSION_LOG, SESSIONS } from './testing.ts'

const readFixture = () => readFileOf(kiroCli, join(SESSIONS, SESSION_LOG), { root: SESSIONS })
const file: SourceFile = { source: 'kiro', path: '/k/cli/S.jsonl', relative: 'cli/S.jsonl', modifiedAt: 0 }

function read(...records: [kind: string, data: unknown][]): Draft[] {
  return readWith(
    kiroCli,
    file,
    records.map(([kind, data]) => ({ version: 'v1', kind, data })),
  ).drafts
}

function noteOf(turns: unknown[], more: object = {}): ReturnType<typeof readSessionNote> {
  const note = { session_state: { conversation_metadata: { user_turn_metadatas: turns } }, ...more }
  return readSessionNote(note, file)
}

describe('the log of a session', () => {
  test('turns are answered and cut short, with calls, exit codes and servers', async () => {
    const { drafts } = await readFixture()
    expect(foldTurns(drafts).map(({ prompt, ending, answer, calls }) => ({ prompt, ending, answer, calls }))).toEqual([
      {
        prompt: 'Which hives are full?\n[image]',
        ending: 'answered',
        answer: 'Hive 2 is full.',
        calls: ['fs_read', 'execute_bash 3', 'scale/weigh'],
      },
      { prompt: 'Empty it.', ending: 'interrupted', answer: undefined, calls: ['write'] },
      { prompt: 'Thanks.', ending: 'answered', answer: 'You are welcome.', calls: [] },
    ])
  })

  test('prompts have a time in seconds, and messages their own ids', async () => {
    const { drafts } = await readFixture()
    expect(drafts[0]).toMatchObject({ at: Date.UTC(2026, 8, 3, 18, 21), native: { id: 'p1', index: 0 } })
    expect(drafts.filter(({ at }) => at !== undefined)).toHaveLength(3)
  })

  test('a text before a tool call is no answer', async () => {
    const { drafts } = await readFixture()
    expect(drafts.find(({ text }) => text === 'I weigh them.')?.commentary).toBe(true)
  })

  test('a summary is a compaction, and what nobody knows is kept', () => {
    const drafts = read(['Compaction', { summary: 'Said.' }], ['FutureRecord', { message: 'new' }])
    expect(drafts.map(({ type, text }) => [type, text])).toEqual([
      ['compaction', 'Said.'],
      ['unknown', ''],
    ])
    expect(drafts[1]?.payload).toMatchObject({ kind: 'FutureRecord' })
  })

  test('a result names its tool when the call was not seen', () => {
    const result = { kind: 'toolResult', data: { toolUseId: 'k', status: 'Success', content: [] } }
    const results = { k: { tool: { kind: { Mcp: { serverName: 'probe', toolName: 'echo' } } } } }
    expect(read(['ToolResults', { content: [result], results }])[0]?.tool).toEqual({
      name: 'echo',
      server: 'probe',
      callId: 'k',
      phase: 'response',
    })
  })
})

describe('what is told beside the log', () => {
  test('title and folder, and each turn with its end, its time, its model and its tokens', () => {
    const note: unknown = JSON.parse(readFileSync(join(SESSIONS, SESSION_LOG.replace('.jsonl', '.json')), 'utf8'))
    const { drafts, sessions } = readSessionNote(note, { ...file, path: `/k/cli/${IDS.hives}.jsonl` })
    expect(sessions).toEqual([{ nativeId: IDS.hives, title: 'Which hives are full?', cwd: '/home/ada/bees' }])
    expect(drafts.map(({ ends, at, model, native }) => [ends, at, model, native.id])).toEqual([
      ['answered', Date.parse('2026-09-03T18:21:20.123Z'), 'model-x', 'turn/a2'],
      ['interrupted', Date.parse('2026-09-03T18:22:10Z'), 'model-x', 'turn/a3'],
      ['answered', Date.parse('2026-09-03T18:23:05Z'), 'model-y', 'turn/a4'],
    ])
    expect(usageTotals(drafts)).toEqual({ input: 1000, output: 45, cacheRead: 30, cacheWrite: 0, reasoning: 0 })
  })

  test('credits are kept and are no tokens', () => {
    const metering = [{ value: 0.5, unit: 'credit' }]
    const { drafts } = noteOf([{ end_reason: 'Error', input_token_count: 0, metering_usage: metering }])
    expect(drafts).toMatchObject([{ ends: 'failed', payload: { metering_usage: metering } }])
    expect(drafts[0]?.usage).toBeUndefined()
  })

  test('a session that another one started is its subagent', () => {
    const more = { parent_session_id: 'P', session_created_reason: 'subagent' }
    expect(noteOf([], more).sessions).toEqual([{ nativeId: 'S', parent: { nativeId: 'P', relation: 'subagent' } }])
  })
})
