/** Reminders of a run: plain texts that are shown when it completes. They change no plan and give no authority. */

import type { Caller } from '../../core/caller.ts'
import { invalidRequest, UserError } from '../../core/errors.ts'
import {
  type ExecutionRow,
  findReminder,
  findReminderByKey,
  insertReminder,
  listReminderRows,
  loadExecution,
  lockExecution,
  type Queryable,
  type ReminderRow,
  updateExecution,
  updateReminderRow,
} from '../../store/index.ts'
import { audit, type EngineContext } from './context.ts'
import { executionNotFound } from './refusals.ts'
import { requireCurrent, targetRevisions } from './revisions.ts'
import { boundedText } from './run-text.ts'
import type { Expected, Reminder, ReminderChange } from './types.ts'

/** Longest text and longest idempotency key, in characters; most active reminders of a run. */
export const MAX_REMINDER = 2000
export const MAX_IDEMPOTENCY_KEY = 200
export const MAX_REMINDERS = 100

type Change = Expected & { expectedRemindersRevision: string }

/** @throws UserError `not_found` */
export async function listReminders(
  ctx: EngineContext,
  caller: Caller,
  executionId: string,
  status?: Reminder['status'],
): Promise<{ reminders: Reminder[]; revision: number; remindersRevision: string }> {
  const row = await loadExecution(ctx.store, caller.owner, executionId)
  if (!row) throw executionNotFound(executionId)
  const reminders = await listReminderRows(ctx.store, caller.owner, executionId, status)
  const { remindersRevision } = targetRevisions(row)
  return { reminders: reminders.map(reminderOf), revision: row.revision, remindersRevision }
}

/**
 * Adds a reminder. With an idempotency key that the run knows, the reminder added first comes back, whatever the
 * revisions say: the caller may not have got the answer.
 * @throws UserError `not_found`, `EXECUTION_FINISHED`, `REVISION_STALE`, `IDEMPOTENCY_CONFLICT`, `invalid_request`
 */
export async function addReminder(
  ctx: EngineContext,
  caller: Caller,
  request: Change & { reminderText: string; idempotencyKey?: string },
): Promise<ReminderChange> {
  const text = reminderText(request.reminderText)
  const key = request.idempotencyKey
  if (key !== undefined) boundedText(key, 'idempotencyKey', MAX_IDEMPOTENCY_KEY)
  return changeReminders(ctx, caller, request, 'execution:add_reminder', {
    async known(tx) {
      if (key === undefined) return undefined
      const first = await findReminderByKey(tx, caller.owner, request.executionId, key)
      if (first && first.text !== text) throw conflict(request.executionId, first.id)
      return first
    },
    async change(tx, now) {
      const active = await listReminderRows(tx, caller.owner, request.executionId, 'active')
      if (active.length >= MAX_REMINDERS) {
        throw invalidRequest(`A run has at most ${MAX_REMINDERS} active reminders`, 'reminderText', {
          remedy: 'remove one first with session remove-reminder',
        })
      }
      const reminder: ReminderRow = {
        ...{ id: ctx.newId(), text, status: 'active', idempotency_key: key ?? null, created_at: now, updated_at: now },
      }
      await insertReminder(tx, caller.owner, request.executionId, reminder)
      return reminder
    },
  })
}

/** @throws UserError as `addReminder` */
export async function updateReminder(
  ctx: EngineContext,
  caller: Caller,
  request: Change & { reminderId: string; reminderText: string },
): Promise<ReminderChange> {
  const text = reminderText(request.reminderText)
  return changeReminders(ctx, caller, request, 'execution:update_reminder', {
    change: (tx, now) => rewrite(tx, caller.owner, request, (old) => ({ ...old, text, updated_at: now })),
  })
}

/** Cancels a reminder; it stays in the list as cancelled. @throws UserError as `addReminder` */
export async function removeReminder(
  ctx: EngineContext,
  caller: Caller,
  request: Change & { reminderId: string },
): Promise<ReminderChange> {
  return changeReminders(ctx, caller, request, 'execution:remove_reminder', {
    change: (tx, now) =>
      rewrite(tx, caller.owner, request, (old) => ({ ...old, status: 'cancelled', updated_at: now })),
  })
}

async function changeReminders(
  ctx: EngineContext,
  caller: Caller,
  request: Change,
  action: string,
  steps: {
    /** The reminder an equal call has made before. */
    known?: (tx: Queryable) => Promise<ReminderRow | undefined>
    change: (tx: Queryable, now: number) => Promise<ReminderRow>
  },
): Promise<ReminderChange> {
  const { executionId, expectedRemindersRevision } = request
  return ctx.store.transaction(
    async (tx) => {
      const row = await lockExecution(ctx.store, tx, caller.owner, executionId)
      if (!row) throw executionNotFound(executionId)
      const known = await steps.known?.(tx)
      if (known) return changeOf(row, known)
      requireCurrent(row, request, 'remindersRevision', expectedRemindersRevision)
      const now = ctx.clock()
      const reminder = await steps.change(tx, now)
      const changed = { ...row, reminder_count: row.reminder_count + 1, updated_at: now }
      await updateExecution(tx, changed)
      await audit(ctx, tx, caller, action, executionId, { reminderId: reminder.id })
      return changeOf(changed, reminder)
    },
    { durable: true },
  )
}

async function rewrite(
  tx: Queryable,
  owner: number,
  { executionId, reminderId }: { executionId: string; reminderId: string },
  change: (old: ReminderRow) => ReminderRow,
): Promise<ReminderRow> {
  const old = await findReminder(tx, owner, executionId, reminderId)
  if (!old) {
    throw new UserError('not_found', `The run has no reminder "${reminderId.slice(0, 100)}"`, {
      field: 'reminderId',
      processId: executionId,
      remedy: 'session reminders lists them with their ids',
      next: { tool: 'session', args: { action: 'reminders', executionId } },
    })
  }
  const changed = change(old)
  await updateReminderRow(tx, owner, executionId, changed)
  return changed
}

function reminderText(text: string): string {
  if (text.trim() === '')
    throw invalidRequest('reminderText says nothing', 'reminderText', { remedy: 'write what to remember' })
  return boundedText(text, 'reminderText', MAX_REMINDER)
}

function conflict(executionId: string, reminderId: string): UserError {
  return new UserError('IDEMPOTENCY_CONFLICT', 'This idempotencyKey already stands for a reminder with another text', {
    field: 'idempotencyKey',
    processId: executionId,
    reminderId,
    remedy: 'use a new key for a new reminder, or change the one there is with session update-reminder',
  })
}

function changeOf(row: ExecutionRow, reminder: ReminderRow): ReminderChange {
  return {
    reminder: reminderOf(reminder),
    revision: row.revision,
    remindersRevision: targetRevisions(row).remindersRevision,
  }
}

function reminderOf({ id, text, status, idempotency_key, created_at, updated_at }: ReminderRow): Reminder {
  return { id, text, status, idempotencyKey: idempotency_key, createdAt: created_at, updatedAt: updated_at }
}
