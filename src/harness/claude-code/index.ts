/**
 * Claude Code, the terminal client and the desktop's Cowork mode, from 1.0 to 2.1. A transcript is append-only JSONL;
 * the record's type decides how it is read, never the role inside its message, since copies of API requests hold
 * messages too.
 */

import type { Reading, SessionFacts } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { defineHarness, defineLayout, everyFile, jsonLines, type SourceFile } from '../harness.ts'
import { readAssistant } from './assistant.ts'
import { foreignPayload, textField } from './content.ts'
import { add, type Entry, openEntry } from './entry.ts'
import {
  readAiTitle,
  readAttachment,
  readBareToolResult,
  readBareToolUse,
  readCustomTitle,
  readLink,
  readNote,
  readProgress,
  readQueueOperation,
  readSummary,
  readSystem,
  readUnknown,
} from './notes.ts'
import { agentSession, placeOf, sidecarPath, sources } from './paths.ts'
import { openState, type State } from './state.ts'
import { readUser } from './user.ts'

const transcript = defineLayout<State>({
  matches: everyFile,
  format: jsonLines,
  sidecars: [{ pathOf: sidecarPath, read: readSidecar }],
  open: openState,
  read(record, state) {
    const { value, index } = record
    const entry = openEntry(isRecord(value) ? value : {}, index, state)
    if (isRecord(value)) (READERS.get(textField(value, 'type')) ?? readUnknown)(entry)
    else add(entry, 'unknown', '', { payload: foreignPayload(value) })
    if (entry.main) noteTurn(entry)
    return entry.sessions.length === 0 ? { drafts: entry.drafts } : { drafts: entry.drafts, sessions: entry.sessions }
  },
})

export const claudeCode = defineHarness({ id: 'claude-code', title: 'Claude Code', sources, layouts: [transcript] })

const READERS = new Map<string, (entry: Entry) => void>([
  ['user', readUser],
  ['assistant', readAssistant],
  ['system', readSystem],
  ['progress', readProgress],
  ['attachment', readAttachment],
  ['queue-operation', readQueueOperation],
  ['summary', readSummary],
  ['ai-title', readAiTitle],
  ['custom-title', readCustomTitle],
  ['pr-link', readLink],
  ['frame-link', readLink],
  ['tool_use', readBareToolUse],
  ['tool_result', readBareToolResult],
  ...[
    'agent-name',
    'api-request',
    'api-request-blob',
    'api-request-shape',
    'atis-latch',
    'bridge-session',
    'cost-state',
    'file-history-snapshot',
    'last-prompt',
    'mode',
    'permission-mode',
    'relocated',
    'tools-used',
    'worktree-state',
  ].map((type) => [type, readNote] as const),
])

/** Keeps track of whether the turn is over, as the archive does: work after an ending means it was none. */
function noteTurn({ state, drafts }: Entry): void {
  for (const { type, ends, opensTurn } of drafts) {
    if (ends) state.turnIsOpen = false
    else if (opensTurn || type === 'assistant_response' || type === 'reasoning' || type === 'tool_call') {
      state.turnIsOpen = true
    }
  }
}

/**
 * A subagent's `.meta.json` tells what it was started for and by which call; Cowork's `local_<id>.json` tells the
 * conversation's title and folder. The latter holds account and configuration too, which are not for us.
 */
function readSidecar(value: unknown, file: SourceFile): Reading {
  if (!isRecord(value)) return { drafts: [] }
  const { session, agent, certain } = placeOf(file)
  if (agent === '') {
    const facts: SessionFacts = { nativeId: session }
    if (textField(value, 'title') !== '') facts.title = textField(value, 'title')
    if (textField(value, 'cwd') !== '') facts.cwd = textField(value, 'cwd')
    return { drafts: [], sessions: [facts] }
  }
  // Beside an older subagent's file nothing says which session it belongs to.
  if (!certain) return { drafts: [] }
  const facts: SessionFacts = { nativeId: agentSession(session, agent) }
  const title = textField(value, 'description')
  if (title !== '') facts.title = title
  const callId = textField(value, 'toolUseId')
  // A subagent started by another one hangs under that one, which its starter's file tells.
  if (callId !== '' && !(typeof value['spawnDepth'] === 'number' && value['spawnDepth'] > 1)) {
    facts.parent = { nativeId: session, callId, relation: 'subagent' }
  }
  return { drafts: [], sessions: [facts] }
}
