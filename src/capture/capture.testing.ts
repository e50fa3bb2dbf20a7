/** What the tests of capture share: a harness of the simplest kind, a home to put transcripts in, the archive as rows. */

import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Draft, EventType, Reading } from '../core/event.ts'
import { isRecord } from '../core/json.ts'
import { defineHarness, defineLayout, everyFile, type Harness, jsonLines, type SourceFile } from '../harness/harness.ts'
import type { Engine } from '../store/engine.ts'
import { openStore } from '../store/index.ts'
import { type CaptureOptions, captureOnce } from './capture.ts'
import { nodeFileSystem } from './file-system.ts'
import { createRedactor } from './redact/index.ts'
import type { CaptureReport } from './report.ts'

/** A record of the notebook harness. */
export interface Note {
  session?: string
  id?: string
  type?: EventType
  text?: string
  at?: number
  cwd?: string
  title?: string
  payload?: unknown
  run?: { name: string; input?: unknown; exitCode?: number }
  opens?: boolean
  ends?: boolean
  /** Makes the harness throw. */
  boom?: boolean
}

const noteLines = defineLayout<{ seen: number }>({
  matches: everyFile,
  format: jsonLines,
  sidecars: [
    {
      pathOf: (file) => file.path.replace(/\.jsonl(\.zst)?$/, '.title.json'),
      read: (value, file) => ({
        drafts: [],
        sessions: [{ nativeId: sessionOf(file), title: isRecord(value) ? String(value['title']) : '' }],
      }),
    },
  ],
  open: () => ({ seen: 0 }),
  read: ({ value }, state, file) => readNote(value, state, file),
})

/** Writes `<home>/notes/<session>.jsonl`; numbers its records, to show that its state is kept. */
export const notebook: Harness = defineHarness({
  id: 'notebook',
  title: 'Notebook',
  sources: [
    {
      name: 'notes',
      roots: ({ home }) => [join(home, 'notes')],
      matches: (path) => path.endsWith('.jsonl') || path.endsWith('.jsonl.zst'),
    },
  ],
  layouts: [noteLines],
})

function readNote(value: unknown, state: { seen: number }, file: SourceFile): Reading {
  state.seen++
  const note = (isRecord(value) ? value : { type: 'unknown' }) as Note
  if (note.boom) throw new Error('boom')
  const {
    session = sessionOf(file),
    id,
    type = 'user_input',
    text = '',
    at,
    cwd,
    run,
    payload = { seen: state.seen },
  } = note
  const draft: Draft = { session, type, text, payload, native: { ...(id !== undefined && { id }), index: 0 } }
  if (at !== undefined) draft.at = at
  if (cwd !== undefined) draft.cwd = cwd
  if (note.opens ?? type === 'user_input') draft.opensTurn = true
  if (note.ends) draft.ends = 'answered'
  if (run) draft.tool = { phase: 'call', ...run }
  const reading: Reading = { drafts: [draft] }
  if (note.title) reading.sessions = [{ nativeId: session, title: note.title }]
  return reading
}

function sessionOf(file: SourceFile): string {
  return file.relative.replace(/^.*\//, '').replace(/\.jsonl(\.zst)?$/, '')
}

export function lines(...notes: Note[]): string {
  return notes.map((note) => `${JSON.stringify(note)}\n`).join('')
}

/** Writes to the end of a file, as a client does, a minute after it was laid. */
export function append(path: string, text: string): void {
  appendFileSync(path, text)
  utimesSync(path, LONG_AGO / 1000 + 60, LONG_AGO / 1000 + 60)
}

/** A moment long enough before now for its times of change to be trusted. */
export const LONG_AGO = Date.UTC(2026, 0, 1)
export const NOW = Date.UTC(2026, 0, 2)

export interface Desk {
  home: string
  engine: Engine
  /** Puts a file below the notes' folder, as if written at a time. */
  put(name: string, content: string | Uint8Array, modifiedAt?: number): string
  capture(options?: Partial<CaptureOptions>): Promise<CaptureReport>
  /** The archive that one pass over the same files makes, as `dumpArchive` gives it. */
  coldRead(without?: readonly string[]): Promise<Record<string, string[]>>
  texts(): Promise<string[]>
  close(): Promise<void>
}

/** A home in a temporary folder and an archive in memory. The clock stands still at `NOW` unless told otherwise. */
export async function openDesk(clock = () => NOW): Promise<Desk> {
  const home = mkdtempSync(join(tmpdir(), 'varve-capture-'))
  const engine = await openStore({ url: ':memory:' })
  const redactor = createRedactor({ enabled: true })
  return {
    home,
    engine,
    put(name, content, modifiedAt = LONG_AGO) {
      const path = join(home, 'notes', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      utimesSync(path, modifiedAt / 1000, modifiedAt / 1000)
      return path
    },
    capture: (options) =>
      captureOnce({
        engine,
        owner: 1,
        harnesses: [notebook],
        host: { home, env: {}, platform: process.platform },
        clock,
        redactor,
        projects: { projectOf: () => undefined },
        fileSystem: nodeFileSystem,
        ...options,
      }),
    async coldRead(without) {
      const cold = await openDesk(clock)
      try {
        await cold.capture({ host: { home, env: {}, platform: process.platform } })
        return await dumpArchive(cold.engine, without)
      } finally {
        await cold.close()
      }
    },
    texts: async () => {
      const rows = await engine.all<{ text: string }>('SELECT text FROM event ORDER BY pk')
      return rows.map(({ text }) => text)
    },
    close: async () => {
      await engine.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

type Cells = Record<string, unknown>

/**
 * The archive without row numbers, which depend on the order of capture: sessions, turns, events, touches and usage by
 * their public ids. `without` names columns left out.
 */
export async function dumpArchive(engine: Engine, without: readonly string[] = []): Promise<Record<string, string[]>> {
  const load = (table: string) => engine.all<Cells>(`SELECT * FROM ${table}`)
  const tables = {
    session: await load('session'),
    turn: await load('turn'),
    event: await load('event'),
    touch: await load('touch'),
    usage: await load('usage'),
  }
  const names = new Map<string, Map<unknown, string>>()
  for (const table of ['session', 'turn', 'event'] as const) {
    names.set(table, new Map(tables[table].map(({ pk, id }) => [pk, hex(id)])))
  }
  const format = (row: Cells): string => {
    const cells = Object.entries(row)
      .filter(([column]) => column !== 'pk' && !without.includes(column))
      .map(([column, value]) => {
        const table = /^(?:.*_)?(session|turn|event)_pk$/.exec(column)?.[1]
        const named = table !== undefined && value !== null && value !== 0
        return [column, named ? (names.get(table)?.get(value) ?? `lost ${value}`) : hex(value)]
      })
    return JSON.stringify(Object.fromEntries(cells))
  }
  return Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.map(format).sort()]))
}

function hex(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}
