import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UserError } from '../../core/errors.ts'
import {
  claimSaveJob,
  type Engine,
  findItem,
  findSaveJob,
  insertSaveJob,
  itemContent,
  listItems,
  listStatements,
} from '../../store/index.ts'
import { ME, START, TEST_ENGINES, textsWith } from '../context.testing.ts'
import { createSaves, type Saves } from './save.ts'
import type { SaveMeta, SaveRequest } from './types.ts'
import { workOffSaves } from './work-off.ts'

describe.each(TEST_ENGINES)('saves on %s', (_name, open) => {
  let engine: Engine
  let saves: Saves
  let now: number
  let number: number
  const logged: string[] = []

  beforeEach(async () => {
    engine = await open()
    now = START
    number = 0
    logged.length = 0
    saves = createSaves({
      engine,
      clock: () => now,
      newId: () => `job-${++number}`,
      scrub: (text) => text.replaceAll('sk-secret', '[REDACTED]'),
      projects: { projectOf: (root) => ({ root, projectId: `git:${root}` }) },
      log: (line) => logged.push(line),
    })
  })
  afterEach(() => engine.close())

  const request = (more: Partial<SaveRequest> = {}): SaveRequest => ({
    source: 'claude_code',
    summary: 'Chose a clean VM. Nothing else.',
    ...more,
  })
  const save = async (more: Partial<SaveRequest> = {}) => {
    const receipt = await saves.save(ME, request(more))
    await saves.settled()
    return receipt
  }
  const stored = () => listItems(engine, ME, { kinds: ['save'], limit: 50 })
  const refusal = async (more: Partial<SaveRequest>) => {
    const error = await saves.save(ME, request(more)).catch((thrown: unknown) => thrown)
    if (!(error instanceof UserError)) throw new Error('was not refused')
    return `${error.code} ${error.details.field}`
  }

  it('are queued durably before the answer, which names the job (statement 84)', async () => {
    const answered = saves.save(ME, request())
    const { job_id } = await answered
    expect(await findSaveJob(engine, 1, job_id)).toBeDefined()
    await saves.settled()
    expect(await findSaveJob(engine, 1, job_id)).toMatchObject({ state: 'done', item_id: job_id })
  })

  it('refuse what is beyond a limit, naming the field (statement 83)', async () => {
    expect(await refusal({ summary: '  ' })).toBe('invalid_request summary')
    expect(await refusal({ summary: 'x'.repeat(8_001) })).toBe('invalid_request summary')
    expect(await refusal({ content: 'x'.repeat(4 * 1024 * 1024 + 1) })).toBe('invalid_request content')
    expect(await refusal({ topics: ['ok', 'x'.repeat(2_001)] })).toBe('invalid_request topics.1')
    expect(await refusal({ decisions: Array.from({ length: 101 }, () => 'x') })).toBe('invalid_request decisions')
    expect(await refusal({ idempotency_key: ' ' })).toBe('invalid_request idempotency_key')
    expect(await refusal({ replace_idempotency_key: 'x'.repeat(201) })).toBe('invalid_request replace_idempotency_key')
    await save({ summary: '😀'.repeat(8_000) })
    expect(await stored()).toHaveLength(1)
  })

  it('warn when a transcript or decisions are missing (statement 85)', async () => {
    expect((await save()).quality).toMatchObject({ tier: 'summary_only' })
    expect((await save({ content: 'short' })).quality).toMatchObject({ tier: 'partial' })
    const whole = await save({ content: 'word '.repeat(200), decisions: ['We use X'] })
    expect(whole.quality).toEqual({ tier: 'full', warnings: [] })
  })

  it('become an item whose every part is found and stands at its place (statement 90)', async () => {
    await save({
      content: 'User: shall we ship walnut? Assistant: yes.',
      decisions: ['Docker is rejected for install checks'],
      key_outputs: ['report.md'],
      topics: ['installer'],
    })
    const [item] = await stored()
    if (!item) throw new Error('nothing was stored')
    const content = await itemContent(engine, ME, item.pk)
    for (const word of ['clean', 'docker', 'report', 'installer', 'walnut']) {
      expect(await textsWith(engine, word)).not.toEqual([])
    }
    expect(item).toMatchObject({
      title: 'Chose a clean VM.',
      role: 'conversation',
      source: 'claude_code',
      stable_key: `conversation:claude_code:${item.id}`,
      at: START,
      project_id: 'git:/work/demo',
      root: '/work/demo',
    })
    expect(JSON.parse(item.meta) as SaveMeta).toMatchObject({ domain: 'tech', topics: ['installer'], job_id: item.id })
    const statements = await listStatements(engine, ME, { limit: 10 })
    expect(statements).toMatchObject([
      { kind: 'decision', said_by: 'save', text: 'Docker is rejected for install checks' },
    ])
    for (const { start, text } of statements) expect(content.slice(start, start + text.length)).toBe(text)
  })

  it('of a summary alone are notes', async () => {
    await save()
    expect(await stored()).toMatchObject([{ role: 'note' }])
  })

  it('with the same key are one, and the repeat says so (statement 87)', async () => {
    const first = await save({ idempotency_key: 'k' })
    const second = await save({ idempotency_key: 'k', summary: 'Other words' })
    expect(first.duplicate).toBeUndefined()
    expect(second).toEqual({ ...first, duplicate: true })
    expect(await stored()).toHaveLength(1)
    expect(await textsWith(engine, 'other')).toEqual([])
  })

  it('without a key are one when source and content are the same, white space aside (statement 88)', async () => {
    await save({ content: 'one  two\n' })
    expect((await save({ content: 'one two', summary: 'Else' })).duplicate).toBe(true)
    expect((await save({ content: 'one two', source: 'codex_cli' })).duplicate).toBeUndefined()
    expect((await save({ content: 'one three' })).duplicate).toBeUndefined()
    await save()
    expect((await save()).duplicate).toBeUndefined()
    expect(await stored()).toHaveLength(5)
  })

  it('replace an earlier one: its text is found nowhere, id and stable key carry over (statement 89)', async () => {
    await save({ idempotency_key: 'v1', content: 'about walnut', decisions: ['Walnut is final'] })
    const [before] = await stored()
    await save({ idempotency_key: 'v2', replace_idempotency_key: 'v1', content: 'about cherry', summary: 'New.' })
    const after = await stored()
    expect(after).toHaveLength(1)
    expect(after[0]).toMatchObject({ id: before?.id, stable_key: before?.stable_key, pk: before?.pk })
    expect(await textsWith(engine, 'walnut')).toEqual([])
    expect(await textsWith(engine, 'cherry')).not.toEqual([])
    expect(await listStatements(engine, ME, { limit: 5 })).toEqual([])
    const rows = await engine.all('SELECT * FROM save_job')
    expect(JSON.stringify(rows)).not.toContain('walnut')
    await save({ idempotency_key: 'v3', replace_idempotency_key: 'v1', content: 'about maple' })
    expect(await stored()).toMatchObject([{ id: before?.id }])
    expect(await textsWith(engine, 'cherry')).toEqual([])
  })

  it('with an unknown key to replace are saved as new, with a warning (statement 89)', async () => {
    const { quality } = await save({ replace_idempotency_key: 'never' })
    expect(quality.warnings.join()).toContain('replace_idempotency_key')
    expect(await stored()).toHaveLength(1)
  })

  it('wait for the save they replace when another process is at it', async () => {
    await insertSaveJob(engine, 1, {
      id: 'first',
      idempotency_key: 'v1',
      replaces: null,
      request: JSON.stringify({ ...request({ content: 'about walnut' }), projectId: null, root: null }),
      quality: '{}',
      created_at: now,
    })
    const held = await claimSaveJob(engine, 1, now, 0)
    expect(held?.id).toBe('first')
    await save({ idempotency_key: 'v2', replace_idempotency_key: 'v1', content: 'about cherry' })
    expect(await stored()).toEqual([])
    // That process died; whoever comes next does both, in order.
    now += 60_000
    await workOffSaves({ engine, owner: 1, clock: () => now, log: () => {} })
    expect(await stored()).toMatchObject([{ id: 'first' }])
    expect(await textsWith(engine, 'walnut')).toEqual([])
    expect(await textsWith(engine, 'cherry')).not.toEqual([])
  })

  it('hold no secrets, in no table (statement 109)', async () => {
    await save({
      summary: 'token sk-secret',
      content: 'key sk-secret',
      decisions: ['use sk-secret'],
      topics: ['sk-secret'],
      key_outputs: ['sk-secret'],
      idempotency_key: 'k sk-secret',
    })
    expect((await save({ idempotency_key: 'k sk-secret' })).duplicate).toBe(true)
    const tables = ['save_job', 'context_item', 'context_passage', 'statement']
    for (const table of tables) {
      expect(JSON.stringify(await engine.all(`SELECT * FROM ${table}`))).not.toContain('sk-secret')
    }
  })

  it('are done once when several processes work off the same queue', async () => {
    for (let place = 0; place < 5; place++) {
      await insertSaveJob(engine, 1, {
        id: `j${place}`,
        idempotency_key: null,
        replaces: null,
        request: JSON.stringify({ ...request({ summary: `Number ${place}` }), projectId: null, root: null }),
        quality: '{}',
        created_at: now + place,
      })
    }
    const work = { engine, owner: 1, clock: () => now, log: () => {} }
    const counts = await Promise.all([workOffSaves(work), workOffSaves(work), workOffSaves(work)])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5)
    expect(await stored()).toHaveLength(5)
  })

  it('that fail are tried again, then given up without a word of their content', async () => {
    const { job_id } = await saves.save({ ...ME, owner: 7 }, request())
    await saves.settled()
    expect(await findSaveJob(engine, 7, job_id)).toMatchObject({ state: 'done' })
    await insertSaveJob(engine, 1, {
      id: 'broken',
      idempotency_key: null,
      replaces: null,
      request: '{"summary": walnut',
      quality: '{}',
      created_at: now,
    })
    await workOffSaves({ engine, owner: 1, clock: () => now, log: (line) => logged.push(line) })
    expect(await findSaveJob(engine, 1, 'broken')).toMatchObject({ state: 'failed', attempts: 5, error: 'SyntaxError' })
    expect(logged).toHaveLength(5)
    expect(logged.join()).not.toContain('walnut')
  })

  it('of one owner are nothing to another', async () => {
    await save({ idempotency_key: 'k', content: 'about walnut' })
    const [item] = await stored()
    const other = { ...ME, owner: 2 }
    expect(await findItem(engine, other, 'save', item?.id ?? '')).toBeUndefined()
    expect(await textsWith(engine, 'walnut', other)).toEqual([])
    expect((await saves.save(other, request({ idempotency_key: 'k' }))).duplicate).toBeUndefined()
    await saves.settled()
  })
})
