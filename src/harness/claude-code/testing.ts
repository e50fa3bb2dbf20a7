/** What the tests of this harness share: reading a transcript, and folding its drafts into turns as the archive does. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Draft, Reading, SessionFacts, Usage } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import { foldTurns, layoutFor, usageTotals } from '../reading.testing.ts'
import { claudeCode } from './index.ts'

/** A file below the root of source `claude`, or of the given one. */
export function sourceFile(path: string, source = 'claude'): SourceFile {
  return { source, path: `/root/${path}`, relative: path, modifiedAt: 0 }
}

/** Reads records in order; `cut` is a place before which the state goes through JSON, as between two captures. */
export function readRecords(records: readonly unknown[], file: SourceFile, cut?: number): Reading[] {
  const layout = layoutFor(claudeCode, file)
  let state = layout.open(file)
  return records.map((value, index) => {
    if (index === cut) state = JSON.parse(JSON.stringify(state))
    return layout.read({ value, index }, state, file)
  })
}

/** The drafts of records of one main session file. */
export function draftsOf(...records: unknown[]): Draft[] {
  return readRecords(records, sourceFile('project/S.jsonl')).flatMap(({ drafts }) => drafts)
}

/** The session facts of records of one main session file. */
export function factsOf(...records: unknown[]): SessionFacts[] {
  return readRecords(records, sourceFile('project/S.jsonl')).flatMap(({ sessions }) => sessions ?? [])
}

/** The records of a JSONL file that parse. */
export function parseFile(path: string): unknown[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.trim() === '') return []
      try {
        return [JSON.parse(line) as unknown]
      } catch {
        return []
      }
    })
}

/** Every JSONL file below a folder, in a stable order. */
export function jsonlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name.endsWith('.jsonl'))
    .map((item) => join(item.parentPath, item.name))
    .sort()
}

/** The shared corpus of transcripts; undefined on machines that do not have it. */
export function sharedCorpus(): string | undefined {
  const folder = join(process.cwd(), '..', 'shared', 'corpus', 'claude-code')
  return existsSync(folder) ? folder : undefined
}

/** A corpus file as capture would see it: relative to the `projects` folder it lies in, or to a project of its own. */
export function corpusFile(path: string): SourceFile {
  const at = path.replaceAll('\\', '/').lastIndexOf('/.claude/projects/')
  const below =
    at < 0 ? join('project', basename(path)) : relative(path.slice(0, at + '/.claude/projects/'.length), path)
  return { source: 'claude', path, relative: below.replaceAll('\\', '/'), modifiedAt: 0 }
}

/** One turn as a reader would tell it. */
export interface Turn {
  prompt: string
  ending: string
  /** Name of each call, with its exit code or failure where one is known. */
  tools: string[]
}

/** Turns of one session as the archive makes them. */
export function turnsOf(drafts: readonly Draft[]): Turn[] {
  return foldTurns(drafts).map(({ prompt = '', ending = 'open', calls }) => ({ prompt, ending, tools: calls }))
}

/** Totals of all responses; this client does not say which part was reasoning. */
export function totalUsage(drafts: readonly Draft[]): Omit<Usage, 'id' | 'reasoning'> {
  const { reasoning: _none, ...total } = usageTotals(drafts)
  return total
}
