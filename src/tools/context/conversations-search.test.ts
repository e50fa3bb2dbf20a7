import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Engine, writeLabels } from '../../store/index.ts'
import {
  at,
  type ContextArchive,
  contextArchive,
  expectRefusal,
  listAt,
  prompt,
  START,
  TEST_ENGINES,
} from './context.testing.ts'
import { conversationsSearch } from './conversations-search.ts'

const DAY = 86_400_000

async function label(engine: Engine, nativeId: string, labels: object): Promise<void> {
  const row = await engine.get<{ pk: number }>('SELECT pk FROM session WHERE native_id = ?', [nativeId])
  const all = {
    session_pk: row?.pk ?? 0,
    domain: 'tech',
    intent: 'build',
    quality: 'high',
    topics: [],
    decisions: [],
    title: 'Labelled',
    summary: 'A summary.',
    label_source: 'rules' as const,
    seen_event_pk: 0,
    generation: 0,
  }
  await engine.transaction((tx) => writeLabels(tx, 1, { ...all, ...labels }))
}

for (const { name, open } of TEST_ENGINES) {
  describe(`rift_conversations_search on ${name}`, () => {
    let archive: ContextArchive
    beforeEach(async () => {
      archive = await contextArchive(await open())
    })
    afterEach(() => archive.close())

    const found = async (args: object): Promise<string[]> => {
      const told = await archive.tell(conversationsSearch, { query: 'pricing', ...args })
      return (listAt(told, 'results') as { snippet: string }[]).map(({ snippet }) => snippet).sort()
    }

    it('65 to 69: refuses a missing query and values it does not know', async () => {
      expectRefusal(await archive.ask(conversationsSearch, {}), 'invalid_request', 'query')
      for (const bad of [
        { source: 'word' },
        { domain: 'art' },
        { intent: 'play' },
        { quality: 'best' },
        { detail: 'middle' },
      ]) {
        expectRefusal(
          await archive.ask(conversationsSearch, { query: 'x', ...bad }),
          'invalid_request',
          Object.keys(bad)[0],
        )
      }
    })

    it('66 to 72, 74: all filters must hold, topics and decisions in full whatever their case; never documents', async () => {
      await archive.say({ session: 'a', events: [prompt('pricing of green apples')] })
      await archive.say({ session: 'b', harness: 'chatgpt', events: [prompt('how bakers decide on pricing')] })
      await archive.say({ session: 'c', events: [prompt('cars: their pricing went up')] })
      await archive.document({ path: 'pricing.md', content: 'pricing document' })
      await label(archive.engine, 'a', { topics: ['Installer'], decisions: ['Use eight retries'] })
      await label(archive.engine, 'b', { domain: 'business', intent: 'decision', quality: 'low', topics: ['install'] })
      expect(await found({})).toEqual([
        'cars: their pricing went up',
        'how bakers decide on pricing',
        'pricing of green apples',
      ])
      expect(await found({ source: 'chatgpt_web' })).toEqual(['how bakers decide on pricing'])
      expect(await found({ source: 'claude_code' })).toEqual(['cars: their pricing went up', 'pricing of green apples'])
      expect(await found({ domain: 'business' })).toEqual(['how bakers decide on pricing'])
      expect(await found({ intent: 'build' })).toEqual(['pricing of green apples'])
      expect(await found({ quality: 'low' })).toEqual(['how bakers decide on pricing'])
      expect(await found({ topic: 'INSTALLER' })).toEqual(['pricing of green apples'])
      expect(await found({ topic: 'install' })).toEqual(['how bakers decide on pricing'])
      expect(await found({ decision: 'use eight RETRIES' })).toEqual(['pricing of green apples'])
      expect(await found({ decision: 'use eight' })).toEqual([])
      expect(await found({ domain: 'business', quality: 'high' })).toEqual([])
      expect(await found({ since: '2026-04-30' })).toEqual([])
    })

    it('filters saves by the labels they were given', async () => {
      const { context } = archive.services
      await context.save(archive.caller, {
        source: 'codex_cli',
        summary: 'pricing note',
        topics: ['Plans'],
        domain: 'finance',
      })
      await context.savesSettled()
      expect(await found({ domain: 'finance', topic: 'plans', source: 'codex_cli' })).toHaveLength(1)
      expect(await found({ domain: 'tech' })).toEqual([])
      expect(await found({ quality: 'high' })).toEqual([])
    })

    it('73: looks through the last 30 days with summary and says what it left out; through all with full, with their text', async () => {
      await archive.say({ session: 'new', events: [prompt('pricing new')] })
      await archive.say({ session: 'old', at: START - 31 * DAY, events: [prompt('pricing old')] })
      const summary = await archive.tell(conversationsSearch, { query: 'pricing' })
      expect(listAt(summary, 'results', 'snippet')).toEqual(['pricing new'])
      expect(at(summary, 'archived_left_out')).toBe(1)
      const full = await archive.tell(conversationsSearch, { query: 'pricing', detail: 'full' })
      expect(listAt(full, 'results', 'content').sort()).toEqual(['User: pricing new', 'User: pricing old'])
    })

    it('finds what passes a narrow filter behind much that does not', async () => {
      for (let n = 0; n < 60; n++) await archive.say({ session: `s${n}`, events: [prompt(`pricing pricing ${n}`)] })
      await archive.say({
        session: 'wanted',
        at: START - DAY,
        events: [prompt('On the whole, of all that was said, pricing')],
      })
      await label(archive.engine, 'wanted', { topics: ['rare'] })
      expect(await found({ topic: 'rare', top_k: 1 })).toHaveLength(1)
    })

    it('keeps owners apart', async () => {
      await archive.say({ session: 'a', events: [prompt('pricing of another')] }, 2)
      expect(await found({ detail: 'full' })).toEqual([])
    })
  })

  it(`75: refuses on ${name} when search by meaning is off, unless keywords may answer for it`, async () => {
    const off = await contextArchive(await open(), { meaning: 'off' })
    const refused = await off.ask(conversationsSearch, { query: 'x' })
    expectRefusal(refused, 'semantic_unavailable')
    expect(refused.text).toContain('provider = "associations"')
    await off.close()
    const lenient = { meaning: 'off' as const, conversationsSearchLexicalFallback: true }
    const falling = await contextArchive(await open(), lenient)
    await falling.tell(conversationsSearch, { query: 'x' })
    await falling.close()
  })
}
