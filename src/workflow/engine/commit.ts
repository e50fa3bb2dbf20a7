/** Storing what a call on a run led to. All of it happens in the transaction given, which commits or leaves no trace. */

import type { Caller } from '../../core/caller.ts'
import { UserError } from '../../core/errors.ts'
import { saveNote } from '../../library/notes-library.ts'
import {
  appendError,
  dropUnusedGraph,
  type ErrorRow,
  type ExecutionRow,
  insertExecution,
  insertMove,
  type LiveAttempt,
  listReminderRows,
  moveExecution,
  NO_ATTEMPT,
  type Queryable,
  runningChildren,
  shareGraph,
  updateExecution,
} from '../../store/index.ts'
import type { Effect, Presentation } from '../nodes/node-type.ts'
import { MAX_STATE_BYTES, type RunState, type VisitEntry, waitingNodeId } from '../state.ts'
import type { Completed, Presented } from '../transition.ts'
import { audit, type EngineContext, sourceOf } from './context.ts'
import { completionReceipt, type Surroundings, stepReceipt } from './render.ts'
import { type Run, runContext, surfaceText } from './run.ts'
import type { Receipt } from './types.ts'

export interface Move {
  run: Run
  result: Presented | Completed
  caller: Caller
  kind: 'start' | 'step' | 'recover'
  /** The attempt that led here; null when a run that had none is recovered. */
  attemptId: string | null
  inputHash: Buffer | null
  /** The new note; absent: it stays. */
  note?: string | null
}

/** What of an attempt a move ends is remembered, by kind. */
const ENDED = { start: 'started', step: 'completed', recover: 'superseded' } as const

/**
 * Stores a move with what it did, and the attempt for the step it led to in place of the one that led here.
 * @returns the answer to this call, and to every later one with the same attempt
 */
export async function commitMove(ctx: EngineContext, tx: Queryable, move: Move): Promise<Receipt> {
  const { run, result, caller, kind } = move
  const { owner, id } = run.row
  const now = ctx.clock()
  await saveNotes(ctx, tx, owner, result.effects, now)
  const row = { ...run.row, ...nextRow(move, now) }
  const moved: Run = { ...run, row, state: result.state }
  const waiting = result.kind === 'presented'
  const attempt = waiting ? await newAttempt(ctx, tx, moved, result.presentation) : NO_ATTEMPT
  await storeRow(tx, { ...run, row: { ...row, ...attempt } }, run.row.hash, kind === 'start')
  const around = await surroundings(ctx, tx, moved)
  const receipt = waiting
    ? stepReceipt(around, attempt.attempt_id ?? '', result.presentation)
    : await completed(tx, moved, result, around)
  await insertMove(tx, owner, {
    id: move.attemptId ?? ctx.newId(),
    execution_id: id,
    state: ENDED[kind],
    takes_input: run.row.takes_input ?? 1,
    input_hash: move.inputHash,
    at: now,
    source: sourceOf(caller),
    visits: visitsText(result),
    receipt: kind === 'step' ? JSON.stringify(receipt) : null,
  })
  const { revision } = row
  if (kind !== 'step') await audit(ctx, tx, caller, `execution:${kind}`, id, { revision })
  if (!waiting) await audit(ctx, tx, caller, 'execution:complete', id, { revision })
  return receipt
}

/** @param before the definition the run stood in so far */
async function storeRow(tx: Queryable, { row, hash }: Run, before: Buffer, isNew: boolean): Promise<void> {
  const renewed = !hash.equals(before)
  if (isNew || renewed) await shareGraph(tx, row.workflow_owner, row.owner, hash)
  if (isNew) await insertExecution(tx, row)
  else if (renewed) await updateExecution(tx, row)
  else await moveExecution(tx, row)
  if (renewed) await dropUnusedGraph(tx, row.owner, before)
}

function nextRow({ run, result, kind, note }: Move, now: number): ExecutionRow {
  const { row } = run
  const done = result.kind === 'completed'
  return {
    ...row,
    hash: run.hash,
    status: result.state.status,
    outcome: done ? 'completed' : null,
    node_id: waitingNodeId(result.state),
    revision: row.revision + (kind === 'step' ? 1 : 0),
    context_count: row.context_count + (result.writes.length > 0 ? 1 : 0),
    note: note === undefined ? row.note : note,
    updated_at: now,
    ended_at: done ? now : null,
    state: stateText(result.state),
  }
}

/** The JSON of the finished visits, each with what it wrote. */
function visitsText({ visits, writes }: Presented | Completed): string {
  const bySeq = new Map<number, Record<string, unknown>>()
  for (const { seq, name, value } of writes) {
    const written = bySeq.get(seq)
    if (written) written[name] = value
    else bySeq.set(seq, { [name]: value })
  }
  return JSON.stringify(visits.map((visit): LoggedVisit => ({ ...visit, writes: bySeq.get(visit.seq) ?? {} })))
}

/** A visit as it is stored. */
export type LoggedVisit = VisitEntry & {
  /** Variables of the run's own workflow, by name. */
  writes: Record<string, unknown>
}

/** A new attempt for the step a run waits with. */
export async function newAttempt(
  ctx: EngineContext,
  tx: Queryable,
  run: Run,
  step: Presentation,
): Promise<LiveAttempt> {
  return {
    ...NO_ATTEMPT,
    attempt_id: ctx.newId(),
    attempt_state: 'presented',
    attempt_node: step.nodeId,
    attempt_revision: run.row.revision,
    takes_input: step.inputSchema === null ? 0 : 1,
    surface: await surfaceText(runContext(ctx, tx, run), run.state),
  }
}

/** The JSON of a state. @throws UserError `resource_exhausted` when it is larger than a run may be */
export function stateText(state: RunState): string {
  const text = JSON.stringify(state)
  // A character takes at most three bytes, so most states need not be measured.
  if (text.length * 3 <= MAX_STATE_BYTES || Buffer.byteLength(text) <= MAX_STATE_BYTES) return text
  throw new UserError('resource_exhausted', `The run's variables would take more than ${MAX_STATE_BYTES} bytes`, {
    remedy: 'the run was not changed; send less, and keep large texts in notes or files that the answer names',
  })
}

async function saveNotes(
  ctx: EngineContext,
  tx: Queryable,
  owner: number,
  effects: readonly Effect[],
  now: number,
): Promise<void> {
  for (const { note, baseVersion } of effects) await saveNote(ctx.store, tx, owner, note, { now, baseVersion })
}

async function completed(tx: Queryable, { row }: Run, { output }: Completed, around: Surroundings): Promise<Receipt> {
  const reminders = row.reminder_count === 0 ? [] : await listReminderRows(tx, row.owner, row.id, 'active')
  return completionReceipt(around, {
    output,
    reminders: reminders.map(({ id, text }) => ({ id, text })),
    parentExecutionId: row.parent_id,
  })
}

/** Stores a new attempt of a run that stays where it is; from now on it stands in the definition it was opened with. */
export async function presentAnew(tx: Queryable, run: Run, attempt: LiveAttempt): Promise<void> {
  await storeRow(tx, { ...run, row: { ...run.row, ...attempt, hash: run.hash } }, run.row.hash, false)
}

/** What every answer of a run says besides its step. */
export async function surroundings(ctx: EngineContext, db: Queryable, run: Run): Promise<Surroundings> {
  const { owner, id, revision, running_children } = run.row
  return {
    processId: id,
    revision,
    activeChildren: running_children === 0 ? [] : await runningChildren(db, owner, id),
    systemReminder: run.definition.systemReminder || ctx.systemReminder,
  }
}

/** Records an error of a run. Nothing else of the run changes but its count of errors. */
export async function recordError(
  ctx: EngineContext,
  tx: Queryable,
  run: Run,
  error: Pick<ErrorRow, 'node_id' | 'type' | 'code' | 'message' | 'input'>,
): Promise<void> {
  const { owner, id, error_count } = run.row
  await appendError(tx, owner, id, { ...error, number: error_count + 1, at: ctx.clock() })
}
