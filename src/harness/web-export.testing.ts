/** For tests of web exports: conversations as they stand in a list. */

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Harness, SourceFile } from './harness.ts'
import { readWith, type TranscriptReading } from './reading.testing.ts'

export const exportFile: SourceFile = {
  source: 'export',
  path: '/home/ada/download.zip',
  relative: 'download.zip',
  modifiedAt: 0,
}

export function readConversations(harness: Harness, ...conversations: unknown[]): TranscriptReading {
  return readWith(harness, exportFile, conversations)
}

/** What was said, with a mark before what was left behind. */
export function told({ drafts }: TranscriptReading): string[] {
  return drafts
    .filter(({ text }) => text !== '')
    .map(({ text, payload }) => (payload && 'branch' in Object(payload) ? `(${text})` : text))
}

/** A folder of the shared corpus; undefined where it is not next to the project. */
export function corpusFolder(name: string): string | undefined {
  const folder = resolve('..', 'shared', 'corpus', name, 'Sinity+polylogue', 'tests')
  return existsSync(folder) ? folder : undefined
}
