/** What the text index must do, on every engine. */

import { describe, expect, it } from 'vitest'
import { LOCAL_OWNER } from '../core/caller.ts'
import type { EventType } from '../core/event.ts'
import { answer, prompt, response, type Said, START, writeSession } from './archive.testing.ts'
import type { CandidateQuery, Engine, IndexLane } from './engine.ts'
import { facet } from './search-index.ts'
import { commonTerms, identifiersContaining, laneTotals } from './search-statistics.ts'

export function textIndexContract(open: () => Promise<Engine>): void {
  const everything: CandidateQuery = {
    lane: 'prose',
    scope: {
      caller: { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' },
      types: ['user_input', 'assistant_response'],
    },
    facets: [],
    required: [],
    optional: [],
    excluded: [],
    order: 'newest',
    limit: 10,
    window: 1_000,
  }
  const found = async (engine: Engine, query: Partial<CandidateQuery>): Promise<string[]> =>
    (await engine.textIndex.candidates({ ...everything, ...query })).map(({ text }) => text)
  const write = (engine: Engine, texts: string[], more = {}) =>
    writeSession(engine, { session: 's1', events: texts.map((text) => prompt(text)), ...more })
  const one = (term: string) => [{ terms: [term] }]

  describe('the text index', () => {
    it('finds what was added, the newest first or the best', async () => {
      const engine = await open()
      await write(engine, ['alpha', 'beta', 'alpha alpha', 'alpha beta gamma delta epsilon'])
      expect(await found(engine, { optional: one('alpha') })).toEqual([
        'alpha beta gamma delta epsilon',
        'alpha alpha',
        'alpha',
      ])
      expect(await found(engine, { optional: one('alpha'), limit: 1 })).toEqual(['alpha beta gamma delta epsilon'])
      expect((await found(engine, { optional: one('alpha'), order: 'relevance' }))[0]).toBe('alpha alpha')
      expect(await found(engine, { optional: one('absent') })).toEqual([])
    })

    it('combines required, optional and excluded terms', async () => {
      const engine = await open()
      await write(engine, ['a1 b1', 'a1 c1', 'a1 b1 c1', 'd1'])
      const required = one('a1')
      expect(await found(engine, { required })).toHaveLength(3)
      expect(await found(engine, { required, excluded: one('c1') })).toEqual(['a1 b1'])
      for (const order of ['newest', 'relevance'] as const) {
        expect(await found(engine, { required, optional: one('b1'), order })).toHaveLength(3)
      }
      expect((await found(engine, { required, optional: one('c1'), order: 'relevance' }))[0]).toContain('c1')
      expect(await found(engine, { required: [...one('b1'), ...one('c1')] })).toEqual(['a1 b1 c1'])
      expect(await found(engine, { optional: [...one('b1'), ...one('d1')] })).toHaveLength(3)
    })

    it('never misses neighbours, and prefixes match beginnings', async () => {
      const engine = await open()
      await write(engine, ['file_attention', 'attention file', 'filed'])
      expect(await found(engine, { required: [{ terms: ['file', 'attention'], adjacent: true }] })).toContain(
        'file_attention',
      )
      expect(await found(engine, { optional: [{ terms: ['file'], prefix: true }] })).toHaveLength(3)
      expect(await found(engine, { optional: [{ terms: ['file', 'atten'], adjacent: true, prefix: true }] })).toContain(
        'file_attention',
      )
    })

    it('finds the same words in tool traffic, which has no positions', async () => {
      const engine = await open()
      await writeSession(engine, {
        session: 's1',
        events: [response('Bash', 'exit code one'), prompt('exit code two')],
      })
      const bulk = { lane: 'bulk' as IndexLane, scope: { ...everything.scope, types: ['tool_response' as EventType] } }
      const phrase = [{ terms: ['exit', 'code'], adjacent: true }]
      expect(await found(engine, { ...bulk, required: phrase })).toEqual(['exit code one'])
      expect(
        await found(engine, { ...bulk, optional: [{ terms: ['exit', 'co'], adjacent: true, prefix: true }] }),
      ).toEqual(['exit code one'])
      expect(await found(engine, { required: phrase })).toEqual(['exit code two'])
    })

    it('finds words inside camelCase names and scripts without blanks', async () => {
      const engine = await open()
      await write(engine, ['getUserName', '修改youer服务端'])
      for (const term of ['user', 'getusername'])
        expect(await found(engine, { optional: one(term) })).toEqual(['getUserName'])
      for (const term of ['服务', '端', 'youer']) expect(await found(engine, { optional: one(term) })).toHaveLength(1)
    })

    it('says what was found: id, time, place, the beginning of the text and its length', async () => {
      const engine = await open()
      await write(engine, ['ünicode and more'])
      const [candidate] = await engine.textIndex.candidates({ ...everything, optional: one('more'), window: 7 })
      expect(candidate).toMatchObject({
        pk: 1,
        type: 0,
        at: START,
        session_pk: 1,
        turn_pk: 1,
        text: 'ünicode',
        bytes: 17,
      })
      expect(candidate?.id).toHaveLength(16)
      expect(candidate?.digest).toHaveLength(16)
    })

    it('forgets the old words of an event that was rewritten', async () => {
      const engine = await open()
      const say = (text: string): Said => answer(text, { key: 'a' })
      await writeSession(engine, { session: 's1', events: [say('oldWords and 修改')] })
      await writeSession(engine, { session: 's1', events: [say('new text')] })
      for (const term of ['oldwords', 'old', '修改']) expect(await found(engine, { optional: one(term) })).toEqual([])
      expect(await found(engine, { optional: one('new') })).toEqual(['new text'])
      const totals = await laneTotals(engine, LOCAL_OWNER)
      expect(totals('prose')).toEqual({ documents: 1, own: 1, meanLength: 8 })
      const frequencies = await engine.textIndex.documentFrequencies('prose', ['old', 'new'])
      expect([frequencies.get('old'), frequencies.get('new')]).toEqual([0, 1])
    })

    it('filters exactly, with facets or without', async () => {
      const engine = await open()
      await write(engine, ['word one'])
      await write(engine, ['word two'], { session: 's2', source: 'codex', harness: 'codex', facts: { cwd: '/p/sub' } })
      await writeSession(engine, { session: 's3', events: [answer('word three')] })
      const { scope } = everything
      const filters: [Partial<CandidateQuery['scope']>, string[][], string[]][] = [
        [{ sources: ['codex'] }, [[facet(LOCAL_OWNER, 'source', 'codex')]], ['word two']],
        [{ harnesses: ['claude-code'] }, [[facet(LOCAL_OWNER, 'harness', 'claude-code')]], ['word three', 'word one']],
        [{ session: 1 }, [[facet(LOCAL_OWNER, 'session', 1)]], ['word one']],
        [{ session: 1, turn: 2 }, [[facet(LOCAL_OWNER, 'session', 1)]], []],
        [{ types: ['assistant_response'] }, [[facet(LOCAL_OWNER, 'type', 'assistant_response')]], ['word three']],
        [{ caller: { ...scope.caller, projectRoots: ['/p'] } }, [], ['word two']],
        [{ caller: { ...scope.caller, owner: 2 } }, [], []],
      ]
      for (const [filter, facets, expected] of filters) {
        for (const order of ['newest', 'relevance'] as const) {
          for (const some of [facets, []]) {
            const query = { optional: one('word'), scope: { ...scope, ...filter }, facets: some, order }
            expect((await found(engine, query)).sort()).toEqual([...expected].sort())
          }
        }
      }
    })

    it('keeps the documents of owners apart', async () => {
      const engine = await open()
      await write(engine, ['word of mine'])
      await write(engine, ['word of yours'], { owner: 2 })
      for (const [owner, text] of [
        [1, 'word of mine'],
        [2, 'word of yours'],
      ] as const) {
        const scope = { ...everything.scope, caller: { ...everything.scope.caller, owner } }
        expect(await found(engine, { optional: one('word'), scope })).toEqual([text])
        expect((await laneTotals(engine, owner))('prose')).toMatchObject({ documents: 2, own: 1 })
      }
    })

    it('knows the identifiers of conversations by any piece of them', async () => {
      const engine = await open()
      await write(engine, ['see BD-q3fy and x_100%'])
      await write(engine, ['bd-q3fz of another'], { owner: 2 })
      expect(await identifiersContaining(engine, 1, 'q3f', 10)).toEqual(['bd-q3fy'])
      expect(await identifiersContaining(engine, 1, '%', 10)).toEqual([])
      expect(await identifiersContaining(engine, 1, '_', 10)).toEqual(['x_100'].filter((name) => name.length >= 6))
    })

    it('learns which terms are common when there is enough to tell', async () => {
      const engine = await open()
      const refresh = () => engine.transaction((tx) => engine.textIndex.refreshStatistics(tx))
      await write(engine, ['common'])
      await refresh()
      expect(await commonTerms(engine, 'prose', ['common'])).toEqual(new Map())
      const texts = Array.from(
        { length: 2_200 },
        (_, index) => `common ${index % 4 === 0 ? 'quarter' : 'other'} unique${index}`,
      )
      await write(engine, texts, { session: 's2' })
      await refresh()
      const shares = await commonTerms(engine, 'prose', [
        'common',
        'quarter',
        'unique7',
        facet(1, 'type', 'user_input'),
      ])
      expect(shares.get('common')).toBeGreaterThan(0.95)
      expect(shares.get('quarter')).toBeGreaterThan(0.15)
      expect(shares.get('quarter')).toBeLessThan(0.35)
      expect(shares.get(facet(1, 'type', 'user_input'))).toBeGreaterThan(0.95)
      expect(shares.has('unique7')).toBe(false)
      // A little growth is no reason to look again; much is.
      await engine.run('DELETE FROM common_term')
      await refresh()
      expect(await commonTerms(engine, 'prose', ['common'])).toEqual(new Map())
      await engine.run("UPDATE setting SET value = '1000' WHERE name = 'search.sampled-documents'")
      await refresh()
      expect((await commonTerms(engine, 'prose', ['common'])).size).toBe(1)
      expect(await found(engine, { optional: one('unique7'), order: 'relevance' })).toHaveLength(1)
    })
  })
}
