/** What writing a batch must do, on every engine. */

import { describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../core/caller.ts'
import { answer, call, prompt, type Said, START, type Written, writeSession } from './archive.testing.ts'
import { loadCheckpoint } from './checkpoint.ts'
import type { Engine } from './engine.ts'
import { sessionUsage } from './usage.ts'

interface TurnFacts {
  event_count: number
  has_prompt: number
  ending: string | null
  tools: string
  types: string
}

export function writeBatchContract(open: () => Promise<Engine>): void {
  const write = (engine: Engine, events: Said[], more: Partial<Written> = {}) =>
    writeSession(engine, { session: 's1', events, ...more })
  const turns = (engine: Engine) =>
    engine.all<TurnFacts>('SELECT event_count, has_prompt, ending, tools, types FROM turn ORDER BY pk')
  const texts = async (engine: Engine) =>
    (await engine.all<{ text: string }>('SELECT text FROM event ORDER BY pk')).map(({ text }) => text)
  const count = async (engine: Engine, table: string) =>
    (await engine.get<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`))?.count

  describe('a batch', () => {
    it('makes a turn of a prompt and what follows, and notes how it ends', async () => {
      const engine = await open()
      await write(engine, [
        prompt('first'),
        call('Bash', { command: 'ls' }),
        answer('done'),
        prompt('second'),
        answer('half', { ends: null }),
      ])
      expect(await turns(engine)).toEqual([
        {
          event_count: 3,
          has_prompt: 1,
          ending: 'answered',
          tools: 'Bash',
          types: 'user_input tool_call assistant_response',
        },
        { event_count: 2, has_prompt: 1, ending: null, tools: '', types: 'user_input assistant_response' },
      ])
      const session = await engine.get(
        'SELECT event_count, turn_count, first_prompt, started_at, updated_at FROM session',
      )
      expect(session).toEqual({
        event_count: 5,
        turn_count: 2,
        first_prompt: 'first',
        started_at: START,
        updated_at: START + 4_000,
      })
    })

    it('goes on with the open turn of its file in the next batch', async () => {
      const engine = await open()
      await write(engine, [prompt('first', { key: 'a' })])
      await write(engine, [answer('later', { key: 'b' })], { at: START + 10_000 })
      expect(await turns(engine)).toMatchObject([{ event_count: 2, ending: 'answered' }])
    })

    it('makes no turn of notes in another file of the session, read before it or after (fault 19)', async () => {
      const note = (key: string): Said => ({ type: 'system', text: 'renamed', key })
      const engine = await open()
      await write(engine, [note('a')], { path: '/stub.jsonl' })
      await write(engine, [note('b'), prompt('first', { key: 'c' }), answer('done', { key: 'd' })])
      await write(engine, [note('e')], { path: '/other-stub.jsonl', at: START + 10_000 })
      expect(await turns(engine)).toMatchObject([{ event_count: 5, ending: 'answered' }])
      expect(await engine.get('SELECT turn_count, first_prompt FROM session')).toEqual({
        turn_count: 1,
        first_prompt: 'first',
      })
      await write(engine, [note('f'), prompt('second', { key: 'g' })], { path: '/resumed.jsonl', at: START + 20_000 })
      expect(await turns(engine)).toMatchObject([{ event_count: 6 }, { event_count: 1, ending: null }])
    })

    it('counts what it has read before as repeated, and adds nothing', async () => {
      const engine = await open()
      const events = [prompt('first', { key: 'a' }), answer('done', { key: 'b' })]
      await write(engine, events)
      await write(engine, events, { fromStart: true })
      await write(engine, [...events, prompt('new', { key: 'c' })], { fromStart: true, path: '/moved.jsonl' })
      expect(await texts(engine)).toEqual(['first', 'done', 'new'])
      expect(await turns(engine)).toHaveLength(2)
      expect(await engine.get('SELECT event_count, turn_count, generation FROM session')).toEqual({
        event_count: 3,
        turn_count: 2,
        generation: 0,
      })
    })

    it('takes the later reading of an event that was rewritten', async () => {
      const engine = await open()
      await write(engine, [prompt('first', { key: 'a' }), answer('running', { key: 'b', ends: null })])
      await write(engine, [answer('running and done', { key: 'b' })], { at: START + 1_000 })
      expect(await texts(engine)).toEqual(['first', 'running and done'])
      expect(await turns(engine)).toMatchObject([{ event_count: 2, ending: 'answered' }])
      expect(await engine.get('SELECT event_count, generation FROM session')).toEqual({ event_count: 2, generation: 1 })
    })

    it('keeps replayed history, and neither counts nor indexes it', async () => {
      const engine = await open()
      await write(engine, [prompt('replayed', { copied: true }), prompt('own')])
      expect(await texts(engine)).toEqual(['replayed', 'own'])
      expect(await engine.get('SELECT event_count, turn_count, first_prompt FROM session')).toEqual({
        event_count: 1,
        turn_count: 1,
        first_prompt: 'own',
      })
      expect(await engine.get('SELECT documents FROM search_lane')).toEqual({ documents: 1 })
    })

    it('knows whose child a session is', async () => {
      const engine = await open()
      await write(engine, [prompt('task')], {
        session: 'child',
        facts: { parent: { nativeId: 'parent', callId: 'call-1', relation: 'subagent' } },
      })
      expect(await engine.get('SELECT parent_native_id, parent_relation, parent_call_id FROM session')).toEqual({
        parent_native_id: 'parent',
        parent_relation: 'subagent',
        parent_call_id: 'call-1',
      })
    })

    it('C72: lets later facts win but the first directory, and never erases one with nothing', async () => {
      const engine = await open()
      await write(engine, [prompt('x', { key: 'a' })], { facts: { title: 'First', cwd: '/home/me/a', branch: 'main' } })
      await write(engine, [], { facts: { title: 'Second', cwd: '/home/me/b' } })
      await write(engine, [], { facts: { title: '' } })
      expect(await engine.get('SELECT title, cwd, branch FROM session')).toEqual({
        title: 'Second',
        cwd: '/home/me/a',
        branch: 'main',
      })
    })

    it('counts the usage of a response once, at its largest', async () => {
      const engine = await open()
      const usage = (output: number) => ({ id: 'r1', input: 10, output, cacheRead: 1, cacheWrite: 0, reasoning: 0 })
      await write(engine, [answer('a', { key: 'a', usage: usage(5) }), answer('b', { key: 'b', usage: usage(7) })])
      await write(engine, [answer('a', { key: 'c', usage: usage(5) })], { session: 's2' })
      const { pk } = (await engine.get<{ pk: number }>("SELECT pk FROM session WHERE native_id = 's1'")) ?? { pk: 0 }
      expect(await sessionUsage(engine, LOCAL_OWNER, pk)).toMatchObject({
        input: 10,
        output: 7,
        cacheRead: 1,
        responses: 1,
      })
    })

    it('commits with its checkpoint', async () => {
      const engine = await open()
      await write(engine, [prompt('x')], { path: '/file.jsonl' })
      expect(await loadCheckpoint(engine, LOCAL_OWNER, 'claude', '/file.jsonl')).toMatchObject({
        records: 1,
        status: 'active',
      })
    })

    it('leaves nothing at all when it fails', async () => {
      const engine = await open()
      await write(engine, [prompt('before', { key: 'a' })], { path: '/before.jsonl' })
      // The index is written last but for the checkpoint: by then everything else is there.
      const add = engine.textIndex.add
      engine.textIndex.add = async (tx, documents) => {
        await add(tx, documents)
        throw new Error('disk full')
      }
      const failing = write(engine, [prompt('lost'), call('Bash', {})], { session: 's2', path: '/lost.jsonl' })
      await expect(failing).rejects.toThrow('disk full')
      engine.textIndex.add = add
      expect(await texts(engine)).toEqual(['before'])
      expect(await count(engine, 'session')).toBe(1)
      expect(await count(engine, 'turn')).toBe(1)
      expect(await engine.get('SELECT documents FROM search_lane')).toEqual({ documents: 1 })
      expect(await loadCheckpoint(engine, LOCAL_OWNER, 'claude', '/lost.jsonl')).toBeUndefined()
      // And the next one is numbered as if nothing had happened.
      await write(engine, [prompt('after')], { session: 's3' })
      expect(await engine.all('SELECT pk, text FROM event ORDER BY pk')).toEqual([
        { pk: 1, text: 'before' },
        { pk: 2, text: 'after' },
      ])
    })

    it('brings no forgotten session back', async () => {
      const engine = await open()
      await engine.run("INSERT INTO forgotten (owner, harness, native_id, at) VALUES (1, 'claude-code', 's1', 0)")
      await write(engine, [prompt('secret')], { facts: { title: 'Secret' } })
      expect(await count(engine, 'event')).toBe(0)
      expect(await count(engine, 'session')).toBe(0)
    })

    it('gives each owner an archive of their own, the same ids or not', async () => {
      const engine = await open()
      await write(engine, [prompt('mine', { key: 'a' })], { facts: { title: 'Mine' } })
      await write(engine, [prompt('yours', { key: 'a' })], { owner: 2, facts: { title: 'Yours' } })
      await write(engine, [prompt('yours again', { key: 'a' })], { owner: 2 })
      const rows = await engine.all(
        'SELECT event.owner, event.text, session.title FROM event JOIN session ON session.owner = event.owner AND session.pk = event.session_pk ORDER BY event.owner',
      )
      expect(rows).toEqual([
        { owner: 1, text: 'mine', title: 'Mine' },
        { owner: 2, text: 'yours again', title: 'Yours' },
      ])
    })
  })
}
