import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../core/caller.ts'
import { hash128 } from '../core/hash.ts'
import { searchEvents } from '../retrieval/search.ts'
import { answer, call, prompt, START, TEST_ENGINES, touched, type Written, writeSession } from './archive.testing.ts'
import { relatedWords, replaceAssociations, trainedOn } from './associations.ts'
import type { Engine, Queryable } from './engine.ts'
import { type ForgetTarget, forget } from './forget.ts'

const PROJECT = '/home/me/project'

for (const { name, open } of TEST_ENGINES) {
  describe(`forgetting on ${name}`, () => {
    let engine: Engine
    beforeEach(async () => {
      engine = await open()
    })
    afterEach(() => engine.close())

    const write = (session: string, more: Partial<Written> = {}) =>
      writeSession(engine, {
        session,
        facts: { cwd: PROJECT, projectId: 'git:p' },
        projectRoots: [{ root: PROJECT, projectId: 'git:p' }],
        events: [
          prompt(`secret of ${session}`),
          call('Edit', { file: 'a.ts' }, { touches: [touched(PROJECT, 'a.ts')] }),
          answer(`secret answer of ${session}`, {
            usage: { id: `u-${session}`, input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
          }),
          prompt('replayed secret', { copied: true }),
        ],
        ...more,
      })
    const sessionBytes = (native: string, harness = 'claude-code') => hash128('session', harness, native)
    const forgetting = (target: ForgetTarget) => forget(engine, LOCAL_OWNER, target, () => START)

    async function rows(db: Queryable): Promise<Record<string, number>> {
      const counts: Record<string, number> = {}
      for (const table of ['session', 'turn', 'event', 'touch', 'usage', 'problem', 'forgotten', 'project_root']) {
        const row = await db.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`)
        counts[table] = row?.count ?? -1
      }
      return counts
    }

    async function nativeIds(): Promise<string[]> {
      const found = await engine.all<{ native_id: string }>('SELECT native_id FROM session ORDER BY native_id')
      return found.map(({ native_id }) => native_id)
    }

    /** Events found by a word. */
    async function found(query: string): Promise<number> {
      const caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
      const request = { query, types: ['user_input', 'assistant_response'] as const, limit: 50 }
      return (await searchEvents(engine, caller, request)).hits.length
    }

    it('takes away what the archive taught about words, of this owner alone, to be learnt anew (statement 111)', async () => {
      await write('s1')
      await write('s2')
      const taught = { term: 'secret', related: 'answer', weight: 0.5 }
      await replaceAssociations(engine, LOCAL_OWNER, [taught], 400)
      await replaceAssociations(engine, 2, [taught], 400)
      await forgetting({ session: sessionBytes('nowhere') })
      expect(await trainedOn(engine, LOCAL_OWNER)).toBe(400)
      await forgetting({ session: sessionBytes('s1') })
      expect(await relatedWords(engine, LOCAL_OWNER, ['secret'])).toEqual(new Map())
      expect(await trainedOn(engine, LOCAL_OWNER)).toBe(0)
      expect((await relatedWords(engine, 2, ['secret'])).size).toBe(1)
    })

    it('takes a session out of every table and the text index, and leaves the others', async () => {
      await write('s1')
      const before = await rows(engine)
      await write('s2')
      await engine.run(
        "INSERT INTO problem (owner, source, path, record_index, reason, detail, at) VALUES (1, 'claude', '/home/me/.claude/s2.jsonl', 3, 'not-json', 'secret', 0)",
      )
      expect(await found('secret')).toBe(4)
      expect(await forgetting({ session: sessionBytes('s2') })).toEqual({
        sessions: 1,
        turns: 1,
        events: 4,
        touches: 1,
        problems: 1,
      })
      expect(await rows(engine)).toEqual({ ...before, forgotten: 1 })
      expect(await nativeIds()).toEqual(['s1'])
      expect(await found('secret')).toBe(2)
    })

    it('keeps capture from bringing a session back', async () => {
      await write('s1')
      await forgetting({ session: sessionBytes('s1') })
      await write('s1')
      await write('s1', { fromStart: true })
      expect(await nativeIds()).toEqual([])
      expect((await rows(engine)).event).toBe(0)
      await write('s1', { harness: 'codex' })
      expect(await nativeIds()).toEqual(['s1'])
    })

    it('takes subagents with their session, to any depth, and not forks', async () => {
      await write('root')
      await write('child', { facts: { parent: { nativeId: 'root', relation: 'subagent' } } })
      await write('grandchild', { facts: { parent: { nativeId: 'child', relation: 'subagent' } } })
      await write('fork', { facts: { parent: { nativeId: 'root', relation: 'fork' } } })
      expect((await forgetting({ session: sessionBytes('root') })).sessions).toBe(3)
      expect(await nativeIds()).toEqual(['fork'])
    })

    it('forgets a project with its roots, a directory with what is below it, and a source', async () => {
      await write('p1')
      await write('p2', { facts: { cwd: '/elsewhere', projectId: 'git:p' } })
      await write('other', { facts: { cwd: '/srv/app', projectId: 'git:q' } })
      await write('below', { facts: { cwd: '/srv/app/sub' } })
      await write('beside', { facts: { cwd: '/srv/app-b' } })
      await write('codex', { source: 'codex', harness: 'codex', facts: {} })
      expect((await forgetting({ projectId: 'git:p' })).sessions).toBe(2)
      expect((await rows(engine)).project_root).toBe(0)
      expect((await forgetting({ directory: '/srv/app/' })).sessions).toBe(2)
      expect((await forgetting({ source: 'codex' })).sessions).toBe(1)
      expect(await nativeIds()).toEqual(['beside'])
    })

    it('forgets a session longer than one transaction takes', async () => {
      const events = Array.from({ length: 450 }, (_, place) => prompt(`prompt ${place}`))
      await write('long', { events })
      expect(await forgetting({ session: sessionBytes('long') })).toMatchObject({ events: 450, turns: 450 })
      expect((await rows(engine)).event).toBe(0)
    })

    it('finishes what an interrupted run began', async () => {
      await write('s1', { events: Array.from({ length: 300 }, (_, place) => prompt(`prompt ${place}`)) })
      let transactions = 0
      const breaking: Engine = {
        ...engine,
        transaction: (work) => {
          if (++transactions === 2) throw new Error('out of power')
          return engine.transaction(work)
        },
      }
      const target = { session: sessionBytes('s1') }
      await expect(forget(breaking, LOCAL_OWNER, target, () => START)).rejects.toThrow('out of power')
      expect((await rows(engine)).event).toBe(100)
      await write('s1', { events: [prompt('added meanwhile')] })
      expect((await forgetting(target)).events).toBe(101)
      expect(await nativeIds()).toEqual([])
    })

    it('does nothing for what is not there or belongs to somebody else', async () => {
      await write('s1')
      const nothing = { sessions: 0, turns: 0, events: 0, touches: 0, problems: 0 }
      expect(await forgetting({ session: sessionBytes('s9') })).toEqual(nothing)
      expect(await forget(engine, 2, { source: 'claude' }, () => START)).toEqual(nothing)
      expect(await nativeIds()).toEqual(['s1'])
    })
  })
}
