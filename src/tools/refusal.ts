/** How the workflows toolset says no: a code for programs, and for agents what to do now and the call that does it. */

import type { Caller } from '../core/caller.ts'
import type { ErrorCode } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import { describeFailure } from './failure.ts'
import type { ToolAnswer } from './tool.ts'

/**
 * What repeating would do. `same`: send the very same call again. `refresh`: make the next call first, then send the
 * intended one with what it returns. `never`: the same call fails again, or must not be repeated.
 */
export const RETRIES = ['same', 'refresh', 'never'] as const
export type Retry = (typeof RETRIES)[number]

export interface NextCall {
  tool: string
  args: Record<string, unknown>
}

/** Every other code: the same call fails again. An error may say otherwise in `details.retry`. */
const RETRY_OF: Partial<Record<ErrorCode, Retry>> = {
  busy: 'same',
  cancelled: 'same',
  deadline_exceeded: 'same',
  backend_failure: 'same',
  internal_error: 'same',
  ATTEMPT_PROCESSING: 'same',
  ATTEMPT_STALE: 'refresh',
  ATTEMPT_CONFLICT: 'refresh',
}

/** The details that stand at the top of the structured answer. `text` is a whole answer, written by who refused. */
const LIFTED = ['processId', 'attemptId', 'retry', 'next', 'text']

/** The answer for what was thrown while `tool` worked. */
export function refuse(tool: string, error: unknown, caller: Caller): ToolAnswer {
  const { code, message, details, cause } = describeFailure(error, caller)
  const { processId, attemptId } = details
  const next = toNextCall(details['next'])
  const structured = {
    code,
    message,
    details: Object.fromEntries(Object.entries(details).filter(([name]) => !LIFTED.includes(name))),
    ...(typeof processId === 'string' ? { processId } : {}),
    ...(typeof attemptId === 'string' ? { attemptId } : {}),
    retry: RETRIES.find((retry) => retry === details['retry']) ?? RETRY_OF[code] ?? 'never',
    ...(next === undefined ? {} : { next }),
  }
  const text = typeof details['text'] === 'string' ? details['text'] : refusalText(tool, structured, details.remedy)
  return { text, structured, isError: true, ...(cause === undefined ? {} : { cause }) }
}

function refusalText(
  tool: string,
  refusal: { code: string; message: string; processId?: string; next?: NextCall },
  remedy: string | undefined,
): string {
  const { code, message, processId, next } = refusal
  return [
    `Error: ${tool}: ${message} (${code})`,
    ...(processId === undefined ? [] : [`Process ID: ${processId}`]),
    ...(remedy === undefined ? [] : [`What to do: ${remedy}`]),
    ...(next === undefined ? [] : [`Next call: ${callText(next)}`]),
  ].join('\n')
}

/** A call as an agent writes it: `session({"action":"current_step","executionId":"…"})`. */
export function callText({ tool, args }: NextCall): string {
  return `${tool}(${JSON.stringify(args)})`
}

function toNextCall(value: unknown): NextCall | undefined {
  if (!isRecord(value) || typeof value['tool'] !== 'string' || !isRecord(value['args'])) return undefined
  return { tool: value['tool'], args: value['args'] }
}
