/** Where Grok keeps transcripts, and what a transcript's path says about its session. */

import { dirname, join, posix, win32 } from 'node:path'
import type { Host, SourceDefinition, SourceFile } from '../harness.ts'

export const sources: readonly SourceDefinition[] = [{ name: 'grok-cli', roots, matches: isTranscript }]

/** `GROK_HOME` stands in for the folder `.grok`. */
function roots(host: Host): string[] {
  const path = host.platform === 'win32' ? win32 : posix
  return [path.join(host.env['GROK_HOME']?.trim() || path.join(host.home, '.grok'), 'sessions')]
}

/**
 * `<directory>/<session>/updates.jsonl`. The history beside it is rewritten at each compaction, and the log of events
 * tells how the program's phases follow on each other.
 */
function isTranscript(path: string): boolean {
  const segments = path.split('/')
  return segments.length === 3 && segments[2] === 'updates.jsonl'
}

export interface Place {
  session: string
  /** The working directory, out of the folder's name; empty when that is none. */
  directory: string
}

export function placeOf(file: SourceFile): Place {
  const [folder = '', session = ''] = file.relative.split('/')
  return { session: session || folder || 'unknown', directory: directoryOf(folder) }
}

/** Folders are named after a session's working directory, percent-encoded. */
function directoryOf(folder: string): string {
  try {
    const path = decodeURIComponent(folder)
    return posix.isAbsolute(path) || /^[A-Za-z]:[\\/]/.test(path) ? path : ''
  } catch {
    return ''
  }
}

/** `summary.json` tells title, directory and branch. */
export function summaryPath(file: SourceFile): string {
  return join(dirname(file.path), 'summary.json')
}
