/** What the tests of Gemini CLI share: reading files below `.gemini/tmp`, and records as they stand in the archive at last. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Draft } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import { readFileOf, readWith, type TranscriptReading } from '../reading.testing.ts'
import { geminiCli } from './index.ts'

/** A file below the root. */
export function sourceFile(relative = 'garden/chats/session-2026-05-01T10-00-aaaaaaaa.jsonl'): SourceFile {
  return { source: 'gemini-cli', path: `/home/ada/.gemini/tmp/${relative}`, relative, modifiedAt: 0 }
}

export const HEADER = {
  sessionId: 'aaaaaaaa-0000-4000-8000-000000000001',
  projectHash: 'abc',
  startTime: '2026-05-01T10:00:00.000Z',
  lastUpdated: '2026-05-01T10:00:00.000Z',
  kind: 'main',
}

/** What records of one JSONL file after its header say. */
export function readAfterHeader(...records: unknown[]): TranscriptReading {
  const { drafts, ...rest } = readWith(geminiCli, sourceFile(), [HEADER, ...records])
  return { ...rest, drafts: settled(drafts) }
}

/** Drafts as the archive keeps them: what has the same id keeps its first place and its last content. */
export function settled(drafts: readonly Draft[]): Draft[] {
  const byId = new Map<string, Draft>()
  for (const [place, draft] of drafts.entries()) {
    const { id, index } = draft.native
    byId.set(id === undefined ? `at ${place}` : `${draft.session} ${id} ${index}`, draft)
  }
  return [...byId.values()]
}

/** The shared corpus; undefined where it is not next to the project. */
export function corpusFolder(...below: string[]): string | undefined {
  const folder = join(process.cwd(), '..', 'shared', 'corpus', 'gemini-cli', ...below)
  return existsSync(folder) ? folder : undefined
}

/** Transcripts below a folder, as `readFileOf` wants them: with their root where they lie in one. */
export function transcriptsBelow(folder: string): { path: string; root: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => ({ path: join(item.parentPath, item.name), root: rootOf(item.parentPath) }))
    .filter(({ path }) => /\.jsonl?$/.test(path) && !/(?:projects|logs)\.json$|mcp-messages/.test(path))
    .sort((left, right) => (left.path < right.path ? -1 : 1))
}

function rootOf(folder: string): string {
  const at = folder.split('\\').join('/').indexOf('/.gemini/tmp')
  return at < 0 ? folder : folder.slice(0, at + '/.gemini/tmp'.length)
}

/** Reads every transcript below a folder. */
export async function readFolder(folder: string): Promise<TranscriptReading[]> {
  return Promise.all(transcriptsBelow(folder).map(({ path, root }) => readFileOf(geminiCli, path, { root })))
}
