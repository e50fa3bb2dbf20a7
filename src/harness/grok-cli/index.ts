/**
 * Grok's command line (xAI, "Grok Build"). A session is a folder; its transcript is the append-only log of notifications
 * in the Agent Client Protocol, with the program's own kinds among them.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { fields, text } from '../fields.ts'
import { defineHarness, defineLayout, everyFile, jsonLines, type NativeRecord, type SourceFile } from '../harness.ts'
import { type Entry, openEntry } from './entry.ts'
import { readAgentMessage, readThought, readUnknown, readUserMessage } from './messages.ts'
import {
  readCompacted,
  readModel,
  readNote,
  readRetry,
  readRewind,
  readSubagentSpawned,
  readTitle,
  readTurnCompleted,
} from './notes.ts'
import { placeOf, sources, summaryPath } from './paths.ts'
import { openState, type State } from './state.ts'
import { readToolCall, readToolCallUpdate } from './tool-calls.ts'

const transcript = defineLayout<State>({
  matches: everyFile,
  format: jsonLines,
  sidecars: [{ pathOf: summaryPath, read: readSummary }],
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const entry = openEntry(fields(value), state)
    if (isRecord(value)) (READERS.get(text(entry.update['sessionUpdate'])) ?? readUnknown)(entry)
    else readUnknown({ ...entry, record: { value } })
    const { drafts, sessions } = entry
    return sessions.length === 0 ? { drafts } : { drafts, sessions }
  },
})

export const grokCli = defineHarness({
  id: 'grok-cli',
  title: 'Grok CLI',
  sources,
  layouts: [transcript],
  missing: [
    'Usage is told for whole turns; that of a turn with subagents holds theirs and is not counted, while theirs is.',
    'What a compaction summarized lies in files beside the transcript, which are not read.',
    'The history the model sees (`chat_history.jsonl`) is rewritten at each compaction, and the log of phases (`events.jsonl`) repeats what stands in the transcript: neither is read.',
    'The version of the client is not recorded.',
  ],
})

const READERS = new Map<string, (entry: Entry) => void>([
  ['user_message_chunk', readUserMessage],
  ['agent_message_chunk', readAgentMessage],
  ['agent_thought_chunk', readThought],
  ['tool_call', readToolCall],
  ['tool_call_update', readToolCallUpdate],
  ['turn_completed', readTurnCompleted],
  ['subagent_spawned', readSubagentSpawned],
  ['auto_compact_completed', readCompacted],
  ['retry_state', readRetry],
  ['rewind_marker', readRewind],
  ['session_summary_generated', readTitle],
  ['session_info_update', readTitle],
  ['model_changed', readModel],
  ['model_auto_switched', readModel],
  ...[
    'auto_compact_cancelled',
    'auto_compact_failed',
    'auto_compact_started',
    'auto_continue_completed',
    'auto_recovery_exhausted',
    'auto_recovery_started',
    'available_commands_update',
    'background_tasks',
    'compaction_checkpoint',
    'current_mode_update',
    'diff_review',
    'feedback_request',
    'goal_updated',
    'hook_annotation',
    'hook_execution',
    'hooks_changed',
    'image_compressed',
    'image_dropped',
    'interaction_resolved',
    'last_turn_summary',
    'memory_dream_completed',
    'memory_files',
    'memory_flush_completed',
    'memory_flush_started',
    'memory_session_saved',
    'monitor_event',
    'pending_interaction',
    'plan',
    'plugin_updates_installed',
    'plugins_changed',
    'relay_sync_status',
    'response_completed',
    'scheduled_task_created',
    'scheduled_task_deleted',
    'scheduled_task_fired',
    'session_recap',
    'session_recap_unavailable',
    'subagent_finished',
    'subagent_progress',
    'task_backgrounded',
    'task_completed',
    'tool_call_delta_chunk',
    'workflow_updated',
  ].map((kind) => [kind, readNote] as const),
])

/** The session's title, directory and branch. */
function readSummary(value: unknown, file: SourceFile): Reading {
  const summary = fields(value)
  const { id, cwd } = fields(summary['info'])
  const title = (text(summary['generated_title']) || text(summary['session_summary'])).trim()
  const branch = text(summary['head_branch'])
  const nativeId = text(id) || placeOf(file).session
  return {
    drafts: [],
    sessions: [
      {
        nativeId,
        ...(title !== '' && { title }),
        ...(text(cwd) !== '' && { cwd: text(cwd) }),
        ...(branch !== '' && { branch }),
      },
    ],
  }
}
