import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolAnswer } from '../../tool.ts'
import { searchSessions } from '../search-sessions.ts'
import { answer, at, eventId, prompt, START, type TestArchive, testArchive, textAt } from '../tools.testing.ts'
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

describe('open: relatives and neighbours', () => {
  it('walks from session to session of the same project by start time', async () => {
    const facts = { cwd: '/home/me/project', projectId: 'git:p' }
    const sub = { cwd: '/home/me/project/sub', projectId: 'git:p' }
    await archive.write({ session: 'x1', at: START + 10_000, facts, events: [prompt('x', { key: 'p' })] })
    await archive.write({ session: 'x2', at: START + 20_000, facts: sub, events: [prompt('x', { key: 'p' })] })
    await archive.write({
      session: 'x3',
      at: START + 15_000,
      facts: { cwd: '/elsewhere', projectId: 'git:q' },
      events: [prompt('x', { key: 'p' })],
    })
    const first = await sessionId('p', 'x1')
    const second = await sessionId('p', 'x2')
    expect(at(await ask({ id: first }), 'data.traversal.next_session_id')).toBe(second)
    expect(at(await ask({ id: first }), 'data.traversal.previous_session_id')).toBeNull()
    expect(at(await ask({ id: second }), 'data.traversal.previous_session_id')).toBe(first)
    expect(at(await ask({ id: second }), 'data.traversal.next_session_id')).toBeNull()
    const scoped = { ...archive.caller, projectRoots: ['/home/me/project/sub'] }
    expect(at(await archive.ask(open, { id: second }, scoped), 'data.traversal.previous_session_id')).toBeNull()
  })

  it('names subagents and parents both ways, and keeps subagents out of the walk of their parents', async () => {
    const child = (session: string, at: number) =>
      archive.write({
        session,
        at,
        facts: { cwd: '/home/me/project', parent: { nativeId: 's1', relation: 'subagent' } },
        events: [prompt(`task of ${session}`, { key: 'p' }), answer('done')],
      })
    await child('k1', START + 1_000)
    await child('k2', START + 2_000)
    await archive.write({
      session: 'later',
      at: START + 60_000,
      facts: { cwd: '/home/me/project' },
      events: [prompt('x', { key: 'p' })],
    })
    const parent = await ask({ id: await sessionId() })
    const [k1, k2] = [await sessionId('p', 'k1'), await sessionId('p', 'k2')]
    expect(at(parent, 'data.children')).toEqual([
      { id: k1, relation: 'subagent', display_label: 'task of k1' },
      { id: k2, relation: 'subagent', display_label: 'task of k2' },
    ])
    expect(at(parent, 'data.traversal.next_session_id')).toBe(await sessionId('p', 'later'))
    const opened = await ask({ id: k1 })
    expect(at(opened, 'data.parent')).toEqual({
      id: await sessionId(),
      relation: 'subagent',
      display_label: 'Fix the migration',
    })
    expect(at(opened, 'data.traversal.next_session_id')).toBe(k2)
    expect(at(opened, 'data.traversal.previous_session_id')).toBeNull()
  })

  it('tells when the file is gone from disk', async () => {
    await archive.engine.run("UPDATE source_file SET status = 'gone'")
    expect(at(await ask({ id: await sessionId() }), 'data.session.file.on_disk')).toBe(false)
  })
})

describe('the traversal contract', () => {
  it('reaches everything from a search hit without inventing an id, null at the boundaries', async () => {
    const hit = await archive.ask(searchSessions, { query: 'cargo test', event_types: ['tool_call'] })
    const event = await ask({ id: textAt(hit, 'data.results.0.open.event_id') })
    const turn = await ask({ id: textAt(hit, 'data.results.0.open.turn_id') })
    const session = await ask({ id: textAt(hit, 'data.results.0.open.session_id') })
    const [t1, t2] = [await turnId('p1'), await turnId('p2')]

    expect(at(event, 'data.traversal')).toEqual({
      session_id: at(session, 'data.session.id'),
      turn_id: t1,
      previous_event_id: eventId('s1', 'p1'),
      next_event_id: eventId('s1', 'o1'),
      previous_turn_id: null,
      next_turn_id: t2,
    })
    expect(at(turn, 'data.traversal')).toEqual({
      session_id: at(session, 'data.session.id'),
      previous_turn_id: null,
      next_turn_id: t2,
      first_event_id: eventId('s1', 'p1'),
      last_event_id: eventId('s1', 'a1'),
    })
    expect(at(session, 'data.traversal')).toEqual({
      previous_session_id: null,
      next_session_id: null,
      first_turn_id: t1,
      last_turn_id: t2,
    })
    const last = await openEvent('a2')
    expect(at(last, 'data.traversal')).toMatchObject({
      previous_event_id: eventId('s1', 'p2'),
      next_event_id: null,
      previous_turn_id: t1,
      next_turn_id: null,
    })
  })

  it('C55: outside the project of a scoped server everything reads as missing', async () => {
    const scoped = { ...archive.caller, projectRoots: ['/home/me/project-b'] }
    for (const id of [await sessionId(), await turnId('p1'), eventId('s1', 'p1')]) {
      expect(code(await archive.ask(open, { id }, scoped))).toBe('not_found')
    }
    const other = { ...archive.caller, owner: 2 }
    for (const id of [await sessionId(), await turnId('p1'), eventId('s1', 'p1')]) {
      expect(code(await archive.ask(open, { id }, other))).toBe('not_found')
    }
  })
})
