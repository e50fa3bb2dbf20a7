import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Caller } from '../core/caller.ts'
import { UserError } from '../core/errors.ts'
import { TEST_ENGINES } from '../store/archive.testing.ts'
import { type Engine, listAudit } from '../store/index.ts'
import { createNotesLibrary, NoteChanged, type NotesLibrary, refuseNote, saveNote } from './notes-library.ts'

const ME: Caller = { owner: 1, admin: true, launchDirectory: '/' }
const OTHER: Caller = { owner: 2, admin: false, launchDirectory: '/' }

async function refusalOf(call: Promise<unknown>): Promise<UserError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof UserError) return error
  throw new Error(`expected a refusal, got ${String(error)}`)
}

describe.each(TEST_ENGINES)('notes on $name', ({ open }) => {
  let engine: Engine
  let notes: NotesLibrary
  let now = 1_000

  beforeEach(async () => {
    engine = await open()
    notes = createNotesLibrary({ engine, clock: () => now++ })
  })
  afterEach(async () => engine.close())

  test('T221, C84: every save is a version; get reads the current one or a retained one', async () => {
    expect(await notes.save(ME, { key: 'plan', value: 'one', tags: ['a'] })).toEqual({
      key: 'plan',
      version: 1,
      created: true,
    })
    expect(await notes.save(ME, { key: 'plan', value: 'two' })).toEqual({ key: 'plan', version: 2, created: false })
    expect(await notes.get(ME, 'plan')).toMatchObject({ value: 'two', version: 2, tags: ['a'] })
    expect(await notes.get(ME, 'plan', 1)).toMatchObject({ value: 'one', version: 1, tags: ['a'] })
    const history = await notes.history(ME, 'plan')
    expect(history.versions.map(({ version, current }) => [version, current])).toEqual([
      [2, true],
      [1, false],
    ])
    expect((await refusalOf(notes.get(ME, 'plan', 3))).details.field).toBe('version')
  })

  test('T307: saving and deleting are audited with who asked, not with what the note says; reads are not', async () => {
    await notes.save({ ...ME, client: 'claude-code' }, { key: 'plan', value: 'the text' })
    await notes.get(ME, 'plan')
    await notes.delete(ME, 'plan')
    const audit = await listAudit(engine, 1, 10)
    expect(audit.map(({ action, resource, source }) => [action, resource, source])).toEqual([
      ['note:delete', 'plan', 'local'],
      ['note:save', 'plan', 'claude-code'],
    ])
    expect(JSON.stringify(audit)).not.toContain('the text')
  })

  test('T221: users do not see each other’s notes', async () => {
    await notes.save(ME, { key: 'plan', value: 'mine' })
    expect((await refusalOf(notes.get(OTHER, 'plan'))).code).toBe('not_found')
    await notes.save(OTHER, { key: 'plan', value: 'theirs' })
    expect((await notes.get(ME, 'plan')).value).toBe('mine')
    expect((await notes.list(OTHER, {})).total).toBe(1)
    await notes.delete(OTHER, 'plan')
    expect((await notes.get(ME, 'plan')).value).toBe('mine')
  })

  test('T221: deleting hides a note and keeps its versions until the key is used again', async () => {
    await notes.save(ME, { key: 'plan', value: 'one' })
    await notes.save(ME, { key: 'plan', value: 'two' })
    expect(await notes.delete(ME, 'plan')).toEqual({ key: 'plan', version: 2 })
    const refused = await refusalOf(notes.get(ME, 'plan'))
    expect([refused.code, refused.details.remedy]).toEqual(['not_found', expect.stringContaining('history')])
    expect((await refusalOf(notes.delete(ME, 'plan'))).code).toBe('not_found')
    expect((await notes.list(ME, {})).total).toBe(0)
    expect((await notes.get(ME, 'plan', 2)).value).toBe('two')
    expect((await notes.history(ME, 'plan')).deletedAt).toEqual(expect.any(Number))
    expect(await notes.stats(ME)).toMatchObject({ notes: 0, versions: 0, bytes: 0 })
    expect(await notes.save(ME, { key: 'plan', value: 'anew' })).toEqual({ key: 'plan', version: 1, created: true })
    expect((await notes.history(ME, 'plan')).versions).toHaveLength(1)
  })

  test('T223, C84: lists filter by tag and part of a key, name all tags, and come in pages', async () => {
    for (const [key, tags] of [
      ['alpha-1', ['x', 'with "quotes"']],
      ['Alpha-2', ['x-ray']],
      ['beta', ['x', 'y']],
    ] as const) {
      await notes.save(ME, { key, value: 'v', tags })
    }
    const keys = async (query: Parameters<NotesLibrary['list']>[1]) =>
      (await notes.list(ME, query)).notes.map((note) => note.key)
    expect(await keys({})).toEqual(['beta', 'Alpha-2', 'alpha-1'])
    expect(await keys({ tag: 'x' })).toEqual(['beta', 'alpha-1'])
    expect(await keys({ tag: 'with "quotes"' })).toEqual(['alpha-1'])
    expect(await keys({ tag: 'X' })).toEqual([])
    expect(await keys({ keySearch: 'ALPHA' })).toEqual(['Alpha-2', 'alpha-1'])
    expect(await keys({ keySearch: '-', tag: 'x-ray' })).toEqual(['Alpha-2'])
    expect(await keys({ keySearch: '%' })).toEqual([])
    const page = await notes.list(ME, { limit: 2 })
    expect(page).toMatchObject({ total: 3, limit: 2, offset: 0, returnedCount: 2, hasMore: true, nextOffset: 2 })
    expect(page.tags).toEqual(['with "quotes"', 'x', 'x-ray', 'y'])
    expect((await notes.list(ME, {})).limit).toBe(50)
    for (const limit of [0, 101]) expect((await refusalOf(notes.list(ME, { limit }))).details.field).toBe('limit')
  })

  test('T222, T313: a note has at most 100 KB, a user 1 MB, a note 50 versions', async () => {
    const full = 'x'.repeat(100 * 1024)
    expect((await refusalOf(notes.save(ME, { key: 'big', value: `${full}x` }))).details.field).toBe('value')
    for (let index = 0; index < 10; index++) await notes.save(ME, { key: `big-${index}`, value: full })
    const room = 1024 * 1024 - 10 * 100 * 1024
    await notes.save(ME, { key: 'last', value: 'y'.repeat(room) })
    expect((await notes.stats(ME)).bytes).toBe(1024 * 1024)
    expect((await refusalOf(notes.save(ME, { key: 'one-more', value: 'z' }))).message).toContain('0 are left')
    expect((await refusalOf(notes.save(ME, { key: 'last', value: 'y'.repeat(room + 1) }))).code).toBe('invalid_request')
    await notes.save(ME, { key: 'last', value: 'short' })
    await notes.delete(ME, 'big-0')
    expect((await notes.stats(ME)).bytes).toBe(9 * 100 * 1024 + 5)
    for (let version = 2; version <= 51; version++) await notes.save(ME, { key: 'last', value: `v${version}` })
    const { versions } = await notes.history(ME, 'last')
    expect([versions.length, versions[0]?.version, versions.at(-1)?.version]).toEqual([50, 52, 3])
  })

  test('bytes are counted in UTF-8, and every character comes back', async () => {
    const value = 'é漢😀 "quoted" \\ \n\t'
    await notes.save(ME, { key: 'odd', value })
    expect((await notes.get(ME, 'odd')).value).toBe(value)
    expect((await notes.list(ME, {})).notes[0]?.size).toBe(Buffer.byteLength(value))
    expect((await refusalOf(notes.save(ME, { key: 'nul', value: 'a\0b' }))).message).toContain('U+0000')
  })

  test('T222: saves at the same time never pass the limit together', async () => {
    const value = 'x'.repeat(90 * 1024)
    const saves = Array.from({ length: 20 }, (_, index) => notes.save(ME, { key: `n${index}`, value }))
    const done = await Promise.allSettled(saves)
    expect(done.filter((each) => each.status === 'fulfilled')).toHaveLength(11)
    expect((await notes.stats(ME)).bytes).toBe(11 * 90 * 1024)
  })

  test('a write on top of a version that is no longer there changes nothing', async () => {
    await notes.save(ME, { key: 'plan', value: 'one' })
    const write = (baseVersion: number) =>
      engine.transaction((tx) =>
        saveNote(engine, tx, 1, { key: 'plan', value: 'two', tags: [] }, { now: 5, baseVersion }),
      )
    await expect(write(0)).rejects.toThrow(NoteChanged)
    await expect(write(2)).rejects.toThrow(NoteChanged)
    expect((await notes.get(ME, 'plan')).value).toBe('one')
    expect(await write(1)).toMatchObject({ version: 2 })
  })

  test('a refusal foreseen counts what the same work writes before', async () => {
    const half = 'x'.repeat(99 * 1024)
    const pending = Array.from({ length: 10 }, (_, index) => ({ key: `p${index}`, value: half, tags: [] }))
    const note = { key: 'last', value: half, tags: [] }
    expect(await refuseNote(engine, 1, note, pending)).toContain('All notes of a user')
    expect(await refuseNote(engine, 1, { ...note, key: 'p3' }, pending)).toBeNull()
    expect(await refuseNote(engine, 1, { ...note, key: 'not a key' }, [])).toContain('cannot be the key')
  })
})
