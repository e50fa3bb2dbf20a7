import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../core/caller.ts'
import { answer, prompt, response, START, TEST_ENGINES, writeSession } from '../store/archive.testing.ts'
import { writePassages } from '../store/context-passages.ts'
import type { Engine } from '../store/index.ts'
import type { MeaningLane } from './meaning/lane.ts'
import {
  groupByConversation,
  type Lanes,
  type PassageHit,
  type PassageRequest,
  type PassageResult,
  searchPassages,
} from './passages.ts'

const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
const DAY = 86_400_000
const NOW = START + 400 * DAY

const FILLER = 'Nothing of note was said in this line of the report, and it goes on for a while. '.repeat(30)
const LONG = `${FILLER}The ledger migration was rolled back since the checksum differed.\n${FILLER}`

for (const { name, open } of TEST_ENGINES) {
  describe(`passages on ${name}`, () => {
    let engine: Engine

    beforeAll(async () => {
      engine = await open()
      await writeSession(engine, {
        session: 'one',
        facts: { cwd: '/p/one' },
        events: [
          prompt('why was the ledger migration rolled back?'),
          answer(LONG),
          prompt('and the ledger after that?'),
          response('Bash', 'ledger migration rolled back, checksum differed'),
        ],
      })
      await writeSession(engine, {
        session: 'two',
        source: 'codex',
        harness: 'codex',
        at: START + 300 * DAY,
        events: [prompt('the ledger is fine now'), answer('migrations of the ledger run every night')],
      })
      const item = { ordinal: 0, slug: '', start: 0, line: 3, root: null, at: START }
      await engine.transaction((tx) =>
        writePassages(engine, tx, LOCAL_OWNER, [
          {
            ...item,
            item_pk: 1,
            kind: 'document',
            heading: 'Ledger',
            text: 'How the migration is run.',
            project_id: 'a',
          },
          {
            ...item,
            item_pk: 2,
            kind: 'document',
            heading: '',
            text: 'The ledger of another project.',
            project_id: 'b',
          },
          { ...item, item_pk: 3, kind: 'save', heading: '', text: 'Saved: ledger migration notes.', project_id: null },
          {
            ...item,
            item_pk: 9,
            kind: 'statement',
            heading: '',
            text: 'We roll back the ledger migration.',
            project_id: 'a',
          },
        ]),
      )
    })
    afterAll(() => engine.close())

    const search = (query: string, more: Partial<PassageRequest> = {}, lanes?: Lanes): Promise<PassageResult> =>
      searchPassages(engine, caller, { query, limit: 10, now: NOW, ...more }, undefined, lanes)
    const kindsOf = async (query: string, more: Partial<PassageRequest> = {}): Promise<string[]> =>
      [...new Set((await search(query, more)).hits.map(({ kind }) => kind))].sort()
    const events = ({ hits }: PassageResult): number[] =>
      hits.flatMap((hit) => (hit.kind === 'conversation' ? [hit.eventPk] : []))

    it('are found in conversations and in the context, on one falling scale from 0 to 1 (statement 60)', async () => {
      const { hits, mode, degraded } = await search('ledger migration')
      expect([...new Set(hits.map(({ kind }) => kind))].sort()).toEqual([
        'conversation',
        'document',
        'save',
        'statement',
      ])
      const scores = hits.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      for (const score of scores) expect(score > 0 && score <= 1 && Math.round(score * 1e4) / 1e4 === score).toBe(true)
      expect({ mode, degraded }).toEqual({ mode: 'lexical', degraded: undefined })
    })

    it('are the stretch that matches, word for word, not the beginning (statements 22, 62)', async () => {
      const { hits } = await search('checksum differed', { kinds: ['conversation'] })
      const [best] = hits
      expect(best?.passage.text).toContain('rolled back since the checksum differed')
      expect(best?.passage.start).toBeGreaterThan(1_000)
      expect(LONG.slice(best?.passage.start, best?.passage.end)).toBe(best?.passage.text)
      expect(best).toMatchObject({ matched: 2, terms: 2, bytes: Buffer.byteLength(LONG), method: 'keyword' })
    })

    it('of a document are found by its heading too, and quoted without it', async () => {
      const { hits } = await search('ledger migration', { kinds: ['document'], projectIds: ['a'] })
      expect(hits).toMatchObject([
        {
          kind: 'document',
          heading: 'Ledger',
          line: 3,
          itemPk: 1,
          passage: { start: 0, text: 'How the migration is run.' },
        },
      ])
    })

    it('are narrowed by kind and project, saves and conversations never by project (statement 43)', async () => {
      expect(await kindsOf('ledger', { kinds: ['save'] })).toEqual(['save'])
      expect(await kindsOf('another project', { projectIds: ['a'], kinds: ['document'] })).toEqual([])
      expect(await kindsOf('ledger', { projectIds: ['b'] })).toEqual(['conversation', 'document', 'save'])
    })

    it('are narrowed by time, source, harness and session', async () => {
      expect(events(await search('ledger', { since: START + DAY })).sort()).toEqual([5, 6])
      expect(await kindsOf('ledger', { sources: ['codex'] })).toEqual(['conversation'])
      expect(events(await search('ledger', { sources: ['codex', 'claude'], harnesses: ['codex'] })).sort()).toEqual([
        5, 6,
      ])
      expect((await search('ledger', { harnesses: [] })).hits).toEqual([])
      expect(events(await search('ledger', { session: 2 })).sort()).toEqual([5, 6])
    })

    it('of one conversation are few, unless more are asked for', async () => {
      const few = await search('ledger', { kinds: ['conversation'], session: 1, perConversation: 1 })
      expect(few.hits).toHaveLength(1)
      expect((await search('ledger', { kinds: ['conversation'], session: 1 })).hits).toHaveLength(2)
    })

    it('of tool traffic are found when asked for, and rank low', async () => {
      expect(events(await search('ledger migration rolled back'))).not.toContain(4)
      const types = ['user_input', 'assistant_response', 'tool_response'] as const
      const found = events(await search('ledger migration rolled back', { types, perConversation: 9 }))
      expect(found).toContain(4)
      expect(found[0]).not.toBe(4)
    })

    it('rank by age only as much as is asked', async () => {
      const fresh = { now: START + 300 * DAY, kinds: ['conversation'] as const }
      const scoreOf = async (recency: number) =>
        (await search('nightly ledger', { ...fresh, recency })).hits.map(({ score }) => score)
      const [none, some] = [await scoreOf(0), await scoreOf(0.16)]
      expect((some.at(-1) ?? 1) / (some[0] ?? 1)).toBeLessThan((none.at(-1) ?? 1) / (none[0] ?? 1))
    })

    it('say whether there are more', async () => {
      expect(await search('ledger', { limit: 1 })).toMatchObject({ truncated: true, hits: [expect.anything()] })
      expect(await search('checksum', { kinds: ['conversation'] })).toMatchObject({ truncated: false })
    })

    it('are none of a query without words, and of another owner', async () => {
      expect(await search('?!')).toMatchObject({ hits: [], warnings: [expect.any(String)] })
      const other = await searchPassages(engine, { ...caller, owner: 2 }, { query: 'ledger', limit: 5, now: NOW })
      expect(other.hits).toEqual([])
    })

    it('are grouped by conversation and item, in the order of the text', async () => {
      const groups = groupByConversation((await search('ledger migration', { perConversation: 9 })).hits)
      expect(groups.map(({ best }) => best.score)).toEqual(
        [...groups.map(({ best }) => best.score)].sort((a, b) => b - a),
      )
      const first = groups.find(({ best }) => best.kind === 'conversation' && best.sessionPk === 1)
      const pks = first?.hits.map((hit: PassageHit) => (hit.kind === 'conversation' ? hit.eventPk : 0)) ?? []
      expect(pks).toEqual([...pks].sort((a, b) => a - b))
      expect(pks.length).toBeGreaterThan(1)
    })

    it('are as diverse as asked, the best still first', async () => {
      const all = { perConversation: 9, kinds: ['conversation'] as const }
      const [plain] = (await search('ledger migration', all)).hits
      const { hits } = await search('ledger migration', { ...all, order: 'diverse', limit: 2 })
      expect(hits[0]).toEqual(plain)
      expect(new Set(hits.map((hit) => hit.kind === 'conversation' && hit.sessionPk)).size).toBe(2)
    })

    const lane = (search: MeaningLane['search']): Lanes => ({ meaning: { name: 'test', deadline: 30, search } })

    it('are found by meaning alone, and raised by it, as far as filters let them', async () => {
      const near = lane(async () => ({
        matches: [
          { key: 'event:6', similarity: 0.9 },
          { key: 'passage:2', similarity: 0.8 },
          { key: 'event:999', similarity: 1 },
        ],
      }))
      const { hits, mode } = await search('checksum', {}, near)
      expect(mode).toBe('hybrid')
      expect(hits.find((hit) => hit.kind === 'conversation' && hit.eventPk === 6)?.method).toBe('vector')
      expect(hits.find((hit) => hit.kind === 'document')?.method).toBe('vector')
      const plain = await search('nightly migrations', { kinds: ['conversation'] })
      const raised = await search('nightly migrations', { kinds: ['conversation'] }, near)
      expect(raised.hits[0]).toMatchObject({ eventPk: 6, method: 'hybrid' })
      expect(raised.hits[0]?.score).toBeGreaterThan(plain.hits[0]?.score ?? 1)
      expect(events(await search('checksum', { session: 1 }, near))).not.toContain(6)
    })

    it('are found by keyword when the lane of vectors is late or fails, which is said', async () => {
      const never = lane(() => new Promise(() => undefined))
      expect(await search('checksum', {}, never)).toMatchObject({ mode: 'lexical', degraded: 'embed_timeout' })
      const broken = lane(() => Promise.reject(new Error('no')))
      expect(await search('checksum', {}, broken)).toMatchObject({ mode: 'lexical', degraded: 'embed_error' })
      const none = lane(async () => ({ degraded: 'dimension_mismatch' }))
      const { hits, degraded } = await search('checksum', {}, none)
      expect({ hits: hits.length, degraded }).toEqual({ hits: 1, degraded: 'dimension_mismatch' })
    })

    it('stop when they are told to', async () => {
      const stopped = AbortSignal.abort(new Error('enough'))
      await expect(searchPassages(engine, caller, { query: 'ledger', limit: 1, now: NOW }, stopped)).rejects.toThrow(
        'enough',
      )
    })
  })
}
