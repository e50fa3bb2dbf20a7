/** What the tests of this harness share: reading a transcript, and folding its drafts into turns as the archive does. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Draft, Reading, SessionFacts } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import { claudeCode } from './index.ts'

/** A file below the root of source `claude`, or of the given one. */
export function sourceFile(path: string, source = 'claude'): SourceFile {
  return { source, path: `/root/${path}`, relative: path, modifiedAt: 0 }
}

/** Reads records in order; `cut` is a place before which the state goes through JSON, as between two captures. */
export function readRecords(records: readonly unknown[], file: SourceFile, cut?: number): Reading[] {
  let state = claudeCode.open(file)
  return records.map((value, index) => {
    if (index === cut) state = JSON.parse(JSON.stringify(state)) as typeof state
    return claudeCode.read({ value, index }, state, file)
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

/**
 * Folds drafts of one session into turns by the archive's rule: a prompt opens a turn, what comes before the first one
 * joins it, the last ending holds, and work after an ending takes it back.
 */
export function turnsOf(drafts: readonly Draft[]): Turn[] {
  const turns: Turn[] = []
  const calls = new Map<string, string>()
  let turn: Turn | undefined
  for (const draft of drafts) {
    if (!turn || (draft.opensTurn && turn.prompt !== '')) {
      turn = { prompt: '', ending: 'open', tools: [] }
      turns.push(turn)
    }
    if (draft.opensTurn) turn.prompt = draft.text
    if (draft.ends) turn.ending = draft.ends
    else if (['assistant_response', 'reasoning', 'tool_call'].includes(draft.type)) turn.ending = 'open'
    const { tool } = draft
    if (!tool) continue
    const name = tool.server ? `${tool.server}/${tool.name}` : tool.name
    if (tool.phase === 'call') {
      turn.tools.push(name)
      if (tool.callId) calls.set(tool.callId, name)
    } else {
      const outcome = tool.exitCode ?? (tool.error ? 'failed' : undefined)
      const place = turn.tools.lastIndexOf(name)
      if (place >= 0 && outcome !== undefined && calls.get(tool.callId ?? '') === name)
        turn.tools[place] = `${name} ${outcome}`
    }
  }
  return turns
}

/** Totals of all responses, each counted once with its largest reading, as the archive does. */
export function totalUsage(drafts: readonly Draft[]): {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
} {
  const largest = new Map<string, NonNullable<Draft['usage']>>()
  const size = (usage: NonNullable<Draft['usage']>) => usage.input + usage.output + usage.cacheRead + usage.cacheWrite
  for (const { usage } of drafts) {
    if (!usage) continue
    const known = largest.get(usage.id)
    if (!known || size(usage) >= size(known)) largest.set(usage.id, usage)
  }
  const total = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  for (const usage of largest.values()) {
    total.input += usage.input
    total.output += usage.output
    total.cacheRead += usage.cacheRead
    total.cacheWrite += usage.cacheWrite
  }
  return total
}
