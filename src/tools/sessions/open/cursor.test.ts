import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../../../core/caller.ts'
import { writeCursor } from '../../../core/cursor.ts'
import { parseId } from '../../../core/id.ts'
import { forget } from '../../../store/index.ts'
import type { ToolAnswer } from '../../tool.ts'
import {
  answer,
  at,
  call,
  eventId,
  listAt,
  prompt,
  type Said,
  START,
  type TestArchive,
  testArchive,
  textAt,
} from '../tools.testing.ts'
import { open } from './index.ts'

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
})
afterEach(() => archive.close())

const ask = (args: Record<string, unknown>) => archive.ask(open, args)

/** Follows the cursors of an expansion to the end; what every page held, in order. */
async function pages(id: string, limit: number, list: 'turns' | 'events', key = 'id'): Promise<unknown[]> {
  let result: ToolAnswer = await ask({ id, limit })
  const seen = [...listAt(result, `data.${list}`, key)]
  while (at(result, 'data.next_cursor') !== null) {
    expect(listAt(result, `data.${list}`)).toHaveLength(limit)
    result = await ask({ cursor: textAt(result, 'data.next_cursor') })
    seen.push(...listAt(result, `data.${list}`, key))
  }
  return seen
}

async function idsOf(key: string, session = 's'): Promise<{ turn: string; session: string }> {
  const event = await ask({ id: eventId(session, key) })
  return { turn: textAt(event, 'data.event.turn_id'), session: textAt(event, 'data.event.session_id') }
}

function expectStale(result: ToolAnswer, target: string): void {
  expect(at(result, 'error.code')).toBe('invalid_request')
  expect(at(result, 'error.details.field')).toBe('cursor')
  expect(textAt(result, 'error.message')).toContain(`reopen ${target}`)
  expect(textAt(result, 'error.details.remedy')).toContain(target)
}

const turns = (count: number, from = 1): Said[] =>
  Array.from({ length: count }, (_, place) => [
    prompt(`prompt ${from + place}`, { key: `p${from + place}` }),
    answer(`answer ${from + place}`, { key: `a${from + place}` }),
  ]).flat()

describe('expanding', () => {
  it('C56: a turn of 110 events is small as a summary and whole page by page', async () => {
    const steps = Array.from({ length: 108 }, (_, place) =>
      // All at one time, so that only their ordinals order them.
      call('exec_command', { cmd: `step ${place} ${'x'.repeat(500)}` }, { key: `c${place}`, at: START }),
    )
    await archive.write({ session: 's', events: [prompt('go', { key: 'p' }), ...steps, answer('done', { key: 'a' })] })
    const { turn } = await idsOf('p')
    const summary = await ask({ id: turn })
    expect(Buffer.byteLength(JSON.stringify(summary.structured))).toBeLessThan(8 * 1024)
    expect(Buffer.byteLength(summary.text)).toBeLessThan(8 * 1024)
    expect(at(summary, 'data.turn.event_count')).toBe(110)
    const expected = ['p', ...steps.map(({ key }) => key ?? ''), 'a'].map((key) => eventId('s', key))
    for (const limit of [1, 7, 25]) expect(await pages(turn, limit, 'events')).toEqual(expected)
  })

  it('gives every turn of a session once, in order, also when all started together', async () => {
    await archive.write({ session: 's', events: turns(12).map((said) => ({ ...said, at: START })) })
    const { session } = await idsOf('p1')
    for (const limit of [1, 5, 12, 25]) {
      expect(await pages(session, limit, 'turns', 'ordinal')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
      expect(new Set(await pages(session, limit, 'turns')).size).toBe(12)
    }
  })
})

describe('a cursor', () => {
  beforeEach(() => archive.write({ session: 's', events: turns(5) }))

  it('stays valid while the session grows, and shows the snapshot it began with (fault 44)', async () => {
    const { session } = await idsOf('p1')
    const first = await ask({ id: session, limit: 2 })
    await archive.write({ session: 's', at: START + 100_000, events: turns(3, 6) })
    const second = await ask({ cursor: textAt(first, 'data.next_cursor') })
    expect(listAt(second, 'data.turns', 'ordinal')).toEqual([3, 4])
    const third = await ask({ cursor: textAt(second, 'data.next_cursor') })
    expect(listAt(third, 'data.turns', 'ordinal')).toEqual([5])
    expect(at(third, 'data.next_cursor')).toBeNull()
    expect(await pages(session, 3, 'turns', 'ordinal')).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('of a turn stays valid while the turn grows', async () => {
    await archive.write({ session: 'g', events: [prompt('p', { key: 'p' }), call('a', {}), call('b', {})] })
    const { turn } = await idsOf('p', 'g')
    const first = await ask({ id: turn, limit: 2 })
    await archive.write({ session: 'g', at: START + 50_000, events: [call('c', {}), answer('x')] })
    const second = await ask({ cursor: textAt(first, 'data.next_cursor') })
    expect(listAt(second, 'data.events', 'tool_name')).toEqual(['b'])
    expect(at(second, 'data.next_cursor')).toBeNull()
    expect(at(second, 'data.turn.event_count')).toBe(5)
    expect(await pages(turn, 2, 'events', 'ordinal')).toEqual([1, 2, 3, 4, 5])
  })

  it('is not disturbed by a late record of an earlier turn that another file adds', async () => {
    const { session } = await idsOf('p1')
    const first = await ask({ id: session, limit: 2 })
    await archive.write({
      session: 's',
      path: '/home/me/.claude/other.jsonl',
      at: START - 60_000,
      fromStart: true,
      events: [prompt('earlier', { key: 'p0' })],
    })
    const second = await ask({ cursor: textAt(first, 'data.next_cursor') })
    expect(listAt(second, 'data.turns', 'user_input.text')).toEqual(['prompt 3', 'prompt 4'])
    expect(listAt(second, 'data.turns', 'ordinal')).toEqual([3, 4])
  })

  it('C57: is refused after a rewrite, with guidance to reopen', async () => {
    const { session, turn } = await idsOf('p1')
    const ofSession = textAt(await ask({ id: session, limit: 2 }), 'data.next_cursor')
    const ofTurn = textAt(await ask({ id: turn, limit: 1 }), 'data.next_cursor')
    await archive.write({ session: 's', events: [answer('another answer', { key: 'a3' })] })
    expectStale(await ask({ cursor: ofSession }), session)
    expectStale(await ask({ cursor: ofTurn }), turn)
  })

  it('C57: is refused when late times changed the order of what it already showed', async () => {
    const { session } = await idsOf('p1')
    const cursor = textAt(await ask({ id: session, limit: 2 }), 'data.next_cursor')
    // The fifth turn turns out to have begun before the first.
    await archive.write({ session: 's', events: [{ type: 'runtime', text: 'x', at: START - 10_000 }] })
    expectStale(await ask({ cursor }), session)
  })

  it('C57: is refused when its session or turn was forgotten', async () => {
    const { session, turn } = await idsOf('p1')
    const ofSession = textAt(await ask({ id: session, limit: 2 }), 'data.next_cursor')
    const ofTurn = textAt(await ask({ id: turn, limit: 1 }), 'data.next_cursor')
    await forget(archive.engine, LOCAL_OWNER, { session: parseId(session, 'id').bytes }, () => START)
    expectStale(await ask({ cursor: ofSession }), session)
    expectStale(await ask({ cursor: ofTurn }), turn)
  })

  it('C57: open: stale or wrong-kind cursor is refused: made up, changed, for something else, or for somebody else', async () => {
    const { session } = await idsOf('p1')
    const cursor = textAt(await ask({ id: session, limit: 2 }), 'data.next_cursor')
    const { cursorKey } = archive.services
    const bad = [
      '',
      'nonsense',
      cursor.slice(1),
      `${cursor}A`,
      writeCursor(cursorKey, { tool: 'list_sessions', version: 1, owner: 1 }),
      writeCursor(cursorKey, { tool: 'open', version: 2, owner: 1 }),
      writeCursor(Buffer.alloc(32), { tool: 'open', version: 1, owner: 1 }),
      'x'.repeat(10_000),
    ]
    for (const changed of bad) {
      const result = await ask({ cursor: changed })
      expect(at(result, 'error.code')).toBe('invalid_request')
      expect(at(result, 'error.details.field')).toBe('cursor')
      expect(textAt(result, 'error.details.remedy')).toContain('again by its id')
    }
    const other = await archive.ask(open, { cursor }, { ...archive.caller, owner: 2 })
    expect(at(other, 'error.code')).toBe('invalid_request')
    const scoped = await archive.ask(open, { cursor }, { ...archive.caller, projectRoots: ['/elsewhere'] })
    expectStale(scoped, session)
  })

  it('C57: is refused when its page size is out of range by now', async () => {
    const { session } = await idsOf('p1')
    const cursor = textAt(await ask({ id: session, limit: 4 }), 'data.next_cursor')
    const smaller = await testArchive({ ...archive.services, maxResults: 3 })
    expectStale(await smaller.ask(open, { cursor }), session)
  })

  it('stays below the length that is read', async () => {
    const { session } = await idsOf('p1')
    const cursor = textAt(await ask({ id: session, limit: 2 }), 'data.next_cursor')
    expect(cursor.length).toBeLessThan(500)
    expect(cursor).toMatch(/^[A-Za-z0-9_.-]+$/)
  })
})
