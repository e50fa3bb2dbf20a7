/** What the tests of Grok CLI share. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { filesBelow } from '../golden.testing.ts'
import type { SourceFile } from '../harness.ts'
import { readWith, type TranscriptReading } from '../reading.testing.ts'
import { grokCli } from './index.ts'

export const SESSION = '01a10000-0000-7000-8000-00000000000a'

/** A file below the root. */
export function sourceFile(folder = '%2Fhome%2Fada%2Fgarden'): SourceFile {
  const relative = `${folder}/${SESSION}/updates.jsonl`
  return { source: 'grok-cli', path: `/home/ada/.grok/sessions/${relative}`, relative, modifiedAt: 0 }
}

let event = 0

/** A notification as the client writes it down; `meta` is the notification's, not the update's. */
export function update(kind: string, more: object = {}, meta: object = {}): object {
  const _meta = { eventId: `${SESSION}-${++event}`, agentTimestampMs: 1790000000123, ...meta }
  const params = { sessionId: SESSION, update: { sessionUpdate: kind, ...more }, _meta }
  return { timestamp: 1790000000, method: 'session/update', params }
}

export function read(...records: object[]): TranscriptReading {
  return readWith(grokCli, sourceFile(), records)
}

/** The shared corpus; undefined where it is not next to the project. */
export function corpusFolder(...below: string[]): string | undefined {
  const folder = join(process.cwd(), '..', 'shared', 'corpus', 'grok', 'generated', 'grok-1.0.41', ...below)
  return existsSync(folder) ? folder : undefined
}

/** Transcripts below a folder, with the root they lie in. */
export function transcriptsBelow(folder: string): { path: string; root: string }[] {
  return filesBelow(folder).flatMap((path) => {
    const at = path.split('\\').join('/').indexOf('/.grok/sessions/')
    if (at < 0 || !path.endsWith('updates.jsonl')) return []
    return [{ path, root: path.slice(0, at + '/.grok/sessions'.length) }]
  })
}
