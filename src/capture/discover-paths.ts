/** Finds the transcripts among paths a person named, wherever they lie. */

import type { Stats } from 'node:fs'
import { resolve, sep } from 'node:path'
import { UserError } from '../core/errors.ts'
import type { Harness, Host, SourceFile } from '../harness/harness.ts'
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
import { isCompressed, readChunks, readZstandard } from './read-file.ts'
import { createLineCutter } from './read-jsonl.ts'

export interface PathDiscovery extends Discovery {
  /** Files in which no harness recognised anything. */
  unrecognized: string[]
}

const TRANSCRIPT_NAME = /\.jsonl(\.zst)?$/

/** Bytes and records of a file that are looked at to tell whose it is. */
const SNIFFED_BYTES = 1024 * 1024
const SNIFFED_RECORDS = 64

/** Parts of a path a harness may need to place a transcript. */
const PATH_PARTS = 8

/**
 * Transcripts among files and folders. A file's harness is the one whose source it lies in; else the one that would
 * find it with the named folder as home; else the one that recognises the most of its first records.
 * @throws UserError for a path that is not there
 */
export async function discoverPaths(
  harnesses: readonly Harness[],
  host: Host,
  paths: readonly string[],
  fileSystem: FileSystem = nodeFileSystem,
): Promise<PathDiscovery> {
  const discovery: PathDiscovery = { files: [], unreadable: [], sources: [], unrecognized: [] }
  const seen = new Set<string>()
  for (const named of paths) {
    const path = resolve(named)
    const { isFolder, candidates } = listCandidates(path, fileSystem, discovery)
    const asHome: Host = { ...host, home: path, env: {} }
    for (const candidate of candidates) {
      if (seen.has(candidate.realPath)) continue
      seen.add(candidate.realPath)
      const place = candidate.file.path
      const found =
        locate(harnesses, host, place, { fileSystem }) ??
        (isFolder ? locate(harnesses, asHome, place, { fileSystem }) : undefined) ??
        (await recognize(harnesses, candidate, fileSystem, discovery))
      if (found) discovery.files.push(found)
    }
  }
  return discovery
}

/** The file itself, or every file below the folder that is named like a transcript. */
function listCandidates(
  path: string,
  fileSystem: FileSystem,
  discovery: PathDiscovery,
): { isFolder: boolean; candidates: FoundFile[] } {
  const stat = lookAt(path, fileSystem)
  if (stat === 'missing') {
    throw new UserError('usage', `there is no file or folder ${path}`, { path, remedy: 'check the path' })
  }
  if (typeof stat === 'string') {
    discovery.unreadable.push({ harness: '', source: '', path, reason: stat })
    return { isFolder: false, candidates: [] }
  }
  const isFolder = stat.isDirectory()
  const anyone: Harness = {
    id: '',
    title: '',
    sources: [{ name: '', roots: () => [path], matches: (name) => !isFolder || TRANSCRIPT_NAME.test(name) }],
    format: 'jsonl',
    open: () => undefined,
    read: () => ({ drafts: [] }),
  }
  const listed = discover([anyone], { home: '', env: {}, platform: process.platform }, { fileSystem })
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

/** The file as the harness sees it that makes the most of its first records. */
async function recognize(
  harnesses: readonly Harness[],
  candidate: FoundFile,
  fileSystem: FileSystem,
  discovery: PathDiscovery,
): Promise<FoundFile | undefined> {
  const { path } = candidate.file
  let records: unknown[]
  try {
    records = await firstRecords(path, fileSystem)
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error
    if (error.reason !== 'missing') {
      const reason = error.reason === 'permission' ? 'permission' : 'unreadable'
      discovery.unreadable.push({ harness: '', source: '', path, reason })
    }
    return undefined
  }
  let best: { found: FoundFile; score: number } | undefined
  for (const harness of harnesses) {
    const { source, relative } = placeIn(harness, candidate.file)
    const found = inspect(harness, source, { path, real: candidate.realPath, relative }, fileSystem)
    const score = found ? understood(harness, records, found.file) : 0
    if (found && score > (best?.score ?? 0)) best = { found, score }
  }
  if (!best) discovery.unrecognized.push(path)
  return best?.found
}

/** How many events a harness makes of records, those it does not understand left out. */
function understood(harness: Harness, records: readonly unknown[], file: SourceFile): number {
  try {
    const state = harness.open(file)
    const drafts = records.flatMap((value, index) => harness.read({ value, index }, state, file).drafts)
    return drafts.filter(({ type }) => type !== 'unknown').length
  } catch {
    return 0
  }
}

/**
 * The source and the relative path a file would have: as it lies in the named folder where a source matches that, else
 * by the longest end of its path that one does.
 */
function placeIn(harness: Harness, file: SourceFile): { source: string; relative: string } {
  const parts = file.path.split(sep).filter((part) => part !== '')
  const ends = parts.slice(-PATH_PARTS).map((_part, index, last) => last.slice(index).join('/'))
  for (const relative of file.relative === '' ? ends : [file.relative, ...ends]) {
    const source = harness.sources.find((candidate) => candidate.matches(relative))
    if (source) return { source: source.name, relative }
  }
  return { source: harness.sources[0]?.name ?? harness.id, relative: file.relative || (parts.at(-1) ?? '') }
}

async function firstRecords(path: string, fileSystem: FileSystem): Promise<unknown[]> {
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
