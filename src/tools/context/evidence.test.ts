import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToolAnswer } from '../tool.ts'
import {
  at,
  type ContextArchive,
  contextArchive,
  expectRefusal,
  listAt,
  OTHER,
  prompt,
  TEST_ENGINES,
  textAt,
} from './context.testing.ts'
import { forgetEvidenceFeedback } from './forget-evidence-feedback.ts'
import { logOutcome } from './log-outcome.ts'
import { openEvidence } from './open-evidence.ts'
import { search } from './search.ts'
import { whyEvidence } from './why-evidence.ts'

const KEY = 'conversation:claude_code:s1'

for (const { name, open } of TEST_ENGINES) {
  describe(`evidence on ${name}`, () => {
    let archive: ContextArchive
    let id: string
    beforeEach(async () => {
      archive = await contextArchive(await open())
      await archive.say({ session: 's1', events: [prompt(`retry ${'long\n'.repeat(5_000)}`)] })
      id = textAt(await archive.tell(search, { query: 'retry' }), 'results.0.id')
    })
    afterEach(() => archive.close())

    const opening = (more: object = {}): object => ({
      id,
      source_table: 'conversations_hot',
      session_id: 'mine',
      intent: 'blended',
      ...more,
    })

    it('76, 77: needs id, source_table, session_id and intent; gives the middle unless told otherwise', async () => {
      for (const field of ['id', 'source_table', 'session_id', 'intent']) {
        const { [field]: _, ...rest } = opening() as Record<string, unknown>
        expectRefusal(await archive.ask(openEvidence, rest), 'invalid_request', field)
      }
      expectRefusal(await archive.ask(openEvidence, opening({ intent: 'all' })), 'invalid_request', 'intent')
      expectRefusal(await archive.ask(openEvidence, opening({ detail: 'summary' })), 'invalid_request', 'detail')
      const middle = await archive.tell(openEvidence, opening())
      expect(at(middle, 'result.content_truncated')).toBe(true)
      const full = await archive.tell(openEvidence, opening({ detail: 'full' }))
      expect(Buffer.byteLength(textAt(full, 'result.content'))).toBe(at(full, 'result.content_bytes'))
      const near = await archive.tell(openEvidence, opening({ offset: 20_000 }))
      expect(at(near, 'result.content_offset')).toBeGreaterThan(14_000)
    })

    it('78, 79: records an opening once for each session and intent', async () => {
      const feedback = async (more: object = {}) => at(await archive.tell(openEvidence, opening(more)), 'feedback')
      const written = { stable_evidence_key: KEY, event_written: true, duplicate: false }
      expect(await feedback()).toEqual(written)
      expect(await feedback()).toEqual({ ...written, event_written: false, duplicate: true })
      expect(await feedback({ intent: 'current_truth' })).toEqual(written)
      expect(await feedback({ session_id: 'other' })).toEqual(written)
    })

    it('80: refuses an id that is not there, and one in another table', async () => {
      expectRefusal(await archive.ask(openEvidence, opening({ id: 'nothing' })), 'not_found', 'id')
      expectRefusal(await archive.ask(openEvidence, opening({ source_table: 'digests' })), 'not_found', 'source_table')
      expectRefusal(
        await archive.ask(openEvidence, opening({ source_table: 'table' })),
        'invalid_request',
        'source_table',
      )
    })

    it('80: refuses an id that names rows in two tables', async () => {
      await archive.engine.run(
        "INSERT INTO context_item (owner, pk, id, kind, stable_key, source, title, role, state, content, hash, meta, at, indexed_at) VALUES (1, 900, 's1', 'digest', 'digest:0:1', 'digests', 't', 'digest', 'none', 'c', ?, '{}', 1, 1)",
        [Buffer.alloc(16)],
      )
      expectRefusal(await archive.ask(openEvidence, opening({ id: 's1' })), 'ambiguous', 'id')
    })

    it('81: keeps where it was found; positions count from 1', async () => {
      const where = {
        rank_at_retrieval: 1,
        result_count: 3,
        context_pack_bucket: 'examples',
        position_in_bucket: 1,
        query: 'q',
        task: 't',
        project: 'p',
        tool_call_id: 'c',
      }
      await archive.tell(openEvidence, opening(where))
      const { project, ...detail } = where
      expect(at(await archive.tell(whyEvidence, { stable_evidence_key: KEY }), 'events.0')).toMatchObject({
        project,
        detail,
      })
      expectRefusal(
        await archive.ask(openEvidence, opening({ position_in_bucket: 0 })),
        'invalid_request',
        'position_in_bucket',
      )
    })

    it('91 to 95: logs an outcome with what was used; an item that names nothing is refused by itself', async () => {
      for (const missing of ['session_id', 'summary', 'intent']) {
        const all: Record<string, unknown> = { session_id: 'mine', summary: 's', intent: 'blended' }
        delete all[missing]
        expectRefusal(await archive.ask(logOutcome, all), 'invalid_request', missing)
      }
      const outcome = await archive.tell(logOutcome, {
        session_id: 'mine',
        summary: 'Done.',
        intent: 'blended',
        task: 'a task',
        cited_evidence: [
          { stable_evidence_key: KEY, reason: 'it said so', context_pack_bucket: 'examples', position_in_bucket: 2 },
          { reason: 'nothing named' },
          { id, source_table: 'conversations_hot' },
        ],
      })
      expect(outcome.structured).toMatchObject({ outcome_id: expect.any(String), summary: 'Done.' })
      expect(listAt(outcome, 'cited_evidence')).toMatchObject([
        { stable_evidence_key: KEY, event_written: true, duplicate: false },
        { event_written: false, error: { code: 'invalid_request' } },
        { stable_evidence_key: KEY, event_written: false, duplicate: true },
      ])
    })

    it('96: an outcome changes no ranking', async () => {
      await archive.say({ session: 's2', events: [prompt('retry twice')] })
      const before = (await archive.tell(search, { query: 'retry' })).text
      const cited_evidence = [{ stable_evidence_key: KEY }]
      await archive.tell(logOutcome, { session_id: 'mine', summary: 's', intent: 'blended', cited_evidence })
      expect((await archive.tell(search, { query: 'retry' })).text).toBe(before)
    })

    it('96: only a configuration lets citations move rows, by little', async () => {
      await archive.say({ session: 's2', events: [prompt('retry'), prompt('retry once more')] })
      const plain = await archive.tell(search, { query: 'retry' })
      const last = textAt(plain, 'results.1.id')
      const key = textAt(plain, 'results.1.expand.params.stable_evidence_key')
      const context = { ...archive.services.context, outcomeBoosts: async () => new Map([[key, 0.05]]) }
      const moved = await search.call({ ...archive.services, context }, archive.caller, { query: 'retry' }, 0)
      const score = (rows: ToolAnswer, id: string): number =>
        (listAt(rows, 'results') as { id: string; score: number }[]).find((row) => row.id === id)?.score ?? 0
      expect(score(moved, last) - score(plain, last)).toBeCloseTo(0.05, 3)
      const scores = listAt(moved, 'results', 'score') as number[]
      expect(scores).toEqual([...scores].sort((a, b) => b - a))
    })

    it('99 to 102: counts openings and citations since the last reset, and keeps the history', async () => {
      expectRefusal(await archive.ask(whyEvidence, { id }), 'invalid_request')
      expectRefusal(await archive.ask(whyEvidence, {}), 'invalid_request')
      const why = async () => (await archive.tell(whyEvidence, { stable_evidence_key: KEY })).structured
      expect(await why()).toMatchObject({ opened: 0, cited: 0, events: [] })
      await archive.tell(openEvidence, opening())
      await archive.tell(logOutcome, {
        session_id: 'mine',
        summary: 's',
        intent: 'blended',
        cited_evidence: [{ stable_evidence_key: KEY }],
      })
      expect(await why()).toMatchObject({ opened: 1, cited: 1, last_reset_at: null })
      expect(
        (await archive.tell(whyEvidence, { stable_evidence_key: KEY, intent: 'current_truth' })).structured,
      ).toMatchObject({ opened: 0 })
      const reset = await archive.tell(forgetEvidenceFeedback, {
        id,
        source_table: 'conversations_hot',
        session_id: 'mine',
        reason: 'r',
      })
      expect(reset.structured).toEqual({ stable_evidence_key: KEY, event_written: true })
      expect(await why()).toMatchObject({
        opened: 0,
        cited: 0,
        last_reset_at: expect.any(String),
        events: [{ kind: 'open' }, { kind: 'cite' }, { kind: 'reset' }],
      })
      expectRefusal(await archive.ask(forgetEvidenceFeedback, {}), 'invalid_request')
    })

    it('nothing of one owner or project can be opened or asked about by another', async () => {
      for (const by of [
        { ...archive.caller, owner: 2 },
        { ...archive.caller, projectRoots: [OTHER] },
      ]) {
        expectRefusal(await archive.ask(openEvidence, opening(), by), 'not_found')
        expectRefusal(await archive.ask(whyEvidence, { id, source_table: 'conversations_hot' }, by), 'not_found')
      }
    })
  })
}
