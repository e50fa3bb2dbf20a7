/** A harness's draft becomes an event: an id that lasts, clean text, numbers that fit their columns. */

import type { Draft, ToolUse, Usage } from '../core/event.ts'
import { hash128 } from '../core/hash.ts'
import type { CapturedEvent } from '../store/batch.ts'
import { cleanName } from './clean-text.ts'
import type { Scrubber } from './scrub.ts'

/** Where a draft comes from. */
export interface Origin {
  harness: string
  /** 0-based record in the file; -1 for what a sidecar says. */
  recordIndex: number
  /** The record as it stands in the file. */
  text: string
}

/**
 * The event's 16 bytes. They depend on the harness, the session and the record, on nothing of the file but the record's
 * place where it has no id of its own: they are the same after re-reading, renaming or copying the file, and whatever
 * the rules of redaction are. A record without an id that is rewritten becomes another event; the first one stays.
 */
export function eventId(draft: Draft, session: string, origin: Origin): Buffer {
  const { id, index } = draft.native
  const own =
    id === undefined
      ? hash128('event', origin.harness, session, 'place', origin.recordIndex, origin.text, index)
      : hash128('event', origin.harness, session, 'id', id, index)
  sessionPrefix(origin.harness, session).copy(own)
  return own
}

/** Bytes of an id that are the same for all events of a session. */
const PREFIX = 6

let lastPrefix: { key: string; bytes: Buffer } = { key: '', bytes: Buffer.alloc(0) }

/**
 * The ids of a session stand next to each other in the database's index. Spread over all of it, each would be written to
 * a page of its own, which was a good part of what capture wrote. The other ten bytes are still enough to tell events apart.
 */
function sessionPrefix(harness: string, session: string): Buffer {
  const key = `${harness} ${session}`
  if (lastPrefix.key !== key) lastPrefix = { key, bytes: hash128('session', harness, session).subarray(0, PREFIX) }
  return lastPrefix.bytes
}

/** Makes the event; `at` and `touches` are filled in later, when the whole batch is known. */
export function toEvent(draft: Draft, session: string, origin: Origin, scrubber: Scrubber): CapturedEvent {
  const text = scrubber.text(draft.text)
  const payload = scrubber.json(draft.payload)
  const input = scrubber.json(draft.tool?.input)
  const tool = draft.tool ? toTool(draft.tool) : null
  return {
    id: eventId(draft, session, origin),
    session,
    type: draft.type,
    at: 0,
    text,
    digest: digestOf(draft, text, tool, input, payload),
    payload,
    nativeId: draft.native.id === undefined ? null : cleanName(draft.native.id),
    model: draft.model ? cleanName(draft.model) : null,
    tool,
    input,
    opensTurn: draft.opensTurn ?? false,
    ends: draft.ends ?? null,
    ...(draft.commentary && { commentary: true as const }),
    copied: draft.copied ?? false,
    usage: draft.usage ? toUsage(draft.usage) : null,
    touches: [],
    recordIndex: origin.recordIndex,
  }
}

/**
 * Equal for events that say the same, so that a rewrite is told from a repeat and a hit is shown once. Native fields that
 * nobody reads, such as the ids of a copy, make no difference beside a text.
 */
function digestOf(
  draft: Draft,
  text: string,
  tool: CapturedEvent['tool'],
  input: string | null,
  payload: string | null,
): Buffer {
  const outcome = `${draft.ends ?? ''} ${tool?.exitCode ?? ''} ${tool?.failed ?? ''} ${draft.commentary ?? ''}`
  return hash128(draft.type, text, outcome, tool?.name ?? '', input ?? '', text === '' ? (payload ?? '') : '')
}

function toTool(tool: ToolUse): CapturedEvent['tool'] {
  return {
    name: cleanName(tool.name),
    server: tool.server ? cleanName(tool.server) : null,
    callId: tool.callId ? cleanName(tool.callId) : null,
    // Windows gives unsigned codes, which do not fit a 32-bit column.
    exitCode: Number.isInteger(tool.exitCode) ? Number(tool.exitCode) | 0 : null,
    failed: tool.error ?? false,
  }
}

function toUsage(usage: Usage): Usage {
  return {
    id: cleanName(usage.id),
    input: toCount(usage.input),
    output: toCount(usage.output),
    cacheRead: toCount(usage.cacheRead),
    cacheWrite: toCount(usage.cacheWrite),
    reasoning: toCount(usage.reasoning),
  }
}

function toCount(value: number): number {
  return Number.isFinite(value) && value > 0 ? Math.min(Math.floor(value), Number.MAX_SAFE_INTEGER) : 0
}
