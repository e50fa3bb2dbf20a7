/**
 * The stack of workflows a run stands in, with definitions at hand: its own first, then the inline children. A
 * transition works on its own copies of the variables; values inside them are never changed in place.
 */

import { UserError } from '../core/errors.ts'
import { findNode, type WorkflowDefinition, type WorkflowNode } from './definition.ts'
import type { Reads } from './nodes/node-type.ts'
import { type Frame, MAX_SUBGRAPH_DEPTH, type RunState, type Variables } from './state.ts'

export interface Level {
  workflowId: string
  definition: WorkflowDefinition
  nodeId: string
  variables: Variables
  /** When the run entered `nodeId`: Unix milliseconds. */
  enteredAt: number
}

/** What failed while entering a child: the code names it for programs. */
export interface EntryProblem {
  code: 'SUBGRAPH_NOT_FOUND' | 'SUBGRAPH_CYCLE' | 'SUBGRAPH_TOO_DEEP'
  message: string
  remedy: string
}

/**
 * The levels of a paused run.
 * @throws UserError `SUBGRAPH_NOT_FOUND` when a child the run stands in cannot be read any more.
 */
export async function levelsOf(
  run: { definition: WorkflowDefinition; workflowId: string; reads: Reads },
  state: RunState,
): Promise<Level[]> {
  const pendingSince = state.visit?.enteredAt ?? 0
  const innermost = state.frames.at(-1)
  const levels: Level[] = [
    {
      workflowId: run.workflowId,
      definition: run.definition,
      nodeId: state.nodeId ?? '',
      variables: { ...state.variables },
      enteredAt: state.frames[0]?.enteredAt ?? pendingSince,
    },
  ]
  for (const [index, frame] of state.frames.entries()) {
    const child = await run.reads.workflow(frame.workflowId)
    if (child === null) {
      throw new UserError('SUBGRAPH_NOT_FOUND', `The subgraph workflow ${frame.workflowId} is not there any more`, {
        workflowId: frame.workflowId,
        remedy: 'restore the workflow, or move the run out of it with session({ action: "recover" })',
      })
    }
    levels.push({
      workflowId: frame.workflowId,
      definition: child.definition,
      nodeId: frame.nodeId,
      variables: { ...frame.variables },
      enteredAt: frame === innermost ? pendingSince : (state.frames[index + 1]?.enteredAt ?? pendingSince),
    })
  }
  return levels
}

/** The frames to store for the levels below the run's own workflow. */
export function framesOf(levels: readonly Level[]): Frame[] {
  return levels.slice(1).map((level, index) => ({
    workflowId: level.workflowId,
    nodeId: level.nodeId,
    variables: level.variables,
    enteredAt: levels[index]?.enteredAt ?? 0,
  }))
}

/** The ids of the subgraph nodes around the innermost level. */
export function pathOf(levels: readonly Level[]): string[] {
  return levels.slice(0, -1).map((level) => level.nodeId)
}

/**
 * The node a level stands on.
 * @throws UserError `CURRENT_NODE_MISSING` when the definition has it no more.
 */
export function nodeOf(level: Level): WorkflowNode {
  const node = findNode(level.definition, level.nodeId)
  if (node !== null) return node
  throw new UserError('CURRENT_NODE_MISSING', `The workflow has no node "${level.nodeId}" any more`, {
    nodeId: level.nodeId,
    remedy: 'see session({ action: "diagnose" }), then continue from another node with session({ action: "recover" })',
  })
}

/** Finds the child a subgraph node enters, or says why it may not be entered from here. */
export async function enterableChild(
  levels: readonly Level[],
  graphId: string,
  reads: Reads,
): Promise<{ child: { id: string; definition: WorkflowDefinition } } | { problem: EntryProblem }> {
  if (levels.length > MAX_SUBGRAPH_DEPTH) {
    return {
      problem: {
        code: 'SUBGRAPH_TOO_DEEP',
        message: `Subgraphs may be nested ${MAX_SUBGRAPH_DEPTH} deep; "${graphId}" would be one more`,
        remedy: 'flatten the workflows, or run the deep part as a child execution with parentExecutionId',
      },
    }
  }
  const child = await reads.workflow(graphId)
  if (child === null) {
    return {
      problem: {
        code: 'SUBGRAPH_NOT_FOUND',
        message: `There is no workflow "${graphId}" that the owner of this run may use`,
        remedy: 'correct graphId (list shows the workflows), or give the owner access to it',
      },
    }
  }
  if (levels.some((level) => level.workflowId === child.id)) {
    const chain = [...levels.map((level) => level.definition.metadata.name), child.definition.metadata.name]
    return {
      problem: {
        code: 'SUBGRAPH_CYCLE',
        message: `The subgraph "${graphId}" leads back to a workflow that is already running: ${chain.join(' -> ')}`,
        remedy: 'remove one subgraph node from the circle; repeat work with an edge back to an earlier node instead',
      },
    }
  }
  return { child }
}
