import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../core/caller.ts'
import { answer, prompt, START, TEST_ENGINES, writeSession } from '../store/archive.testing.ts'
import type { Engine } from '../store/index.ts'
import { type SearchRequest, searchEvents } from './search.ts'

const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
const DAY = 86_400_000

for (const { name, open } of TEST_ENGINES) {
  describe(`what stands around an event, on ${name}`, () => {
    let engine: Engine

    beforeAll(async () => {
      engine = await open()
      await writeSession(engine, {
        session: 'decided',
        facts: { cwd: '/p/one' },
        events: [
          prompt('good morning'), // 1
          prompt('which retry budget suits the upstream rate limit?'), // 2
          answer('Seven, eight trips it.'), // 3
          prompt('thanks'), // 4
          answer('You are welcome.'), // 5
          prompt('now something about colours'), // 6
        ],
      })
      await writeSession(engine, {
        session: 'passing',
        source: 'codex',
        at: START + DAY,
        facts: { cwd: '/p/two' },
        events: [prompt('the weather'), prompt('a budget for lunch'), prompt('the end of it')], // 7 to 9
      })
      await writeSession(engine, {
        session: 'timed',
        at: START + 2 * DAY,
        events: [
          prompt('the weather again'), // 10
          answer('the nightly backup job did start failing over quotas'), // 11
          answer('the nightly backup job did start failing over the weekend'), // 12
        ],
      })
      await writeSession(engine, {
        session: 'asked',
        at: START + 3 * DAY,
        events: [
          prompt('hello there'), // 13
          prompt('the cache size for the parser, per thread?'), // 14
          answer('the cache size for the parser, per thread.'), // 15
        ],
      })
      await writeSession(engine, {
        session: 'told',
        at: START + 4 * DAY,
        events: [
          prompt('hello again'), // 16
          prompt('the cache size for the parser thread, noted.'), // 17
          answer('the cache size for the parser thread is noted.'), // 18
        ],
      })
    })
    afterAll(() => engine.close())

    const found = async (query: string, more: Partial<SearchRequest> = {}, by = caller): Promise<number[]> => {
      const types = ['user_input', 'assistant_response'] as const
      const { hits } = await searchEvents(engine, by, { query, types, limit: 10, ...more })
      return hits.map(({ eventPk }) => eventPk)
    }
    const question = 'retry budget for the upstream rate limit'

    it('finds an answer that has no word of the question, below the question itself', async () => {
      const hits = await found(question)
      expect(hits[0]).toBe(2)
      expect(hits.slice(1)).toContain(3)
      expect(hits).not.toContain(5)
    })

    it('holds no less of the filters for it', async () => {
      expect(await found(question, { types: ['assistant_response'] })).toEqual([])
      expect(await found(question, { types: ['user_input'] })).not.toContain(3)
      expect(await found(question, { source: 'codex' })).toEqual(expect.not.arrayContaining([1, 2, 3]))
      expect(await found(question, {}, { ...caller, projectRoots: ['/p/two'] })).toEqual(
        expect.not.arrayContaining([1, 2, 3]),
      )
      expect(await found(question, {}, { ...caller, owner: 2 })).toEqual([])
    })

    it('says nothing where words are quoted or excluded, an identifier is named, or there are few', async () => {
      for (const query of [
        '"retry budget" upstream limit',
        `${question} -colours`,
        'retry_budget upstream rate limit',
      ]) {
        expect(await found(query)).not.toContain(3)
      }
      expect(await found('retry budget')).not.toContain(3)
    })

    it('puts what follows a question before the question, and what follows a remark after it', async () => {
      const question = 'cache size for the parser thread'
      expect((await found(question, { session: 4 })).slice(0, 2)).toEqual([15, 14])
      expect((await found(question, { session: 5 })).slice(0, 2)).toEqual([17, 18])
    })

    it('puts first what holds a time where a time is asked for', async () => {
      expect((await found('when did the nightly backup job start failing'))[0]).toBe(12)
      expect((await found('why did the nightly backup job start failing'))[0]).toBe(11)
    })

    it('gives the same answer to the same question (statement 104)', async () => {
      const ask = () =>
        searchEvents(engine, caller, { query: question, types: ['user_input', 'assistant_response'], limit: 10 })
      expect(JSON.stringify(await ask())).toBe(JSON.stringify(await ask()))
    })

    it('keeps scores between 0 and 1', async () => {
      const { hits } = await searchEvents(engine, caller, { query: question, types: ['user_input'], limit: 10 })
      for (const { score } of hits) expect(score > 0 && score <= 1).toBe(true)
    })
  })
}
