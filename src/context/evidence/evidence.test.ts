import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UserError } from '../../core/errors.ts'
import { formatId } from '../../core/id.ts'
import { formatTime } from '../../core/time.ts'
import { type Engine, type NewItem, sessionsNamed, writeItem } from '../../store/index.ts'
import { ME, prompt, START, TEST_ENGINES, writeSession } from '../context.testing.ts'
import { locateEvidence } from './locate.ts'
import {
  type EvidenceLog,
  forgetFeedback,
  logOutcome,
  MAX_BOOST,
  openRecorded,
  outcomeBoosts,
  whyEvidence,
} from './log.ts'
import type { EvidenceName, OutcomeRequest } from './types.ts'

const KEY = 'conversation:claude_code:native%201'

describe.each(TEST_ENGINES)('evidence on %s', (_name, open) => {
  let engine: Engine
  let log: EvidenceLog
  let number: number

  beforeEach(async () => {
    engine = await open()
    number = 0
    log = {
      archive: engine,
      own: engine,
      clock: () => START,
      newId: () => `id-${++number}`,
      scrub: (text) => text.replaceAll('sk-secret', '[REDACTED]'),
    }
    await writeSession(engine, { session: 'native 1', facts: { cwd: '/p/one' }, events: [prompt('hello')] })
  })
  afterEach(() => engine.close())

  const write = (more: Partial<NewItem> = {}) => {
    const item: NewItem = {
      id: 'rule:agents',
      kind: 'document',
      stable_key: 'document:aaaaaaaa:docs/AGENTS.md',
      source: 'documents',
      project_id: 'git:1',
      root: '/p/one',
      path: 'docs/AGENTS.md',
      title: 'Agents',
      role: 'rule',
      state: 'tracked',
      content: 'text',
      hash: Buffer.alloc(32),
      meta: '{}',
      at: START,
      ...more,
    }
    return engine.transaction((tx) => writeItem(engine, tx, 1, item, [], START))
  }
  const sessionId = async () => {
    const [session] = await sessionsNamed(engine, ME, 'native 1')
    return formatId('session', session?.id ?? Buffer.alloc(16))
  }
  const code = async (name: EvidenceName, caller = ME) =>
    locateEvidence(engine, caller, name).then(
      ({ stableKey }) => stableKey,
      (error: UserError) => `${error.code} ${error.details.field}`,
    )

  describe('naming', () => {
    it('takes a stable key, a path, or id and table; nothing is an error (statement 99)', async () => {
      await write()
      const id = await sessionId()
      expect(await code({ stable_evidence_key: KEY })).toBe(KEY)
      expect(await code({ id, source_table: 'conversations_hot' })).toBe(KEY)
      // It ages by itself between a search and its opening.
      expect(await code({ id, source_table: 'conversations_cold' })).toBe(KEY)
      expect(await code({ id: 'native 1', source_table: 'conversations_hot' })).toBe(KEY)
      const document = 'document:aaaaaaaa:docs/AGENTS.md'
      expect(await code({ id: 'rule:agents', source_table: 'structured_docs' })).toBe(document)
      for (const source_path of ['docs/AGENTS.md', './docs/AGENTS.md:12', '/p/one/docs/AGENTS.md', 'docs\\AGENTS.md']) {
        expect(await code({ source_path })).toBe(document)
      }
      expect(await code({ stable_evidence_key: `${document}#setup` })).toBe(`${document}#setup`)
      expect(await code({})).toBe('invalid_request stable_evidence_key')
      expect(await code({ id })).toBe('invalid_request stable_evidence_key')
      expect(await code({ stable_evidence_key: 'what is this' })).toBe('invalid_request stable_evidence_key')
    })

    it('refuses what is unknown and what names two things; the table is checked (statement 80)', async () => {
      await write()
      await writeSession(engine, { session: 'native 1', harness: 'codex', source: 'codex', events: [prompt('hi')] })
      expect(await code({ id: 'native 1', source_table: 'conversations_hot' })).toBe('ambiguous id')
      expect(await code({ id: 'rule:agents', source_table: 'digests' })).toBe('not_found source_table')
      expect(await code({ id: 'nothing', source_table: 'digests' })).toBe('not_found id')
      expect(await code({ id: 'session:ses_broken', source_table: 'conversations_hot' })).toBe('not_found id')
      expect(await code({ source_path: 'docs/OTHER.md' })).toBe('not_found source_path')
      await write({ kind: 'digest', path: null })
      expect(await code({ id: 'rule:agents', source_table: 'structured_docs' })).toBe('ambiguous id')
      await write({ id: 'rule:agents-2', project_id: 'git:2', root: '/p/two', stable_key: 'document:b:docs/AGENTS.md' })
      expect(await code({ source_path: 'docs/AGENTS.md' })).toBe('ambiguous source_path')
      expect(await code({ source_path: '/p/two/docs/AGENTS.md' })).toBe('document:b:docs/AGENTS.md')
    })

    it('finds nothing of another owner, and nothing outside the roots', async () => {
      await write()
      for (const caller of [
        { ...ME, owner: 2 },
        { ...ME, projectRoots: ['/p/two'] },
      ]) {
        expect(await code({ stable_evidence_key: KEY }, caller)).toContain('not_found')
        expect(await code({ id: await sessionId(), source_table: 'conversations_hot' }, caller)).toContain('not_found')
        expect(await code({ source_path: 'docs/AGENTS.md' }, caller)).toContain('not_found')
      }
    })
  })

  describe('openings', () => {
    const request = { stableKey: KEY, session_id: 's', intent: 'blended' as const }

    it('are recorded once for a session and intent (statement 79)', async () => {
      expect(await openRecorded(log, ME, request)).toEqual({
        stable_evidence_key: KEY,
        event_written: true,
        duplicate: false,
      })
      expect(await openRecorded(log, ME, request)).toMatchObject({ event_written: false, duplicate: true })
      expect(await openRecorded(log, ME, { ...request, session_id: 't' })).toMatchObject({ event_written: true })
      expect(await openRecorded(log, ME, { ...request, intent: 'current_truth' })).toMatchObject({ duplicate: false })
    })

    it('keep where the passage stood (statement 81)', async () => {
      await openRecorded(log, ME, { ...request, rank_at_retrieval: 1, query: 'q sk-secret', project: 'p' })
      const { events } = await whyEvidence(log, ME, { stable_evidence_key: KEY })
      expect(events).toMatchObject([{ project: 'p', detail: { rank_at_retrieval: 1, query: 'q [REDACTED]' } }])
    })

    it('that cannot be written say so and hide nothing (statement 82)', async () => {
      const broken = { ...log, own: { ...engine, transaction: () => Promise.reject(new Error('disk full')) } }
      expect(await openRecorded(broken, ME, request)).toMatchObject({
        event_written: false,
        duplicate: false,
        warning: expect.stringContaining('could not be recorded') as string,
      })
    })
  })

  describe('outcomes', () => {
    const request = (more: Partial<OutcomeRequest> = {}): OutcomeRequest => ({
      session_id: 's',
      summary: 'Done.',
      intent: 'blended',
      cited_evidence: [{ stable_evidence_key: KEY, reason: 'it listed the checks' }],
      ...more,
    })

    it('are kept with what was cited; a bad item is refused alone (statements 92, 94)', async () => {
      const receipt = await logOutcome(log, ME, {
        ...request(),
        cited_evidence: [
          ...request().cited_evidence,
          { id: 'nothing', source_table: 'digests' },
          { reason: 'no name' },
          { id: await sessionId(), source_table: 'conversations_hot' },
        ],
      })
      expect(receipt).toMatchObject({ outcome_id: 'id-1', summary: 'Done.' })
      expect(receipt.cited_evidence).toMatchObject([
        { stable_evidence_key: KEY, event_written: true, duplicate: false },
        { stable_evidence_key: null, event_written: false, error: { code: 'not_found' } },
        { stable_evidence_key: null, event_written: false, error: { code: 'invalid_request' } },
        { stable_evidence_key: KEY, event_written: false, duplicate: true },
      ])
      expect(await engine.all('SELECT id, summary, session_id FROM outcome')).toEqual([
        { id: 'id-1', summary: 'Done.', session_id: 's' },
      ])
    })

    it('count what was cited and nothing else (statement 95)', async () => {
      await openRecorded(log, ME, { stableKey: 'conversation:codex_cli:2', session_id: 's', intent: 'blended' })
      await logOutcome(log, ME, request())
      expect(await whyEvidence(log, ME, { stable_evidence_key: KEY })).toMatchObject({ opened: 0, cited: 1 })
      expect(await whyEvidence(log, ME, { stable_evidence_key: 'conversation:codex_cli:2' })).toMatchObject({
        opened: 1,
        cited: 0,
      })
    })

    it('may raise what they cite, within bounds, until a reset (statement 96)', async () => {
      const boost = async () => (await outcomeBoosts(log, ME, [KEY, 'other'])).get(KEY)
      expect(await boost()).toBeUndefined()
      await logOutcome(log, ME, request())
      expect(await boost()).toBeCloseTo(MAX_BOOST / 2)
      for (let place = 0; place < 20; place++) await logOutcome(log, ME, request({ session_id: `s${place}` }))
      expect(await boost()).toBeLessThanOrEqual(MAX_BOOST)
      expect((await outcomeBoosts(log, { ...ME, owner: 2 }, [KEY])).size).toBe(0)
      await forgetFeedback(log, ME, { stable_evidence_key: KEY })
      expect(await boost()).toBeUndefined()
    })
  })

  describe('history', () => {
    it('of a key nothing was recorded about is empty, not an error (statement 102)', async () => {
      expect(await whyEvidence(log, ME, { stable_evidence_key: 'conversation:codex_cli:never' })).toEqual({
        stable_evidence_key: 'conversation:codex_cli:never',
        opened: 0,
        cited: 0,
        last_reset_at: null,
        events: [],
        truncated: false,
      })
    })

    it('starts at zero after a reset and stays listed; nothing is deleted (statements 100, 101)', async () => {
      await openRecorded(log, ME, { stableKey: KEY, session_id: 's', intent: 'blended' })
      expect(await forgetFeedback(log, ME, { stable_evidence_key: KEY, session_id: 's', reason: 'stale' })).toEqual({
        stable_evidence_key: KEY,
        event_written: true,
      })
      const history = await whyEvidence(log, ME, { stable_evidence_key: KEY })
      expect(history).toMatchObject({ opened: 0, cited: 0, last_reset_at: formatTime(START) })
      expect(history.events.map(({ kind }) => kind)).toEqual(['open', 'reset'])
      expect(history.events[1]?.detail).toEqual({ reason: 'stale' })
    })

    it('can be asked of one project or intent', async () => {
      await openRecorded(log, ME, { stableKey: KEY, session_id: 's', intent: 'blended', project: 'p' })
      await openRecorded(log, ME, { stableKey: KEY, session_id: 't', intent: 'current_truth', project: 'q' })
      const ask = (more: object) => whyEvidence(log, ME, { stable_evidence_key: KEY, ...more })
      expect(await ask({ project: 'p' })).toMatchObject({ opened: 1, events: [{ project: 'p' }] })
      expect(await ask({ intent: 'current_truth' })).toMatchObject({ opened: 1, events: [{ project: 'q' }] })
      expect(await ask({})).toMatchObject({ opened: 2 })
    })

    it('lists the newest events and says when there are more', async () => {
      for (let place = 0; place < 203; place++) {
        await openRecorded(log, ME, { stableKey: KEY, session_id: `s${place}`, intent: 'blended' })
      }
      const history = await whyEvidence(log, ME, { stable_evidence_key: KEY })
      expect(history).toMatchObject({ opened: 203, truncated: true })
      expect(history.events).toHaveLength(200)
      expect(history.events.at(-1)?.session_id).toBe('s202')
    })
  })
})
