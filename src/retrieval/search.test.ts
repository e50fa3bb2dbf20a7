import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../core/caller.ts'
import type { EventType } from '../core/event.ts'
import {
  answer,
  call,
  prompt,
  response,
  type Said,
  START,
  TEST_ENGINES,
  writeSession,
} from '../store/archive.testing.ts'
import type { Engine } from '../store/index.ts'
import { type SearchRequest, type SearchResult, searchEvents } from './search.ts'

const HOUR = 3_600_000
const DEFAULT: EventType[] = ['user_input', 'assistant_response']
const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }

const SESSIONS: { session: string; source?: string; harness?: string; cwd?: string; events: Said[] }[] = [
  {
    session: 'tools',
    events: [
      prompt('Where is the tool file_attention defined?', { key: 'ask-identifier' }),
      answer('It is in file-attention.ts; the attention of a file is what it counts.', { key: 'respelled' }),
      answer('Pay attention to the file.', { key: 'scattered' }),
      answer('getUserName returns the name of a user', { key: 'camel' }),
    ],
  },
  {
    session: 'network',
    source: 'codex',
    harness: 'codex',
    cwd: '/home/me/other',
    events: [
      prompt('Block 172.16.192.0/18 and mail user@example.com', { key: 'address' }),
      answer('Done on host.example.com for aa:bb:cc:dd:ee:ff', { key: 'host' }),
      call('Bash', { command: 'iptables --flag multi-agent e2e v2.1' }, { key: 'command' }),
      response('Bash', `${'noise '.repeat(5_000)} needle-in-output at the end`, { key: 'long-output' }),
    ],
  },
  {
    session: 'languages',
    events: [
      prompt('修改youer服务端，修复认证错误', { key: 'chinese' }),
      prompt('ユーザー認証のエラーを修正する', { key: 'japanese' }),
      prompt('Le café est fermé', { key: 'accents' }),
      prompt('compile the C++ part, the C# part stays', { key: 'c-plus-plus' }),
      prompt('🚀🎉 don’t deploy on fridays', { key: 'emoji' }),
    ],
  },
  {
    session: 'ids',
    events: [
      prompt('the commit is 4f9a1c2b7d8e6f5a4b3c2d1e0f9a8b7c6d5e4f3a', { key: 'hash' }),
      prompt('see bd-q3fy and request 550e8400-e29b-41d4-a716-446655440000', { key: 'uuid' }),
    ],
  },
  {
    session: 'phrases',
    events: [
      prompt('the migration fails after a restart', { key: 'phrase' }),
      prompt('after the restart nothing fails, the migration is fine', { key: 'no-phrase' }),
      prompt('migrate the draft', { key: 'draft' }),
      prompt('migrating immigrants', { key: 'migrating' }),
    ],
  },
]

for (const { name, open } of TEST_ENGINES) {
  describe(`search on ${name}`, () => {
    let engine: Engine
    let keys: Map<number, string>

    beforeAll(async () => {
      engine = await open()
      keys = new Map()
      let pk = 0
      for (const [place, { events, cwd = '/home/me/project', ...session }] of SESSIONS.entries()) {
        await writeSession(engine, { ...session, facts: { cwd }, at: START + place * HOUR, events })
        for (const { key = '' } of events) keys.set(++pk, key)
      }
    })
    afterAll(() => engine.close())

    const search = (query: string, more: Partial<SearchRequest> = {}, by = caller): Promise<SearchResult> =>
      searchEvents(engine, by, { query, types: DEFAULT, limit: 10, ...more })
    const found = async (query: string, more: Partial<SearchRequest> = {}, by = caller): Promise<string[]> =>
      (await search(query, more, by)).hits.map(({ eventPk }) => keys.get(eventPk) ?? `${eventPk}`)

    it('puts the identifier itself first and finds its parts', async () => {
      expect(await found('file_attention')).toEqual(['ask-identifier', 'respelled', 'scattered'])
      expect(await found('attention')).toEqual(expect.arrayContaining(['ask-identifier', 'respelled', 'scattered']))
      expect(await found('user')).toContain('camel')
      expect(await found('getUserName')).toEqual(['camel', 'address'])
    })

    it.each([
      ['172.16.192.0/18', 'address'],
      ['user@example.com', 'address'],
      ['host.example.com', 'host'],
      ['aa:bb:cc:dd:ee:ff', 'host'],
      ['C++', 'c-plus-plus'],
      ['deploy', 'emoji'],
      ["don't deploy", 'emoji'],
    ])('finds %s as typed (faults 83, 85)', async (query, key) => {
      expect((await found(query))[0]).toBe(key)
    })

    it('searches tool traffic when asked to, with hyphens as typed (fault 83)', async () => {
      const types: EventType[] = ['tool_call', 'tool_response']
      for (const query of ['--flag', 'multi-agent', '"multi-agent"', 'e2e', 'v2.1']) {
        expect(await found(query)).toEqual([])
        expect(await found(query, { types })).toEqual(['command'])
      }
      expect(await found('needle', { types: ['user_input', 'tool_response'] })).toEqual(['long-output'])
      expect(await found('needle', { types: ['tool_call'] })).toEqual([])
    })

    it('shows the passage of a long output that holds the word', async () => {
      const { hits } = await search('needle-in-output', { types: ['tool_response'] })
      expect(hits[0]?.snippet).toMatch(/^….*needle-in-output at the end$/)
      expect(hits[0]?.snippetTruncated).toBe(true)
    })

    it('finds Chinese and Japanese, two or four characters, and words glued to them (faults 88, 89)', async () => {
      expect(await found('认证')).toEqual(['chinese'])
      expect(await found('认证错误')).toEqual(['chinese'])
      expect(await found('youer')).toEqual(['chinese'])
      expect(await found('認証')).toEqual(['japanese'])
      expect(await found('修正する')).toEqual(['japanese'])
      expect(await found('修改youer服务端')).toEqual(['chinese'])
    })

    it('folds accents in both', async () => {
      for (const query of ['cafe ferme', 'Café', 'CAFE\u0301']) expect(await found(query)).toEqual(['accents'])
    })

    it('takes quoted words for a phrase', async () => {
      expect(await found('"fails after"')).toEqual(['phrase'])
      expect(await found('fails after')).toEqual(['phrase', 'no-phrase'])
      expect(await found('"fails after" restart')).toEqual(['phrase'])
      expect(await found('"after fails"')).toEqual([])
    })

    it('leaves out what is excluded', async () => {
      expect(await found('migration -fine')).toEqual(['phrase', 'draft', 'migrating'])
      expect((await found('migration -"fails after"')).sort()).toEqual(['draft', 'migrating', 'no-phrase'])
    })

    it('finds a word in its other forms, the one that was typed first', async () => {
      expect(await found('migration')).toEqual(expect.arrayContaining(['no-phrase', 'phrase', 'draft', 'migrating']))
      expect((await found('migrating'))[0]).toBe('migrating')
      expect(await found('"migration"')).not.toContain('draft')
    })

    it('does not look for words that say nothing while there are others', async () => {
      expect(await found('the draft')).toEqual(['draft'])
      expect((await found('the')).length).toBeGreaterThan(3)
    })

    it('completes a prefix', async () => {
      expect((await found('migrat*')).sort()).toEqual(['draft', 'migrating', 'no-phrase', 'phrase'])
      expect(await found('migra*  -draft -migrat*')).toEqual([])
    })

    it('finds the beginning and the inside of ids', async () => {
      expect(await found('4f9a1c2')).toEqual(['hash'])
      expect(await found('7d8e6f5a')).toEqual(['hash'])
      expect(await found('q3fy')).toEqual(['uuid'])
      expect(await found('8400-e29b')).toEqual(['uuid'])
      expect(await found('446655')).toEqual(['uuid'])
      expect(await found('deadbeef')).toEqual([])
    })

    it('stays in a session, turn, source, harness or project', async () => {
      const query = 'the tool attention'
      const session = await engine.get<{ session_pk: number; turn_pk: number }>(
        'SELECT session_pk, turn_pk FROM event WHERE pk = 1',
      )
      const inSession = await found(query, { session: session?.session_pk ?? 0 })
      expect(inSession).toEqual(expect.arrayContaining(['ask-identifier', 'scattered']))
      expect(inSession).not.toContain('phrase')
      expect(await found('the', { session: 1, turn: session?.turn_pk ?? 0 })).toContain('respelled')
      expect(await found('the', { session: 1, turn: 999 })).toEqual([])
      expect(await found('example', { source: 'codex' })).toHaveLength(2)
      expect(await found('example', { harness: 'codex', source: 'codex' })).toHaveLength(2)
      expect(await found('example', { harness: 'claude-code' })).toEqual([])
      expect(await found('example', {}, { ...caller, projectRoots: ['/home/me/other'] })).toHaveLength(2)
      expect(await found('example', {}, { ...caller, projectRoots: ['/home/me/project'] })).toEqual([])
      expect(await found('example', {}, { ...caller, owner: 2 })).toEqual([])
    })

    it('says whether there are more hits, exactly', async () => {
      expect(await search('migrat*', { limit: 3 })).toMatchObject({ truncated: true })
      expect(await search('migrat*', { limit: 4 })).toMatchObject({ truncated: false })
      expect((await search('migrat*', { limit: 3 })).hits).toHaveLength(3)
    })

    it('answers a query without words with a warning and no hits (fault 86)', async () => {
      expect(await search('?!')).toMatchObject({ hits: [], truncated: false, warnings: [expect.any(String)] })
      expect(await search('-draft')).toMatchObject({ hits: [], warnings: [expect.any(String)] })
    })

    it('gives scores from 0 to 1, the best first, the later of equals', async () => {
      const { hits } = await search('the migration')
      const scores = hits.map(({ score }) => score)
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
      for (const score of scores) expect(score > 0 && score <= 1).toBe(true)
    })

    it('stops when it is told to', async () => {
      const stopped = AbortSignal.abort(new Error('enough'))
      await expect(searchEvents(engine, caller, { query: 'tool', types: DEFAULT, limit: 1 }, stopped)).rejects.toThrow(
        'enough',
      )
    })

    it('never fails, whatever is asked', async () => {
      const words = fc.constantFrom(
        'file',
        '"',
        '-',
        '*',
        'NEAR(',
        'OR',
        ')',
        '认',
        'C++',
        "'",
        '\\',
        '%',
        '_',
        'a1b2',
        '\u0000',
      )
      const query = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(words, { maxLength: 12 }).map((parts) => parts.join(' ')),
        fc.array(words, { maxLength: 12 }).map((parts) => parts.join('')),
      )
      await fc.assert(
        fc.asyncProperty(query, async (text) => {
          const { hits } = await search(text, {
            types: ['user_input', 'assistant_response', 'tool_call', 'tool_response'],
          })
          for (const { score } of hits) expect(score > 0 && score <= 1).toBe(true)
        }),
        { numRuns: 60 },
      )
    })
  })

  describe(`equal events on ${name}`, () => {
    it('C35: are shown once, before the limit is applied', async () => {
      const engine = await open()
      const at = START
      const twice = (session: string, key: string, time: number): Said =>
        prompt(`the same words in ${session.slice(0, 1)}`, { key, at: time })
      await writeSession(engine, {
        session: 'a1',
        events: [twice('a', '1', at), prompt('words alone', { key: '2', at: at + 5_000 })],
      })
      // A resumed session repeats the event at its time; another one says the same later.
      await writeSession(engine, { session: 'a2', events: [twice('a', '1', at), twice('a', '2', at + 60_000)] })
      const search = (limit: number) => searchEvents(engine, caller, { query: 'words', types: DEFAULT, limit })
      const all = await search(10)
      expect(all.hits.map(({ eventPk }) => eventPk)).toEqual([2, 4, 1])
      expect(all.truncated).toBe(false)
      expect((await search(3)).truncated).toBe(false)
      expect((await search(2)).truncated).toBe(true)
      await engine.close()
    })
  })
}
