/** What agent-directive and teleport share: say what to do, then take or refuse the answer. */

import { isRecord } from '../../core/json.ts'
import { checkInput, effectiveSchema } from '../input.ts'
import type { AgentDirectiveNode } from './agent-directive.ts'
import { globalInputsOf } from './node-schema.ts'
import type { Outcome, Visit } from './node-type.ts'
import type { TeleportNode } from './teleport.ts'

export interface AnswerLimits {
  maxRetries?: number
  retryMessage?: string
  /** Milliseconds from entering the node. */
  timeout?: number
  /** The edge to leave by when `maxRetries` is used up; null: stay and keep refusing. */
  exhaustedEdge: string | null
  /** The edge to leave by when an answer comes after `timeout`; null: the timeout has no effect. */
  timeoutEdge: string | null
}

/**
 * Without an answer: the directive. With one: on over `success` when it passes the schema; refused otherwise.
 * `maxRetries` counts refusals within this visit: with 2, the third refused answer leaves over the exhausted edge.
 * An answer after the timeout is not looked at.
 */
export async function answerStep(
  node: AgentDirectiveNode | TeleportNode,
  visit: Visit,
  limits: AnswerLimits,
): Promise<Outcome> {
  if (visit.answer === null) return directive(node, visit)
  const waited = visit.now - visit.enteredAt
  if (limits.timeoutEdge !== null && limits.timeout !== undefined && waited > limits.timeout) {
    return { kind: 'continue', edge: limits.timeoutEdge, own: { timedOut: true, waitedMilliseconds: waited } }
  }

  const checked = checkInput(node, visit.definition, visit.answer.value)
  if (checked.ok) {
    return { kind: 'continue', edge: 'success', own: checked.value, globals: globalsOf(node, checked.value) }
  }
  const counted = limits.maxRetries !== undefined && limits.exhaustedEdge !== null
  const refusals = visit.refusals + 1
  if (counted && limits.exhaustedEdge !== null && refusals > (limits.maxRetries ?? 0)) {
    return {
      kind: 'continue',
      edge: limits.exhaustedEdge,
      own: { refusedAnswers: refusals, lastErrors: checked.errors },
    }
  }
  return {
    kind: 'refuse',
    counted,
    refusal: {
      errors: checked.errors,
      text: checked.text,
      expected: checked.expected,
      example: checked.example,
      retryMessage: limits.retryMessage === undefined ? null : await visit.render(limits.retryMessage),
      retriesLeft: counted ? (limits.maxRetries ?? 0) - refusals : null,
    },
  }
}

async function directive(node: AgentDirectiveNode | TeleportNode, visit: Visit): Promise<Outcome> {
  return {
    kind: 'wait',
    directive: await visit.render(node.directive),
    completionCondition: await visit.render(node.completionCondition),
    inputSchema: effectiveSchema(node, visit.definition),
  }
}

/** The parts of an answer that its schema lists as global inputs. */
function globalsOf(node: AgentDirectiveNode | TeleportNode, answer: unknown): Record<string, unknown> {
  if (!isRecord(answer)) return {}
  const names = globalInputsOf(node.inputSchema)
  return Object.fromEntries(Object.entries(answer).filter(([name]) => names.includes(name)))
}
