import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeCursor } from '../../core/cursor.ts'
import type { ToolAnswer } from '../tool.ts'
import { listSessions } from './list-sessions.ts'
import { open } from './open/index.ts'
import {
  answer,
  at,
  call,
  listAt,
  prompt,
  START,
  type TestArchive,
  testArchive,
  textAt,
  type Written,
} from './tools.testing.ts'

const HOUR = 3_600_000
const DAY = { start_datetime: '2026-04-29T00:00:00Z', end_datetime: '2026-04-30T00:00:00Z' }
const iso = (time: number) => new Date(time).toISOString()

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
})
afterEach(() => archive.close())

const ask = (args: Record<string, unknown>) => archive.ask(listSessions, { ...DAY, ...args })
const labels = (result: ToolAnswer) => listAt(result, 'data.sessions', 'session.display_label')
const code = (result: ToolAnswer) => at(result, 'error.code')
const write = (session: string, at: number, more: Partial<Written> = {}) =>
  archive.write({ session, at, facts: { title: session }, events: [prompt('p'), answer('a')], ...more })

/** Follows the cursors to the end. */
async function pages(args: Record<string, unknown>): Promise<unknown[]> {
  const seen: unknown[] = []
  let cursor: unknown = null
  do {
    const result: ToolAnswer = await ask({ ...args, cursor })
    seen.push(...labels(result))
    cursor = at(result, 'data.next_cursor')
    expect(at(result, 'data.truncated')).toBe(cursor !== null)
  } while (cursor !== null)
  return seen
}

describe('list_sessions: permutations of its input', () => {
  it('list_sessions: start_datetime + end_datetime', async () => {
    await write('a', START)
    const result = await ask({})
    expect(at(result, 'request')).toEqual({
      start_datetime: '2026-04-29T00:00:00.000Z',
      end_datetime: '2026-04-30T00:00:00.000Z',
      limit: 20,
      cursor: null,
      mode: null,
      harness: null,
      source: null,
      sort: 'desc',
    })
    const id = textAt(result, 'data.sessions.0.id')
    expect(at(result, 'data.sessions')).toEqual([
      {
        rank: 1,
        id,
        session: {
          id,
          title: 'a',
          display_label: 'a',
          source: 'claude',
          harness: 'claude-code',
          started_at: '2026-04-29T18:41:55.000Z',
          updated_at: '2026-04-29T18:41:56.000Z',
          completed: true,
          turn_count: 1,
          event_count: 2,
          mode: 'chat',
          session_slug: null,
          session_summary: null,
        },
        open: { session_id: id },
      },
    ])
    expect((await archive.ask(open, { id })).isError).toBe(false)
  })

  it('list_sessions: range + limit', async () => {
    for (const name of ['a', 'b', 'c']) await write(name, START)
    const result = await ask({ limit: 2 })
    expect(at(result, 'data.result_count')).toBe(2)
    expect(at(result, 'data.limit')).toBe(2)
    expect(at(result, 'data.truncated')).toBe(true)
  })

  it('list_sessions: range + cursor', async () => {
    const names = Array.from({ length: 7 }, (_, place) => `s${place}`)
    // All at the same time, so that only ids order them.
    for (const name of names) await write(name, START)
    for (const sort of ['asc', 'desc']) {
      const seen = await pages({ limit: 3, sort })
      expect([...seen].sort()).toEqual(names)
      expect(seen).toEqual(await pages({ limit: 2, sort }))
    }
  })

  it('list_sessions: range + mode', async () => {
    await write('chat', START)
    await write('tools', START, { events: [prompt('p'), call('Bash', {}), answer('a')] })
    await write('web', START, { events: [prompt('p'), call('WebSearch', {}), answer('a')] })
    await write('own', START, {
      events: [prompt('p'), call('open', {}, { tool: { name: 'open', server: 'varve' } }), answer('a')],
    })
    await write('foreign', START, {
      events: [prompt('p'), call('open', {}, { tool: { name: 'open', server: 'browser' } }), answer('a')],
    })
    expect(labels(await ask({ mode: 'chat' }))).toEqual(['chat'])
    expect(labels(await ask({ mode: 'tool_calling' })).sort()).toEqual(['foreign', 'tools'])
    expect(labels(await ask({ mode: 'web_search' }))).toEqual(['web'])
    expect(labels(await ask({ mode: 'mcp_internal' }))).toEqual(['own'])
  })

  it('list_sessions: range + sort=asc', async () => {
    await write('late', START + HOUR)
    await write('early', START)
    expect(labels(await ask({ sort: 'asc' }))).toEqual(['early', 'late'])
    expect(labels(await ask({ sort: 'desc' }))).toEqual(['late', 'early'])
  })

  it('list_sessions: range + harness, source, and both', async () => {
    await write('a', START)
    await write('b', START, { harness: 'codex', source: 'codex' })
    expect(labels(await ask({ harness: 'codex' }))).toEqual(['b'])
    expect(labels(await ask({ source: 'claude' }))).toEqual(['a'])
    expect(labels(await ask({ harness: 'codex', source: 'claude' }))).toEqual([])
    const both = await ask({ harness: ' codex ', source: 'codex' })
    expect(at(both, 'data.sessions.0.session.harness')).toBe('codex')
    expect(at(both, 'data.sessions.0.session.source')).toBe('codex')
  })

  it('list_sessions: blank harness or source', async () => {
    for (const field of ['harness', 'source']) {
      const result = await ask({ [field]: ' \t' })
      expect(code(result)).toBe('invalid_request')
      expect(at(result, 'error.details.field')).toBe(field)
    }
  })

  it('C11: list_sessions: missing datetime, and datetime without timezone (fault 100)', async () => {
    for (const field of ['start_datetime', 'end_datetime']) {
      for (const value of [
        undefined,
        null,
        '',
        '2026-04-29T09:00:00',
        '2026-04-29',
        'yesterday',
        5,
        '2026-02-30T00:00:00Z',
      ]) {
        const result = await ask({ [field]: value })
        expect(code(result), `${value}`).toBe('invalid_request')
        expect(at(result, 'error.details.field')).toBe(field)
      }
    }
  })

  it('C11: list_sessions: end_datetime <= start_datetime', async () => {
    expect(code(await ask({ end_datetime: DAY.start_datetime }))).toBe('invalid_request')
    expect(code(await ask({ end_datetime: '2026-04-28T00:00:00Z' }))).toBe('invalid_request')
  })

  it('C10: list_sessions: limit out of range', async () => {
    for (const limit of [0, -1, 26, 2.5]) {
      const result = await ask({ limit })
      expect(code(result)).toBe('invalid_request')
      expect(textAt(result, 'error.message')).toContain('between 1 and 25')
    }
  })

  it('list_sessions: unknown field', async () => {
    expect(at(await ask({ colour: 'red' }), 'error.details.field')).toBe('colour')
  })

  it('list_sessions: invalid mode or sort', async () => {
    expect(at(await ask({ mode: 'talk' }), 'error.details.field')).toBe('mode')
    expect(at(await ask({ sort: 'up' }), 'error.details.field')).toBe('sort')
  })

  it('C51: list_sessions: cursor with changed filter or sort, from another scope, or not ours', async () => {
    for (const name of ['a', 'b', 'c']) await write(name, START, { facts: { title: name, cwd: '/work/project' } })
    const cursor = textAt(await ask({ limit: 1 }), 'data.next_cursor')
    expect((await ask({ limit: 2, cursor })).isError).toBe(false)
    const changes = [
      { sort: 'asc' },
      { mode: 'chat' },
      { harness: 'claude-code' },
      { source: 'claude' },
      { start_datetime: '2026-04-28T00:00:00Z' },
      { end_datetime: '2026-05-01T00:00:00Z' },
      { cursor: `${cursor.slice(0, -2)}AA` },
      { cursor: 'nonsense' },
      { cursor: '' },
      { cursor: writeCursor(archive.services.cursorKey, { tool: 'open', version: 1 }) },
    ]
    for (const change of changes) {
      const result = await ask({ limit: 1, cursor, ...change })
      expect(code(result), JSON.stringify(change)).toBe('invalid_request')
      expect(at(result, 'error.details.field')).toBe('cursor')
    }
    const scoped = { ...archive.caller, projectRoots: ['/work/project'] }
    expect(code(await archive.ask(listSessions, { ...DAY, limit: 1, cursor }, scoped))).toBe('invalid_request')
  })
})

describe('list_sessions: what its criteria ask', () => {
  it('C50: finds what overlaps the range, its start inclusive and its end exclusive', async () => {
    // Events at START and one hour later.
    const events = [prompt('p', { at: START }), answer('a', { at: START + HOUR })]
    await write('long', START, { events })
    const range = (from: number, to: number) => ask({ start_datetime: iso(from), end_datetime: iso(to) })
    expect(labels(await range(START + 600_000, START + 1_200_000))).toEqual(['long'])
    expect(labels(await range(START + HOUR, START + 2 * HOUR))).toEqual(['long'])
    expect(labels(await range(START + HOUR + 1, START + 2 * HOUR))).toEqual([])
    expect(labels(await range(START - HOUR, START))).toEqual([])
    expect(labels(await range(START - HOUR, START + 1))).toEqual(['long'])
  })

  it('finds what lasted for weeks among what lasted for minutes, in order and over pages', async () => {
    const days = (count: number) => START + count * 24 * HOUR
    const lasting = (from: number, to: number) => ({ events: [prompt('p', { at: from }), answer('a', { at: to })] })
    await write('weeks', days(-20), lasting(days(-20), days(20)))
    await write('a day', days(-1), lasting(days(-1), days(0)))
    await write('minutes', days(0), lasting(days(0), days(0) + 60_000))
    await write('over a day', days(0), lasting(days(0), days(1) + 60_000))
    await write('later', days(2), lasting(days(2), days(2) + 60_000))
    await write('later for weeks', days(3), lasting(days(3), days(30)))
    await write('earlier for weeks', days(-30), lasting(days(-30), days(-3)))
    const overlapping = ['weeks', 'over a day', 'minutes', 'a day']
    expect(await pages({ limit: 10 })).toEqual(overlapping)
    expect(await pages({ limit: 1 })).toEqual(overlapping)
    expect(await pages({ limit: 3, sort: 'asc' })).toEqual(overlapping.toReversed())
  })

  it('C12: converts offsets', async () => {
    await write('a', Date.parse('2026-04-30T13:00:00Z'))
    const result = await ask({
      start_datetime: '2026-04-30T09:00:00-04:00',
      end_datetime: '2026-04-30T13:00:00-04:00',
    })
    expect(labels(result)).toEqual(['a'])
    expect(at(result, 'request.start_datetime')).toBe('2026-04-30T13:00:00.000Z')
  })

  it('takes the days of a zone as long as their offsets say: 23, 24 or 25 hours (faults 100, 101)', async () => {
    const days = [
      ['2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', 23],
      ['2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', 25],
      ['2026-07-01T00:00:00+02:00', '2026-07-02T00:00:00+02:00', 24],
    ] as const
    for (const [start_datetime, end_datetime, hours] of days) {
      const [start, end] = [Date.parse(start_datetime), Date.parse(end_datetime)]
      expect(end - start).toBe(hours * HOUR)
      const events = [prompt('p')]
      await write(`before ${hours}`, start - 1, { events })
      await write(`first ${hours}`, start, { events })
      await write(`last ${hours}`, end - 1, { events })
      await write(`after ${hours}`, end, { events })
      const result = await ask({ start_datetime, end_datetime, sort: 'asc' })
      expect(labels(result)).toEqual([`first ${hours}`, `last ${hours}`])
      expect(at(result, 'request')).toMatchObject({
        start_datetime: new Date(start).toISOString(),
        end_datetime: new Date(end).toISOString(),
      })
      expect(listAt(result, 'data.sessions', 'session.updated_at').at(-1)).toBe(new Date(end - 1).toISOString())
    }
  })

  it('C52: shows no session of which nothing but facts is known', async () => {
    await write('empty', START, { events: [] })
    await write('a', START)
    const result = await ask({})
    expect(labels(result)).toEqual(['a'])
    expect(listAt(result, 'data.sessions', 'rank')).toEqual([1])
  })

  it('C53: labels by title, then first prompt, then summary, then slug, then what can be said without content', async () => {
    const long = `${'😀'.repeat(130)}\nsecond line`
    await write('1', START, { facts: { title: ' A title ' }, events: [prompt('the prompt')] })
    await write('2', START + 1_000, { facts: { summary: 'sum' }, events: [prompt('  first line  \nsecond')] })
    await write('3', START + 2_000, { facts: {}, events: [prompt(long)] })
    await write('4', START + 3_000, { facts: { summary: 'A summary', slug: 'slug' }, events: [answer('x')] })
    await write('5', START + 4_000, { facts: { slug: 'a-slug' }, events: [answer('x')] })
    await write('6', START + 5_000, { facts: {}, events: [call('Bash', {})] })
    await write('7', START + 6_000, { harness: 'other', facts: {}, events: [prompt(' \n '), prompt('')] })
    expect(labels(await ask({ sort: 'asc' }))).toEqual([
      'A title',
      'first line',
      `${'😀'.repeat(120)}…`,
      'A summary',
      'a-slug',
      'Claude Code, tool session, 2026-04-29T18:42:00.000Z, 1 turn',
      'other, chat, 2026-04-29T18:42:02.000Z, 2 turns',
    ])
  })

  it('C54: shows no words of the transcript but the label, and no directory', async () => {
    await write('a', START, {
      facts: { cwd: '/home/me/secret-project' },
      events: [prompt('first line\nsecret second line'), answer('secret answer')],
    })
    const result = await ask({})
    expect(labels(result)).toEqual(['first line'])
    expect(JSON.stringify(result)).not.toContain('secret')
  })

  it('C54: what a client injects in the role of the user is no label', async () => {
    await write('a', START, {
      facts: {},
      events: [
        { type: 'system', text: '<environment_context>' },
        { type: 'user_input', text: 'AGENTS.md' },
        prompt('Real'),
      ],
    })
    expect(labels(await ask({}))).toEqual(['Real'])
  })

  it('is completed when its last turn is, and by no earlier one', async () => {
    await write('done', START, { events: [prompt('p'), prompt('q'), answer('a')] })
    await write('going', START + 10_000, { events: [prompt('p'), answer('a'), prompt('q')] })
    await write('interrupted', START + 20_000, {
      events: [prompt('p'), { type: 'runtime', text: 'interrupted', ends: 'interrupted' }],
    })
    expect(listAt(await ask({ sort: 'asc' }), 'data.sessions', 'session.completed')).toEqual([true, false, true])
  })

  it('C55: applies the project before the limit', async () => {
    for (let place = 0; place < 5; place++) {
      await write(`out${place}`, START + 10_000 + place, { facts: { title: 'out', cwd: '/work/project-b' } })
    }
    await write('in', START, { facts: { title: 'in', cwd: '/work/project' } })
    await write('below', START, { facts: { title: 'below', cwd: '/work/project/sub' } })
    await write('nowhere', START, { facts: { title: 'nowhere' } })
    const scoped = { ...archive.caller, projectRoots: ['/work/project/'] }
    const result = await archive.ask(listSessions, { ...DAY, limit: 2 }, scoped)
    expect(labels(result).sort()).toEqual(['below', 'in'])
    expect(at(result, 'data.truncated')).toBe(false)
    const nothing = await archive.ask(listSessions, DAY, { ...archive.caller, projectRoots: [] })
    expect(labels(nothing)).toEqual([])
  })

  it('another owner has another list', async () => {
    await write('mine', START)
    expect(labels(await archive.ask(listSessions, DAY, { ...archive.caller, owner: 2 }))).toEqual([])
  })

  it('defaults to the highest page size when that is below 20', async () => {
    const small = await testArchive({ engine: archive.engine, maxResults: 5 })
    expect(at(await small.ask(listSessions, DAY), 'request.limit')).toBe(5)
  })

  it('its text alone is enough to go on', async () => {
    for (const name of ['a', 'b']) await write(name, START)
    const { text, structured } = await ask({ limit: 1 })
    expect(text).toContain('session:ses_')
    expect(text).toContain(`cursor ${(structured.data as { next_cursor: string }).next_cursor}`)
    expect(
      (await ask({ start_datetime: '2025-01-01T00:00:00Z', end_datetime: '2025-01-02T00:00:00Z' })).text,
    ).toContain('No sessions')
  })
})
