/** Finds the transcripts among paths a person named, wherever they lie. */

import type { Stats } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { systemClock } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import { everyFile, type Harness, type Host, jsonLines, type Layout, type SourceFile } from '../harness/harness.ts'
import { createDatabases, type Databases, orHarnessError } from './databases.ts'
import { type Discovery, discover, type FoundFile, inspect, locate } from './discover.ts'
import {
  type AccessFailure,
  accessFailure,
  type FileSystem,
  nodeFileSystem,
  type OpenFile,
  openFile,
  ReadFailure,
} from './file-system.ts'
import { ownPlace } from './own-place.ts'
import { createFiles, parseDocument, readTextOf } from './read-document.ts'
import { isCompressed, readChunks, readZstandard } from './read-file.ts'
import { createLineCutter } from './read-jsonl.ts'

export interface PathDiscovery extends Discovery {
  /** Files in which no harness recognised anything. */
  unrecognized: string[]
}

/** What goes wrong with a file that is of another harness. */
const NOT_ITS = new Set(['not-json', 'damaged', 'harness-error'])

const TRANSCRIPT_NAME = /\.jsonl(\.zst)?$/

/** Bytes and records of a file that are looked at to tell whose it is. */
const SNIFFED_BYTES = 1024 * 1024
const SNIFFED_RECORDS = 64

/** Largest document that is read to tell whose it is. */
const SNIFFED_DOCUMENT = 64 * 1024 * 1024

/**
 * Transcripts among files and folders. A file's harness is the one whose source it lies in; else the one that would
 * find it with the named folder as home; else the one that recognises the most of its first records.
 * @throws UserError for a path that is not there
 */
export async function discoverPaths(
  harnesses: readonly Harness[],
  host: Host,
  paths: readonly string[],
  { fileSystem = nodeFileSystem, databases = createDatabases(systemClock, fileSystem) }: PathOptions = {},
): Promise<PathDiscovery> {
  const search: Search = {
    harnesses,
    fileSystem,
    databases,
    discovery: { files: [], unreadable: [], sources: [], unrecognized: [] },
  }
  const seen = new Set<string>()
  for (const named of paths) {
    const path = resolve(named)
    const { isFolder, candidates } = listCandidates(search, path)
    const asHome: Host = { ...host, home: path, env: {} }
    for (const candidate of candidates) {
      if (seen.has(candidate.realPath)) continue
      seen.add(candidate.realPath)
      search.discovery.files.push(...(await transcriptsIn(search, candidate, isFolder ? [host, asHome] : [host])))
    }
  }
  return search.discovery
}

export interface PathOptions {
  fileSystem?: FileSystem
  /** What is known of databases from the last time; it is not closed here. */
  databases?: Databases
}

interface Search {
  harnesses: readonly Harness[]
  fileSystem: FileSystem
  databases: Databases
  discovery: PathDiscovery
}

/** What a file holds for the first of the hosts in whose sources it lies, or else for whom it looks familiar to. */
async function transcriptsIn(search: Search, candidate: FoundFile, hosts: readonly Host[]): Promise<FoundFile[]> {
  const { path } = candidate.file
  for (const host of hosts) {
    const found = locate(search.harnesses, host, path, search)
    if (found.length > 0) return found
  }
  try {
    const found = await recognize(search, candidate)
    if (found.length === 0) search.discovery.unrecognized.push(path)
    return found
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    const { reason, message: detail } = error
    if (reason !== 'missing') search.discovery.unreadable.push({ harness: '', source: '', path, reason, detail })
    return []
  }
}

/** The file itself, or every file below the folder that is named like a transcript. */
function listCandidates(search: Search, path: string): { isFolder: boolean; candidates: FoundFile[] } {
  const { harnesses, fileSystem, discovery } = search
  const stat = lookAt(path, fileSystem)
  if (stat === 'missing') {
    throw new UserError('usage', `there is no file or folder ${path}`, { path, remedy: 'check the path' })
  }
  if (typeof stat === 'string') {
    discovery.unreadable.push({ harness: '', source: '', path, reason: stat })
    return { isFolder: false, candidates: [] }
  }
  const isFolder = stat.isDirectory()
  const isNamedLikeOne = (name: string): boolean =>
    TRANSCRIPT_NAME.test(name) || harnesses.some(({ sources }) => ownPlace(sources, join(path, name), name))
  const anyone: Harness = {
    id: '',
    title: '',
    sources: [{ name: '', roots: () => [path], matches: (name) => !isFolder || isNamedLikeOne(name) }],
    layouts: [{ matches: everyFile, format: jsonLines, open: () => undefined, read: () => ({ drafts: [] }) }],
  }
  const listed = discover([anyone], { home: '', env: {}, platform: process.platform }, search)
  discovery.unreadable.push(...listed.unreadable)
  return { isFolder, candidates: listed.files }
}

function lookAt(path: string, fileSystem: FileSystem): Stats | AccessFailure {
  try {
    return fileSystem.stat(path) ?? 'missing'
  } catch (error) {
    return accessFailure(error)
  }
}

/** The file as the harness sees it that makes the most of its first records; of equals, the one its path names. @throws ReadFailure */
async function recognize(search: Search, candidate: FoundFile): Promise<FoundFile[]> {
  const exported = await recognizeExport(search, candidate)
  if (exported) return [exported]
  let best: { found: FoundFile[]; score: number; nearness: number } | undefined
  let failure: ReadFailure | undefined
  for (const harness of search.harnesses) {
    try {
      const found = inspectAs(search, harness, candidate)
      const [first] = found
      const score = first ? understood(first.layout, await firstRecords(search, first), first.file) : 0
      const nearness = nearnessOf(harness, candidate.file.path)
      if (score > (best?.score ?? 0) || (best && score === best.score && nearness > best.nearness)) {
        best = { found, score, nearness }
      }
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error
      // What is no JSON, or no database, is just not of this harness.
      if (!NOT_ITS.has(error.reason)) failure = error
    }
  }
  if (!best && failure) throw failure
  return best?.found ?? []
}

/**
 * How near to the file its path names a harness, for those that understand the same files: the deepest folder of its
 * name decides, then the file's own name.
 */
function nearnessOf({ id, sources }: Harness, path: string): number {
  const names = [id, ...sources.map(({ name }) => name)]
  const parts = path.toLowerCase().split(/[\\/]/)
  const file = parts.pop() ?? ''
  const folder = parts.findLastIndex((part) => names.includes(part.replace(/^\./, '')))
  return folder >= 0 ? folder + 1 : names.some((name) => file.startsWith(name)) ? 0.5 : 0
}

function inspectAs({ fileSystem, databases }: Search, harness: Harness, { file, realPath }: FoundFile): FoundFile[] {
  const { source, relative } = placeIn(harness, file)
  return inspect(harness, source, { path: file.path, real: realPath, relative }, fileSystem, databases)
}

/** Where a file would lie in the harness's own folders; by its name alone where none is like it. */
function placeIn({ id, sources }: Harness, { path, relative }: SourceFile): { source: string; relative: string } {
  const own = ownPlace(sources, path, relative)
  if (own) return { source: own.source.name, relative: own.relative }
  return { source: sources[0]?.name ?? id, relative: relative || basename(path) }
}

/** An export is known by what it holds: those of different makers have the same names. */
async function recognizeExport(
  { harnesses, fileSystem }: Search,
  candidate: FoundFile,
): Promise<FoundFile | undefined> {
  const { path } = candidate.file
  if (candidate.file.relative !== '') return undefined
  const { firstConversation } = await import('./read-export.ts')
  for (const harness of harnesses) {
    for (const layout of harness.layouts) {
      const { format } = layout
      if (format.kind !== 'export') continue
      const conversation = await firstConversation(path, format, fileSystem)
      if (conversation === undefined || !format.recognizes(conversation)) continue
      const { source } = placeIn(harness, candidate.file)
      const file = { ...candidate.file, source, relative: basename(path) }
      return { ...candidate, harness, layout, file }
    }
  }
  return undefined
}

/** How many events a layout makes of records, those it does not understand left out. */
function understood(layout: Layout, records: readonly unknown[], file: SourceFile): number {
  try {
    const state = layout.open(file)
    const drafts = records.flatMap((value, index) => layout.read({ value, index }, state, file).drafts)
    return drafts.filter(({ type }) => type !== 'unknown').length
  } catch {
    return 0
  }
}

/** The records a file begins with, as far as they can be read. */
async function firstRecords({ fileSystem, databases }: Search, { file, layout }: FoundFile): Promise<unknown[]> {
  const { format } = layout
  switch (format.kind) {
    case 'jsonl':
      return firstLines(file.path, fileSystem)
    case 'document':
      return firstOf(() => format.records(parseDocument(readTextOf(file.path, fileSystem, SNIFFED_DOCUMENT)), file))
    case 'bundle':
      return firstOf(() => format.records(createFiles(fileSystem), file))
    case 'database': {
      const database = databases.open(file.path)
      return firstOf(() => database.snapshot(() => format.records(database, file.key ?? '')))
    }
    case 'export':
      return []
  }
}

function firstOf(records: () => Iterable<unknown>): unknown[] {
  const first: unknown[] = []
  for (const record of orHarnessError(records)) if (first.push(record) === SNIFFED_RECORDS) break
  return first
}

async function firstLines(path: string, fileSystem: FileSystem): Promise<unknown[]> {
  let open: OpenFile | undefined
  try {
    open = openFile(fileSystem, path)
    const chunks = isCompressed(path) ? readZstandard(open) : readChunks(open, 0, open.look.size, SNIFFED_BYTES)
    const cutter = createLineCutter({ offset: 0, line: 0 })
    const records: unknown[] = []
    let bytes = 0
    for await (const chunk of chunks) {
      for (const { text } of cutter.push(chunk)) addRecord(records, text)
      bytes += chunk.length
      if (records.length >= SNIFFED_RECORDS || bytes >= SNIFFED_BYTES) break
    }
    if (records.length === 0) addRecord(records, cutter.rest()?.text)
    return records.slice(0, SNIFFED_RECORDS)
  } finally {
    open?.close()
  }
}

function addRecord(records: unknown[], text: string | undefined): void {
  try {
    if (text) records.push(JSON.parse(text))
  } catch {
    // A line that is no JSON says nothing about whose file it is.
  }
}
