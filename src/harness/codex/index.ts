/**
 * Codex (OpenAI): rollouts, one JSONL file for each thread.
 *
 * A rollout tells most steps twice: as a `response_item` (what went to the model and came from it) and as an `event_msg`
 * (what the user was shown). The side that tells a step first carries it; the other one becomes a small `runtime` draft
 * and adds at most an exit code. `history.jsonl` and `session_index.jsonl` lie outside the folders and are no
 * transcripts; names of threads in the latter are not read, since a rename stands in the rollout. Whole-document
 * `rollout-*.json` of the first releases are not read either.
 */

import { join } from 'node:path'
import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { parseTime } from '../../core/time.ts'
import {
  defineHarness,
  defineLayout,
  everyFile,
  type Host,
  jsonLines,
  type NativeRecord,
  type SourceDefinition,
  type SourceFile,
} from '../harness.ts'
import { isCopied, timeOfUuid } from './copied-history.ts'
import { errorText, readEventMessage } from './event-messages.ts'
import { isStreamRecord, readStreamRecord } from './exec-stream.ts'
import { type Fields, pick, string } from './fields.ts'
import { add, addAside, addUnknown, finish, markCopied, type Reader, type RecordReading } from './reading.ts'
import { readResponseItem } from './response-items.ts'
import { leaveCopy, readCompacted, readSessionMeta, readTurnContext, readWorldState } from './session-records.ts'
import { type CodexState, openState } from './state.ts'
import { readUsageRecord } from './usage.ts'

const source: SourceDefinition = {
  name: 'codex',
  /** Live rollouts, and those the user archived: same files, same sessions. */
  roots: ({ home, env }: Host) => {
    const codexHome = env.CODEX_HOME?.trim() || join(home, '.codex')
    return [join(codexHome, 'sessions'), join(codexHome, 'archived_sessions')]
  },
  matches: (path) => /\.jsonl(?:\.zst)?$/.test(path) && !/(?:^|\/)(?:history|session_index)\.jsonl/.test(path),
}

const rollout = defineLayout<CodexState>({ matches: everyFile, format: jsonLines, open: openState, read })

export const codex = defineHarness({ id: 'codex', title: 'Codex', sources: [source], layouts: [rollout] })

function read({ value, index }: NativeRecord, state: CodexState, file: SourceFile): Reading {
  const envelope = isRecord(value) ? value : { value }
  const payload = isRecord(envelope.payload) ? envelope.payload : envelope
  const reading: RecordReading = {
    state,
    index,
    envelope,
    payload,
    at: timeOf(envelope, payload, state, file),
    drafts: [],
    sessions: [],
  }
  const copied = state.copied !== undefined && isCopied(state.copied, envelope, payload, reading.at, index)
  if (state.copied && !copied) leaveCopy(reading)
  const reader = READERS.get(envelope.type) ?? readBareRecord
  reader(reading)
  if (envelope.type !== 'session_meta') state.begun = true
  if (copied) markCopied(reading)
  return finish(reading)
}

const READERS: ReadonlyMap<unknown, Reader> = new Map<string, Reader>([
  ['response_item', readResponseItem],
  ['event_msg', readEventMessage],
  ['token_usage_record', readUsageRecord],
  ['turn_context', readTurnContext],
  ['world_state', readWorldState],
  ['session_meta', readSessionMeta],
  ['compacted', readCompacted],
  ['inter_agent_communication_metadata', readAgentTrigger],
])

/** Comes before a message between agents. */
function readAgentTrigger(reading: RecordReading): void {
  const { payload, state } = reading
  if (payload.trigger_turn === true) state.triggered = true
  addAside(reading, 'runtime', pick(payload, ['trigger_turn']))
}

/** Records without an envelope: rollouts of 2025 until summer, and the stream of `codex exec --json`. */
function readBareRecord(reading: RecordReading): void {
  const { envelope, payload } = reading
  if (payload !== envelope) addUnknown(reading)
  else if (envelope.type === undefined) readUntyped(reading)
  else if (isStreamRecord(envelope.type)) readStreamRecord(reading)
  else if (envelope.type === 'error') add(reading, 'runtime', errorText(envelope)).payload = { type: 'error' }
  else readResponseItem(reading)
}

/** The header of an old rollout, its markers, and messages known by their role alone. */
function readUntyped(reading: RecordReading): void {
  const { envelope, state } = reading
  const model = string(envelope.model)
  if (model !== undefined) state.model = model
  if (typeof envelope.role === 'string') {
    reading.payload = { ...envelope, type: 'message', content: envelope.content ?? envelope.message }
    readResponseItem(reading)
  } else if (typeof envelope.record_type === 'string') {
    addAside(reading, 'system', { record_type: envelope.record_type })
  } else if (string(envelope.id) !== undefined && string(envelope.timestamp) !== undefined) {
    readSessionMeta(reading)
  } else addUnknown(reading)
}

/**
 * The record's time, or that of its payload. Before any record has one, the time in the file's name: the UUID's, since
 * the one written out is local.
 */
function timeOf(envelope: Fields, payload: Fields, state: CodexState, file: SourceFile): number | undefined {
  const at =
    parseTime(envelope.timestamp) ??
    (payload === envelope ? undefined : parseTime(payload.timestamp)) ??
    parseTime(envelope.created_at)
  if (at !== undefined) {
    state.timed = true
    return at
  }
  return state.timed ? undefined : timeInName(file)
}

function timeInName({ relative }: SourceFile): number | undefined {
  const match = /rollout-(\d{4}-\d{2}-\d{2}T\d{2})-(\d{2})-(\d{2})-(.*?)\.jsonl/.exec(relative)
  if (!match) return undefined
  return timeOfUuid(match[4]) ?? parseTime(`${match[1]}:${match[2]}:${match[3]}`)
}
