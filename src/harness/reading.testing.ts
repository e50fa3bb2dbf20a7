/** For tests of harnesses: reads transcripts as capture does, and folds drafts into turns and totals as the archive does. */

import { readFileSync, statSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { nodeFileSystem, openFile } from '../capture/file-system.ts'
import { openForeignDatabase } from '../capture/foreign-database.ts'
import { createFiles, parseDocument, readTextOf } from '../capture/read-document.ts'
import { readExport } from '../capture/read-export.ts'
import { isCompressed, readChunks, readZstandard } from '../capture/read-file.ts'
import { createLineCutter } from '../capture/read-jsonl.ts'
import type { Draft, Ending, SessionFacts, Usage } from '../core/event.ts'
import { type Harness, type Layout, layoutOf, type SourceFile } from './harness.ts'

/** What a harness made of a transcript. */
export interface TranscriptReading {
  /** Drafts of each record. */
  records: Draft[][]
  /** All of them. */
  drafts: Draft[]
  /** Facts of the records, then those of the sidecars. */
  sessions: SessionFacts[]
  /** What is remembered at the end. */
  state: unknown
}

/**
 * Reads records in order. `cut`: places before which the state goes through JSON, as it does between two captures.
 * @throws when no layout of the harness matches the file
 */
export function readWith(
  harness: Harness,
  file: SourceFile,
  values: Iterable<unknown>,
  { cut = [] }: { cut?: number | Iterable<number> } = {},
): TranscriptReading {
  const layout = layoutFor(harness, file)
  const cuts = new Set(typeof cut === 'number' ? [cut] : cut)
  let state = layout.open(file)
  const records: Draft[][] = []
  const sessions: SessionFacts[] = []
  let index = 0
  for (const value of values) {
    if (cuts.has(index)) state = JSON.parse(JSON.stringify(state))
    const reading = layout.read({ value, index }, state, file)
    records.push(reading.drafts)
    sessions.push(...(reading.sessions ?? []))
    index++
  }
  return { records, drafts: records.flat(), sessions, state }
}

export function layoutFor(harness: Harness, file: SourceFile): Layout {
  const layout = layoutOf(harness, file)
  if (!layout) throw new Error(`${harness.id} knows no layout for ${file.relative}`)
  return layout
}

export interface FilePlace {
  /** The source's root; the path below it is what the harness sees as `relative`. The file's folder when absent. */
  root?: string
  /** Name of the source; the harness's first when absent. */
  source?: string
  /** Which transcript of a database; all of them when absent. */
  key?: string
  /** Places before which the state goes through JSON. */
  cut?: number | Iterable<number>
}

/** Reads a transcript from disk, whatever its format, sidecars included; an export's conversations are its records. */
export async function readFileOf(harness: Harness, path: string, place: FilePlace = {}): Promise<TranscriptReading> {
  const readings: TranscriptReading[] = []
  for (const file of transcriptsAt(harness, path, place)) {
    const values = await valuesOf(harness, file)
    const reading = readWith(harness, file, values, place.cut === undefined ? {} : { cut: place.cut })
    reading.sessions.push(...readSidecars(harness, file, reading.drafts.at(-1)?.session))
    readings.push(reading)
  }
  return {
    records: readings.flatMap(({ records }) => records),
    drafts: readings.flatMap(({ drafts }) => drafts),
    sessions: readings.flatMap(({ sessions }) => sessions),
    state: readings.at(-1)?.state,
  }
}

/** A file on disk as capture sees it: for a database each of its transcripts. */
export function transcriptsAt(harness: Harness, path: string, { root, source, key }: FilePlace = {}): SourceFile[] {
  const below = root === undefined ? (path.split(/[\\/]/).at(-1) ?? path) : relative(root, path).split(sep).join('/')
  const file: SourceFile = {
    source: source ?? harness.sources[0]?.name ?? harness.id,
    path,
    relative: below,
    modifiedAt: Math.floor(statSync(path).mtimeMs),
  }
  const { format } = layoutFor(harness, file)
  if (format.kind !== 'database') return [file]
  const database = openForeignDatabase(path)
  try {
    return [...format.transcripts(database)]
      .filter((entry) => key === undefined || entry.key === key)
      .map((entry) => ({ ...file, key: entry.key, modifiedAt: entry.modifiedAt || file.modifiedAt }))
  } finally {
    database.close()
  }
}

/** The records of a transcript on disk, by the readers that capture uses; lines that are no JSON are left out. */
export async function valuesOf(harness: Harness, file: SourceFile): Promise<unknown[]> {
  const { format } = layoutFor(harness, file)
  switch (format.kind) {
    case 'jsonl':
      return readLines(file.path)
    case 'document':
      return [...format.records(parseDocument(readTextOf(file.path, nodeFileSystem)), file)]
    case 'bundle':
      return [...format.records(createFiles(nodeFileSystem), file)]
    case 'database': {
      const database = openForeignDatabase(file.path)
      try {
        return [...format.records(database, file.key ?? '')]
      } finally {
        database.close()
      }
    }
    case 'export': {
      const conversations: unknown[] = []
      for await (const conversation of await readExport(file.path, format, nodeFileSystem)) {
        conversations.push(conversation)
      }
      return conversations
    }
  }
}

async function readLines(path: string): Promise<unknown[]> {
  const open = openFile(nodeFileSystem, path)
  const values: unknown[] = []
  const take = (text: string | undefined): void => {
    if (text === undefined || text.trim() === '') return
    try {
      values.push(JSON.parse(text))
    } catch {
      // Capture counts it; the harness never sees it.
    }
  }
  try {
    const cutter = createLineCutter({ offset: 0, line: 0 })
    const chunks = isCompressed(path) ? readZstandard(open) : readChunks(open, 0, open.look.size)
    for await (const chunk of chunks) for (const { text } of cutter.push(chunk)) take(text)
    take(cutter.rest()?.text)
    return values
  } finally {
    open.close()
  }
}

/** What the sidecars beside a transcript say. */
export function readSidecars(harness: Harness, file: SourceFile, session?: string): SessionFacts[] {
  return (layoutFor(harness, file).sidecars ?? []).flatMap(({ pathOf, format, read }) => {
    const path = pathOf(file)
    if (path === undefined || !statSync(path, { throwIfNoEntry: false })) return []
    const text = readFileSync(path, 'utf8')
    return read(format === 'text' ? text : JSON.parse(text), file, session).sessions ?? []
  })
}

/** A turn as a reader would tell it. */
export interface FoldedTurn {
  prompt?: string
  ending?: Ending
  /** The last thing said that was no commentary, in a turn that was answered. */
  answer?: string
  /** Each call's name, with the server in front and its exit code or `failed` behind: `probe/echo`, `Bash 1`. */
  calls: string[]
  events: number
}

/**
 * Turns of one session as the archive makes them: a prompt opens one unless the open one still waits for its first; the
 * last end counts; work after an end takes it back.
 */
export function foldTurns(drafts: readonly Draft[]): FoldedTurn[] {
  const turns: FoldedTurn[] = []
  const responses = new Map(
    drafts.filter(({ type }) => type === 'tool_response').map((draft) => [draft.tool?.callId, draft]),
  )
  for (const draft of drafts) {
    if (draft.copied) continue
    let turn = turns.at(-1)
    if (!turn || (draft.opensTurn && turn.prompt !== undefined)) {
      turn = { calls: [], events: 0 }
      turns.push(turn)
    }
    turn.events++
    if (draft.opensTurn) turn.prompt ??= draft.text
    if (draft.type === 'tool_call') turn.calls.push(callOf(draft, responses.get(draft.tool?.callId)))
    if (draft.type === 'assistant_response' && !draft.commentary) turn.answer = draft.text
    if (draft.ends) turn.ending = draft.ends
    else if (['assistant_response', 'reasoning', 'tool_call'].includes(draft.type)) delete turn.ending
  }
  for (const turn of turns) if (turn.ending !== 'answered') delete turn.answer
  return turns
}

function callOf({ tool }: Draft, response: Draft | undefined): string {
  const name = tool?.server === undefined ? (tool?.name ?? '') : `${tool.server}/${tool.name}`
  const outcome = response?.tool?.exitCode ?? (response?.tool?.error ? 'failed' : undefined)
  return outcome === undefined ? name : `${name} ${outcome}`
}

/** Tokens of all responses, each counted once with its largest reading, as the archive does. */
export function usageTotals(drafts: readonly Draft[]): Omit<Usage, 'id'> {
  const largest = new Map<string, Usage>()
  const size = ({ input, output, cacheRead, cacheWrite }: Usage) => input + output + cacheRead + cacheWrite
  for (const { usage, copied } of drafts) {
    if (!usage || copied) continue
    const known = largest.get(usage.id)
    if (!known || size(usage) >= size(known)) largest.set(usage.id, usage)
  }
  const total = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  for (const usage of largest.values()) {
    total.input += usage.input
    total.output += usage.output
    total.cacheRead += usage.cacheRead
    total.cacheWrite += usage.cacheWrite
    total.reasoning += usage.reasoning
  }
  return total
}
