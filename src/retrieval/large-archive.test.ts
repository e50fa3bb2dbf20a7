import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../core/caller.ts'
import { prompt, response, TEST_ENGINES, writeSession } from '../store/archive.testing.ts'
import type { Engine } from '../store/index.ts'
import { type SearchRequest, searchEvents } from './search.ts'

const EVENTS = 2_400
const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }

/** Every text holds `routine` and `daily`, every third `report`; `seldom` stands in three old ones. */
function textOf(index: number): string {
  const report = index % 3 === 0 ? ' report' : ''
  const seldom = index > 0 && index % 100 === 0 && index <= 300 ? ' seldom' : ''
  // The same length for all, which would count otherwise.
  return `routine daily${report}${seldom} number${`${index}`.padStart(4, '0')}`
}

for (const { name, open } of TEST_ENGINES) {
  describe(`search of common words on ${name}`, () => {
    let engine: Engine

    beforeAll(async () => {
      engine = await open()
      for (let start = 0; start < EVENTS; start += 600) {
        const events = Array.from({ length: 600 }, (_, place) =>
          start % 1_200 === 0 ? prompt(textOf(start + place)) : response('Bash', textOf(start + place)),
        )
        await writeSession(engine, { session: `s${start}`, facts: { cwd: `/p${start}` }, at: start * 1_000, events })
      }
      await engine.transaction((tx) => engine.textIndex.refreshStatistics(tx))
    })
    afterAll(() => engine.close())

    const search = async (query: string, more: Partial<SearchRequest> = {}, by = caller) => {
      const request = { query, types: ['user_input'] as const, limit: 10, ...more }
      const { hits, truncated } = await searchEvents(engine, by, request)
      return { numbers: hits.map(({ snippet }) => Number(/number(\d+)/.exec(snippet)?.[1])), truncated }
    }

    it('lets the rare word choose and fills up with the others', async () => {
      const { numbers, truncated } = await search('routine seldom')
      expect(numbers.slice(0, 3).sort()).toEqual([100, 200, 300])
      expect(numbers).toHaveLength(10)
      expect(truncated).toBe(true)
      expect((await search('"seldom"')).truncated).toBe(false)
    })

    it('gives the newest where every word is common, and where all are equally good', async () => {
      expect(await search('daily routine', { limit: 3 })).toEqual({ numbers: [1799, 1798, 1796], truncated: true })
      expect((await search('routine report', { limit: 2 })).numbers).toEqual([1797, 1794])
      expect((await search('report', { limit: 2 })).numbers).toEqual([1797, 1794])
    })

    it('ignores a word that is nowhere, except in the score', async () => {
      expect((await search('routine nowhere', { limit: 2 })).numbers).toEqual([1799, 1798])
    })

    it('searches every lane asked for, and only those', async () => {
      expect((await search('number0007', { types: ['user_input', 'tool_response'] })).numbers).toEqual([7])
      expect((await search('number0607', { types: ['user_input', 'tool_response'] })).numbers).toEqual([607])
      expect((await search('number0607')).numbers).toEqual([])
      expect((await search('routine', { types: ['tool_response'], limit: 2 })).numbers).toEqual([2399, 2398])
    })

    it('stays within a session or project, however common the word', async () => {
      expect((await search('routine', { session: 1, limit: 2 })).numbers).toEqual([599, 598])
      expect((await search('routine', { limit: 2 }, { ...caller, projectRoots: ['/p0'] })).numbers).toEqual([599, 598])
    })

    it('finds a phrase of common words exactly', async () => {
      expect((await search('"daily report"', { limit: 2 })).numbers).toEqual([1797, 1794])
      expect(await search('"report daily"')).toEqual({ numbers: [], truncated: false })
    })
  })
}
