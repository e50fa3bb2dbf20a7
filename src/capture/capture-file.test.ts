import { renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadCheckpoints } from '../store/index.ts'
import { append, type Desk, dumpArchive, LONG_AGO, lines, NOW, type Note, openDesk } from './capture.testing.ts'
import { nodeFileSystem } from './file-system.ts'

let now = NOW
let desk: Desk

beforeEach(async () => {
  now = NOW
  desk = await openDesk(() => now)
})
afterEach(() => desk.close())

const note = (text: string, more: Note = {}): Note => ({ text, ...more })

async function checkpoint(path: string) {
  return (await loadCheckpoints(desk.engine, 1, 'notes')).get(path)
}

describe('a file that grows', () => {
  test('is read on from where it was left, with the state it had', async () => {
    const path = desk.put('a.jsonl', lines(note('one', { at: 5_000 }), note('two')))
    expect(await desk.capture()).toMatchObject({ files: 1, records: 2, events: 2, sessions: 1, unchanged: 0 })
    append(path, lines(note('three')))
    expect(await desk.capture()).toMatchObject({ files: 1, records: 1, events: 1, sessions: 0, bytes: 17 })
    expect(await desk.texts()).toEqual(['one', 'two', 'three'])
    const payloads = await desk.engine.all<{ payload: string }>('SELECT payload FROM event ORDER BY pk')
    expect(payloads.map(({ payload }) => payload)).toEqual(['{"seen":1}', '{"seen":2}', '{"seen":3}'])
    expect(await dumpArchive(desk.engine)).toEqual(await desk.coldRead())
  })

  test('with nothing new is not opened and nothing is written', async () => {
    desk.put('a.jsonl', lines(note('one')))
    await desk.capture()
    const before = await desk.engine.all('SELECT * FROM source_file')
    now += 10_000
    const open = () => {
      throw new Error('must not be opened')
    }
    const fileSystem = { ...nodeFileSystem, open }
    expect(await desk.capture({ fileSystem })).toMatchObject({
      files: 1,
      unchanged: 1,
      records: 0,
      events: 0,
      bytes: 0,
    })
    expect(await desk.engine.all('SELECT * FROM source_file')).toEqual(before)
  })

  test('in halves gives what reading it at once gives, wherever it is cut', async () => {
    const text = lines(
      { session: 's', at: 1_000, text: 'first', cwd: '/w' },
      { session: 's', type: 'tool_call', text: 'ls', run: { name: 'Bash', input: { command: 'ls' } } },
      { session: 's', type: 'assistant_response', text: 'dönè 😀', ends: true, title: 'A title' },
      { session: 's', text: 'second', at: 2_000 },
    )
    const bytes = Buffer.from(text)
    desk.put('a.jsonl', text)
    const expected = await desk.coldRead()
    for (let cut = 0; cut <= bytes.length; cut += 7) {
      await desk.close()
      desk = await openDesk(() => now)
      const path = desk.put('a.jsonl', bytes.subarray(0, cut))
      await desk.capture()
      writeFileSync(path, bytes)
      utimesSync(path, LONG_AGO / 1000, LONG_AGO / 1000 + 9)
      await desk.capture()
      expect(await dumpArchive(desk.engine, ['path', 'generation']), `cut at ${cut}`).toEqual(
        JSON.parse(JSON.stringify(expected), (_key, value: unknown) =>
          typeof value === 'string' ? withoutColumns(value, ['path', 'generation']) : value,
        ),
      )
    }
  })
})

function withoutColumns(row: string, columns: string[]): string {
  const cells = JSON.parse(row) as Record<string, string>
  for (const column of columns) delete cells[column]
  return JSON.stringify(cells)
}

describe('the last line without a line feed', () => {
  test('waits while it is half a record (fault 52)', async () => {
    const path = desk.put('a.jsonl', `${lines(note('one'))}{"text":"tw`)
    const report = await desk.capture()
    expect(report).toMatchObject({ records: 1, events: 1 })
    expect(report.skipped).toEqual([{ reason: 'incomplete-last-line', path, line: 2, count: 1 }])
    append(path, 'o"}\n')
    expect(await desk.capture()).toMatchObject({ records: 1, events: 1, skipped: [] })
    expect(await desk.texts()).toEqual(['one', 'two'])
  })

  test('is read when it is a whole record (fault 52)', async () => {
    const path = desk.put('a.jsonl', `${lines(note('one', { at: 5_000 }))}{"text":"two"}`)
    expect(await desk.capture()).toMatchObject({ records: 2, events: 2 })
    expect(await desk.capture()).toMatchObject({ records: 0, unchanged: 1 })
    append(path, `\n${lines(note('three'))}`)
    expect(await desk.capture()).toMatchObject({ events: 1, changed: 0 })
    expect(await desk.texts()).toEqual(['one', 'two', 'three'])
    expect(await dumpArchive(desk.engine)).toEqual(await desk.coldRead())
  })

  test('is read once, also while the file is being written to (fault 53)', async () => {
    const path = desk.put('a.jsonl', '{"text":"one"}', NOW - 500)
    expect(await desk.capture()).toMatchObject({ records: 1, events: 1, skipped: [] })
    expect(await desk.capture()).toMatchObject({ records: 0, events: 0 })
    now += 5_000
    expect(await desk.capture()).toMatchObject({ records: 0, events: 0 })
    append(path, '\n{"text":"tw')
    expect(await desk.capture()).toMatchObject({ events: 0, changed: 0 })
    append(path, 'o"}')
    expect(await desk.capture()).toMatchObject({ events: 1, changed: 0 })
    expect(await desk.texts()).toEqual(['one', 'two'])
  })

  test('of a running reply is overwritten by what it becomes, never kept half-finished (fault 53)', async () => {
    const ask = lines(note('ask', { at: 5_000 }))
    const path = desk.put('a.jsonl', `${ask}{"id":"r","type":"assistant_response","text":"Let me"}`)
    await desk.capture()
    expect(await desk.texts()).toEqual(['ask', 'Let me'])
    writeFileSync(path, `${ask}{"id":"r","type":"assistant_response","text":"Let me see. Done.","ends":true}\n`)
    utimesSync(path, LONG_AGO / 1000 + 60, LONG_AGO / 1000 + 60)
    expect(await desk.capture()).toMatchObject({ events: 0, changed: 1 })
    expect(await desk.texts()).toEqual(['ask', 'Let me see. Done.'])
    expect(await dumpArchive(desk.engine, ['generation'])).toEqual(await desk.coldRead(['generation']))
  })

  test('that is a number is no whole record: it may grow', async () => {
    desk.put('a.jsonl', '12')
    expect(await desk.capture()).toMatchObject({ records: 0 })
  })

  test('over the limit waits too (fault 52)', async () => {
    const path = desk.put('a.jsonl', `${lines(note('one'))}{"text":"`)
    const size = 33 * 1024 * 1024
    append(path, 'x'.repeat(size))
    expect(await desk.capture()).toMatchObject({ records: 1 })
    append(path, `"}\n${lines(note('three'))}`)
    const report = await desk.capture()
    expect(report).toMatchObject({ records: 2, events: 1 })
    expect(report.skipped).toEqual([{ reason: 'line-too-long', path, line: 2, count: 1, detail: `${size + 12} bytes` }])
    expect(await desk.texts()).toEqual(['one', 'three'])
  })
})

describe('a file that is rewritten', () => {
  const first = lines(note('one', { id: '1' }), note('two', { id: '2' }))

  test('cut short and grown again is read from its start (fault 55)', async () => {
    const path = desk.put('a.jsonl', first)
    await desk.capture()
    truncateSync(path, 0)
    append(path, lines(note('new', { id: '3' })))
    await desk.capture()
    expect(await desk.texts()).toEqual(['one', 'two', 'new'])
  })

  test('cut short and grown past its old end is read from its start (fault 55)', async () => {
    const path = desk.put('a.jsonl', first)
    await desk.capture()
    writeFileSync(path, lines(note('else', { id: '3' }), note('and', { id: '4' }), note('more', { id: '5' })))
    await desk.capture()
    expect(await desk.texts()).toEqual(['one', 'two', 'else', 'and', 'more'])
  })

  test('replaced in place by one of equal size is read from its start (fault 55)', async () => {
    const path = desk.put('a.jsonl', first)
    await desk.capture()
    writeFileSync(path, first.replace('one', 'ONE'))
    utimesSync(path, LONG_AGO / 1000 + 5, LONG_AGO / 1000 + 5)
    expect(await desk.capture()).toMatchObject({ records: 2, events: 0, changed: 1 })
    expect(await desk.texts()).toEqual(['ONE', 'two'])
  })

  test('replaced by another file of equal look is read from its start (fault 55)', async () => {
    const path = desk.put('a.jsonl', first)
    await desk.capture()
    desk.put('b.tmp', first.replace('two', 'TWO'))
    renameSync(path.replace('a.jsonl', 'b.tmp'), path)
    expect(await desk.capture()).toMatchObject({ changed: 1 })
    expect(await desk.texts()).toEqual(['one', 'TWO'])
  })

  test('within one tick of the clock, same size and time, is noticed by its content (fault 56)', async () => {
    const path = desk.put('a.jsonl', first, NOW - 100)
    await desk.capture()
    writeFileSync(path, first.replace('two', 'TWO'))
    utimesSync(path, (NOW - 100) / 1000, (NOW - 100) / 1000)
    expect(await desk.capture()).toMatchObject({ records: 2, changed: 1 })
    expect(await desk.texts()).toEqual(['one', 'TWO'])
  })

  test('a fresh time of change is looked into once more, then trusted (fault 56)', async () => {
    desk.put('a.jsonl', first, NOW - 100)
    await desk.capture()
    now += 10_000
    expect(await desk.capture()).toMatchObject({ records: 0, unchanged: 0 })
    expect(await desk.capture()).toMatchObject({ records: 0, unchanged: 1 })
  })

  test('a large file changed before what was read last is noticed by its head', async () => {
    const many = Array.from({ length: 400 }, (_, index) => note(`number ${index}`, { id: `${index}` }))
    const path = desk.put('a.jsonl', lines(...many))
    await desk.capture()
    writeFileSync(path, lines(...many, note('more', { id: 'more' })).replace('number 0', 'NUMBER 0'))
    utimesSync(path, LONG_AGO / 1000 + 5, LONG_AGO / 1000 + 5)
    expect(await desk.capture()).toMatchObject({ records: 401, events: 1, changed: 1 })
  })
})

describe('a file that moves', () => {
  const content = lines({ session: 's', text: 'one' }, { session: 's', text: 'two' })

  test('keeps its events, and the old path is marked as gone (faults 59, 67)', async () => {
    const path = desk.put('a.jsonl', content)
    await desk.capture()
    renameSync(path, path.replace('a.jsonl', 'b.jsonl'))
    expect(await desk.capture()).toMatchObject({ records: 2, events: 0, sessions: 0 })
    expect((await checkpoint(path))?.status).toBe('gone')
    append(path.replace('a.jsonl', 'b.jsonl'), lines({ session: 's', text: 'three', type: 'system' }))
    await desk.capture()
    expect(await desk.texts()).toEqual(['one', 'two', 'three'])
    expect(await desk.engine.all('SELECT pk FROM turn')).toHaveLength(2)
  })

  test('C70: that is copied gives no event twice', async () => {
    desk.put('a.jsonl', content)
    desk.put('copy/a.jsonl', content)
    expect(await desk.capture()).toMatchObject({ files: 2, records: 4, events: 2, sessions: 1 })
  })

  test('that is deleted stays in the archive; coming back, it is active again (fault 59)', async () => {
    const path = desk.put('a.jsonl', content)
    await desk.capture()
    rmSync(path)
    expect(await desk.capture()).toMatchObject({ files: 0, events: 0 })
    expect(await checkpoint(path)).toMatchObject({ status: 'gone', size: content.length })
    expect(await desk.texts()).toEqual(['one', 'two'])
    desk.put('a.jsonl', content)
    expect(await desk.capture()).toMatchObject({ events: 0 })
    expect((await checkpoint(path))?.status).toBe('active')
  })
})

describe('equal records', () => {
  test('C70: without ids are two events', async () => {
    desk.put('a.jsonl', lines(note('ok'), note('ok')))
    expect(await desk.capture()).toMatchObject({ events: 2 })
  })
})
