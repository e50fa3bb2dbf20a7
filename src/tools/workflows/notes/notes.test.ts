import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../workflows.testing.ts'

let server: TestServer
beforeEach(async () => {
  server = await testServer()
})
afterEach(() => server.close())

const notes = (action: string, more: object = {}) => server.get<Record<string, unknown>>('notes', { action, ...more })
const refused = (action: string, more: object = {}) => server.refused('notes', { action, ...more })
const keys = async (more: object = {}) =>
  ((await notes('list', more))['notes'] as { key: string }[]).map(({ key }) => key)

describe('notes', () => {
  it('T221, C84: keep every version, of which get gives the newest or the one asked for', async () => {
    expect(await notes('save', { key: 'style', value: 'Short.', tags: ['team'] })).toMatchObject({
      key: 'style',
      version: 1,
      created: true,
    })
    server.advance(1000)
    expect(await notes('save', { key: 'style', value: 'Shorter.' })).toMatchObject({ version: 2, created: false })
    expect(await notes('get', { key: 'style' })).toMatchObject({ value: 'Shorter.', version: 2, tags: ['team'] })
    expect(await notes('get', { key: 'style', version: 1 })).toMatchObject({ value: 'Short.', version: 1 })
    expect((await refused('get', { key: 'style', version: 3 })).code).toBe('not_found')
    expect(await notes('history', { key: 'style' })).toMatchObject({
      total: 2,
      deletedAt: null,
      versions: [
        { version: 2, current: true },
        { version: 1, current: false },
      ],
    })
  })

  it('T221: are for their owner alone', async () => {
    await notes('save', { key: 'style', value: 'Short.' })
    expect(await server.get('notes', { action: 'list' }, server.stranger)).toMatchObject({
      total: 0,
      notes: [],
      tags: [],
    })
    expect((await server.refused('notes', { action: 'get', key: 'style' }, server.stranger)).code).toBe('not_found')
  })

  it('T221: delete is soft: gone from lists, readable by version', async () => {
    await notes('save', { key: 'style', value: 'Short.' })
    expect(await notes('delete', { key: 'style' })).toMatchObject({ deleted: true, key: 'style' })
    expect(await keys()).toEqual([])
    expect((await refused('get', { key: 'style' })).code).toBe('not_found')
    expect((await refused('delete', { key: 'style' })).code).toBe('not_found')
    expect(await notes('get', { key: 'style', version: 1 })).toMatchObject({ value: 'Short.' })
    expect((await notes('history', { key: 'style' }))['deletedAt']).not.toBeNull()
  })

  it('T222: enforce the limits of keys, tags, size and room', async () => {
    const save = { value: 'x' }
    await notes('save', { ...save, key: 'k'.repeat(100) })
    expect((await refused('save', { ...save, key: 'k'.repeat(101) })).code).toBe('invalid_request')
    for (const key of ['', 'two words', 'a/b', 'ä'])
      expect((await refused('save', { ...save, key })).code).toBe('invalid_request')
    const tags = (count: number, length = 1) =>
      Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, 't'))
    await notes('save', { ...save, key: 'tags', tags: tags(10, 50) })
    expect(await refused('save', { ...save, key: 'tags', tags: tags(11) })).toMatchObject({
      details: { field: 'tags' },
    })
    expect(await refused('save', { ...save, key: 'tags', tags: tags(1, 51) })).toMatchObject({
      details: { field: 'tags' },
    })
    await notes('save', { key: 'large', value: 'x'.repeat(100 * 1024) })
    expect(await refused('save', { key: 'large', value: 'x'.repeat(100 * 1024 + 1) })).toMatchObject({
      details: { field: 'value' },
    })
    for (let index = 0; index < 9; index++)
      await notes('save', { key: `large-${index}`, value: 'x'.repeat(100 * 1024) })
    const refusal = await refused('save', { key: 'one-more', value: 'x'.repeat(100 * 1024) })
    expect(refusal).toMatchObject({ code: 'invalid_request', details: { field: 'value' } })
    expect(refusal.text).toContain('What to do:')
  })

  it('T222: keep 50 versions', async () => {
    for (let version = 1; version <= 51; version++) await notes('save', { key: 'style', value: `${version}` })
    expect(await notes('history', { key: 'style' })).toMatchObject({ total: 50 })
    expect((await refused('get', { key: 'style', version: 1 })).code).toBe('not_found')
    expect(await notes('get', { key: 'style', version: 2 })).toMatchObject({ value: '2' })
  })

  it('T223, C84: list filters by tag and key, and pages', async () => {
    await notes('save', { key: 'style-guide', value: 'a', tags: ['team', 'words'] })
    await notes('save', { key: 'metrics', value: 'bb', tags: ['team'] })
    expect((await keys()).sort()).toEqual(['metrics', 'style-guide'])
    expect(await keys({ tag: 'words' })).toEqual(['style-guide'])
    expect(await keys({ keySearch: 'guide' })).toEqual(['style-guide'])
    const page = await notes('list', { limit: 1 })
    expect(page).toMatchObject({ total: 2, limit: 1, hasMore: true, nextOffset: 1, tags: ['team', 'words'] })
    expect(await notes('list')).toMatchObject({
      limit: 50,
      offset: 0,
      notes: expect.arrayContaining([expect.objectContaining({ key: 'metrics', size: 2 })]),
    })
    await notes('list', { limit: 100 })
    for (const bad of [{ limit: 0 }, { limit: 101 }, { offset: -1 }])
      expect((await refused('list', bad)).code).toBe('invalid_request')
  })

  it('stats tell how much room is left', async () => {
    await notes('save', { key: 'style', value: 'x'.repeat(1024) })
    expect(await notes('stats')).toEqual({
      totalNotes: 1,
      totalVersions: 1,
      totalSize: 1024,
      storageLimit: 1024 * 1024,
      storageUsedPercent: 0.1,
      maxNoteSize: 100 * 1024,
      maxVersions: 50,
    })
  })

  it('need the fields of their action, and take no other', async () => {
    for (const action of ['get', 'save', 'delete', 'history'])
      expect((await refused(action)).text).toContain('key is required')
    expect((await refused('save', { key: 'a' })).text).toContain('value is required')
    expect(await refused('list', { key: 'a' })).toMatchObject({
      details: { belongsTo: ['get', 'save', 'delete', 'history'] },
    })
  })
})
