import { describe, expect, test } from 'vitest'
import { lines, notebook, openDesk } from './capture.testing.ts'
import { discover } from './discover.ts'
import { withExtraSources } from './extra-sources.ts'
import { documentNotes } from './formats.testing.ts'

describe('further sources', () => {
  test('are read with the harness they name, under their own name', async () => {
    const desk = await openDesk()
    desk.put('../team/deep/a.jsonl', lines({ text: 'from the team' }))
    desk.put('b.jsonl', lines({ text: 'own' }))
    const harnesses = withExtraSources([notebook], [{ name: 'team', harness: 'notebook', path: `${desk.home}/team` }])
    expect(await desk.capture({ harnesses })).toMatchObject({ files: 2, events: 2 })
    expect(await desk.engine.all('SELECT source, native_id FROM session ORDER BY source')).toEqual([
      { source: 'notes', native_id: 'b' },
      { source: 'team', native_id: 'a' },
    ])
    await desk.close()
  })

  test('of a harness that writes no lines take what lies as in its own sources, however deep', async () => {
    const desk = await openDesk()
    const note = JSON.stringify({ notes: [{ text: 'from the team' }] })
    desk.put('../team/kim/old/books/a.json', note)
    desk.put('../team/readme.md', '# no note')
    desk.put('../team/b.jsonl', lines({ text: 'a line of somebody' }))
    const inBooks = { ...documentNotes, sources: documentNotes.sources.map((source) => ({ ...source, matches })) }
    function matches(path: string): boolean {
      return /^books\/[^/]+\.json$/.test(path)
    }
    const harnesses = withExtraSources([inBooks], [{ name: 'team', harness: 'documents', path: `${desk.home}/team` }])
    expect(await desk.capture({ harnesses })).toMatchObject({ files: 1, events: 1, skipped: [] })
    const [found] = discover(harnesses, { home: desk.home, env: {}, platform: process.platform }).files
    expect(found?.file).toMatchObject({ source: 'team', relative: 'books/a.json' })
    await desk.close()
  })

  test('of no known harness, or with a name that is taken, are refused', () => {
    const path = '/x'
    expect(() => withExtraSources([notebook], [{ name: 'team', harness: 'nobody', path }])).toThrow(/known harness/)
    expect(() => withExtraSources([notebook], [{ name: 'notes', harness: 'notebook', path }])).toThrow(/two sources/)
    const twice = { name: 'team', harness: 'notebook', path }
    expect(() => withExtraSources([notebook], [twice, twice])).toThrow(/two sources/)
  })
})
