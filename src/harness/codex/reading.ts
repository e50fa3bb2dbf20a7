/** One record while it is read: where it stands, what it holds, and the drafts made of it. */

import type { Draft, EventType, Reading, SessionFacts, ToolUse } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import type { Fields } from './fields.ts'
import type { CodexState } from './state.ts'

export interface RecordReading {
  state: CodexState
  /** 0-based place in the file. */
  index: number
  envelope: Fields
  payload: Fields
  at: number | undefined
  drafts: Draft[]
  sessions: SessionFacts[]
}

/** Makes drafts of one kind of record. */
export type Reader = (reading: RecordReading) => void

/**
 * Adds a draft and returns it, so that the caller may say more about it. `id` is the native id, with its kind in front,
 * since one id of Codex can name a call, its output and its twin.
 */
export function add(reading: RecordReading, type: EventType, text: string, id?: string): Draft {
  const { drafts, state, at } = reading
  const native = id === undefined ? { index: drafts.length } : { id, index: drafts.length }
  const draft: Draft = { session: state.session, type, text, native }
  if (at !== undefined) draft.at = at
  drafts.push(draft)
  return draft
}

/** A small draft for a record that says nothing a person would read, or says it again: `type` and a few facts. */
export function addAside(
  reading: RecordReading,
  type: 'runtime' | 'system',
  payload: Fields | undefined,
  id?: string,
): Draft {
  const draft = add(reading, type, '', id)
  const { type: kind = reading.envelope.type, item } = reading.payload
  draft.payload = isRecord(item) ? { type: kind, item: item.type, ...payload } : { type: kind, ...payload }
  return draft
}

/** What no rule covers is kept as it is. */
export function addUnknown(reading: RecordReading): Draft {
  const draft = add(reading, 'unknown', '')
  draft.payload = reading.envelope
  return draft
}

export function setModel(reading: RecordReading, draft: Draft): void {
  if (reading.state.model !== undefined) draft.model = reading.state.model
}

export function toolUse(
  phase: ToolUse['phase'],
  name: string,
  server: string | undefined,
  callId: string | undefined,
): ToolUse {
  const tool: ToolUse = { name, phase }
  if (server !== undefined) tool.server = server
  if (callId !== undefined) tool.callId = callId
  return tool
}

/** Copied history is kept as what it was, but it tells nothing of this session. */
export function markCopied({ drafts, sessions }: RecordReading): void {
  sessions.length = 0
  for (const draft of drafts) draft.copied = true
}

export function finish(reading: RecordReading): Reading {
  const { drafts, sessions } = reading
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}
