/** What the tables and the lane of the context must do, on every engine. */

import { describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../core/caller.ts'
import { answer, prompt, writeSession } from './archive.testing.ts'
import { appendEvidence, countCitations, countEvidence, type EvidenceEvent, listEvidence } from './context-evidence.ts'
import {
  countItems,
  deleteItems,
  findItem,
  findItemByKey,
  itemContent,
  listItems,
  markDocumentGone,
  type NewItem,
  writeItem,
} from './context-items.ts'
import { loadLabels, writeLabels } from './context-labels.ts'
import { loadPassages, passagesOf } from './context-passages.ts'
import { loadProgress, saveProgress } from './context-progress.ts'
import { claimSaveJob, findSaveJob, finishSaveJob, insertSaveJob } from './context-saves.ts'
import {
  findStatementByKey,
  listStatements,
  loadStatements,
  type NewStatement,
  removeStatementsOf,
  supersede,
  writeStatements,
} from './context-statements.ts'
import type { ContextCandidateQuery, ContextKind, Engine } from './engine.ts'
import { laneTotals } from './search-statistics.ts'

const AT = Date.parse('2026-03-01T00:00:00Z')

export function contextContract(open: () => Promise<Engine>): void {
  const me: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }
  const everything: ContextCandidateQuery = {
    caller: me,
    kinds: ['document', 'save', 'digest', 'statement'],
    required: [],
    optional: [],
    excluded: [],
    order: 'relevance',
    limit: 20,
    window: 1_000,
  }
  const found = async (engine: Engine, word: string, more: Partial<ContextCandidateQuery> = {}) => {
    const query = { ...everything, optional: [{ terms: [word] }], ...more }
    return (await engine.textIndex.contextCandidates(query)).map(({ text }) => text)
  }
  const item = (more: Partial<NewItem> = {}): NewItem => ({
    id: 'rule:agents',
    kind: 'document',
    stable_key: 'document:aaaaaaaa:AGENTS.md',
    source: 'documents',
    project_id: 'git:1',
    root: '/p/one',
    path: 'AGENTS.md',
    title: 'Agents',
    role: 'rule',
    state: 'tracked',
    content: 'alpha beta',
    hash: Buffer.alloc(32),
    meta: '{}',
    at: AT,
    ...more,
  })
  const write = (engine: Engine, more: Partial<NewItem> = {}, owner = LOCAL_OWNER) => {
    const wanted = item(more)
    const passage = { heading: 'Heading', slug: 'heading', start: 0, line: 1, text: wanted.content }
    return engine.transaction((tx) => writeItem(engine, tx, owner, wanted, [passage], AT + 5))
  }
  const statement = (more: Partial<NewStatement> = {}): NewStatement => ({
    key: 'statement:decision:x@1',
    kind: 'decision',
    text: 'we use sqlite',
    origin: 'session',
    session_pk: 1,
    event_pk: 1,
    item_pk: null,
    start: 0,
    line: 1,
    said_by: 'user',
    at: AT,
    project_id: 'git:1',
    root: '/p/one',
    subject: ['sqlite'],
    ...more,
  })
  const state = (engine: Engine, statements: NewStatement[], owner = LOCAL_OWNER) =>
    engine.transaction((tx) => writeStatements(engine, tx, owner, statements))

  describe('items of the context', () => {
    it('are found by what stands in them and under which heading, with their place', async () => {
      const engine = await open()
      const pk = await write(engine)
      const [hit] = await engine.textIndex.contextCandidates({ ...everything, optional: [{ terms: ['beta'] }] })
      expect(hit).toEqual({
        pk: 1,
        item_pk: pk,
        kind: 'document',
        ordinal: 0,
        title: 'Agents',
        heading: 'Heading',
        source: 'documents',
        start: 0,
        line: 1,
        at: AT,
        project_id: 'git:1',
        text: 'alpha beta',
        bytes: 10,
      })
      expect(await found(engine, 'heading')).toEqual(['alpha beta'])
      expect(await found(engine, 'absent')).toEqual([])
      expect((await loadPassages(engine, me, [1])).get(1)).toMatchObject({ slug: 'heading', root: '/p/one' })
      expect((await laneTotals(engine, LOCAL_OWNER))('context')).toMatchObject({ documents: 1, own: 1 })
      expect((await engine.textIndex.documentFrequencies('context', ['alpha', 'absent'])).get('alpha')).toBe(1)
    })

    it('are replaced as a whole: the old words find nothing, id and number stay', async () => {
      const engine = await open()
      const first = await write(engine)
      await state(engine, [statement({ origin: 'document', session_pk: null, event_pk: null, item_pk: first })])
      expect(await write(engine, { content: 'gamma' })).toBe(first)
      expect(await found(engine, 'alpha')).toEqual([])
      expect(await found(engine, 'sqlite')).toEqual([])
      expect(await found(engine, 'gamma')).toEqual(['gamma'])
      expect(await countItems(engine, me, 'document')).toBe(1)
      expect((await laneTotals(engine, LOCAL_OWNER))('context')).toMatchObject({ documents: 1 })
    })

    it('are gone from every lane when deleted (statement 111)', async () => {
      const engine = await open()
      const pk = await write(engine)
      await state(engine, [statement({ origin: 'document', session_pk: null, event_pk: null, item_pk: pk })])
      await engine.transaction((tx) => deleteItems(engine, tx, LOCAL_OWNER, [pk]))
      for (const word of ['alpha', 'heading', 'sqlite']) expect(await found(engine, word)).toEqual([])
      expect(await findItem(engine, me, 'document', 'rule:agents')).toBeUndefined()
      expect(await listStatements(engine, me, { limit: 10 })).toEqual([])
      expect((await laneTotals(engine, LOCAL_OWNER))('context')).toMatchObject({ documents: 0 })
    })

    it('stay as rows without content when their file is gone and Git still knows it (statement 34)', async () => {
      const engine = await open()
      const pk = await write(engine)
      await engine.transaction((tx) => markDocumentGone(engine, tx, LOCAL_OWNER, pk, AT + 9))
      expect(await found(engine, 'alpha')).toEqual([])
      expect(await itemContent(engine, me, pk)).toBe('')
      expect(await listItems(engine, me, { kinds: ['document'], limit: 5 })).toEqual([])
      expect(await listItems(engine, me, { kinds: ['document'], removed: true, limit: 5 })).toMatchObject([
        { state: 'deleted', removed_at: AT + 9, bytes: 0 },
      ])
      expect(await countItems(engine, me, 'document')).toBe(0)
      await write(engine, { content: 'back again' })
      expect(await found(engine, 'again')).toEqual(['back again'])
    })

    it('are filtered exactly: kinds, projects, dates, roots and owners', async () => {
      const engine = await open()
      await write(engine, { content: 'word one' })
      await write(engine, {
        id: 'two',
        kind: 'save',
        content: 'word two',
        project_id: null,
        root: null,
        path: null,
        at: AT + 1,
      })
      await write(engine, { id: 'three', content: 'word three', project_id: 'git:2', root: '/p/two', at: AT + 2 })
      await write(engine, { content: 'word of another' }, 2)
      await state(engine, [statement({ text: 'word four', project_id: 'git:2', root: '/p/two/sub', at: AT + 3 })])
      const cases: [Partial<ContextCandidateQuery>, string[]][] = [
        [{}, ['word four', 'word one', 'word three', 'word two']],
        [{ kinds: ['save', 'statement'] as ContextKind[] }, ['word four', 'word two']],
        [{ projectIds: ['git:1'] }, ['word one', 'word two']],
        [{ projectIds: ['git:2'], kinds: ['document', 'statement'] }, ['word four', 'word three']],
        [{ since: AT + 1 }, ['word four', 'word three']],
        [{ caller: { ...me, projectRoots: ['/p/two'] } }, ['word four', 'word three']],
        [{ caller: { ...me, projectRoots: ['/p/tw'] } }, []],
        [{ caller: { ...me, owner: 2 } }, ['word of another']],
      ]
      for (const [filter, expected] of cases) {
        for (const order of ['relevance', 'newest'] as const) {
          expect((await found(engine, 'word', { ...filter, order })).sort()).toEqual(expected)
        }
      }
    })

    it('of other owners and outside the roots are not read by any name', async () => {
      const engine = await open()
      const pk = await write(engine)
      for (const caller of [
        { ...me, owner: 2 },
        { ...me, projectRoots: ['/p/two'] },
      ]) {
        expect(await findItem(engine, caller, 'document', 'rule:agents')).toBeUndefined()
        expect(await findItemByKey(engine, caller, 'document:aaaaaaaa:AGENTS.md')).toBeUndefined()
        expect(await itemContent(engine, caller, pk)).toBe('')
        expect(await passagesOf(engine, caller, 'document', pk)).toEqual([])
        expect((await loadPassages(engine, caller, [1])).size).toBe(0)
        expect(await listItems(engine, caller, { kinds: ['document'], limit: 5 })).toEqual([])
      }
    })
  })

  describe('statements', () => {
    it('are passages of their own, with where they stand', async () => {
      const engine = await open()
      await writeSession(engine, {
        session: 's1',
        facts: { cwd: '/p/one', title: 'Databases' },
        events: [prompt('we use sqlite')],
      })
      const [pk] = await state(engine, [statement()])
      const hits = await engine.textIndex.contextCandidates({ ...everything, optional: [{ terms: ['sqlite'] }] })
      expect(hits).toMatchObject([{ kind: 'statement', item_pk: pk, title: null, source: null }])
      expect((await loadStatements(engine, me, [pk ?? 0])).get(pk ?? 0)).toMatchObject({
        text: 'we use sqlite',
        subject: ['sqlite'],
        harness: 'claude-code',
        native_id: 's1',
        session_title: 'Databases',
        superseded_by: null,
      })
      expect(await findStatementByKey(engine, me, 'statement:decision:x@1')).toMatchObject({ pk })
    })

    it('with one key are one: the newest place holds', async () => {
      const engine = await open()
      await state(engine, [statement({ event_pk: 1 }), statement({ event_pk: 2, at: AT + 2 })])
      await state(engine, [statement({ event_pk: 9, at: AT + 1 })])
      expect(await listStatements(engine, me, { limit: 5 })).toMatchObject([{ event_pk: 2, at: AT + 2 }])
      await state(engine, [statement({ event_pk: 3, at: AT + 3 })])
      expect(await listStatements(engine, me, { limit: 5 })).toMatchObject([{ event_pk: 3 }])
      expect(await found(engine, 'sqlite')).toHaveLength(1)
    })

    it('are superseded, and stand again when the later one goes', async () => {
      const engine = await open()
      const pks = await state(engine, [statement(), statement({ key: 'k2', text: 'we use postgres', session_pk: 2 })])
      const [older = 0, newer = 0] = pks
      await engine.transaction((tx) => supersede(tx, LOCAL_OWNER, [[older, newer]]))
      expect(await listStatements(engine, me, { standing: true, limit: 5 })).toMatchObject([{ pk: newer }])
      await engine.transaction((tx) => removeStatementsOf(engine, tx, LOCAL_OWNER, { session: 2 }))
      expect(await listStatements(engine, me, { standing: true, limit: 5 })).toMatchObject([{ pk: older }])
      expect(await found(engine, 'postgres')).toEqual([])
    })
  })

  describe('labels', () => {
    const labels = {
      session_pk: 1,
      domain: 'tech',
      intent: 'build',
      quality: 'high',
      topics: ['installer', 'Mac "VM" 100%'],
      decisions: ['Docker is rejected'],
      title: 'T',
      summary: 'S',
      label_source: 'rules' as const,
      seen_event_pk: 4,
      generation: 0,
    }

    it('come back as they were written, to their owner alone', async () => {
      const engine = await open()
      await writeSession(engine, { session: 's1', facts: { cwd: '/p/one' }, events: [prompt('a'), answer('b')] })
      await engine.transaction((tx) => writeLabels(tx, LOCAL_OWNER, labels))
      expect((await loadLabels(engine, me, [1])).get(1)).toEqual(labels)
      expect((await loadLabels(engine, { ...me, owner: 2 }, [1])).size).toBe(0)
    })
  })

  describe('jobs of saves', () => {
    const job = (id: string, key: string | null = null) => ({
      id,
      idempotency_key: key,
      replaces: null,
      request: '{"a":1}',
      quality: '{}',
      created_at: AT,
    })

    it('with a key that is there are not added, unless the earlier one was given up', async () => {
      const engine = await open()
      expect(await insertSaveJob(engine, LOCAL_OWNER, job('1', 'k'))).toMatchObject({ id: '1', isNew: true })
      expect(await insertSaveJob(engine, LOCAL_OWNER, job('2', 'k'))).toMatchObject({ id: '1', isNew: false })
      expect(await insertSaveJob(engine, 2, job('1', 'k'))).toMatchObject({ isNew: true })
      const claimed = await claimSaveJob(engine, LOCAL_OWNER, AT, 0)
      const end = { state: 'failed' as const, itemId: null, error: 'E', now: AT }
      await engine.transaction((tx) => finishSaveJob(tx, LOCAL_OWNER, claimed ?? { id: '', attempts: 0 }, end))
      expect(await insertSaveJob(engine, LOCAL_OWNER, job('3', 'k'))).toMatchObject({ id: '1', isNew: true })
      expect(await findSaveJob(engine, LOCAL_OWNER, '1')).toMatchObject({ state: 'queued', attempts: 0, error: null })
    })

    it('are claimed once, and again when their holder has been gone too long', async () => {
      const engine = await open()
      await insertSaveJob(engine, LOCAL_OWNER, job('1'))
      const first = await claimSaveJob(engine, LOCAL_OWNER, AT, AT - 10)
      expect(first).toMatchObject({ id: '1', attempts: 1 })
      expect(await claimSaveJob(engine, LOCAL_OWNER, AT + 5, AT - 5)).toBeUndefined()
      const second = await claimSaveJob(engine, LOCAL_OWNER, AT + 20, AT + 10)
      expect(second).toMatchObject({ id: '1', attempts: 2 })
      const end = { state: 'done' as const, itemId: 'x', error: null, now: AT }
      const finish = (attempts: number) =>
        engine.transaction((tx) => finishSaveJob(tx, LOCAL_OWNER, { id: '1', attempts }, end))
      expect([await finish(1), await finish(2), await finish(2)]).toEqual([false, true, false])
      expect(await claimSaveJob(engine, LOCAL_OWNER, AT + 100, AT + 100)).toBeUndefined()
    })
  })

  describe('the log of evidence', () => {
    let number = 0
    const event = (more: Partial<EvidenceEvent> = {}): EvidenceEvent => ({
      id: `e${number++}`,
      session_id: 's',
      kind: 'open',
      stable_key: 'conversation:codex_cli:1',
      intent: 'blended',
      project: null,
      at: AT,
      detail: '{}',
      ...more,
    })

    it('takes an opening once for a session, key, kind and intent (statement 79)', async () => {
      const engine = await open()
      const append = (more: Partial<EvidenceEvent>) =>
        engine.transaction((tx) => appendEvidence(tx, LOCAL_OWNER, event(more)))
      expect(await append({})).toBe(true)
      expect(await append({})).toBe(false)
      for (const other of [{ session_id: 't' }, { kind: 'cite' as const }, { intent: 'current_truth' }]) {
        expect(await append(other)).toBe(true)
      }
      expect([await append({ kind: 'reset' }), await append({ kind: 'reset' })]).toEqual([true, true])
    })

    it('counts what came after the last reset that concerns it, and lists all (statements 99 to 101)', async () => {
      const engine = await open()
      const stableKey = 'conversation:codex_cli:1'
      const append = (more: Partial<EvidenceEvent>, owner = LOCAL_OWNER) =>
        engine.transaction((tx) => appendEvidence(tx, owner, event(more)))
      await append({ project: 'p' })
      await append({ kind: 'cite', project: 'q', intent: 'current_truth' })
      await append({}, 2)
      expect(await countEvidence(engine, LOCAL_OWNER, { stableKey })).toEqual({ opened: 1, cited: 1 })
      expect(await countEvidence(engine, LOCAL_OWNER, { stableKey, project: 'p' })).toEqual({ opened: 1, cited: 0 })
      await append({ kind: 'reset', project: 'p', intent: '' })
      expect(await countEvidence(engine, LOCAL_OWNER, { stableKey })).toEqual({ opened: 0, cited: 1 })
      expect(await countCitations(engine, LOCAL_OWNER, [stableKey, 'other'])).toEqual(new Map([[stableKey, 1]]))
      await append({ kind: 'reset', intent: '' })
      expect(await countEvidence(engine, LOCAL_OWNER, { stableKey })).toEqual({ opened: 0, cited: 0 })
      expect(await countCitations(engine, LOCAL_OWNER, [stableKey])).toEqual(new Map())
      const kinds = (await listEvidence(engine, LOCAL_OWNER, { stableKey }, 10)).map(({ kind }) => kind)
      expect(kinds).toEqual(['open', 'cite', 'reset', 'reset'])
      await append({ session_id: 'later' })
      expect(await countEvidence(engine, LOCAL_OWNER, { stableKey })).toEqual({ opened: 1, cited: 0 })
    })
  })

  it('progress is kept for each owner and undone with its transaction', async () => {
    const engine = await open()
    await engine.transaction((tx) => saveProgress(tx, LOCAL_OWNER, 'a', '1'))
    const failing = engine.transaction(async (tx) => {
      await saveProgress(tx, LOCAL_OWNER, 'a', '2')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect([await loadProgress(engine, LOCAL_OWNER, 'a'), await loadProgress(engine, 2, 'a')]).toEqual(['1', undefined])
  })
}
