/**
 * GitHub Copilot's command line. A transcript is an append-only log of events; subagents' stand among them. The database
 * beside it (`session-store.db`) holds the last turns only.
 */

import type { Reading } from '../../core/event.ts'
import { isRecord } from '../../core/json.ts'
import { fields } from '../fields.ts'
import { defineHarness, defineLayout, everyFile, jsonLines, type NativeRecord } from '../harness.ts'
import { type Entry, openEntry } from './entry.ts'
import { readAssistantMessage, readReasoning, readTurnEnd, readUserMessage } from './messages.ts'
import { sources, workspacePath } from './paths.ts'
import {
  readAbort,
  readCompaction,
  readContext,
  readError,
  readNote,
  readNotice,
  readRewind,
  readShutdown,
  readStartOrResume,
  readSubagentEnded,
  readSubagentStarted,
  readTitle,
  readUnknown,
} from './session-events.ts'
import { openState, type State } from './state.ts'
import { readComplete, readStart } from './tool-calls.ts'
import { readUsageRecord } from './usage.ts'
import { readWorkspace } from './workspace.ts'

const transcript = defineLayout<State>({
  matches: everyFile,
  format: jsonLines,
  sidecars: [{ pathOf: workspacePath, format: 'text', read: readWorkspace }],
  open: openState,
  read({ value }: NativeRecord, state: State): Reading {
    const entry = openEntry(fields(value), state)
    if (isRecord(value)) (READERS.get(entry.type) ?? readUnknown)(entry)
    else readUnknown({ ...entry, record: { value } })
    const { drafts, sessions } = entry
    return sessions.length === 0 ? { drafts } : { drafts, sessions }
  },
})

export const copilotCli = defineHarness({
  id: 'copilot-cli',
  title: 'Copilot CLI',
  sources,
  layouts: [transcript],
  missing: [
    'What a cancelled answer had said so far is not recorded.',
    'Older clients tell usage in sum alone, for each model of a session.',
    'Histories of the first releases (`history-session-state`) are not read.',
  ],
})

const READERS = new Map<string, (entry: Entry) => void>([
  ['user.message', readUserMessage],
  ['assistant.message', readAssistantMessage],
  ['assistant.reasoning', readReasoning],
  ['assistant.turn_end', readTurnEnd],
  ['tool.execution_start', readStart],
  ['tool.execution_complete', readComplete],
  ['session.start', readStartOrResume],
  ['session.resume', readStartOrResume],
  ['session.context_changed', readContext],
  ['session.shutdown', readShutdown],
  ['session.error', readError],
  ['session.snapshot_rewind', readRewind],
  ['session.compaction_complete', readCompaction],
  ['session.title_changed', readTitle],
  ['session.usage_record', readUsageRecord],
  ['abort', readAbort],
  ['subagent.started', readSubagentStarted],
  ['subagent.completed', readSubagentEnded],
  ['subagent.failed', readSubagentEnded],
  ...[
    'assistant.intent',
    'session.handoff',
    'session.info',
    'session.task_complete',
    'session.warning',
    'skill.invoked',
    'system.notification',
  ].map((type) => [type, readNotice] as const),
  ...[
    'assistant.idle',
    'assistant.turn_retry',
    'assistant.turn_start',
    'assistant.usage',
    'command.completed',
    'command.execute',
    'command.queued',
    'elicitation.completed',
    'elicitation.requested',
    'exit_plan_mode.completed',
    'exit_plan_mode.requested',
    'external_tool.completed',
    'external_tool.requested',
    'hook.end',
    'hook.progress',
    'hook.start',
    'model.call_failure',
    'model.call_finished',
    'pending_messages.modified',
    'permission.completed',
    'permission.requested',
    'session.auto_mode_resolved',
    'session.autopilot_objective_changed',
    'session.compaction_start',
    'session.context_cleared',
    'session.idle',
    'session.mode_changed',
    'session.model_change',
    'session.permissions_changed',
    'session.plan_changed',
    'session.remote_steerable_changed',
    'session.schedule_cancelled',
    'session.schedule_created',
    'session.schedule_rearmed',
    'session.session_limits_changed',
    'session.todos_changed',
    'session.truncation',
    'session.usage_checkpoint',
    'session.usage_info',
    'session.workspace_file_changed',
    'subagent.configured',
    'subagent.deselected',
    'subagent.selected',
    'system.message',
    'tool.execution_partial_result',
    'tool.execution_progress',
    'tool.user_requested',
    'user_input.completed',
    'user_input.requested',
  ].map((type) => [type, readNote] as const),
])
