/** The texts of a run's answers. Existing clients look for some of the words: see `TOKENS` in the tests. */

import { formatTime } from '../../core/time.ts'
import type { Presentation } from '../nodes/node-type.ts'
import { currentStepCall } from './refusals.ts'
import type { FailedAnswer, NextCall, PreparedAnswer, Receipt, RunAnswer } from './types.ts'

/** What every answer of a run says besides its step. */
export interface Surroundings {
  processId: string
  revision: number
  activeChildren: string[]
  systemReminder: string | undefined
}

/** The step a run waits with. */
export function stepReceipt(around: Surroundings, attemptId: string, step: Presentation): Receipt {
  const { processId, revision, activeChildren, systemReminder } = around
  const answer: RunAnswer = {
    status: 'waiting',
    processId,
    attemptId,
    revision,
    nodeId: step.nodeId,
    nodeType: step.nodeType,
    path: step.path,
    directive: step.directive,
    completionCondition: step.completionCondition,
    inputSchema: step.inputSchema,
    teleports: step.teleports,
    activeChildren,
    ...(systemReminder === undefined ? {} : { systemReminder }),
    next: { tool: 'step', args: { processId, attemptId } },
  }
  const text = [
    `Process ID: ${processId}\nStep attempt ID: ${attemptId}`,
    `Your next task: ${step.directive}`,
    `Success criteria: ${step.completionCondition}`,
    inputText(step.inputSchema),
    ...childrenText(activeChildren),
    ...(systemReminder === undefined ? [] : [systemReminder]),
    ...teleportText(step.teleports),
  ].join('\n\n')
  return receipt(text, answer)
}

/** The end of a run. */
export function completionReceipt(
  around: Surroundings,
  end: {
    output: Record<string, unknown>
    reminders: { id: string; text: string }[]
    parentExecutionId: string | null
  },
): Receipt {
  const { processId, revision, activeChildren, systemReminder } = around
  const { output, reminders, parentExecutionId } = end
  const next: NextCall | null = parentExecutionId === null ? null : currentStepCall(parentExecutionId)
  const answer: RunAnswer = {
    status: 'completed',
    processId,
    revision,
    output,
    reminders,
    ...(parentExecutionId === null ? {} : { parentExecutionId }),
    activeChildren,
    ...(systemReminder === undefined ? {} : { systemReminder }),
    next,
  }
  const text = [
    `Process ID: ${processId}`,
    'Workflow completed successfully.',
    ...(Object.keys(output).length === 0 ? [] : [`Final output:\n${jsonBlock(output)}`]),
    ...(reminders.length === 0
      ? []
      : [`**Active Reminders** (${reminders.length}):\n${reminders.map(({ text }) => `  - ${text}`).join('\n')}`]),
    ...childrenText(activeChildren),
    ...(systemReminder === undefined ? [] : [systemReminder]),
    ...(parentExecutionId === null ? [] : [continuationText(parentExecutionId)]),
  ].join('\n\n')
  return receipt(text, answer)
}

/** A start that was prepared. */
export function preparedReceipt(prepared: Omit<PreparedAnswer, 'next' | 'expiresAt'> & { expiresAt: number }): Receipt {
  const { startAttemptId, name, version, reference } = prepared
  const expiresAt = formatTime(prepared.expiresAt)
  const next: NextCall = { tool: 'start', args: { action: 'execute', startAttemptId } }
  const text = [
    `Start attempt ID: ${startAttemptId}`,
    `Workflow: ${name} ${version} (${reference})`,
    `Expires: ${expiresAt}`,
    `Nothing has been started. Start the run with: start(${JSON.stringify(next.args)})`,
  ].join('\n\n')
  const answer: PreparedAnswer = { ...prepared, expiresAt, next }
  return { text, structured: { ...answer }, isError: false }
}

/** A start whose preconditions had changed; stored, so that it stays refused. */
export function preconditionReceipt(startAttemptId: string, message: string, next: NextCall): Receipt {
  const answer: FailedAnswer = { code: 'START_PRECONDITION_CHANGED', message, startAttemptId, retry: 'never', next }
  const text = [
    `Error: START_PRECONDITION_CHANGED: ${message}`,
    `No run was started, and this attempt (${startAttemptId}) stays refused.`,
    `What to do: put it right, then prepare the start anew: ${next.tool}(${JSON.stringify(next.args)})`,
  ].join('\n\n')
  return { text, structured: { ...answer }, isError: true }
}

function receipt(text: string, answer: RunAnswer): Receipt {
  return { text, structured: { ...answer }, isError: false }
}

function inputText(schema: Record<string, unknown> | null): string {
  if (schema === null) {
    return 'Input Schema: no specific input format is required; send step with the attempt ID and no input, null or {}.'
  }
  return `Input Schema:\n${jsonBlock(schema)}`
}

function childrenText(children: readonly string[]): string[] {
  if (children.length === 0) return []
  const list = children.map((id) => `  - ${id}`).join('\n')
  return [
    `**Active Child Workflows** (${children.length}):\n${list}\nThey run separately; each is stepped with its own Process ID.`,
  ]
}

function teleportText(teleports: Presentation['teleports']): string[] {
  if (teleports.length === 0) return []
  const list = teleports.map(({ nodeId, hint }) => `  - **${nodeId}**: ${hint}`).join('\n')
  return [`**Available Teleport Jumps** (use teleportTo parameter in step() to jump):\n${list}`]
}

function continuationText(parentId: string): string {
  return [
    '---',
    `**CONTINUATION REMINDER**: this run was started for the run ${parentId}, which is not finished by this.`,
    `Go on there: read session(${JSON.stringify(currentStepCall(parentId).args)}), then call ` +
      `step({"processId":"${parentId}","attemptId":"<its Step attempt ID>"}) with the result.`,
  ].join('\n')
}

function jsonBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}
