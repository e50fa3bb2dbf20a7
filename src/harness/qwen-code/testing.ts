/** What the tests of Qwen Code share. */

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from '../harness.ts'
import { readWith, type TranscriptReading } from '../reading.testing.ts'
import { qwenCode } from './index.ts'

export const SESSION = '9a11e000-0000-4000-8000-00000000000a'

/** A file below the root. */
export function sourceFile(relative = `garden/chats/${SESSION}.jsonl`): SourceFile {
  return { source: 'qwen-code', path: `/home/ada/.qwen/projects/${relative}`, relative, modifiedAt: 0 }
}

/** A record as today's client writes it. */
export function record(type: string, more: object): object {
  return {
    uuid: `u-${type}`,
    parentUuid: null,
    sessionId: SESSION,
    timestamp: '2026-06-01T09:00:00.000Z',
    type,
    provenance: { user: 'real_user', assistant: 'assistant_output' }[type] ?? type,
    cwd: '/home/ada/garden',
    version: '0.24.0',
    ...more,
  }
}

export function read(...records: object[]): TranscriptReading {
  return readWith(qwenCode, sourceFile(), records)
}

/** The shared corpus; undefined where it is not next to the project. */
export function corpusFolder(...below: string[]): string | undefined {
  const folder = join(process.cwd(), '..', 'shared', 'corpus', 'qwen-code', ...below)
  return existsSync(folder) ? folder : undefined
}

/** Transcripts below a folder, with their root; those of other collections lie in a folder of their own. */
export function transcriptsBelow(folder: string): { path: string; root: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith('.jsonl'))
    .filter(({ name }) => name !== 'usage_record.jsonl' && name !== 'mcp-messages.jsonl')
    .map((item) => ({ path: join(item.parentPath, item.name), root: rootOf(item.parentPath) }))
    .sort((left, right) => (left.path < right.path ? -1 : 1))
}

function rootOf(folder: string): string {
  const at = folder.split('\\').join('/').indexOf('/.qwen/projects')
  return at < 0 ? folder : folder.slice(0, at + '/.qwen/projects'.length)
}
