import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  answer,
  at,
  type ContextArchive,
  call,
  contextArchive,
  expectRefusal,
  listAt,
  OTHER,
  PROJECT,
  prompt,
  response,
  START,
  TEST_ENGINES,
} from './context.testing.ts'
import { search } from './search.ts'

interface Found {
  id: string
  source: string
  title: string
  score: number
  tier: string
  snippet: string
  summary: string
  timestamp: string
  retrieval_method: string
  content_bytes: number
  content_tokens_estimate: number
  chunk_count?: number
  content?: string
  content_truncated?: boolean
  matched_sections?: { text: string; offset: number; event_id: string }[]
  expand: { params: Record<string, unknown> }
}

const rows = (found: Awaited<ReturnType<ContextArchive['ask']>>): Found[] => listAt(found, 'results') as Found[]

for (const { name, open } of TEST_ENGINES) {
  describe(`rift_search on ${name}`, () => {
    let archive: ContextArchive
    beforeEach(async () => {
      archive = await contextArchive(await open())
    })
    afterEach(() => archive.close())

    it('41, 42, 44, 47, 50: refuses a call without query and id, and values it does not know', async () => {
      expectRefusal(await archive.ask(search, {}), 'invalid_request', 'query')
      for (const bad of [
        { scope: 'web' },
        { top_k: 0 },
        { top_k: 51 },
        { detail: 'tiny' },
        { tier: 'warm' },
        { source_table: 'x' },
      ]) {
        expectRefusal(await archive.ask(search, { query: 'x', ...bad }), 'invalid_request', Object.keys(bad)[0])
      }
    })

    it('51: takes pasted fields of expand and ignores them', async () => {
      const pasted = {
        content_bytes: 831_796,
        content_tokens_estimate: '207949',
        stable_evidence_key: 'conversation:x:y',
      }
      await archive.tell(search, { query: 'x', ...pasted })
    })

    it('52, 53, 54, 60, 61, 62, 63: gives one row per conversation, with its best passage and its size', async () => {
      await archive.say({
        session: 's1',
        facts: { title: 'Retry budget', summary: 'About retries.' },
        events: [
          prompt('Build output, line one. '.repeat(60)),
          call('Bash', { command: 'retry' }),
          response('Bash', 'retry retry retry'),
          answer('The retry budget is eight.'),
          prompt('And the budget of each retry window?'),
        ],
      })
      await archive.say({ session: 's2', at: START - 1_000, events: [prompt('A budget for travel')] })
      const found = await archive.tell(search, { query: 'retry budget' })
      expect(found.structured).toMatchObject({ mode: 'lexical', degraded: false, cwd_matched: false })
      const [first, second, ...others] = rows(found)
      expect(others).toEqual([])
      expect(first).toMatchObject({
        source: 'claude_code',
        title: 'Retry budget',
        tier: 'hot',
        retrieval_method: 'keyword',
        summary: 'About retries.',
        timestamp: '2026-04-29T18:41:59.000Z',
        chunk_count: 2,
      })
      expect(first?.id).toMatch(/^session:ses_/)
      expect(['The retry budget is eight.', 'And the budget of each retry window?']).toContain(first?.snippet)
      expect(first?.content_tokens_estimate).toBe(Math.ceil((first?.content_bytes ?? 0) / 4))
      expect(first?.matched_sections).toHaveLength(1)
      expect(first?.score).toBeGreaterThan(second?.score ?? 1)
      for (const row of [first, second]) {
        expect(row?.score).toBeLessThanOrEqual(1)
        expect(row?.score).toBe(Number(row?.score.toFixed(4)))
        expect(row?.snippet.length).toBeLessThanOrEqual(400)
        expect(row?.summary.length).toBeLessThanOrEqual(800)
      }
    })

    it('25, 103: every row opens, and every section stands at its offset', async () => {
      await archive.say({ session: 's1', events: [prompt('😀 one retry'), answer('two retry'), prompt('three retry')] })
      await archive.document({ path: 'retry.md', content: '# Retry\n\nThe retry of documents.' })
      const found = rows(await archive.tell(search, { query: 'retry' }))
      expect(found).toHaveLength(2)
      for (const { id, content_bytes, snippet, matched_sections = [], expand } of found) {
        const [row] = rows(await archive.tell(search, expand.params))
        expect(row).toMatchObject({ id, content_bytes, content_truncated: false })
        const content = [...(row?.content ?? '')]
        expect(Buffer.byteLength(content.join(''))).toBe(content_bytes)
        const offset = Number(expand.params['offset'])
        expect(content.slice(offset, offset + [...snippet].length).join('')).toBe(snippet)
        for (const section of matched_sections) {
          expect(content.slice(section.offset, section.offset + [...section.text].length).join('')).toBe(section.text)
        }
      }
    })

    it('49: fetches one row by its id and never falls back to a search', async () => {
      await archive.say({ session: 's1', events: [prompt('retry')] })
      const [row] = rows(await archive.tell(search, { query: 'retry' }))
      const fetched = await archive.tell(search, { id: row?.id, query: 'other words', detail: 'full' })
      expect(rows(fetched).map(({ content }) => content)).toEqual(['User: retry'])
      for (const id of ['session:ses_00000000000000000000000000', 'retry', '']) {
        const refused = await archive.ask(search, { id, query: 'retry', detail: 'full' })
        expect([refused.isError, ['not_found', 'invalid_request']]).toEqual([
          true,
          expect.arrayContaining([at(refused, 'code')]),
        ])
      }
      expectRefusal(await archive.ask(search, { id: row?.id, source_table: 'digests', detail: 'full' }), 'not_found')
      expectRefusal(await archive.ask(search, { id: 'nothing', tier: 'document', detail: 'middle' }), 'not_found', 'id')
    })

    it('48, 56: gives content only with middle or full, and cuts a long one in its middle', async () => {
      await archive.say({ session: 's1', events: [prompt(`START retry ${'line of words\n'.repeat(3_000)}END`)] })
      const [summary] = rows(await archive.tell(search, { query: 'retry' }))
      expect(summary).not.toHaveProperty('content')
      const [middle] = rows(await archive.tell(search, { ...summary?.expand.params, detail: 'middle', offset: null }))
      expect(middle?.content_truncated).toBe(true)
      expect(middle?.content).toMatch(/^User: START[\s\S]*\[… \d+ bytes left out …\][\s\S]*END$/)
      const [full] = rows(await archive.tell(search, summary?.expand.params))
      expect(Buffer.byteLength(full?.content ?? '')).toBe(summary?.content_bytes)
    })

    it('42, 43, 54: scopes choose kinds, and cwd narrows documents but never conversations', async () => {
      await archive.say({ session: 's1', facts: { cwd: OTHER }, events: [prompt('retry conversation')] })
      await archive.document({ path: 'here.md', content: 'retry here' })
      await archive.document({ root: OTHER, path: 'there.md', content: 'retry there' })
      await archive.services.context.save(archive.caller, { source: 'codex_cli', summary: 'retry note' })
      await archive.services.context.savesSettled()
      const snippets = async (args: object): Promise<string[]> =>
        rows(await archive.tell(search, { query: 'retry', ...args }))
          .map(({ snippet }) => snippet.replace(/[\s\S]*retry /, '').trim())
          .sort()
      expect(await snippets({})).toEqual(['conversation', 'here', 'note', 'there'])
      expect(await snippets({ scope: 'conversations' })).toEqual(['conversation', 'note'])
      expect(await snippets({ scope: 'documents' })).toEqual(['here', 'there'])
      expect(await snippets({ scope: 'projects' })).toEqual(['here', 'there'])
      expect(await snippets({ scope: 'clients' })).toEqual(['conversation', 'note'])
      expect(await snippets({ cwd: `${PROJECT}/src` })).toEqual(['conversation', 'here', 'note'])
      const narrowed = await archive.tell(search, { query: 'retry', cwd: PROJECT })
      expect(narrowed.structured).toMatchObject({ cwd_matched: true, cwd_scope_applied_to: ['documents', 'digests'] })
      expect(await snippets({ cwd: '/nowhere' })).toHaveLength(4)
    })

    it('45, 46: filters by date and by one client, by any of its names', async () => {
      await archive.say({ session: 's1', harness: 'codex', events: [prompt('retry one')] })
      await archive.say({ session: 's2', at: START - 86_400_000, events: [prompt('retry two')] })
      const snippets = async (args: object): Promise<string[]> =>
        rows(await archive.tell(search, { query: 'retry', ...args })).map(({ snippet }) => snippet)
      expect(await snippets({ since: '2026-04-29' })).toEqual(['retry one'])
      for (const client of ['codex_cli', 'CODEX', 'Codex']) expect(await snippets({ client })).toEqual(['retry one'])
      expect(await snippets({ client: 'claude-code' })).toEqual(['retry two'])
      expect(await snippets({ client: 'nobody' })).toEqual([])
    })

    it('64: takes any characters for words', async () => {
      await archive.say({ session: 's1', events: [prompt('NEAR the retry')] })
      for (const query of ['"', '*', 'NEAR(', ':', '-', '(', 'a AND OR NOT', 'retry"*', '😀', '\u0000x']) {
        await archive.tell(search, { query })
      }
    })

    it('shows nothing of other owners and other projects', async () => {
      await archive.say({ session: 's1', events: [prompt('retry of mine')] })
      await archive.say({ session: 's2', events: [prompt('retry of another')] }, 2)
      await archive.document({ path: 'mine.md', content: 'retry of nobody', owner: 2 })
      expect(rows(await archive.tell(search, { query: 'retry' })).map(({ snippet }) => snippet)).toEqual([
        'retry of mine',
      ])
      const walled = { ...archive.caller, projectRoots: [OTHER] }
      const [mine] = rows(await archive.tell(search, { query: 'retry' }))
      expect(rows(await archive.tell(search, { query: 'retry' }, walled))).toEqual([])
      expectRefusal(await archive.ask(search, mine?.expand.params, walled), 'not_found')
      expectRefusal(await archive.ask(search, mine?.expand.params, { ...archive.caller, owner: 2 }), 'not_found')
    })
  })
}
