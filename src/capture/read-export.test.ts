/** Exports from web pages: named by a person, streamed, all of it or nothing. */

import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadCheckpoint } from '../store/index.ts'
import { type Desk, LONG_AGO, type Note, notebook, openDesk } from './capture.testing.ts'
import { documentNotes, exportedNotes } from './formats.testing.ts'
import { readJsonList } from './json-list.ts'
import { type Member, zipOf } from './zip.testing.ts'

let desk: Desk
let path: string
let writes = 0
beforeEach(async () => {
  desk = await openDesk()
  path = join(desk.home, 'download.zip')
})
afterEach(() => desk.close())

function put(content: string | Buffer, name = 'download.zip'): string {
  const full = join(desk.home, name)
  writeFileSync(full, content)
  const at = LONG_AGO / 1000 + 60 * ++writes
  utimesSync(full, at, at)
  return full
}

const exported = (...notes: Note[]): string => JSON.stringify({ user: 'me', all: notes, made: 1 })
const note = (id: string, text = `note ${id}`): Note => ({ session: `s${id}`, id, text, at: LONG_AGO })
const member = (name: string, ...notes: Note[]): Member => ({ name, content: exported(...notes) })
const capture = (...paths: string[]) =>
  desk.capture({ harnesses: [notebook, documentNotes, exportedNotes], paths: paths.length > 0 ? paths : [path] })

describe('an export', () => {
  test('in a zip is read member by member in the order of their names, whatever else lies in it', async () => {
    put(
      zipOf(
        member('data/notes-001.json', note('3')),
        { name: 'picture.png', content: 'not looked at' },
        member('data/notes-000.json', note('1'), note('2')),
        { name: 'other.json', content: 'nor is this' },
      ),
    )
    expect(await capture()).toMatchObject({ files: 1, records: 3, events: 3, sessions: 3, skipped: [] })
    expect(await desk.texts()).toEqual(['note 1', 'note 2', 'note 3'])
    const stored = await loadCheckpoint(desk.engine, 1, 'exports', path)
    expect(stored).toMatchObject({ harness: 'exports', status: 'active', records: 3 })
  })

  test('as one JSON file is read too, a byte order mark or none', async () => {
    const file = put(`\ufeff${exported(note('1'), note('2'))}`, 'download.json')
    expect(await capture(file)).toMatchObject({ files: 1, records: 2, events: 2, skipped: [] })
  })

  test('named again unchanged is not read again', async () => {
    put(zipOf(member('notes.json', note('1'))))
    await capture()
    expect(await capture()).toMatchObject({ files: 1, unchanged: 1, records: 0 })
  })

  test('downloaded anew brings what is new, replaces what changed and repeats the rest', async () => {
    put(zipOf(member('notes.json', note('1'), note('2'))))
    await capture()
    const later = put(zipOf(member('notes.json', note('3'), note('1'), note('2', 'edited'))), 'later.zip')
    expect(await capture(later)).toMatchObject({ records: 3, events: 1, changed: 1, sessions: 1 })
    expect((await desk.texts()).sort()).toEqual(['edited', 'note 1', 'note 3'])
  })

  test('nobody recognises is said; one of another maker is not taken', async () => {
    put(zipOf({ name: 'notes.json', content: JSON.stringify({ all: [{ other: 1 }] }) }))
    expect(await capture()).toMatchObject({ files: 0, records: 0, skipped: [{ reason: 'unrecognized', path }] })
    put(zipOf({ name: 'photo.png', content: 'x' }))
    expect((await capture()).skipped).toMatchObject([{ reason: 'unrecognized' }])
    put('{"type": "unknown"}')
    expect((await capture()).skipped).toMatchObject([{ reason: 'unrecognized' }])
  })

  test('in a folder that is looked through is left alone: it is read only when it is named', async () => {
    put(zipOf(member('notes.json', note('1'))))
    expect(await capture(desk.home)).toMatchObject({ files: 0, records: 0 })
  })
})

describe('all or nothing', () => {
  const many = Array.from({ length: 3000 }, (_, n) => note(`${n}`))

  const isRefused = async (reason: string, detail: RegExp): Promise<void> => {
    const report = await capture()
    expect(report).toMatchObject({ records: 0, events: 0 })
    expect(report.skipped).toMatchObject([{ reason, path, detail: expect.stringMatching(detail) }])
    expect(await desk.texts()).toEqual([])
  }

  test('a list that breaks off far behind changes nothing, and says in which member and where', async () => {
    put(zipOf(member('a/notes.json', note('x')), { name: 'b/notes.json', content: exported(...many).slice(0, -20) }))
    await isRefused('not-json', /^b\/notes\.json: .*ended/)
    put(zipOf(member('a/notes.json', note('x')), { name: 'b/notes.json', content: `${exported(...many)}x` }))
    await isRefused('not-json', /^b\/notes\.json: /)
  })

  test('a member with another checksum, or cut short, changes nothing', async () => {
    put(zipOf({ ...member('notes.json', ...many), claim: { crc: 1 } }))
    await isRefused('damaged', /notes\.json.*checksum/)
    const whole = zipOf(member('notes.json', ...many))
    put(whole.subarray(0, whole.length - 100))
    await isRefused('damaged', /./)
    put(Buffer.concat([whole.subarray(0, 200), Buffer.alloc(400), whole.subarray(600)]))
    await isRefused('damaged', /./)
  })

  test('stopped while it is stored and named again, nothing is lost or doubled', async () => {
    put(zipOf(member('notes.json', ...many)))
    const stop = new AbortController()
    await desk.capture({
      harnesses: [exportedNotes],
      paths: [path],
      signal: stop.signal,
      onProgress: ({ events }) => events > 0 && stop.abort(),
    })
    const before = (await desk.texts()).length
    expect(before).toBeGreaterThan(0)
    expect(before).toBeLessThan(3000)
    expect(await capture()).toMatchObject({ records: 3000, events: 3000 - before, changed: 0 })
    expect(new Set(await desk.texts()).size).toBe(3000)
  })
})

test('one conversation is held at a time, however long the list is (fault 49)', async () => {
  let given = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('[')
    for (; given < 1000; given++) yield Buffer.from(`${given > 0 ? ',' : ''}{"text": "${'x'.repeat(10_000)}"}`)
    yield Buffer.from(']')
  }
  let taken = 0
  for await (const item of readJsonList(chunks(), [])) {
    expect(item).toMatchObject({ text: expect.any(String) })
    taken++
    expect(given - taken).toBeLessThan(2)
  }
  expect(taken).toBe(1000)
})

describe('a hostile zip', () => {
  test('with names that lead out of it is refused, and nothing is written anywhere', async () => {
    put(zipOf(member('../../notes.json', note('1'))))
    expect((await capture()).skipped).toMatchObject([{ reason: 'damaged', path }])
    expect(readdirSync(desk.home)).toEqual(['download.zip'])
    expect(existsSync(join(desk.home, '..', 'notes.json'))).toBe(false)
    expect(existsSync(join(desk.home, '..', '..', 'notes.json'))).toBe(false)
  })

  test('that would burst is refused before it is unpacked', async () => {
    const claim = { size: 3 * 1024 ** 3 }
    put(zipOf({ name: 'notes.json', content: ' '.repeat(1000), claim }))
    expect((await capture()).skipped).toMatchObject([{ reason: 'too-large', path }])
  })

  test('that holds more than it says is refused', async () => {
    put(zipOf({ ...member('notes.json', note('1'), note('2')), claim: { size: 10 } }))
    expect((await capture()).skipped).toMatchObject([{ reason: 'damaged', path }])
    expect(await desk.texts()).toEqual([])
  })
})
