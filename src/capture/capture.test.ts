import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadCheckpoint } from '../store/index.ts'
import { append, type Desk, dumpArchive, LONG_AGO, lines, type Note, openDesk } from './capture.testing.ts'
import { nodeFileSystem } from './file-system.ts'

let desk: Desk

beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

const note = (text: string, more: Note = {}): Note => ({ text, ...more })

const checkpoint = (path: string) => loadCheckpoint(desk.engine, 1, 'notes', path)

describe('what cannot be read', () => {
  test('a line that is no JSON, or no object, is an unknown event and a problem with its place; reading goes on (faults 29, 43)', async () => {
    const path = desk.put(
      'a.jsonl',
      `${lines({ session: 's', text: 'one' })}{broken\n[1]\nnull\n\n${lines({ session: 's', text: 'two' })}`,
    )
    const report = await desk.capture()
    expect(report).toMatchObject({ records: 5, events: 5 })
    expect(report.skipped).toMatchObject([
      { reason: 'not-json', path, line: 2, count: 1 },
      { reason: 'not-object', path, line: 3, count: 2 },
    ])
    const rows = await desk.engine.all('SELECT type, payload, record_index, session_pk FROM event ORDER BY pk')
    expect(rows.slice(1, 4)).toMatchObject([
      { type: 8, payload: '"{broken"', record_index: 1, session_pk: 1 },
      { type: 8, payload: '"[1]"', record_index: 2, session_pk: 1 },
      { type: 8, payload: '"null"', record_index: 3, session_pk: 1 },
    ])
    const problems = await desk.engine.all('SELECT record_index, reason FROM problem ORDER BY record_index')
    expect(problems).toEqual([
      { record_index: 1, reason: 'not-json' },
      { record_index: 2, reason: 'not-object' },
      { record_index: 3, reason: 'not-object' },
    ])
  })

  test('a bad line before any good one lies in the session the harness says', async () => {
    desk.put('abc.jsonl', `nonsense\n${lines(note('one'))}`)
    expect(await desk.capture()).toMatchObject({ sessions: 1, events: 2 })
    expect(await desk.engine.all('SELECT native_id FROM session')).toEqual([{ native_id: 'abc' }])
  })

  test('what is kept of a bad line is cleaned, redacted and short', async () => {
    const secret = `ghp_${'Ab3dE5fG7hI9'.repeat(3)}`
    desk.put('a.jsonl', `x \0 ${secret} ${'y '.repeat(3000)}\n`)
    await desk.capture()
    const [row] = await desk.engine.all<{ payload: string }>('SELECT payload FROM event')
    expect(row?.payload).toContain('[REDACTED:github-token]')
    expect(row?.payload).not.toContain(secret)
    expect(JSON.parse(row?.payload ?? '').length).toBeLessThan(2100)
  })

  test('a record that makes the harness throw is an unknown event and a problem; reading goes on', async () => {
    const path = desk.put('a.jsonl', lines(note('one'), { boom: true }, note('two')))
    const report = await desk.capture()
    expect(report).toMatchObject({ records: 3, events: 3 })
    expect(report.skipped).toEqual([{ reason: 'harness-error', path, line: 2, count: 1, detail: 'boom' }])
  })

  test('a value nested too deeply to be written again harms nobody else', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000)
    desk.put('a.jsonl', `${lines(note('one'))}{"text":"deep","payload":${deep}}\n${lines(note('two'))}`)
    const report = await desk.capture()
    expect(report).toMatchObject({ records: 3, events: 3 })
    expect(report.skipped).toMatchObject([{ reason: 'harness-error', line: 2 }])
  })

  test('a file without read permission is reported as that, at every look, and noted once (fault 64)', async () => {
    const path = desk.put('a.jsonl', lines(note('one')))
    desk.put('b.jsonl', lines(note('two')))
    const fileSystem = {
      ...nodeFileSystem,
      open: (name: string) => {
        if (name === path) throw Object.assign(new Error('no'), { code: 'EACCES' })
        return nodeFileSystem.open(name)
      },
    }
    for (const records of [1, 0]) {
      const report = await desk.capture({ fileSystem })
      expect(report).toMatchObject({ files: 2, records })
      expect(report.skipped).toMatchObject([{ reason: 'permission', path, count: 1 }])
    }
    expect(await checkpoint(path)).toMatchObject({ status: 'unreadable', statusReason: 'permission' })
    expect(await desk.capture()).toMatchObject({ events: 1, skipped: [] })
    expect(await checkpoint(path)).toMatchObject({ status: 'active', statusReason: null })
  })

  test('files below a folder that may not be looked into are not taken for gone', async () => {
    const path = desk.put('p/a.jsonl', lines(note('one')))
    await desk.capture()
    const fileSystem = {
      ...nodeFileSystem,
      readDirectory(name: string) {
        if (name.endsWith('p')) throw Object.assign(new Error('no'), { code: 'EPERM' })
        return nodeFileSystem.readDirectory(name)
      },
    }
    const report = await desk.capture({ fileSystem })
    expect(report.skipped).toMatchObject([{ reason: 'permission', path: path.slice(0, -'/a.jsonl'.length) }])
    expect((await checkpoint(path))?.status).toBe('active')
  })
})

describe('times', () => {
  const times = async () => {
    const rows = await desk.engine.all<{ at: number }>('SELECT at FROM event ORDER BY record_index')
    return rows.map(({ at }) => at)
  }

  test('a record without one takes the last one known, before the first the first, else the time of the file', async () => {
    desk.put('a.jsonl', lines(note('a'), note('b', { at: 5_000 }), note('c'), note('d', { at: 6_000.75 }), note('e')))
    await desk.capture()
    expect(await times()).toEqual([5_000, 5_000, 5_000, 6_000, 6_000])
  })

  test('the last one known is known at the next look too', async () => {
    const path = desk.put('a.jsonl', lines(note('a', { at: 5_000 })))
    await desk.capture()
    append(path, lines(note('b')))
    await desk.capture()
    expect(await times()).toEqual([5_000, 5_000])
  })

  test('a file that knows none gives its own', async () => {
    desk.put('a.jsonl', lines(note('a')))
    await desk.capture()
    expect(await times()).toEqual([LONG_AGO])
  })

  test('C71: one that no date can hold is replaced and counted (fault 32)', async () => {
    const path = desk.put(
      'a.jsonl',
      `${lines(note('a', { at: 5_000 }))}{"text":"b","at":8640000000000001}\n{"text":"c","at":1e999}\n`,
    )
    const report = await desk.capture()
    expect(await times()).toEqual([5_000, 5_000, 5_000])
    expect(report.skipped).toMatchObject([{ reason: 'bad-time', path, line: 2, count: 2 }])
  })
})

describe('bytes', () => {
  test('a byte order mark hides no record (fault 34)', async () => {
    desk.put('a.jsonl', `\ufeff${lines(note('one'))}`)
    expect(await desk.capture()).toMatchObject({ events: 1, skipped: [] })
  })

  test('a lone surrogate and a damaged escape are stored as U+FFFD (faults 37, 38)', async () => {
    desk.put('a.jsonl', '{"text":"a \\ud83d b","payload":"\\uD83Eade9"}\n')
    await desk.capture()
    expect(await desk.engine.all('SELECT text, payload FROM event')).toEqual([
      { text: 'a \ufffd b', payload: '"\ufffdade9"' },
    ])
  })

  test('odd names are opened as they are (fault 65)', async () => {
    desk.put('a b/what?x=1#50%.jsonl', lines(note('one')))
    expect(await desk.capture()).toMatchObject({ events: 1 })
  })
})

describe('a sidecar', () => {
  const title = async () => (await desk.engine.get<{ title: string }>('SELECT title FROM session'))?.title

  test('is read with its transcript, and anew when it alone changes', async () => {
    desk.put('a.jsonl', lines(note('one')))
    desk.put('a.title.json', '{"title":"First"}')
    await desk.capture()
    expect(await title()).toBe('First')
    desk.put('a.title.json', '{"title":"Second one"}')
    expect(await desk.capture()).toMatchObject({ records: 0, unchanged: 0 })
    expect(await title()).toBe('Second one')
    expect(await desk.capture()).toMatchObject({ unchanged: 1 })
  })

  test('that is broken is a problem, and the transcript is read', async () => {
    const path = desk.put('a.jsonl', lines(note('one')))
    desk.put('a.title.json', '{"title":')
    const report = await desk.capture()
    expect(report).toMatchObject({ events: 1, skipped: [{ reason: 'not-json', path, count: 1 }] })
    expect(report.skipped[0]?.line).toBeUndefined()
  })
})

describe('folders left out', () => {
  const content = lines(note('one'), note('two', { cwd: '/secret/x' }), note('three'))

  test('have no session in the archive until they are let in', async () => {
    desk.put('a.jsonl', content)
    desk.put('b.jsonl', lines(note('kept', { cwd: '/secretary' })))
    await desk.capture({ exclude: ['/secret'] })
    expect(await desk.texts()).toEqual(['kept'])
    expect(await desk.engine.all('SELECT pk FROM session')).toHaveLength(1)
    expect(await desk.capture({ exclude: ['/secret'] })).toMatchObject({ unchanged: 2 })
    expect(await desk.capture()).toMatchObject({ records: 3, events: 3 })
    expect(await desk.texts()).toEqual(['kept', 'one', 'two', 'three'])
  })
})

describe('a long pass', () => {
  test('is written in batches, stops between two when asked, and goes on from there', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => note(`number ${index}`))
    desk.put('a.jsonl', lines(...many))
    const controller = new AbortController()
    const stopped = await desk.capture({ signal: controller.signal, onProgress: () => controller.abort() })
    expect(stopped).toMatchObject({ records: 2000, events: 2000, finished: false })
    expect(await desk.capture()).toMatchObject({ records: 3000, events: 3000, finished: true, unchanged: 0 })
    expect(await dumpArchive(desk.engine)).toEqual(await desk.coldRead())
  })

  test('tells how far it is', async () => {
    desk.put('a.jsonl', lines(note('one')))
    desk.put('b.jsonl', lines(note('two'), note('three')))
    const seen: unknown[] = []
    await desk.capture({ onProgress: (progress) => seen.push({ ...progress }) })
    expect(seen.at(-1)).toEqual({ filesTotal: 2, filesDone: 2, bytesTotal: 47, bytesDone: 47, events: 3 })
  })

  test('reads the oldest file first, so that row numbers follow time', async () => {
    desk.put('a.jsonl', lines(note('newer')), LONG_AGO + 5_000)
    desk.put('b.jsonl', lines(note('older')), LONG_AGO)
    await desk.capture()
    expect(await desk.texts()).toEqual(['older', 'newer'])
  })

  test('counts secrets by rule', async () => {
    desk.put('a.jsonl', lines(note(`ghp_${'Ab3dE5fG7hI9'.repeat(3)}`)))
    expect((await desk.capture()).redactions).toEqual({ 'github-token': 1 })
    expect((await desk.capture()).redactions).toEqual({})
  })

  test('reads only the paths it is given', async () => {
    const path = desk.put('a.jsonl', lines(note('one')))
    desk.put('b.jsonl', lines(note('two')))
    expect(await desk.capture({ paths: [path] })).toMatchObject({ files: 1, events: 1 })
    expect(await desk.texts()).toEqual(['one'])
  })
})
