/** For tests: reads rollouts whole or in pieces, and folds drafts into turns as the archive does. */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Draft, Ending, SessionFacts, Usage } from '../../core/event.ts'
import type { SourceFile } from '../harness.ts'
import { codex } from './index.ts'

export const NAME = 'rollout-2026-03-01T10-00-00-019ca8d7-2d00-7000-8000-000000000001.jsonl'

export function sourceFile(relative = NAME): SourceFile {
  return { source: 'codex', path: `/home/kim/.codex/sessions/${relative}`, relative, modifiedAt: 0 }
}

export interface WholeReading {
  drafts: Draft[]
  sessions: SessionFacts[]
  /** Drafts of each record. */
  records: Draft[][]
  state: unknown
}

/** Reads records; before each place in `cuts` the state goes through JSON, as it does between two reads. */
export function readRecords(
  values: readonly unknown[],
  file: SourceFile = sourceFile(),
  cuts: ReadonlySet<number> = new Set(),
): WholeReading {
  let state = codex.open(file)
  const records: Draft[][] = []
  const sessions: SessionFacts[] = []
  values.forEach((value, index) => {
    if (cuts.has(index)) state = JSON.parse(JSON.stringify(state))
    const reading = codex.read({ value, index }, state, file)
    records.push(reading.drafts)
    sessions.push(...(reading.sessions ?? []))
  })
  return { drafts: records.flat(), sessions, records, state }
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

export function readFile(path: string): WholeReading {
  return readRecords(recordsOf(path), sourceFile(basename(path)))
}

export interface Turn {
  prompt?: string
  ending?: Ending
  answer?: string
  /** Name, with the server in front, and exit code or failure of each call. */
  calls: string[]
  events: number
}

/**
 * Turns as the archive makes them: a prompt opens one unless the open one still waits for its first; the last end counts;
 * work after an end takes it back; the answer is the last thing said that was no commentary.
 */
export function turnsOf(drafts: readonly Draft[]): Turn[] {
  const turns: Turn[] = []
  const responses = new Map(
    drafts.filter(({ type }) => type === 'tool_response').map((draft) => [draft.tool?.callId, draft]),
  )
  for (const draft of drafts) {
    if (draft.copied) continue
    let turn = turns.at(-1)
    if (!turn || (draft.opensTurn && turn.prompt !== undefined)) {
      turn = { calls: [], events: 0 }
      turns.push(turn)
    }
    turn.events++
    if (draft.opensTurn) turn.prompt ??= draft.text
    if (draft.type === 'tool_call') turn.calls.push(callOf(draft, responses.get(draft.tool?.callId)))
    if (draft.type === 'assistant_response' && !draft.commentary) turn.answer = draft.text
    if (draft.ends) turn.ending = draft.ends
    else if (['assistant_response', 'reasoning', 'tool_call'].includes(draft.type)) delete turn.ending
  }
  for (const turn of turns) if (turn.ending !== 'answered') delete turn.answer
  return turns
}

function callOf({ tool }: Draft, response: Draft | undefined): string {
  const name = tool?.server === undefined ? tool?.name : `${tool.server}/${tool.name}`
  const code = response?.tool?.exitCode
  return `${name}${code === undefined ? '' : ` ${code}`}${response?.tool?.error ? ' failed' : ''}`
}

/** Tokens of all responses, each counted once. */
export function usageOf(drafts: readonly Draft[]): Omit<Usage, 'id'> {
  const byId = new Map(drafts.flatMap(({ usage }) => (usage ? [[usage.id, usage] as const] : [])))
  const sum = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  for (const usage of byId.values()) {
    for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += usage[name]
  }
  return sum
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
export const prompts = (values: readonly unknown[]) => turnsOf(readRecords(values).drafts).map(({ prompt }) => prompt)
export const endings = (values: readonly unknown[]) => turnsOf(readRecords(values).drafts).map(({ ending }) => ending)
