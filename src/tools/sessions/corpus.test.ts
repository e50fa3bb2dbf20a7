/** Captures the shared corpus of real transcripts and walks all of it through the tools; passes where it is missing. */

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureOnce, createProjects, createRedactor, withExtraSources } from '../../capture/index.ts'
import { systemClock } from '../../core/clock.ts'
import { harnesses } from '../../harness/index.ts'
import type { ToolAnswer } from '../tool.ts'
import { fileAttention } from './file-attention/index.ts'
import { listSessions } from './list-sessions.ts'
import { open } from './open/index.ts'
import { at, listAt, type TestArchive, testArchive, textAt } from './tools.testing.ts'

const CORPUS = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url))
const SOURCES = [
  { name: 'corpus-claude', harness: 'claude-code', path: `${CORPUS}claude-code` },
  { name: 'corpus-codex', harness: 'codex', path: `${CORPUS}codex` },
]
const EVER = { start_datetime: '1970-01-01T00:00:00Z', end_datetime: '2100-01-01T00:00:00Z' }

let archive: TestArchive

/** The first page and all that follow it. */
async function pages(first: Record<string, unknown>): Promise<ToolAnswer[]> {
  const all = [await archive.ask(open, first)]
  for (let last = all[0]; last && at(last, 'data.next_cursor') !== null; last = all.at(-1)) {
    all.push(await archive.ask(open, { cursor: textAt(last, 'data.next_cursor') }))
  }
  return all
}

async function everySession(): Promise<string[]> {
  const ids: string[] = []
  let cursor: unknown = null
  do {
    const page: ToolAnswer = await archive.ask(listSessions, { ...EVER, cursor })
    ids.push(...(listAt(page, 'data.sessions', 'open.session_id') as string[]))
    cursor = at(page, 'data.next_cursor')
  } while (cursor !== null)
  return ids
}

/** Walks one session down to its events; what its parts add up to must be what it says of itself. */
async function walk(sessionId: string): Promise<void> {
  const opened = await pages({ id: sessionId, limit: 25 })
  const [session] = opened
  if (!session) throw new Error('no page')
  const turns = opened.flatMap((page) => listAt(page, 'data.turns')) as { id: string; event_count: number }[]
  expect(turns.map((_, place) => place + 1)).toEqual(opened.flatMap((page) => listAt(page, 'data.turns', 'ordinal')))
  expect(turns).toHaveLength(at(session, 'data.session.turn_count') as number)
  const counts = turns.map(({ event_count }) => event_count)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(at(session, 'data.session.event_count'))
  expect(turns.at(0)?.id).toBe(at(session, 'data.traversal.first_turn_id'))
  expect(turns.at(-1)?.id).toBe(at(session, 'data.traversal.last_turn_id'))
  for (const { id } of turns) await walkTurn(id)
}

async function walkTurn(turnId: string): Promise<void> {
  const opened = await pages({ id: turnId, limit: 25 })
  const [turn] = opened
  if (!turn) throw new Error('no page')
  const events = opened.flatMap((page) => listAt(page, 'data.events')) as { id: string; ordinal: number }[]
  expect(events).toHaveLength(at(turn, 'data.turn.event_count') as number)
  expect(events.map(({ ordinal }) => ordinal)).toEqual(events.map((_, place) => place + 1))
  expect(events.at(0)?.id).toBe(at(turn, 'data.traversal.first_event_id'))
  expect(events.at(-1)?.id).toBe(at(turn, 'data.traversal.last_event_id'))
  for (const [place, { id }] of events.entries()) {
    const event = await archive.ask(open, { id })
    expect(at(event, 'data.traversal')).toMatchObject({
      turn_id: turnId,
      previous_event_id: events[place - 1]?.id ?? null,
      next_event_id: events[place + 1]?.id ?? null,
    })
    expect(at(event, 'data.event.terminal')).toBe(at(turn, 'data.turn.terminal_event_id') === id)
  }
}

describe.skipIf(!existsSync(CORPUS))('the corpus through the tools (skipped without ../shared)', () => {
  beforeAll(async () => {
    archive = await testArchive({ maxResults: 25 })
    await captureOnce({
      engine: archive.engine,
      owner: archive.caller.owner,
      harnesses: withExtraSources(harnesses, SOURCES),
      host: { home: '/nonexistent', env: {}, platform: 'linux' },
      clock: systemClock,
      redactor: createRedactor({ enabled: true }),
      projects: createProjects(),
      sources: SOURCES.map(({ name }) => name),
    })
  })
  afterAll(() => archive?.close())

  it('every session, turn and event opens, fits its schema, and leads to its neighbours', async () => {
    const sessions = await everySession()
    expect(sessions.length).toBeGreaterThan(20)
    expect(new Set(sessions).size).toBe(sessions.length)
    for (const id of sessions) await walk(id)
  }, 120_000)

  it('every file that was touched is found by its absolute path', async () => {
    const rows = await archive.engine.all<{ path: string }>(
      `SELECT DISTINCT touch.path FROM touch JOIN event ON event.owner = touch.owner AND event.pk = touch.event_pk
        WHERE event.copied = 0 ORDER BY touch.path LIMIT 400`,
    )
    const paths = rows.map(({ path }) => path).filter((path) => path === path.trim() && !path.endsWith('/'))
    expect(paths.length).toBeGreaterThan(50)
    for (const path of paths) {
      const result = await archive.ask(fileAttention, { path, scope: 'all', granularity: 'events' })
      expect(at(result, 'data.summary.total_touches'), path).not.toBe(0)
    }
  }, 120_000)
})
