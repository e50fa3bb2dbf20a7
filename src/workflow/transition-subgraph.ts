/** Into an inline child and out of it, and what a node's failure is. */

import { type ErrorCode, UserError } from '../core/errors.ts'
import { startNode } from './definition.ts'
import type { Outcome, Reads } from './nodes/node-type.ts'
import { mapOutput } from './nodes/subgraph.ts'
import type { Variables } from './state.ts'
import { enterableChild, nodeOf } from './transition-levels.ts'
import { changedVariables, fail, follow, topOf, type Walk } from './transition-walk.ts'

export const failureRemedy =
  'the run was not changed: answer the step with other values, give the node an error edge, ' +
  'or mend the workflow with manage({ action: "edit" }) and answer again'

/** Errors that are the node's own, so that its `error` edge answers for them. */
const nodeFailures: readonly string[] = ['NODE_FAILED', 'WORKFLOW_INVALID', 'resource_exhausted'] satisfies ErrorCode[]

/**
 * The failure a node's error stands for.
 * @throws the error itself when it is not the node's own
 */
export function failureOf(error: unknown): Extract<Outcome, { kind: 'fail' }> {
  if (!(error instanceof UserError) || !nodeFailures.includes(error.code)) throw error
  return { kind: 'fail', message: error.message, code: error.code, remedy: error.details.remedy ?? failureRemedy }
}

/** Enters the child of the subgraph node the run stands on; what prevents it is a failure of that node. */
export async function enterChild(
  reads: Reads,
  walk: Walk,
  { graphId, variables }: Extract<Outcome, { kind: 'enter' }>,
) {
  const entry = await enterableChild(walk.levels, graphId, reads)
  if ('problem' in entry) {
    fail(walk, { ...entry.problem, own: { subgraphError: entry.problem.message } })
    return
  }
  const { id, definition } = entry.child
  const first = startNode(definition)
  if (first === null) {
    const message = `The workflow "${graphId}" has no start node`
    fail(walk, { code: 'NODE_FAILED', message, own: { subgraphError: message }, remedy: 'mend that workflow' })
    return
  }
  walk.levels.push({ workflowId: id, definition, nodeId: first.id, variables, enteredAt: walk.now })
}

/** The child has ended: its mapped values go to the parent, which goes on over `success`. */
export function leaveChild(walk: Walk): void {
  const child = topOf(walk)
  walk.levels.pop()
  const parent = topOf(walk)
  const node = nodeOf(parent)
  if (node.type !== 'subgraph') throw new Error(`node ${node.id} entered a child but is no subgraph`)
  let mapped: Variables
  try {
    mapped = mapOutput(node, child.variables, parent.variables)
  } catch (error) {
    fail(walk, { code: 'NODE_FAILED', remedy: failureRemedy, ...failureOf(error) })
    return
  }
  follow(walk, { edge: 'success', globals: changedVariables(parent.variables, mapped) })
}
