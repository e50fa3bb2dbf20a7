import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, LOCAL_OWNER } from '../core/caller.ts'
import { hash128 } from '../core/hash.ts'
import { answer, call, eventId, prompt, START, TEST_ENGINES, touched, writeSession } from './archive.testing.ts'
import { writeItem } from './context-items.ts'
import type { Engine } from './engine.ts'
import { type ExportFilter, type ExportRow, exportArchive } from './export.ts'

const caller: Caller = { owner: LOCAL_OWNER, admin: true, launchDirectory: '/' }

for (const { name, open } of TEST_ENGINES) {
  describe(`exporting on ${name}`, () => {
    let engine: Engine
    beforeEach(async () => {
      engine = await open()
      await writeSession(engine, {
        session: 's1',
        facts: {
          title: 'secret title',
          cwd: '/secret/place',
          branch: 'secret-branch',
          summary: 'secret',
          slug: 'secret',
        },
        path: '/secret/file.jsonl',
        events: [
          prompt('secret prompt', { key: 'p' }),
          call(
            'Edit',
            { file: 'secret.ts' },
            { key: 'c', payload: '{"secret":1}', touches: [touched('/secret', 'a')] },
          ),
          answer('secret answer', { key: 'a' }),
          prompt('secret history', { key: 'old', copied: true }),
        ],
      })
      await writeSession(engine, {
        session: 's2',
        harness: 'codex',
        source: 'codex',
        at: START + 60_000,
        facts: { cwd: '/srv/app' },
        events: Array.from({ length: 450 }, (_, place) => prompt(`prompt ${place}`, { key: `p${place}` })),
      })
    })
    afterEach(() => engine.close())

    async function rows(filter: Partial<ExportFilter> = {}, by = caller): Promise<ExportRow[]> {
      const all: ExportRow[] = []
      for await (const row of exportArchive(engine, by, { sensitive: false, ...filter })) all.push(row)
      return all
    }
    const sessions = (all: ExportRow[]) => all.filter(({ kind }) => kind === 'session').map(({ harness }) => harness)

    it('gives each session and then its events in order, each once, with replayed history first', async () => {
      const all = await rows({ sensitive: true })
      expect(all).toHaveLength(2 + 4 + 450)
      expect(all.slice(0, 5).map(({ kind, id }) => [kind, id])).toEqual([
        ['session', all[0]?.id],
        ['event', eventId('s1', 'old')],
        ['event', eventId('s1', 'p')],
        ['event', eventId('s1', 'c')],
        ['event', eventId('s1', 'a')],
      ])
      expect(all[1]).toMatchObject({ replayed: true, turn_id: null })
      expect(all[3]).toMatchObject({ text: '{"file":"secret.ts"}', payload: '{"secret":1}', tool_name: 'Edit' })
      expect(all[4]).toMatchObject({ terminal: true, ending: 'answered', text: 'secret answer', model: 'model-1' })
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    })

    it('tells nothing of what was said, done or where, unless asked to', async () => {
      const all = await rows()
      expect(JSON.stringify(all)).not.toContain('secret')
      expect(all[0]).toMatchObject({ harness: 'claude-code', turn_count: 1, event_count: 3, completed: true })
    })

    it('filters by session, harness, source, directory and time', async () => {
      expect(sessions(await rows({ session: hash128('session', 'codex', 's2') }))).toEqual(['codex'])
      expect(sessions(await rows({ harness: 'codex' }))).toEqual(['codex'])
      expect(sessions(await rows({ source: 'claude' }))).toEqual(['claude-code'])
      expect(sessions(await rows({ directory: '/srv' }))).toEqual(['codex'])
      expect(sessions(await rows({ since: START + 60_000 }))).toEqual(['codex'])
      expect(sessions(await rows({ projectId: 'git:none' }))).toEqual([])
    })

    it('ends with what was saved, which is nowhere else', async () => {
      await engine.transaction((tx) =>
        writeItem(
          engine,
          tx,
          LOCAL_OWNER,
          {
            id: 'save-1',
            kind: 'save',
            stable_key: 'conversation:codex_cli:save-1',
            source: 'codex_cli',
            project_id: null,
            root: '/srv/app',
            path: null,
            title: 'secret save',
            role: 'note',
            state: 'none',
            content: 'secret words',
            hash: Buffer.alloc(32),
            meta: '{"summary":"secret"}',
            at: START,
          },
          [],
          START,
        ),
      )
      const saves = async (filter: Partial<ExportFilter>, by = caller) =>
        (await rows(filter, by)).filter(({ kind }) => kind === 'save')
      const shape = { kind: 'save', id: 'save-1', source: 'codex_cli', role: 'note', bytes: 12 }
      expect(await saves({})).toEqual([{ ...shape, timestamp: new Date(START).toISOString() }])
      expect(await saves({ sensitive: true })).toMatchObject([{ ...shape, text: 'secret words', title: 'secret save' }])
      expect((await rows()).at(-1)?.kind).toBe('save')
      expect(await saves({ directory: '/srv' })).toHaveLength(1)
      for (const none of [{ harness: 'codex' }, { since: START + 1 }, { directory: '/other' }, { projectId: 'x' }]) {
        expect(await saves(none)).toEqual([])
      }
      expect(await saves({}, { ...caller, owner: 2 })).toEqual([])
      expect(await saves({}, { ...caller, projectRoots: ['/other'] })).toEqual([])
    })

    it('gives callers what they may see, and nothing else', async () => {
      expect(await rows({}, { ...caller, owner: 2 })).toEqual([])
      expect(sessions(await rows({}, { ...caller, projectRoots: ['/srv/app'] }))).toEqual(['codex'])
    })
  })
}
