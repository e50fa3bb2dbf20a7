import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Engine, findSession, forget, listStatements, loadProgress } from '../../store/index.ts'
import { sessionIdBytes } from '../../store/session-rows.ts'
import { answer, ME, prompt, START, TEST_ENGINES, textsWith, writeSession } from '../context.testing.ts'
import { deriveStatements } from './statements.ts'

describe.each(TEST_ENGINES)('statements of conversations on %s', (_name, open) => {
  let engine: Engine
  const LATER = START + 3_600_000

  beforeEach(async () => {
    engine = await open()
  })
  afterEach(() => engine.close())

  const derive = (now = LATER, owner = 1) => deriveStatements({ engine, owner, now })
  const stated = async (caller = ME) =>
    (await listStatements(engine, caller, { limit: 50 })).map(({ text }) => text).reverse()
  const facts = { cwd: '/p/one', projectId: 'git:1' }

  it('are derived once, word for word at their place (statements 17 to 19)', async () => {
    const text = 'Hello there.\nWe decided to use SQLite for the archive.\nCan you look at it?'
    await writeSession(engine, { session: 's1', facts, events: [prompt(text), answer('Fine, I will.')] })
    expect(await derive()).toBe(1)
    expect(await derive()).toBe(0)
    const [statement] = await listStatements(engine, ME, { limit: 5 })
    expect(statement).toMatchObject({
      kind: 'decision',
      said_by: 'user',
      line: 2,
      project_id: 'git:1',
      root: '/p/one',
      native_id: 's1',
      at: START,
    })
    expect(text.slice(statement?.start, (statement?.start ?? 0) + (statement?.text.length ?? 0))).toBe(statement?.text)
    expect(statement?.key).toMatch(/^statement:decision:conversation:claude_code:s1@[0-9a-f]{8}$/)
    expect(await textsWith(engine, 'sqlite')).toHaveLength(1)
  })

  it('come with what was captured since, and with nothing else', async () => {
    await writeSession(engine, { session: 's1', facts, events: [prompt('We decided to use SQLite.')] })
    await derive()
    const mark = await loadProgress(engine, 1, 'statements.events')
    await writeSession(engine, { session: 's2', facts, events: [prompt('We decided to ship on Friday.')] })
    expect(await derive()).toBe(1)
    expect(await loadProgress(engine, 1, 'statements.events')).not.toBe(mark)
    expect(await stated()).toHaveLength(2)
  })

  it('of an answer count when the user accepts them, also when that comes later', async () => {
    const plan = 'We will use PostgreSQL for the team engine.'
    await writeSession(engine, { session: 's1', facts, events: [prompt('What now?'), answer(plan)] })
    expect(await derive()).toBe(0)
    await writeSession(engine, { session: 's1', facts, events: [prompt('Yes, go ahead.')] })
    expect(await derive()).toBe(1)
    expect(await listStatements(engine, ME, { limit: 5 })).toMatchObject([{ said_by: 'assistant', event_pk: 2 }])
  })

  it('are not what an agent tells its subagent, nor what it lets that one do', async () => {
    const parent = { nativeId: 's1', relation: 'subagent' } as const
    await writeSession(engine, {
      session: 's2',
      facts: { ...facts, parent },
      events: [prompt('Never touch the walnut table.'), answer('We will use cherry for it.'), prompt('Yes, go ahead.')],
    })
    expect(await derive()).toBe(0)
    await writeSession(engine, { session: 's1', facts, events: [prompt('Never touch the walnut table.')] })
    expect(await derive()).toBe(1)
    expect(await listStatements(engine, ME, { limit: 5 })).toMatchObject([{ native_id: 's1', said_by: 'user' }])
  })

  it('that a later one of the project contradicts are superseded', async () => {
    await writeSession(engine, { session: 's1', facts, events: [prompt('We decided to use MySQL for storage.')] })
    await derive()
    await writeSession(engine, {
      session: 's2',
      facts,
      at: START + 1_000,
      events: [prompt('We decided not to use MySQL for storage.')],
    })
    await derive()
    const all = await listStatements(engine, ME, { limit: 5 })
    const standing = await listStatements(engine, ME, { standing: true, limit: 5 })
    expect(all).toHaveLength(2)
    expect(standing.map(({ native_id }) => native_id)).toEqual(['s2'])
    expect(all.find(({ native_id }) => native_id === 's1')?.superseded_by).toBe(standing[0]?.pk)
  })

  it('follow an event that was rewritten, once its session is quiet', async () => {
    const said = (text: string) => prompt(text, { key: 'p' })
    await writeSession(engine, { session: 's1', facts, events: [said('We decided to use walnut.')] })
    await derive()
    await writeSession(engine, { session: 's1', facts, events: [said('We decided to use cherry.')] })
    expect(await derive(START + 1_000)).toBe(0)
    expect(await derive()).toBe(1)
    expect(await stated()).toEqual(['We decided to use cherry.'])
    expect(await textsWith(engine, 'walnut')).toEqual([])
    expect(await derive()).toBe(0)
  })

  it('of what is forgotten are gone at once, from every table (statement 111)', async () => {
    await writeSession(engine, { session: 's1', facts, events: [prompt('We decided to use walnut.')] })
    await writeSession(engine, { session: 's2', facts, events: [prompt('We decided to use cherry.')] })
    await derive()
    const id = sessionIdBytes('claude-code', 's1')
    expect(await findSession(engine, ME, id)).toBeDefined()
    await forget(engine, 1, { session: id }, () => LATER)
    expect(await stated()).toEqual(['We decided to use cherry.'])
    for (const table of ['statement', 'context_passage', 'context_session', 'session_label', 'context_item']) {
      expect(JSON.stringify(await engine.all(`SELECT * FROM ${table}`))).not.toContain('walnut')
    }
    expect(await textsWith(engine, 'walnut')).toEqual([])
    expect(await engine.all('SELECT session_pk FROM context_session')).toEqual([{ session_pk: 2 }])
  })

  it('of one owner are nothing to another, and outside the roots nothing', async () => {
    await writeSession(engine, { session: 's1', facts, events: [prompt('We decided to use walnut.')] })
    await writeSession(engine, { session: 's1', facts, owner: 2, events: [prompt('We decided to use cherry.')] })
    await derive()
    await derive(LATER, 2)
    expect(await stated()).toEqual(['We decided to use walnut.'])
    expect(await stated({ ...ME, owner: 2 })).toEqual(['We decided to use cherry.'])
    expect(await stated({ ...ME, projectRoots: ['/p/two'] })).toEqual([])
    expect(await stated({ ...ME, projectRoots: ['/p'] })).toHaveLength(1)
  })
})
