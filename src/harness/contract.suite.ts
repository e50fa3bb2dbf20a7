/**
 * What every harness keeps to, whatever it reads: each record gives a draft, halves equal the whole, a broken record
 * costs itself alone, a file's place and name change no id, and nothing a file may hold makes it throw.
 */

import { appendFileSync, cpSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { captureOnce, createRedactor } from '../capture/index.ts'
import { type Draft, EVENT_TYPES } from '../core/event.ts'
import { isRecord } from '../core/json.ts'
import { openStore } from '../store/index.ts'
import type { Harness, Layout, NativeRecord, SourceFile } from './harness.ts'
import { layoutFor, readWith, transcriptsAt, valuesOf } from './reading.testing.ts'

/** A transcript on disk. */
export interface ContractFixture {
  /** The source's root: a folder in which files lie as they would below a root at home. Relative to the project's root. */
  root: string
  /** The file below the root: a transcript, a database or an export. */
  path: string
  /** Name of its source; the harness's first when absent. */
  source?: string
  /**
   * A second name for the file, below the root, to show that ids do not hang on names. Absent where the name alone says
   * which session it is.
   */
  copy?: string
}

const HERE = resolve(import.meta.dirname, '../..')

/** Cuts tried; in transcripts of fewer records all of them are. */
const CUTS = 40

/** Declares the tests. At least one fixture of each layout is expected. */
export function harnessContract(harness: Harness, fixtures: readonly ContractFixture[]): void {
  describe(`the contract of a harness, kept by ${harness.title}`, () => {
    test('each of its layouts has a fixture', () => {
      const covered = fixtures.flatMap((fixture) => filesOf(harness, fixture).map((file) => layoutFor(harness, file)))
      expect(harness.layouts.filter((layout) => !covered.includes(layout)).map(({ format }) => format.kind)).toEqual([])
    })
    for (const fixture of fixtures) {
      describe(fixture.path, () => {
        describeReading(harness, fixture)
        describeCapture(harness, fixture)
      })
    }
  })
}

function filesOf(harness: Harness, { root, path, source }: ContractFixture): SourceFile[] {
  const folder = resolve(HERE, root)
  const place = source === undefined ? { root: folder } : { root: folder, source }
  return transcriptsAt(harness, join(folder, path), place)
}

function isExport(harness: Harness, fixture: ContractFixture): boolean {
  return kindsOf(harness, fixture).includes('export')
}

function describeReading(harness: Harness, fixture: ContractFixture): void {
  const each = async (
    check: (file: SourceFile, values: unknown[], layout: Layout) => void | Promise<void>,
  ): Promise<void> => {
    const files = filesOf(harness, fixture)
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) await check(file, await valuesOf(harness, file), layoutFor(harness, file))
  }

  test('lies where its source looks', () => {
    const source = harness.sources.find(({ name }) => name === (fixture.source ?? harness.sources[0]?.name))
    expect(source).toBeDefined()
    if (!isExport(harness, fixture)) expect(source?.matches(fixture.path)).toBe(true)
  })

  test('every record gives at least one draft, and each is sound', () =>
    each((file, values) => {
      expect(values.length).toBeGreaterThan(0)
      for (const drafts of readWith(harness, file, values).records) {
        expect(drafts.length).toBeGreaterThan(0)
        expect(faultsOf(drafts)).toEqual([])
      }
    }))

  test('read in two halves it is what it is at once, and its state is plain JSON', () =>
    each((file, values) => {
      const whole = readWith(harness, file, values)
      expect(JSON.parse(JSON.stringify(whole.state ?? null))).toEqual(whole.state ?? null)
      for (const cut of placesIn(values.length)) {
        expect(readWith(harness, file, values, { cut }), `cut before record ${cut}`).toEqual(whole)
      }
    }))

  test('a record that means nothing is one unknown event and changes no other', () =>
    each((file, values, layout) => {
      const sound = values.map((value, index) => ({ value, index }))
      const whole = readRecords(layout, file, sound)
      // Before the first one there is no saying which session it is in.
      for (const place of [...placesIn(values.length).slice(1), values.length]) {
        const garbage = { value: { nobody: ['knows', 'this'] }, index: place }
        const read = readRecords(layout, file, [...sound.slice(0, place), garbage, ...sound.slice(place)])
        expect(read[place]?.map(({ type }) => type)).toEqual(['unknown'])
        expect([...read.slice(0, place), ...read.slice(place + 1)], `behind record ${place}`).toEqual(whole)
      }
    }))

  test('nothing makes it throw', () =>
    each((file, values, layout) => {
      for (const value of [...HOSTILE, ...placesIn(values.length).flatMap((place) => spoil(values[place]))]) {
        const { drafts } = layout.read({ value, index: 0 }, layout.open(file), file)
        expect(drafts.length, JSON.stringify(value).slice(0, 300)).toBeGreaterThan(0)
        expect(faultsOf(drafts)).toEqual([])
      }
      for (const hostile of HOSTILE) {
        if (layout.format.kind === 'document') {
          expect([...layout.format.records(hostile, file)].length).toBeGreaterThan(0)
        }
        if (layout.format.kind === 'bundle') {
          const files = { names: () => ['a.json', 'b'], json: () => hostile }
          expect([...layout.format.records(files, file)].length).toBeGreaterThan(0)
        }
        for (const sidecar of layout.sidecars ?? []) sidecar.read(hostile, file)
      }
    }))
}

/** The drafts of records with their places. */
function readRecords(layout: Layout, file: SourceFile, records: readonly NativeRecord[]): Draft[][] {
  const state = layout.open(file)
  return records.map((record) => layout.read(record, state, file).drafts)
}

/** Every place among so many, or as many as are worth the time, spread evenly. */
function placesIn(length: number): number[] {
  const step = Math.max(1, length / CUTS)
  return Array.from({ length: Math.min(length, CUTS) }, (_, place) => Math.floor(place * step))
}

/** What is wrong with drafts that capture would have to mend. */
function faultsOf(drafts: readonly Draft[]): string[] {
  const names = new Set(drafts.map(({ session, native }) => JSON.stringify([session, native.id, native.index])))
  const faults = names.size < drafts.length ? ['two drafts have one name'] : []
  for (const draft of drafts) {
    const { session, type, text, at, native, opensTurn, tool, usage } = draft
    if (typeof session !== 'string' || session === '') faults.push('no session')
    if (!EVENT_TYPES.includes(type)) faults.push(`type ${type}`)
    if (typeof text !== 'string') faults.push('text is no string')
    if (at !== undefined && !Number.isFinite(at)) faults.push(`time ${at}`)
    if (native.id !== undefined && (typeof native.id !== 'string' || native.id === '')) faults.push('empty native id')
    if (!Number.isInteger(native.index)) faults.push('no place in the record')
    if (opensTurn && type !== 'user_input') faults.push(`a ${type} opens a turn`)
    if (tool && typeof tool.name !== 'string') faults.push('a tool without a name')
    if (tool && (tool.phase === 'call') !== (type === 'tool_call')) faults.push(`a ${type} in phase ${tool.phase}`)
    if (usage && (typeof usage.id !== 'string' || usage.id === '')) faults.push('usage without an id')
  }
  return faults
}

const nested = (levels: number, inside: unknown): unknown => {
  let value = inside
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { content: value }
  return value
}

const HOSTILE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  '',
  'text',
  'x'.repeat(1_000_000),
  '\ud800',
  [],
  [null, [[]], {}],
  {},
  nested(500, 'deep'),
  JSON.parse('{"__proto__": {"type": "user"}, "constructor": {"prototype": 1}, "toString": null, "hasOwnProperty": 1}'),
  { type: '__proto__' },
  { type: 'constructor', role: 'toString' },
]

/** A record with each of its fields, and each of theirs, replaced in turn by something that should not be there. */
function spoil(value: unknown, depth = 3): unknown[] {
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    const [first, ...others] = value
    return [null, {}, 'text', ...spoil(first, depth - 1)].map((other) => [other, ...others])
  }
  return Object.entries(value).flatMap(([key, inside]) =>
    [null, 7, 'text', [], {}, [null], [{}], nested(300, 'x'), ...spoil(inside, depth - 1)].map((other) => ({
      ...value,
      [key]: other,
    })),
  )
}

function describeCapture(harness: Harness, fixture: ContractFixture): void {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'varve-contract-')))
    cpSync(resolve(HERE, fixture.root), join(folder, 'root'), { recursive: true })
    file = join(folder, 'root', fixture.path)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const capture = (root: string) => captureRoot(harness, fixture, join(folder, root))

  test('captured, it makes sessions and events, and captured from another folder the same ones', async () => {
    const before = await capture('root')
    expect(before.events.length).toBeGreaterThan(0)
    expect(before.failures.filter((reason) => reason !== 'not-json' && reason !== 'not-object')).toEqual([])
    renameSync(join(folder, 'root'), join(folder, 'elsewhere'))
    expect(await capture('elsewhere')).toEqual(before)
  })

  test.skipIf(fixture.copy === undefined)('a copy under another name adds nothing', async () => {
    const before = await capture('root')
    cpSync(file, join(folder, 'root', fixture.copy ?? ''))
    expect((await capture('root')).events).toEqual(before.events)
    rmSync(file)
    const { events } = await capture('root')
    const ids = new Set(before.events)
    expect(events.filter((event) => !ids.has(event))).toEqual([])
  })

  test.skipIf(kindsOf(harness, fixture).every((kind) => kind !== 'database'))(
    'a column that is no JSON any more makes nothing throw, and leaves sound drafts',
    async () => {
      const before = filesOf(harness, { ...fixture, root: join(folder, 'root') }).length
      for (const spoiled of spoilColumns(file)) {
        const files = filesOf(harness, { ...fixture, root: join(folder, 'root') })
        // A column may list transcripts, which are then gone from it.
        expect(files.length, spoiled).toBeLessThanOrEqual(before)
        for (const each of files) {
          for (const drafts of readWith(harness, each, await valuesOf(harness, each)).records) {
            expect(drafts.length, spoiled).toBeGreaterThan(0)
            expect(faultsOf(drafts), spoiled).toEqual([])
          }
        }
      }
    },
  )

  test.skipIf(kindsOf(harness, fixture).every((kind) => kind !== 'jsonl'))(
    'a line that is no JSON is one unknown event more',
    async () => {
      const before = await capture('root')
      appendFileSync(file, '{"half a rec\n')
      const { events, failures } = await capture('root')
      const ids = new Set(before.events)
      const added = events.filter((event) => !ids.has(event))
      expect(added.map((event) => event.split(' ')[1])).toEqual([String(EVENT_TYPES.indexOf('unknown'))])
      expect(events.length).toBe(before.events.length + 1)
      expect(new Set(failures)).toEqual(new Set([...before.failures, 'not-json']))
    },
  )
}

function kindsOf(harness: Harness, fixture: ContractFixture): string[] {
  return filesOf(harness, fixture).map((file) => layoutFor(harness, file).format.kind)
}

/** Breaks one JSON column of each table after the other, in one row, and mends it when asked on; names what is broken. */
function* spoilColumns(path: string): Generator<string> {
  const database = new BetterSqlite3(path)
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[]
    for (const table of tables) {
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[]
      for (const column of columns) {
        const where = `FROM "${table}" WHERE json_valid("${column}") AND substr("${column}", 1, 1) IN ('{', '[') LIMIT 1`
        const row = database.prepare(`SELECT rowid AS id, "${column}" AS text ${where}`).get()
        if (!isRecord(row)) continue
        const set = database.prepare(`UPDATE "${table}" SET "${column}" = ? WHERE rowid = ?`)
        set.run('{"half', row['id'])
        yield `${table}.${column}`
        set.run(row['text'], row['id'])
      }
    }
  } finally {
    database.close()
  }
}

/** What one capture of a root gives: id and type of each event, and what was passed over. */
async function captureRoot(
  harness: Harness,
  fixture: ContractFixture,
  root: string,
): Promise<{ events: string[]; failures: string[] }> {
  const name = fixture.source ?? harness.sources[0]?.name
  const sources = harness.sources.map((each) => ({ ...each, roots: () => (each.name === name ? [root] : []) }))
  const engine = await openStore({ url: ':memory:' })
  try {
    const { skipped } = await captureOnce({
      engine,
      owner: 1,
      harnesses: [{ ...harness, sources }],
      host: { home: root, env: {}, platform: process.platform },
      clock: Date.now,
      redactor: createRedactor({ enabled: false }),
      projects: { projectOf: () => undefined },
      ...(isExport(harness, fixture) && { paths: [join(root, fixture.path)] }),
    })
    const rows = await engine.all<{ id: Buffer; type: number }>('SELECT id, type FROM event ORDER BY id')
    return {
      events: rows.map(({ id, type }) => `${Buffer.from(id).toString('hex')} ${type}`),
      failures: skipped.map(({ reason }) => reason),
    }
  } finally {
    await engine.close()
  }
}

/**
 * Kinds of records of which a harness makes nothing but `unknown`, over some files, sorted. A test compares them with a
 * list that gives the reason for each.
 */
export async function kindsLeftUnknown(
  harness: Harness,
  files: readonly SourceFile[],
  kindOf: (record: unknown) => string = defaultKind,
): Promise<string[]> {
  const kinds = new Set<string>()
  for (const file of files) {
    const values = await valuesOf(harness, file)
    readWith(harness, file, values).records.forEach((drafts, index) => {
      if (drafts.every(({ type }) => type === 'unknown')) kinds.add(kindOf(values[index]))
    })
  }
  return [...kinds].sort()
}

/** The record's type or role, else the names of its fields. */
function defaultKind(record: unknown): string {
  if (!isRecord(record)) return typeof record
  const { type, role } = record
  if (typeof type === 'string') return type
  return typeof role === 'string' ? role : Object.keys(record).sort().join(' ')
}
