/**
 * Qwen Code (Alibaba). A transcript is append-only JSONL; each record bears its session's id, directory and branch. The
 * record's type and subtype decide how it is read.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { fields, text } from '../fields.ts'
import { defineHarness, defineLayout, everyFile, jsonLines, type NativeRecord, type SourceFile } from '../harness.ts'
import { type Entry, openEntry, settleCopied } from './entry.ts'
import { readAssistant, readToolResult, readUser } from './messages.ts'
import { readSystem, readUnknown } from './notes.ts'
import { agentSession, placeOf, sidecarPath, sources } from './paths.ts'
import { openState, type State } from './state.ts'

const transcript = defineLayout<State>({
  matches: everyFile,
  format: jsonLines,
  sidecars: [{ pathOf: sidecarPath, read: readSidecar }],
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const entry = openEntry(fields(value), state)
    const reader = isRecord(value) ? (READERS.get(text(value['type'])) ?? readUnknown) : readUnknown
    reader(isRecord(value) ? entry : { ...entry, record: { value } })
    settleCopied(entry)
    const { drafts, sessions } = entry
    return sessions.length === 0 ? { drafts } : { drafts, sessions }
  },
})

export const qwenCode = defineHarness({
  id: 'qwen-code',
  title: 'Qwen Code',
  sources,
  layouts: [transcript],
  missing: [
    'A turn that was stopped before the model said anything is not told apart from one that is still at work.',
    'What the client asks the model on its own account (titles, memory, compaction) is not counted as usage.',
    'Chats of the first releases, whole JSON documents, are not read.',
  ],
})

const READERS = new Map<string, (entry: Entry) => void>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['tool_result', readToolResult],
  ['system', readSystem],
])

/** A subagent's task, and who started it: a session, or another subagent of it. */
function readSidecar(value: unknown, file: SourceFile): Reading {
  const meta = fields(value)
  const place = placeOf(file)
  const session = text(meta['parentSessionId']) || place.session
  const parentAgent = text(meta['parentAgentId'])
  const callId = text(meta['toolUseId'])
  const title = text(meta['description']).trim()
  const nativeId = agentSession(place.session, place.agent)
  const parent = {
    nativeId: parentAgent === '' ? session : agentSession(session, parentAgent),
    relation: 'subagent' as const,
    ...(callId !== '' && { callId }),
  }
  return { drafts: [], sessions: [{ nativeId, parent, ...(title !== '' && { title }) }] }
}
