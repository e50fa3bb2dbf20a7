import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codex } from './index.ts'
import { at, message, meta, NAME, OTHER, OWN, readRecords, sourceFile, usageOf } from './testing.ts'

describe('places', () => {
  const [source] = codex.sources

  it('looks in the folders of live and archived rollouts, below CODEX_HOME when it is set', () => {
    const host = { home: '/home/kim', platform: 'linux' as const }
    expect(source?.roots({ ...host, env: {} })).toEqual([
      join('/home/kim', '.codex', 'sessions'),
      join('/home/kim', '.codex', 'archived_sessions'),
    ])
    expect(source?.roots({ ...host, env: { CODEX_HOME: '/srv/codex' } })).toEqual([
      join('/srv/codex', 'sessions'),
      join('/srv/codex', 'archived_sessions'),
    ])
  })

  it('takes rollouts, compressed ones too, and neither history nor index', () => {
    expect(source?.matches(`2026/03/01/${NAME}`)).toBe(true)
    expect(source?.matches(`2026/03/01/${NAME}.zst`)).toBe(true)
    expect(source?.matches('history.jsonl')).toBe(false)
    expect(source?.matches('session_index.jsonl')).toBe(false)
    expect(source?.matches('2026/03/01/notes.md')).toBe(false)
  })

  it('gives an archived file the same session, by its first session_meta or else by its name (fault 67)', () => {
    for (const relative of [`2026/03/01/${NAME}`, NAME, `${NAME}.zst`]) {
      expect(readRecords([message('user', 'hello')], sourceFile(relative)).drafts[0]?.session).toBe(OWN)
    }
    expect(readRecords([meta({ id: OTHER })]).drafts[0]?.session).toBe(OTHER)
  })

  it('C71: takes the time of the first record from the file name when it has none', () => {
    const { drafts } = readRecords([
      { type: 'response_item', payload: { type: 'message', role: 'user', content: 'hi' } },
    ])
    expect(drafts[0]?.at).toBe(Date.parse(at(0)))
    const local = sourceFile('rollout-2026-03-01T10-00-07-short.jsonl')
    expect(readRecords([{ role: 'user', content: 'hi' }], local).drafts[0]?.at).toBe(Date.parse(at(7)))
  })
})

describe('foreign data', () => {
  it('never throws, and makes of everything at least one draft', () => {
    const odd = [
      null,
      1,
      'x',
      [],
      {},
      { type: 'response_item' },
      { type: 'event_msg', payload: null },
      { type: 'session_meta', payload: [] },
    ]
    const kinds = [
      'message',
      'reasoning',
      'function_call',
      'function_call_output',
      'web_search_call',
      'agent_message',
      'constructor',
    ]
    const events = [
      'user_message',
      'item_completed',
      'token_count',
      'task_complete',
      'exec_command_end',
      'mcp_tool_call_end',
      '__proto__',
    ]
    const values = [
      ...odd,
      ...kinds.map((type) => ({
        type: 'response_item',
        payload: { type, content: 7, summary: 'x', arguments: '{"', call_id: 3 },
      })),
      ...events.map((type) => ({
        type: 'event_msg',
        payload: { type, item: [], info: 'x', message: { a: 1 }, command: {} },
      })),
      { type: 'toString', payload: {} },
      { timestamp: '+275760-09-13T00:00:00.001Z', type: 'turn_context', payload: { cwd: 5 } },
    ]
    for (const drafts of readRecords(values).records) expect(drafts.length).toBeGreaterThan(0)
  })

  it('keeps what it does not know whole', () => {
    const value = { timestamp: at(0), type: 'response_item', payload: { type: 'hologram', beam: 1 } }
    expect(readRecords([value]).drafts[0]).toMatchObject({ type: 'unknown', text: '', payload: value })
  })

  it('tells the stream of codex exec from a rollout (fault 31)', () => {
    const values = [
      { type: 'thread.started', thread_id: OTHER },
      {
        type: 'item.completed',
        item: { id: 'item_0', type: 'command_execution', command: 'ls', aggregated_output: 'a', exit_code: 0 },
      },
      { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'Done.' } },
      { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } },
    ]
    const { drafts } = readRecords(values, sourceFile('stream.jsonl'))
    expect(drafts.map(({ type }) => type)).toEqual([
      'system',
      'tool_call',
      'tool_response',
      'assistant_response',
      'runtime',
    ])
    expect(drafts.every(({ session }) => session === OTHER)).toBe(true)
    expect(drafts.at(-1)).toMatchObject({ ends: 'answered' })
    expect(usageOf(drafts).output).toBe(0)
  })
})
