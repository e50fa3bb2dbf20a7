/** What becomes of forks whose parent is not in the archive, on every engine. */

import { describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../core/caller.ts'
import type { Usage } from '../core/event.ts'
import { adoptFork, orphanedForks } from './adopted-forks.ts'
import { answer, call, prompt, type Said, START, touched, type Written, writeSession } from './archive.testing.ts'
import { loadCheckpoint } from './checkpoint.ts'
import type { Engine } from './engine.ts'

const FILE = '/home/me/.claude/fork.jsonl'

const usage = (id: string, input: number): Usage => ({
  id,
  input,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
})

/** A fork as some clients write one: a note of its own, what it copied, and then what it says itself. */
function forkEvents(copied: boolean): Said[] {
  const note = (key: string, more: Partial<Said> = {}): Said => ({ type: 'system', text: `note ${key}`, key, ...more })
  const old: Said[] = [
    note('old-note', { at: START - 60_000 }),
    prompt('water the beds', { key: 'p1', at: START - 50_000 }),
    call('Read', {}, { key: 'c1', at: START - 45_000, touches: [touched('/home/me/project', 'beds.txt')] }),
    answer('they are wet', { key: 'a1', at: START - 40_000, usage: usage('r1', 7), model: 'older-model' }),
    prompt('prune the roses', { key: 'p2', at: START - 30_000 }),
    answer('they are pruned', { key: 'a2', at: START - 20_000, usage: usage('r2', 9) }),
  ]
  return [
    note('header', { at: START }),
    ...old.map((said) => ({ ...said, copied })),
    prompt('rake the leaves', { key: 'p3', at: START + 1_000 }),
    answer('they are raked', { key: 'a3', at: START + 2_000, usage: usage('r3', 11) }),
  ]
}

export function adoptedForksContract(open: () => Promise<Engine>): void {
  const parent = { nativeId: 'parent', relation: 'fork' } as const
  const write = (engine: Engine, events: Said[], more: Partial<Written> = {}) =>
    writeSession(engine, { session: 'fork', events, facts: { parent }, fromStart: true, ...more })

  const adopt = async (engine: Engine): Promise<string[][]> => {
    const paths: string[][] = []
    for (const fork of await orphanedForks(engine, LOCAL_OWNER)) paths.push(await adoptFork(engine, LOCAL_OWNER, fork))
    return paths
  }

  /** Everything but row numbers of turns, in the order of events. */
  const archive = async (engine: Engine) => ({
    sessions: await engine.all(
      `SELECT session.event_count, session.turn_count, session.first_prompt, session.started_at, session.updated_at,
        session.model, turn.id AS last_turn FROM session
        JOIN turn ON turn.owner = session.owner AND turn.pk = session.last_turn_pk`,
    ),
    turns: await engine.all(
      `SELECT id, started_at, updated_at, event_count, has_prompt, user_event_pk, final_event_pk, terminal_event_pk,
        ending, tools, types FROM turn ORDER BY started_at, id`,
    ),
    events: await engine.all(
      `SELECT event.pk, event.id, event.text, event.ordinal, event.copied, event.usage_id, turn.id AS turn
        FROM event JOIN turn ON turn.owner = event.owner AND turn.pk = event.turn_pk ORDER BY event.pk`,
    ),
    touches: await engine.all('SELECT event_pk, path FROM touch ORDER BY event_pk'),
    usage: await engine.all('SELECT id, input FROM usage ORDER BY id'),
    documents: await engine.all('SELECT lane, documents FROM search_lane ORDER BY lane'),
  })

  /** What a file gives in which nothing is marked as copied. */
  const unmarked = async () => {
    const engine = await open()
    await write(engine, forkEvents(false))
    return archive(engine)
  }

  describe('a fork whose parent is not in the archive', () => {
    it('is as if it had copied nothing, once its file was read again', async () => {
      const engine = await open()
      await write(engine, forkEvents(true))
      expect(await engine.get('SELECT turn_count, event_count FROM session')).toEqual({ turn_count: 1, event_count: 3 })
      expect(await adopt(engine)).toEqual([[FILE]])
      expect(await loadCheckpoint(engine, LOCAL_OWNER, 'claude', FILE)).toMatchObject({
        readTo: 0,
        records: 0,
        head: '',
      })
      await write(engine, forkEvents(true))
      expect(await archive(engine)).toEqual(await unmarked())
      expect(await adopt(engine)).toEqual([])
    })

    it('is found by what it copied', async () => {
      const engine = await open()
      const found = async () =>
        engine.textIndex.candidates({
          lane: 'prose',
          scope: { caller: { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }, types: ['user_input'] },
          facets: [],
          required: [{ terms: ['roses'] }],
          optional: [],
          excluded: [],
          order: 'newest',
          limit: 10,
          window: 100,
        })
      await write(engine, forkEvents(true))
      expect(await found()).toEqual([])
      await adopt(engine)
      await write(engine, forkEvents(true))
      expect(await found()).toMatchObject([{ text: 'prune the roses' }])
    })

    it('stays the same when it is read once more, from elsewhere too, and goes on', async () => {
      const engine = await open()
      await write(engine, forkEvents(true))
      await adopt(engine)
      await write(engine, forkEvents(true))
      const before = await archive(engine)
      await write(engine, forkEvents(true))
      await write(engine, forkEvents(true), { path: '/moved.jsonl' })
      expect(await archive(engine)).toEqual(before)
      await write(engine, [prompt('a last one', { key: 'p4' })], { fromStart: false, at: START + 9_000 })
      expect(await engine.get('SELECT turn_count, event_count FROM session')).toEqual({
        turn_count: 4,
        event_count: 10,
      })
    })

    const cuts = Array.from({ length: forkEvents(true).length + 1 }, (_, cut) => cut)
    it.each(cuts)(
      'loses nothing when its file is read again in parts, or a crash stops that for a while at event %i',
      async (cut) => {
        const expected = await unmarked()
        const events = forkEvents(true)
        const engine = await open()
        await write(engine, events)
        await adopt(engine)
        await write(engine, events.slice(0, cut))
        const texts = await engine.all<{ text: string }>('SELECT text FROM event ORDER BY pk')
        expect(texts).toHaveLength(events.length)
        const kept = await engine.all(
          `SELECT event.pk FROM event JOIN turn ON turn.owner = event.owner AND turn.pk = event.turn_pk
          WHERE event.text IN ('rake the leaves', 'they are raked')`,
        )
        expect(kept).toHaveLength(2)
        // A file of lines goes on where it was left, any other begins again.
        if (cut % 2 === 0) await write(engine, events.slice(cut), { fromStart: false })
        else await write(engine, events)
        expect(await archive(engine)).toEqual(expected)
      },
    )

    it('is one, too, when nothing but a name is known of the parent', async () => {
      const engine = await open()
      await write(engine, [], { session: 'parent', facts: { title: 'Parent' } })
      await write(engine, forkEvents(true))
      expect(await adopt(engine)).toHaveLength(1)
    })

    it('is told to what is derived from conversations, though its rows are old', async () => {
      const engine = await open()
      await write(engine, forkEvents(true))
      await adopt(engine)
      await write(engine, forkEvents(true))
      expect(
        await engine.all(
          `SELECT session.pk FROM session JOIN context_session
            ON context_session.owner = session.owner AND context_session.session_pk = session.pk
            WHERE session.generation > context_session.generation`,
        ),
      ).toHaveLength(1)
    })

    it('is left as it is when its parent comes later', async () => {
      const engine = await open()
      await write(engine, forkEvents(true))
      await adopt(engine)
      await write(engine, forkEvents(true))
      const before = await engine.all('SELECT id, turn_pk, copied FROM event ORDER BY pk')
      await write(engine, [prompt('water the beds')], { session: 'parent', facts: {} })
      expect(await adopt(engine)).toEqual([])
      expect((await engine.all('SELECT id, turn_pk, copied FROM event ORDER BY pk')).slice(0, before.length)).toEqual(
        before,
      )
    })
  })

  describe('copied history stays copied', () => {
    it.each([
      ['before', true],
      ['after', false],
    ])('when the parent is there, read %s the fork', async (_when, parentFirst) => {
      const engine = await open()
      const writeParent = () => write(engine, [prompt('water the beds')], { session: 'parent', facts: {} })
      if (parentFirst) await writeParent()
      await write(engine, forkEvents(true))
      if (!parentFirst) await writeParent()
      expect(await adopt(engine)).toEqual([])
    })

    it('when the parent was forgotten', async () => {
      const engine = await open()
      await engine.run("INSERT INTO forgotten (owner, harness, native_id, at) VALUES (1, 'claude-code', 'parent', 0)")
      await write(engine, forkEvents(true))
      expect(await adopt(engine)).toEqual([])
    })

    it('in a session that is no fork: a compaction replays its own', async () => {
      const engine = await open()
      await write(engine, forkEvents(true), { facts: {} })
      await write(engine, forkEvents(true), {
        session: 'child',
        facts: { parent: { nativeId: 'parent', relation: 'subagent' } },
      })
      expect(await adopt(engine)).toEqual([])
    })

    it('for an owner whose parent is there, whatever another one has', async () => {
      const engine = await open()
      await write(engine, [prompt('water the beds')], { session: 'parent', facts: {}, owner: 2 })
      await write(engine, forkEvents(true), { owner: 2 })
      await write(engine, forkEvents(true))
      expect(await adopt(engine)).toHaveLength(1)
      expect(await engine.all('SELECT owner FROM session WHERE adopted_after IS NOT NULL')).toEqual([{ owner: 1 }])
    })
  })
}
