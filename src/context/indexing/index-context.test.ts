import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Engine, forget, insertSaveJob, listItems, loadLabels, sessionsNamed } from '../../store/index.ts'
import {
  answer,
  call,
  contextRows,
  ME,
  prompt,
  START,
  TEST_ENGINES,
  textsWith,
  touched,
  writeSession,
} from '../context.testing.ts'
import { makeProject, type TestProject } from '../documents/documents.testing.ts'
import { contextStatus } from '../status.ts'
import { createContextIndexer, type IndexerOptions } from './index-context.ts'
import { weekOf } from './week.ts'

const NOW = START + 86_400_000
const signal = new AbortController().signal

const settings = {
  enabled: true,
  folders: [],
  maxFileBytes: 10_000,
  outcomesMoveRanking: false,
  meaning: 'off',
  conversationsSearchLexicalFallback: false,
} as const

describe.each(TEST_ENGINES)('the index of the context on %s', (name, open) => {
  let engine: Engine
  let project: TestProject
  let logged: string[]

  beforeEach(async () => {
    engine = await open()
    logged = []
    project = makeProject({
      'AGENTS.md': '# Rules\n\nNever commit walnut shells.\n',
      'README.md': '# Demo\n\nA demo about cherry trees.\n',
      'TODO.md': '# Todo\n\n- 2026-03-01 We decided to use maple for the shelves.\n',
    })
    await fill(engine)
  })
  afterEach(async () => {
    await engine.close()
    project.dispose()
  })

  const indexer = (more: Partial<IndexerOptions> = {}) =>
    createContextIndexer({
      engine,
      owner: 1,
      clock: () => NOW,
      projects: { projectOf: (root) => ({ root, projectId: 'git:1' }) },
      scrub: (text) => text,
      log: (line) => logged.push(line),
      home: '/nowhere',
      documents: { enabled: true, folders: [], exclude: [], maxFileBytes: 10_000 },
      ...more,
    })

  async function fill(into: Engine): Promise<void> {
    const facts = { cwd: project.root, projectId: 'git:1', title: 'Shelves' }
    await writeSession(into, {
      session: 's1',
      facts,
      events: [
        prompt('We decided to use oak for the table. Please build the table top in src/table.ts.'),
        call('Edit', { file_path: 'src/table.ts' }, { touches: [touched(project.root, 'src/table.ts')] }),
        answer('Done: the table top is built.'),
      ],
    })
    await writeSession(into, {
      session: 's2',
      facts,
      at: START + 60_000,
      events: [prompt('What about the chair?'), answer('We will use beech for the chair.'), prompt('Yes, go ahead.')],
    })
    await insertSaveJob(into, 1, {
      id: 'job-1',
      idempotency_key: 'k',
      replaces: null,
      request: JSON.stringify({ source: 'codex_cli', summary: 'About elm.', projectId: null, root: null }),
      quality: '{}',
      created_at: START,
    })
  }

  it('derives statements, documents, labels, digests and saves in one run, and nothing in the next', async () => {
    expect(await indexer().run(signal, true)).toMatchObject({ saves: 1, documents: 3, labels: 2, digests: 1 })
    expect(logged).toEqual([])
    for (const word of ['oak', 'beech', 'walnut', 'cherry', 'maple', 'elm']) {
      expect(await textsWith(engine, word), word).not.toEqual([])
    }
    const before = await contextRows(engine)
    expect(await indexer().run(signal, true)).toEqual({
      saves: 0,
      statements: 0,
      documents: 0,
      removed: 0,
      labels: 0,
      digests: 0,
      trained: false,
    })
    expect(await contextRows(engine)).toEqual(before)
  })

  it('labels sessions when they are quiet, and again when they have grown', async () => {
    await indexer({ clock: () => START + 61_000 }).run(signal)
    expect((await loadLabels(engine, ME, [1, 2])).size).toBe(0)
    await indexer().run(signal)
    const labels = (await loadLabels(engine, ME, [1])).get(1)
    expect(labels).toMatchObject({ domain: 'tech', label_source: 'rules', seen_event_pk: 3 })
    await writeSession(engine, {
      session: 's1',
      at: START + 120_000,
      events: [prompt('And varnish it.'), answer('Yes.')],
    })
    expect(await indexer().run(signal)).toMatchObject({ labels: 1, digests: 1 })
    expect((await loadLabels(engine, ME, [1])).get(1)?.seen_event_pk).toBeGreaterThan(3)
  })

  it('makes one digest for a project and week, which is made anew without a session that is forgotten', async () => {
    await indexer().run(signal, true)
    const digests = () => listItems(engine, ME, { kinds: ['digest'], limit: 5 })
    const [digest] = await digests()
    expect(digest).toMatchObject({ project_id: 'git:1', source: 'digests', root: project.root })
    expect(digest?.id).toMatch(new RegExp(`^[0-9a-f]{8}:${weekOf(START).name}$`))
    expect(digest?.stable_key).toBe(`digest:${digest?.id}`)
    expect((await textsWith(engine, 'oak')).some((text) => text.startsWith('- 2026'))).toBe(true)
    expect((await textsWith(engine, 'table')).some((text) => text.includes('src/table.ts (1)'))).toBe(true)

    const [s1] = await sessionsNamed(engine, ME, 's1')
    await forget(engine, 1, { session: s1?.id ?? Buffer.alloc(0) }, () => NOW)
    expect(await textsWith(engine, 'oak')).toEqual([])
    expect(await digests()).toEqual([])
    await indexer().run(signal)
    expect(await digests()).toMatchObject([{ id: digest?.id }])
    expect(await textsWith(engine, 'oak')).toEqual([])
  })

  it('forgets the documents and digests of a project with it (statement 111)', async () => {
    await indexer().run(signal, true)
    await forget(engine, 1, { projectId: 'git:1' }, () => NOW)
    expect(await textsWith(engine, 'walnut')).toEqual([])
    expect(await textsWith(engine, 'elm')).not.toEqual([])
    const { items, statements } = await contextRows(engine)
    expect(items).toMatchObject([{ kind: 'save' }])
    expect(statements).toEqual([])
    await indexer().run(signal, true)
    expect(await textsWith(engine, 'walnut')).toEqual([])
  })

  it('tells in its status what SELECT COUNT tells (statements 97, 98)', async () => {
    const capture = async () => ({
      status: 'ok' as const,
      worker: 'varve',
      preflight_ok: true,
      last_preflight_at: null,
      recent_capture_errors: 0,
    })
    const status = async (more: Partial<typeof settings> | { enabled: boolean } = {}) =>
      (await contextStatus({ archive: engine, own: engine, settings: { ...settings, ...more }, capture }, ME))
        .memory_diagnostics
    expect(await status()).toMatchObject({
      counts: { conversations: 2, digests: 0, structured_docs: 0 },
      digests: { status: 'none_yet' },
      documents: { status: 'no_sources' },
      saves: { stored: 0, waiting: 1 },
    })
    expect(await status({ enabled: false })).toMatchObject({ digests: { status: 'unavailable_basic' } })
    await indexer().run(signal, true)
    const count = async (sql: string) => (await engine.get<{ count: number }>(sql))?.count
    const { counts, statements, ...rest } = await status()
    expect(counts).toEqual({
      conversations: await count(
        "SELECT (SELECT COUNT(*) FROM session) + (SELECT COUNT(*) FROM context_item WHERE kind = 'save') AS count",
      ),
      digests: await count("SELECT COUNT(*) AS count FROM context_item WHERE kind = 'digest'"),
      structured_docs: await count("SELECT COUNT(*) AS count FROM context_item WHERE kind = 'document'"),
    })
    expect(statements).toBe(await count('SELECT COUNT(*) AS count FROM statement'))
    expect(rest).toMatchObject({
      digests: { status: 'ok' },
      documents: { status: 'ok' },
      saves: { stored: 1, waiting: 0, failed: 0 },
    })
    for (const path of ['AGENTS.md', 'README.md', 'TODO.md']) project.remove(path)
    await indexer().run(signal, true)
    expect(await status()).toMatchObject({ documents: { status: 'source_empty' } })
    project.dispose()
    await indexer().run(signal, true)
    expect(await status()).toMatchObject({ documents: { status: 'source_missing' } })
  })

  it('looks at folders again only when they are due, unless it is for everything', async () => {
    let now = NOW
    const clock = () => now
    await indexer({ clock }).run(signal)
    project.write('README.md', '# Demo\n\nA demo about plum trees.\n')
    now += 15_000
    expect(await indexer({ clock }).run(signal)).toMatchObject({ documents: 0 })
    now += 20 * 60_000
    expect(await indexer({ clock }).run(signal)).toMatchObject({ documents: 1 })
    expect(await textsWith(engine, 'plum')).not.toEqual([])
  })

  it('never reads the home directory as a project', async () => {
    await indexer({ home: `${project.root}/me` }).run(signal, true)
    expect(await listItems(engine, ME, { kinds: ['document'], limit: 5 })).toEqual([])
  })

  it.runIf(name === 'SQLite')(
    'loses and doubles nothing, wherever it dies; what was there stays found (statement 108)',
    { timeout: 120_000 },
    async () => {
      await indexer().run(signal, true)
      const whole = await contextRows(engine)
      for (const moment of ['before', 'inside', 'after'] as const) {
        for (let at = 1; ; at++) {
          const other = await open()
          await fill(other)
          const dying = diesAt(other, at, moment)
          await indexer({ engine: dying.engine }).run(signal, true)
          const found = (await textsWith(other, 'oak')).length
          // A save whose process died is taken over some seconds later.
          await indexer({ engine: other, clock: () => NOW + 10_000 }).run(signal, true)
          expect((await textsWith(other, 'oak')).length).toBeGreaterThanOrEqual(found)
          expect(await contextRows(other), `${moment} transaction ${at}`).toEqual(whole)
          await other.close()
          if (!dying.died()) break
          expect(at).toBeLessThan(200)
        }
      }
    },
  )
})

/** An engine whose process dies at its nth transaction: nothing it is asked afterwards happens. */
function diesAt(
  engine: Engine,
  at: number,
  moment: 'before' | 'inside' | 'after',
): { engine: Engine; died(): boolean } {
  let count = 0
  let dead = false
  const check = (): void => {
    if (dead) throw new Error('dead')
  }
  const die = (): never => {
    dead = true
    throw new Error('dead')
  }
  const dying: Engine = {
    ...engine,
    all: async (sql, params) => {
      check()
      return engine.all(sql, params)
    },
    get: async (sql, params) => {
      check()
      return engine.get(sql, params)
    },
    run: async (sql, params) => {
      check()
      return engine.run(sql, params)
    },
    transaction: async (work, options) => {
      check()
      const isLast = ++count === at
      if (isLast && moment === 'before') die()
      const result = await engine.transaction(async (tx) => {
        const done = await work(tx)
        if (isLast && moment === 'inside') die()
        return done
      }, options)
      if (isLast) die()
      return result
    },
  }
  return { engine: dying, died: () => dead }
}
