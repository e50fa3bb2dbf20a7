/** For tests: reads rollouts whole or in pieces, and folds drafts into turns as the archive does. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { SourceFile } from '../harness.ts'
import { foldTurns, readWith, type TranscriptReading } from '../reading.testing.ts'
import { codex } from './index.ts'

export { type FoldedTurn as Turn, foldTurns as turnsOf, usageTotals as usageOf } from '../reading.testing.ts'

export const NAME = 'rollout-2026-03-01T10-00-00-019ca8d7-2d00-7000-8000-000000000001.jsonl'

export function sourceFile(relative = NAME): SourceFile {
  return { source: 'codex', path: `/home/kim/.codex/sessions/${relative}`, relative, modifiedAt: 0 }
}

/** Reads records; before each place in `cuts` the state goes through JSON, as it does between two reads. */
export function readRecords(
  values: readonly unknown[],
  file: SourceFile = sourceFile(),
  cuts: ReadonlySet<number> = new Set(),
): TranscriptReading {
  return readWith(codex, file, values, { cut: cuts })
}

/** The records of a JSONL file; a line that is no JSON is left out. */
export function recordsOf(path: string): unknown[] {
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

export function readFile(path: string): TranscriptReading {
  return readRecords(recordsOf(path), sourceFile(basename(path)))
}

/** Records of a made-up session, a second after its start unless said otherwise. */
export const OWN = '019ca8d7-2d00-7000-8000-000000000001'
export const OTHER = '019ca8d6-42a0-7000-8000-000000000002'

export function at(seconds: number): string {
  return new Date(Date.UTC(2026, 2, 1, 10) + seconds * 1000).toISOString()
}

export function record(seconds: number, type: string, payload: Record<string, unknown>, more: object = {}) {
  return { timestamp: at(seconds), type, payload, ...more }
}

export const meta = (more: object = {}, seconds = 0) =>
  record(seconds, 'session_meta', { id: OWN, timestamp: at(seconds), cwd: '/home/kim/kite', ...more })
export const item = (type: string, payload: object, seconds = 1) =>
  record(seconds, 'response_item', { type, ...payload })
export const event = (type: string, payload: object = {}, seconds = 1) =>
  record(seconds, 'event_msg', { type, ...payload })
export const done = (thing: object, seconds = 1) => event('item_completed', { item: thing }, seconds)

export function message(role: string, text: string, more: object = {}, seconds = 1) {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  return item('message', { role, content: [{ type, text }], ...more }, seconds)
}

export function kinds(...content_item_kinds: string[]) {
  return { internal_chat_message_metadata_passthrough: { content_item_kinds } }
}

export const types = (values: readonly unknown[]) => readRecords(values).drafts.map(({ type }) => type)
export const prompts = (values: readonly unknown[]) => foldTurns(readRecords(values).drafts).map(({ prompt }) => prompt)
export const endings = (values: readonly unknown[]) => foldTurns(readRecords(values).drafts).map(({ ending }) => ending)
