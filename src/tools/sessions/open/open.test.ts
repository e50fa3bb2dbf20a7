import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { formatId } from '../../../core/id.ts'
import type { ToolAnswer } from '../../tool.ts'
import { at, eventId, listAt, prompt, type TestArchive, testArchive, textAt } from '../tools.testing.ts'
import { open } from './index.ts'
import { MIGRATION } from './open.testing.ts'

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
  await archive.write(MIGRATION)
})
afterEach(() => archive.close())

const ask = (args: Record<string, unknown>) => archive.ask(open, args)
const code = (result: ToolAnswer) => at(result, 'error.code')
const openEvent = (key: string, session = 's1') => ask({ id: eventId(session, key) })

async function turnId(key: string, session = 's1'): Promise<string> {
  return textAt(await openEvent(key, session), 'data.event.turn_id')
}

async function sessionId(key = 'p1', session = 's1'): Promise<string> {
  return textAt(await openEvent(key, session), 'data.event.session_id')
}

describe('open: permutations of its input', () => {
  it('open: id=session', async () => {
    const id = await sessionId()
    const result = await ask({ id })
    expect(at(result, 'request')).toEqual({ id })
    expect(at(result, 'data.kind')).toBe('session')
    expect(at(result, 'data.turns')).toEqual([])
    expect(at(result, 'data.next_cursor')).toBeNull()
    expect(at(result, 'data.session')).toMatchObject({
      id,
      title: 'Fix the migration',
      display_label: 'Fix the migration',
      source: 'claude',
      harness: 'claude-code',
      started_at: '2026-04-29T18:41:55.000Z',
      updated_at: '2026-04-29T18:42:00.000Z',
      completed: true,
      turn_count: 2,
      event_count: 6,
      mode: 'tool_calling',
      session_slug: 'fix',
      session_summary: 'Fixed it',
      terminal_event_id: eventId('s1', 'a2'),
      model: 'gpt-5',
      cwd: '/home/me/project',
      branch: 'main',
      file: { path: '/home/me/.claude/s1.jsonl', on_disk: true },
    })
  })

  it('open: id=session, limit=N', async () => {
    const id = await sessionId()
    const result = await ask({ id, limit: 1 })
    expect(at(result, 'request')).toEqual({ id, limit: 1 })
    const turn = await turnId('p1')
    expect(at(result, 'data.turns')).toEqual([
      {
        id: turn,
        ordinal: 1,
        completed: true,
        terminal_event_id: eventId('s1', 'a1'),
        event_count: 4,
        started_at: '2026-04-29T18:41:55.000Z',
        updated_at: '2026-04-29T18:41:58.000Z',
        user_input: {
          event_id: eventId('s1', 'p1'),
          text: 'The migration is failing. Please fix it.',
          truncated: false,
        },
        final_response: { event_id: eventId('s1', 'a1'), text: 'Updated the order.', truncated: false },
        tools_called: ['exec_command'],
        tools_called_truncated: false,
        event_types: ['user_input', 'tool_call', 'tool_response', 'assistant_response'],
        open: { turn_id: turn, terminal_event_id: eventId('s1', 'a1') },
      },
    ])
    expect(at(result, 'data.next_cursor')).not.toBeNull()
  })

  it('open: id=turn', async () => {
    const result = await ask({ id: await turnId('p1') })
    expect(at(result, 'data.kind')).toBe('turn')
    expect(at(result, 'data.events')).toEqual([])
    expect(at(result, 'data.next_cursor')).toBeNull()
    expect(at(result, 'data.turn')).toEqual({
      id: await turnId('p1'),
      session_id: await sessionId(),
      ordinal: 1,
      completed: true,
      terminal_event_id: eventId('s1', 'a1'),
      event_count: 4,
      started_at: '2026-04-29T18:41:55.000Z',
      updated_at: '2026-04-29T18:41:58.000Z',
    })
    expect(at(result, 'data.session')).toMatchObject({
      id: await sessionId(),
      title: 'Fix the migration',
      source: 'claude',
    })
    expect(at(result, 'data.summary.tools_called')).toEqual(['exec_command'])
  })

  it('open: id=turn, limit=N', async () => {
    const result = await ask({ id: await turnId('p1'), limit: 4 })
    expect(listAt(result, 'data.events', 'ordinal')).toEqual([1, 2, 3, 4])
    expect(at(result, 'data.events.2')).toEqual({
      id: eventId('s1', 'o1'),
      ordinal: 3,
      type: 'tool_response',
      timestamp: '2026-04-29T18:41:57.000Z',
      terminal: false,
      tool_name: 'exec_command',
      model: null,
      summary: 'tests failed in order',
      truncated: false,
    })
    expect(at(result, 'data.events.3.terminal')).toBe(true)
    expect(at(result, 'data.events.3.model')).toBe('gpt-5')
    expect(at(result, 'data.next_cursor')).toBeNull()
  })

  it('open: cursor=...', async () => {
    const first = await ask({ id: await turnId('p1'), limit: 3 })
    const cursor = textAt(first, 'data.next_cursor')
    const second = await ask({ cursor })
    expect(at(second, 'request')).toEqual({ cursor })
    expect(listAt(second, 'data.events', 'ordinal')).toEqual([4])
    expect(at(second, 'data.next_cursor')).toBeNull()
  })

  it('open: id=event', async () => {
    const result = await openEvent('o1')
    expect(at(result, 'data.kind')).toBe('event')
    expect(at(result, 'data.event')).toMatchObject({
      id: eventId('s1', 'o1'),
      ordinal: 3,
      type: 'tool_response',
      timestamp: '2026-04-29T18:41:57.000Z',
      terminal: false,
      model: null,
      originating_model: 'gpt-5',
      tool_name: 'exec_command',
      call_id: 'k',
    })
    expect(at(result, 'data.content')).toEqual({
      format: 'tool_response',
      tool_name: 'exec_command',
      exit_code: 101,
      failed: true,
      text: 'tests failed\nin order',
      truncated: false,
    })
    expect(at(result, 'data.turn')).toEqual({ id: await turnId('p1'), ordinal: 1, completed: true })
  })

  it('open: missing both id and cursor', async () => {
    for (const args of [{}, { id: null, cursor: null }, { limit: 3 }]) {
      expect(code(await ask(args))).toBe('invalid_request')
    }
  })

  it('open: blank id', async () => {
    for (const id of ['', '  ', 7, ['x']]) expect(code(await ask({ id }))).toBe('invalid_request')
  })

  it('C03: open: malformed id', async () => {
    const good = eventId('s1', 'p1')
    const bad = [
      'not-a-valid-id',
      'session:',
      'session:!!!!',
      'session:A',
      'turn:c2Vzcy0x',
      'turn:',
      'event:',
      'events:evt_0',
      ` ${good}`,
      `${good}0`,
      good.slice(0, -1),
      good.toLowerCase(),
      good.replace('event:evt_', 'event:turn_'),
      `event:evt_Z${good.slice('event:evt_'.length + 1)}`,
    ]
    for (const id of bad) {
      const result = await ask({ id })
      expect(code(result), id).toBe('invalid_id')
      expect(at(result, 'error.details.field')).toBe('id')
      expect(at(result, 'error.message')).toBe('id is not a valid Varve MCP ID')
    }
  })

  it('C24: open: well-formed unknown id', async () => {
    for (const kind of ['session', 'turn', 'event'] as const) {
      const id = formatId(kind, Buffer.alloc(16, 9))
      const result = await ask({ id })
      expect(at(result, 'error')).toEqual({ code: 'not_found', message: `${kind} not found`, details: { id } })
      expect(at(result, 'request')).toEqual({ id })
    }
  })

  it('C14: open: id or limit combined with cursor', async () => {
    const id = await turnId('p1')
    const cursor = textAt(await ask({ id, limit: 1 }), 'data.next_cursor')
    const withId = await ask({ id, cursor })
    expect(code(withId)).toBe('invalid_request')
    expect(at(withId, 'error.details.field')).toBe('id')
    const withLimit = await ask({ limit: 2, cursor })
    expect(code(withLimit)).toBe('invalid_request')
    expect(at(withLimit, 'error.details.field')).toBe('limit')
  })

  it('C14: open: pagination argument with id=event', async () => {
    const result = await ask({ id: eventId('s1', 'p1'), limit: 1 })
    expect(code(result)).toBe('invalid_request')
    expect(at(result, 'error.details.field')).toBe('limit')
  })

  it('C14: open: limit out of range', async () => {
    const id = await sessionId()
    for (const limit of [0, -1, 26, 1.5, '3']) {
      const result = await ask({ id, limit })
      expect(code(result)).toBe('invalid_request')
      expect(textAt(result, 'error.message')).toContain('between 1 and 25')
    }
  })
})

describe('ids', () => {
  it('C01: of sessions, turns and events can be opened again and tell nothing of the native ids', async () => {
    for (const id of [await sessionId(), await turnId('p1'), eventId('s1', 'p1')]) {
      const opened = await ask({ id })
      expect(at(opened, `data.${textAt(opened, 'data.kind')}.id`)).toBe(id)
      expect(id).toMatch(/^(session:ses|turn:turn|event:evt)_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    }
  })

  it('C02: are safe in a URL whatever the native ids are', async () => {
    const odd = 'a b?c&d+e=f:g/h\\i'
    await archive.write({ session: odd, events: [prompt('x', { key: odd })] })
    const event = await openEvent(odd, odd)
    for (const path of ['data.event.id', 'data.event.turn_id', 'data.event.session_id']) {
      expect(textAt(event, path)).toMatch(/^[A-Za-z0-9:_]+$/)
      expect((await ask({ id: textAt(event, path) })).isError).toBe(false)
    }
  })
})
