/** What the tests of Copilot CLI share. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../golden.testing.ts'
import type { SourceFile } from '../harness.ts'
import { readWith, type TranscriptReading } from '../reading.testing.ts'
import { copilotCli } from './index.ts'

export const SESSION = 'c0b10700-0000-4000-8000-00000000000a'

/** A file below the root. */
export function sourceFile(relative = `${SESSION}/events.jsonl`): SourceFile {
  return { source: 'copilot-cli', path: `/home/ada/.copilot/session-state/${relative}`, relative, modifiedAt: 0 }
}

let events = 0

export function event(type: string, data: object = {}, agentId?: string): object {
  const id = `e${++events}`
  return {
    type,
    data,
    id,
    timestamp: '2026-07-01T12:00:00.000Z',
    parentId: null,
    ...(agentId !== undefined && { agentId }),
  }
}

export function read(...records: object[]): TranscriptReading {
  return readWith(copilotCli, sourceFile(), records)
}

/** The shared corpus; undefined where it is not next to the project. */
export function corpusFolder(...below: string[]): string | undefined {
  const folder = join(process.cwd(), '..', 'shared', 'corpus', 'copilot-cli', 'generated', 'copilot-1.0.102', ...below)
  return existsSync(folder) ? folder : undefined
}

/** Transcripts below a folder, with the root they lie in. */
export function transcriptsBelow(folder: string): { path: string; root: string }[] {
  return filesBelow(folder).flatMap((path) => {
    const at = path.split('\\').join('/').indexOf('/.copilot/session-state/')
    if (at < 0 || !path.endsWith('events.jsonl')) return []
    return [{ path, root: path.slice(0, at + '/.copilot/session-state'.length) }]
  })
}
