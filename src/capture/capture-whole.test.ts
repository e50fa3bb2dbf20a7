/** Documents and bundles: files that their programs write anew as a whole. */

import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadCheckpoint } from '../store/index.ts'
import { type Desk, dumpArchive, LONG_AGO, NOW, type Note, openDesk } from './capture.testing.ts'
import { bundleNotes, documentNotes } from './formats.testing.ts'

let desk: Desk
let writes = 0
beforeEach(async () => {
  desk = await openDesk()
  writes = 0
})
afterEach(() => desk.close())

const harnesses = [documentNotes, bundleNotes]
const capture = () => desk.capture({ harnesses })

/** Writes a file as a program does: each time a minute later. */
function put(path: string, content: string | Uint8Array): string {
  const full = join(desk.home, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, content)
  const at = LONG_AGO / 1000 + 60 * ++writes
  utimesSync(full, at, at)
  return full
}

const document = (...notes: Note[]): string => JSON.stringify({ notes })
const prompt = (n: number): Note => ({ id: `p${n}`, text: `prompt ${n}`, at: LONG_AGO + n * 10 })
const answer = (n: number, text = `answer ${n}`): Note => ({
  id: `a${n}`,
  type: 'assistant_response',
  text,
  at: LONG_AGO + n * 10 + 1,
  ends: true,
})

async function coldRead(): Promise<Record<string, string[]>> {
  const cold = await openDesk()
  try {
    await cold.capture({ harnesses, host: { home: desk.home, env: {}, platform: process.platform } })
    return await dumpArchive(cold.engine, ['source_path', 'generation'])
  } finally {
    await cold.close()
  }
}

describe('a document', () => {
  test('that grows keeps ids, turns and places, and is in the end what a cold read gives', async () => {
    put('documents/a.json', document(prompt(1)))
    expect(await capture()).toMatchObject({ files: 1, records: 1, events: 1, sessions: 1 })
    put('documents/a.json', document(prompt(1), answer(1, 'half an ans')))
    expect(await capture()).toMatchObject({ records: 2, events: 1, changed: 0 })
    put('documents/a.json', document(prompt(1), answer(1), prompt(2), answer(2)))
    expect(await capture()).toMatchObject({ records: 4, events: 2, changed: 1 })
    put('documents/a.json', document(prompt(1), answer(1), prompt(2), answer(2), prompt(3)))
    await capture()
    const turns = await desk.engine.all('SELECT COUNT(*) AS events FROM event GROUP BY turn_pk ORDER BY turn_pk')
    expect(turns).toEqual([{ events: 2 }, { events: 2 }, { events: 1 }])
    expect(await dumpArchive(desk.engine, ['source_path', 'generation'])).toEqual(await coldRead())
  })

  test('that lost records and gained one in its middle loses nothing, and the new one joins the turn it stands in', async () => {
    put('documents/a.json', document(prompt(1), answer(1), prompt(2), answer(2)))
    await capture()
    put(
      'documents/a.json',
      document(prompt(1), { id: 'late', type: 'reasoning', text: 'late', at: LONG_AGO + 12 }, prompt(2)),
    )
    expect(await capture()).toMatchObject({ records: 3, events: 1, changed: 0 })
    const inTurn = await desk.engine.all(
      'SELECT text FROM event WHERE turn_pk = (SELECT MIN(turn_pk) FROM event) ORDER BY pk',
    )
    expect(inTurn).toEqual([{ text: 'prompt 1' }, { text: 'answer 1' }, { text: 'late' }])
    expect(await desk.texts()).toHaveLength(5)
  })

  test('half written is said, keeps what was stored, and is read when it is whole (faults 43, 53)', async () => {
    const path = put('documents/a.json', document(prompt(1)))
    await capture()
    put('documents/a.json', document(prompt(1), answer(1)).slice(0, -9))
    const report = await capture()
    expect(report.skipped).toMatchObject([{ reason: 'not-json', path, count: 1 }])
    expect(await desk.texts()).toEqual(['prompt 1'])
    expect(await loadCheckpoint(desk.engine, 1, 'documents', path)).toMatchObject({
      status: 'unreadable',
      statusReason: 'not-json',
    })
    expect((await capture()).unchanged).toBe(1)
    put('documents/a.json', document(prompt(1), answer(1)))
    expect(await capture()).toMatchObject({ events: 1, changed: 0, skipped: [] })
    expect(await loadCheckpoint(desk.engine, 1, 'documents', path)).toMatchObject({ status: 'active' })
  })

  test('written within the clock grain of its last look is looked at again (fault 56)', async () => {
    const fresh = (content: string): void => {
      const path = put('documents/a.json', content)
      utimesSync(path, NOW / 1000, NOW / 1000)
    }
    fresh(document({ text: 'one' }))
    await capture()
    fresh(document({ text: 'two' }))
    expect(await capture()).toMatchObject({ unchanged: 0, events: 1 })
  })

  test('that was only touched is not stored anew', async () => {
    put('documents/a.json', document(prompt(1), answer(1)))
    await capture()
    put('documents/a.json', document(prompt(1), answer(1)))
    expect(await capture()).toMatchObject({ unchanged: 0, records: 0, events: 0 })
    expect(await capture()).toMatchObject({ unchanged: 1 })
  })

  test('with a byte order mark is read; an odd record costs itself alone (faults 29, 34, 43)', async () => {
    put(
      'documents/a.json',
      `\ufeff${JSON.stringify({ notes: [prompt(1), 7, null, 'text', answer(1), { boom: true }] })}`,
    )
    const report = await capture()
    expect(report).toMatchObject({ records: 6, events: 6 })
    expect(report.skipped.map(({ reason, count, line }) => [reason, count, line])).toEqual([
      ['not-object', 3, 2],
      ['harness-error', 1, 6],
    ])
    const unknown = await desk.engine.all('SELECT record_index FROM event WHERE type = 8 ORDER BY pk')
    expect(unknown).toEqual([1, 2, 3, 5].map((record_index) => ({ record_index })))
  })

  test('a record nested beyond all measure costs itself alone', async () => {
    const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`
    put('documents/a.json', `{"notes": [{"text": "one"}, {"text": "odd", "payload": ${deep}}, {"text": "two"}]}`)
    const report = await capture()
    expect(report).toMatchObject({ records: 3, events: 3, skipped: [{ reason: 'harness-error', count: 1 }] })
    expect(await desk.texts()).toEqual(['one', '', 'two'])
  })

  test('too large to be held is said and not read', async () => {
    const path = put('documents/a.json', document(prompt(1)))
    // A file with a hole takes no room on disk.
    truncateSync(path, 513 * 1024 * 1024)
    utimesSync(path, LONG_AGO / 1000, LONG_AGO / 1000)
    const report = await capture()
    expect(report.skipped).toMatchObject([{ reason: 'too-large', path }])
    expect((await capture()).unchanged).toBe(1)
  })

  test('a harness that throws over documents loses them alone, and no other file', async () => {
    const broken = {
      ...documentNotes,
      layouts: documentNotes.layouts.map((layout) => ({
        ...layout,
        format: {
          kind: 'document' as const,
          records: (): never => {
            throw new Error('bug')
          },
        },
      })),
    }
    for (const name of ['a', 'b', 'c', 'd']) put(`documents/${name}.json`, document(prompt(1)))
    put('bundles/z/head.json', '{}')
    put('bundles/z/notes/1.json', JSON.stringify(prompt(9)))
    const report = await desk.capture({ harnesses: [broken, bundleNotes] })
    expect(report.skipped.map(({ reason }) => reason)).toEqual(Array(4).fill('harness-error'))
    expect(await desk.texts()).toEqual(['prompt 9'])
  })

  test('of many records goes in several batches; stopped between two, it is read again and nothing is doubled', async () => {
    const notes = Array.from({ length: 4500 }, (_, n) => ({ id: `n${n}`, text: `note ${n}`, at: LONG_AGO + n }))
    const path = put('documents/a.json', document(...notes))
    const stop = new AbortController()
    await desk.capture({ harnesses, signal: stop.signal, onProgress: ({ events }) => events > 0 && stop.abort() })
    expect(await loadCheckpoint(desk.engine, 1, 'documents', path)).toMatchObject({ readTo: 0, status: 'active' })
    const before = (await desk.texts()).length
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(4500)
    expect(await capture()).toMatchObject({ records: 4500, events: 4500 - before, changed: 0 })
    expect(await dumpArchive(desk.engine, ['source_path', 'generation'])).toEqual(await coldRead())
  })
})

describe('a bundle', () => {
  test('is one transcript of many files, read anew when any of them is new or different', async () => {
    put('bundles/s/head.json', '{}')
    put('bundles/s/notes/1.json', JSON.stringify({ session: 's', ...prompt(1) }))
    expect(await capture()).toMatchObject({ files: 1, records: 1, events: 1 })
    expect(await capture()).toMatchObject({ files: 1, unchanged: 1 })
    put('bundles/s/notes/2.json', JSON.stringify({ session: 's', ...answer(1, 'half') }))
    expect(await capture()).toMatchObject({ unchanged: 0, events: 1 })
    put('bundles/s/notes/2.json', JSON.stringify({ session: 's', ...answer(1) }))
    expect(await capture()).toMatchObject({ unchanged: 0, events: 0, changed: 1 })
    expect(await capture()).toMatchObject({ unchanged: 1 })
    expect(await desk.texts()).toEqual(['prompt 1', 'answer 1'])
  })

  test('a part that is no JSON is one unknown event, a part that went away takes nothing with it', async () => {
    put('bundles/s/head.json', '{}')
    put('bundles/s/notes/1.json', JSON.stringify({ session: 's', ...prompt(1) }))
    put('bundles/s/notes/2.json', '{"half')
    const report = await capture()
    expect(report).toMatchObject({ records: 2, events: 2 })
    expect(report.skipped.map(({ reason }) => reason)).toEqual(['not-object'])
    rmSync(join(desk.home, 'bundles/s/notes/1.json'))
    put('bundles/s/notes/2.json', JSON.stringify({ session: 's', ...answer(1) }))
    expect(await capture()).toMatchObject({ events: 1 })
    expect(await desk.texts()).toContain('prompt 1')
  })
})
