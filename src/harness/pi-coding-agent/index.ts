/**
 * Pi (earendil-works, first by Mario Zechner) and its fork Oh My Pi. A transcript is append-only JSONL whose entries form
 * a tree: going back to an earlier entry opens a branch in the same file, and what was left stays. All of it happened, so
 * all of it is read, in the file's order. Prime Agent is a fork too and writes the same format.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { fields, foreign, text } from '../fields.ts'
import { defineHarness, defineLayout, everyFile, jsonLines, type NativeRecord } from '../harness.ts'
import { add, type Entry, openEntry } from './entry.ts'
import { readGitState, readModelChange, readNote, readSession, readSetting, readTitle } from './header.ts'
import { readCustom, readCustomMessage, readMessage, readModelUsage, readSessionInit, readSummary } from './messages.ts'
import { sources } from './paths.ts'
import { openState, type State } from './state.ts'

export { folderOf } from './paths.ts'

/** The format of all programs that descend from Pi. */
export const piTranscript = defineLayout<State>({ matches: everyFile, format: jsonLines, open: openState, read })

/** What none of them tells. */
export const piMissing: readonly string[] = [
  'A turn that a signal cut short leaves no trace: its prompt stays without an end.',
  'The version of the client.',
  'Sessions of the first clients (2025), once these have rewritten them in today’s format, are read as new events.',
]

export const piCodingAgent = defineHarness({
  id: 'pi-coding-agent',
  title: 'Pi Coding Agent',
  sources,
  layouts: [piTranscript],
  missing: [
    ...piMissing,
    'The git branch.',
    'Subagents of Pi’s extensions are known only where they write transcripts among the sessions.',
  ],
})

function read({ value }: NativeRecord, state: State): Reading {
  const entry = openEntry(fields(value), state)
  const reader = isRecord(value) ? READERS.get(text(value['type'])) : undefined
  if (reader) reader(entry)
  else add(entry, 'unknown', '', { payload: foreign(value) })
  noteBranch(entry)
  const { drafts, sessions } = entry
  return sessions.length === 0 ? { drafts } : { drafts, sessions }
}

/** Tells where the conversation went back to an earlier entry. */
function noteBranch({ record, state, id, drafts }: Entry): void {
  const parent = record['parentId']
  if (id === '' || parent === undefined) return
  const [first] = drafts
  if (first && state.last !== '' && parent !== state.last) {
    first.payload = { ...fields(first.payload), parentId: parent }
  }
  state.last = id
}

const READERS = new Map<string, (entry: Entry) => void>([
  ['session', readSession],
  ['message', readMessage],
  ['custom_message', readCustomMessage],
  ['compaction', (entry) => readSummary(entry)],
  ['branch_summary', (entry) => readSummary(entry)],
  ['title', readTitle],
  ['title_change', readTitle],
  ['session_info', readTitle],
  ['model_change', readModelChange],
  ['thinking_level_change', readSetting],
  ['service_tier_change', readSetting],
  ['mode_change', readSetting],
  ['label', readSetting],
  ['custom', readCustom],
  ['session_init', readSessionInit],
  ['model_usage', readModelUsage],
  ['git_state', readGitState],
  ['context_edit', readNote],
  ['context_transform', readNote],
  ['ephemeral', readNote],
  ['agent_status', readNote],
  ['child_usage_attributed', readNote],
  ['session_state', readNote],
  ['ttsr_injection', readNote],
  ['credential_pin', readNote],
  ['mcp_tool_selection', readNote],
  ['reset_boundary', readNote],
  ['archive', readNote],
])
