import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolAnswer } from '../tool.ts'
import { open } from './open/index.ts'
import { searchSessions } from './search-sessions.ts'
import {
  answer,
  at,
  call,
  listAt,
  prompt,
  response,
  START,
  type TestArchive,
  testArchive,
  textAt,
} from './tools.testing.ts'

let archive: TestArchive
beforeEach(async () => {
  archive = await testArchive()
  await archive.write({
    session: 's1',
    facts: { title: 'Fix the schema migration' },
    events: [
      prompt('The migration is failing', { key: 'p1' }),
      { type: 'reasoning', text: 'Which migration could it be', key: 'r1' },
      call('exec_command', { cmd: 'run migration' }, { key: 'c1' }),
      response('exec_command', 'migration failed', { key: 'o1' }),
      answer('The migration order was wrong', { key: 'a1' }),
      prompt('Summarize the migration work', { key: 'p2' }),
      call('exec_command', { cmd: 'show migration' }, { key: 'c2' }),
    ],
  })
  await archive.write({
    session: 's2',
    harness: 'codex',
    source: 'codex',
    at: START + 3_600_000,
    events: [prompt('Another migration elsewhere', { key: 'p1' }), answer('Done', { key: 'a1' })],
  })
})
afterEach(() => archive.close())

const ask = (args: Record<string, unknown>) => archive.ask(searchSessions, args)
const ids = (result: ToolAnswer) => listAt(result, 'data.results', 'id')
const code = (result: ToolAnswer) => at(result, 'error.code')

async function sessionId(): Promise<string> {
  return textAt(await ask({ query: 'Summarize' }), 'data.results.0.open.session_id')
}

describe('end-to-end discovery', () => {
  it('leads from a vague question to the event, its turn, its session, and on from there', async () => {
    const found = await ask({ query: 'why did the schema migrations fail?' })
    const hit = at(found, 'data.results.0') as { open: Record<'event_id' | 'turn_id' | 'session_id', string> }
    const event = await archive.ask(open, { id: hit.open.event_id })
    expect(textAt(event, 'data.content.text')).toContain('migration')
    const turn = await archive.ask(open, { id: hit.open.turn_id })
    expect(at(turn, 'data.events')).toEqual([])
    const session = await archive.ask(open, { id: hit.open.session_id })
    expect(at(session, 'data.turns')).toEqual([])
    const first = await archive.ask(open, { id: textAt(turn, 'data.traversal.first_event_id') })
    expect(at(first, 'data.traversal.previous_event_id')).toBeNull()
    const page = await archive.ask(open, { id: hit.open.session_id, limit: 1 })
    const rest = await archive.ask(open, { cursor: textAt(page, 'data.next_cursor') })
    expect([...listAt(page, 'data.turns', 'ordinal'), ...listAt(rest, 'data.turns', 'ordinal')]).toEqual([1, 2])
  })
})

describe('search_sessions: who may see what', () => {
  it('C55: a server for one project finds nothing outside it, nor its scopes', async () => {
    await archive.write({ session: 'in', facts: { cwd: '/work/project/sub' }, events: [prompt('floor in')] })
    await archive.write({ session: 'out', facts: { cwd: '/work/project-b' }, events: [prompt('floor out')] })
    const inside = { ...archive.caller, projectRoots: ['/work/project'] }
    const result = await archive.ask(searchSessions, { query: 'floor' }, inside)
    expect(listAt(result, 'data.results', 'snippet.text')).toEqual(['floor in'])
    const outside = await ask({ query: 'floor out' })
    for (const name of ['session_id', 'turn_id']) {
      const id = textAt(outside, `data.results.0.open.${name}`)
      expect(code(await archive.ask(searchSessions, { query: 'floor', within_id: id }, inside))).toBe('not_found')
    }
  })

  it('another owner sees nothing of it', async () => {
    const other = { ...archive.caller, owner: 2 }
    expect(ids(await archive.ask(searchSessions, { query: 'migration' }, other))).toEqual([])
    expect(code(await archive.ask(searchSessions, { query: 'x', within_id: await sessionId() }, other))).toBe(
      'not_found',
    )
  })
})
