/** Lines become events here, one batch at a time. Pure but for the batch and the file's memory, which it fills. */

import type { Draft, Reading, SessionFacts } from '../core/event.ts'
import { isRecord } from '../core/json.ts'
import { isTime } from '../core/time.ts'
import type { Harness, Layout, NativeRecord, SourceFile } from '../harness/harness.ts'
import type { CapturedEvent, Problem } from '../store/batch.ts'
import { cleanName, cleanText } from './clean-text.ts'
import { type Origin, toEvent } from './events.ts'
import { ReadFailure } from './file-system.ts'
import type { Line } from './read-jsonl.ts'
import { foreignJson, type Scrubber } from './scrub.ts'

/** What is remembered along one file, kept in its checkpoint. */
export interface FileMemory {
  /** The harness's own. */
  harness: unknown
  /** Last time a record named, in milliseconds since 1970. */
  at: number | null
  /** Native id of the session that was last written to. */
  session: string | null
  /** First working directory of each session. */
  directories: Map<string, string>
}

/** @throws ReadFailure `harness-error` */
export function openMemory(layout: Layout, file: SourceFile): FileMemory {
  try {
    return { harness: layout.open(file), at: null, session: null, directories: new Map() }
  } catch (error) {
    throw new ReadFailure('harness-error', error)
  }
}

export function formatMemory(memory: FileMemory): string {
  return JSON.stringify({ ...memory, directories: [...memory.directories] })
}

/** Reads what `formatMemory` wrote. */
export function parseMemory(text: string): FileMemory {
  const stored = JSON.parse(text) as Omit<FileMemory, 'directories'> & { directories: [string, string][] }
  return { ...stored, directories: new Map(stored.directories) }
}

/** An event and what its touches are made from. */
export interface PendingEvent {
  event: CapturedEvent
  draft: Draft
  directory: string | undefined
}

export interface RecordBatch {
  /** Records, those that cannot be read included; blank lines are none. */
  records: number
  pending: PendingEvent[]
  facts: Map<string, SessionFacts>
  problems: Problem[]
  /** Events that wait for the first time the batch names. */
  timeless: CapturedEvent[]
}

export function emptyBatch(): RecordBatch {
  return { records: 0, pending: [], facts: new Map(), problems: [], timeless: [] }
}

/** What reading one file needs. */
export interface FileReading {
  harness: Harness
  layout: Layout
  file: SourceFile
  scrubber: Scrubber
  memory: FileMemory
}

const SPACE = 32

/** Characters of an unreadable line that are kept. */
const FRAGMENT = 2000

/** Takes one line into the batch. */
export function addLine(batch: RecordBatch, line: Line, reading: FileReading): void {
  if (line.text === undefined) {
    batch.records++
    addProblem(batch, line.index, 'line-too-long', `${line.end - line.start} bytes`)
    return
  }
  if (isBlank(line.text)) return
  batch.records++
  const origin: Origin = { harness: reading.harness.id, recordIndex: line.index, text: line.text }
  let value: unknown
  try {
    value = JSON.parse(line.text)
  } catch (error) {
    addUnreadable(batch, origin, reading, 'not-json', errorMessage(error))
    return
  }
  addValue(batch, value, origin, reading)
}

/** Takes one record that is no line into the batch; the length of its text. */
export function addRecord(batch: RecordBatch, { value, index }: NativeRecord, reading: FileReading): number {
  batch.records++
  const text = textOf(value, reading)
  addValue(batch, value, { harness: reading.harness.id, recordIndex: index, text }, reading)
  return text.length
}

function textOf(value: unknown, { layout }: FileReading): string {
  try {
    return foreignJson(value, layout.format.kind === 'database')
  } catch (error) {
    if (error instanceof RangeError) return ''
    throw error
  }
}

function addValue(batch: RecordBatch, value: unknown, origin: Origin, reading: FileReading): void {
  if (!isRecord(value)) {
    addUnreadable(batch, origin, reading, 'not-object', 'a record is a JSON object')
    return
  }
  const { pending } = batch
  const before = pending.length
  try {
    addReading(
      batch,
      reading.layout.read({ value, index: origin.recordIndex }, reading.memory.harness, reading.file),
      origin,
      reading,
    )
  } catch (error) {
    pending.length = before
    addUnreadable(batch, origin, reading, 'harness-error', errorMessage(error))
  }
}

/** Takes what a record or sidecar says into the batch. */
export function addReading(batch: RecordBatch, said: Reading, origin: Origin, reading: FileReading): void {
  for (const facts of said.sessions ?? []) addFacts(batch, facts, reading)
  for (const draft of said.drafts) addDraft(batch, draft, origin, reading)
}

/** Records a problem with its place. */
export function addProblem(batch: RecordBatch, recordIndex: number, reason: string, detail: string): void {
  batch.problems.push({ recordIndex, reason, detail: detail.slice(0, 500) })
}

/** Ends the batch's wait for a time: the file's own stands in where no record names one. */
export function settleTimes(batch: RecordBatch, modifiedAt: number): void {
  for (const event of batch.timeless) event.at = modifiedAt
  batch.timeless = []
}

function isBlank(text: string): boolean {
  return text === '' || (text.charCodeAt(0) <= SPACE && text.trim() === '')
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A line nobody can read is kept as an `unknown` event, in the session it stands in, and counted. */
function addUnreadable(batch: RecordBatch, origin: Origin, reading: FileReading, reason: string, detail: string): void {
  addProblem(batch, origin.recordIndex, reason, reading.scrubber.text(detail))
  const session = reading.memory.session ?? sessionOf(origin, reading)
  const payload = origin.text.slice(0, FRAGMENT)
  addDraft(batch, { session, type: 'unknown', text: '', payload, native: { index: 0 } }, origin, reading)
}

/** Where no record named a session yet, the harness is asked in which one it would put something it cannot read. */
function sessionOf(origin: Origin, { layout, file }: FileReading): string {
  try {
    const record = { value: origin.text, index: origin.recordIndex }
    const session = layout.read(record, layout.open(file), file).drafts[0]?.session
    if (session) return session
  } catch {
    // Then the file's name stands in.
  }
  const name = file.path.split(/[\\/]/).at(-1) ?? file.path
  return file.key ?? name.replace(/\.(jsonl(\.zst)?|json)$/, '')
}

function addDraft(batch: RecordBatch, draft: Draft, origin: Origin, reading: FileReading): void {
  const { memory, scrubber } = reading
  const session = cleanName(draft.session) || sessionOf(origin, reading)
  memory.session = session
  if (draft.cwd && !memory.directories.has(session)) {
    addFacts(batch, { nativeId: session, cwd: draft.cwd }, reading)
  }
  const event = toEvent(draft, session, origin, scrubber)
  setTime(batch, event, draft.at, memory)
  batch.pending.push({ event, draft, directory: draft.cwd ?? memory.directories.get(session) })
}

function setTime(batch: RecordBatch, event: CapturedEvent, at: number | undefined, memory: FileMemory): void {
  const known = at !== undefined && isTime(at)
  if (at !== undefined && !known) addProblem(batch, event.recordIndex, 'bad-time', `${at} is no time`)
  if (known) {
    memory.at = Math.floor(at)
    for (const earlier of batch.timeless) earlier.at = memory.at
    batch.timeless = []
  }
  if (memory.at !== null) event.at = memory.at
  else batch.timeless.push(event)
}

/** Later facts win, an empty one erases nothing, and the first working directory stays. */
function addFacts(batch: RecordBatch, facts: SessionFacts, { memory, scrubber }: FileReading): void {
  const nativeId = cleanName(facts.nativeId)
  if (nativeId === '') return
  const known = batch.facts.get(nativeId) ?? { nativeId }
  if (facts.title) known.title = scrubber.text(facts.title)
  if (facts.summary) known.summary = scrubber.text(facts.summary)
  if (facts.slug) known.slug = cleanName(facts.slug)
  if (facts.branch) known.branch = cleanName(facts.branch)
  if (facts.cliVersion) known.cliVersion = cleanName(facts.cliVersion)
  if (facts.parent) known.parent = { ...facts.parent, nativeId: cleanName(facts.parent.nativeId) }
  if (facts.cwd) {
    known.cwd ??= cleanText(facts.cwd)
    if (!memory.directories.has(nativeId)) memory.directories.set(nativeId, known.cwd)
  }
  batch.facts.set(nativeId, known)
}
