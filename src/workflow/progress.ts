/**
 * The picture of a run for people: the blocks its author drew, where the run stands in them and how it came there.
 * Pure, so that the same run can be shown as it was after any of its visits.
 */

import { findNode, type Progress, startNode, type WorkflowDefinition } from './definition.ts'
import { type Edge, edgesOf, entryNodes, reachableFrom, successors } from './graph.ts'
import { previewOf, readingOrder } from './graph-flow.ts'
import { nodeTypeOf } from './nodes/index.ts'
import { blockOfNodes } from './progress-blocks.ts'
import type { RunState, VariableWrite, VisitEntry } from './state.ts'
import { authorFragments, renderTemplate, UNDEFINED_VARIABLE } from './template.ts'

/** What stands for a variable that has no value yet. */
const NO_VALUE = '—'

export interface ProgressRequest {
  definition: WorkflowDefinition
  state: Pick<RunState, 'nodeId' | 'variables'>
  workflowId: string
  executionId: string
  userId: string
  /** All visits of the run, in order. */
  visits: readonly VisitEntry[]
  /** All writes of its variables, in order. */
  writes: readonly VariableWrite[]
  /** How many visits to look back to; absent or past the last: now. */
  at?: number
}

export type BlockState = 'done' | 'current' | 'pending' | 'skipped'

export interface ProgressBlock {
  id: string
  label: string
  state: BlockState
  /** How often the run came into the block. */
  visits: number
  content: { summary: string; details?: string[]; outcome?: string; next?: string }
  /** The block that usually follows. */
  next: string | null
}

export interface RunProgress {
  title: string
  goal: string
  facts: { label: string; value: string; tone: string }[]
  /** Whether the author drew the blocks, or they were made of the nodes a run waits on. */
  authored: boolean
  blocks: ProgressBlock[]
  /** The block the run stands in; null when it has ended. */
  currentBlock: string | null
  currentNodeId: string | null
  /** The way so far, oldest first. */
  route: { visit: number; nodeId: string; blockId: string | null; edge: string | null; jumpTo?: string; at: number }[]
  /** The number of visits shown, and how many there are. */
  at: number
  lastVisit: number
  variables: Record<string, unknown>
}

/** The projection of a run, as of a visit. */
export function projectProgress(request: ProgressRequest): RunProgress {
  const { definition, visits } = request
  const lastVisit = visits.length
  const at = Math.min(request.at ?? lastVisit, lastVisit)
  const moment = momentAt(request, at)
  const progress = definition.progress ?? derivedProgress(definition)
  const edges = edgesOf(definition)
  const blockOf = blockOfNodes(
    progress.nodes.map(({ id }) => id),
    definition,
    edges,
  )
  const render = renderer(request, moment.variables)
  const route = moment.visits.map(({ seq, nodeId, path, edge, jumpTo, at: left }) => {
    const own = path[0] ?? nodeId
    return {
      visit: seq,
      nodeId,
      blockId: blockOf.get(own) ?? null,
      edge,
      ...(jumpTo === undefined ? {} : { jumpTo }),
      at: left,
    }
  })
  const currentBlock = moment.nodeId === null ? null : (blockOf.get(moment.nodeId) ?? null)
  const entered = [...route.map(({ blockId }) => blockId), currentBlock].filter(
    (id, place, all) => id !== all[place - 1],
  )
  const ahead = blocksAhead(moment.nodeId, edges, blockOf)
  return {
    title: render(progress.title ?? definition.metadata.name),
    goal: render(progress.goal ?? definition.metadata.description),
    facts: (progress.facts ?? []).map(({ label, value, tone = 'neutral' }) => ({
      label: render(label),
      value: render(value),
      tone,
    })),
    authored: definition.progress !== undefined,
    blocks: progress.nodes.map((block, place) => {
      const count = entered.filter((id) => id === block.id).length
      return {
        id: block.id,
        label: render(block.label),
        state: stateOf(block.id, { currentBlock, count, ahead, anchored: [...blockOf.values()].includes(block.id) }),
        visits: count,
        content: renderContent(block.content, render),
        next: block.connections?.default ?? progress.nodes[place + 1]?.id ?? null,
      }
    }),
    currentBlock,
    currentNodeId: moment.nodeId,
    route,
    at,
    lastVisit,
    variables: moment.variables,
  }
}

interface Moment {
  /** The node of the run's own workflow that it stood on; null at the end. */
  nodeId: string | null
  visits: readonly VisitEntry[]
  variables: Record<string, unknown>
}

/** Where the run stood after `at` visits, and with which values. */
function momentAt({ state, visits, writes }: ProgressRequest, at: number): Moment {
  const following = visits[at]
  if (following === undefined) return { nodeId: state.nodeId, visits, variables: state.variables }
  const variables: Record<string, unknown> = {}
  for (const { seq, name, value } of writes) if (seq <= at) variables[name] = value
  return { nodeId: following.path[0] ?? following.nodeId, visits: visits.slice(0, at), variables }
}

function renderer(
  { definition, workflowId, executionId, userId }: ProgressRequest,
  variables: Record<string, unknown>,
) {
  const scope = { variables, executionId, workflowId, userId, fragments: authorFragments(definition) }
  return (text: string) => renderTemplate(text, scope).replaceAll(UNDEFINED_VARIABLE, NO_VALUE)
}

function renderContent(content: Progress['nodes'][number]['content'], render: (text: string) => string) {
  const { summary, details, outcome, next } = content
  return {
    summary: render(summary),
    ...(details === undefined ? {} : { details: details.map(render) }),
    ...(outcome === undefined ? {} : { outcome: render(outcome) }),
    ...(next === undefined ? {} : { next: render(next) }),
  }
}

/** The blocks a run can still come to from where it stands. */
function blocksAhead(nodeId: string | null, edges: readonly Edge[], blockOf: ReadonlyMap<string, string>): Set<string> {
  if (nodeId === null) return new Set()
  const reachable = reachableFrom([nodeId], successors(edges))
  return new Set([...reachable].flatMap((id) => blockOf.get(id) ?? []))
}

/** A block that the way taken leads past is skipped; one that stands for no node is pending until the end. */
function stateOf(
  id: string,
  {
    currentBlock,
    count,
    ahead,
    anchored,
  }: { currentBlock: string | null; count: number; ahead: ReadonlySet<string>; anchored: boolean },
): BlockState {
  if (id === currentBlock) return 'current'
  if (count > 0) return 'done'
  if (currentBlock === null) return anchored ? 'skipped' : 'done'
  return ahead.has(id) || !anchored ? 'pending' : 'skipped'
}

/** Blocks for a workflow whose author drew none: one for each node a run waits on, in reading order. */
function derivedProgress(definition: WorkflowDefinition): Progress {
  const waiting = readingOrder(definition).filter((node) => nodeTypeOf(node).waits && node.type !== 'teleport')
  const nodes = waiting.map((node) => ({
    id: node.id,
    label: labelOf(definition, node.id),
    content: { summary: previewOf(node, 200) },
  }))
  const start = startNode(definition)?.id ?? entryNodes(definition)[0] ?? ''
  return {
    nodes:
      nodes.length > 0
        ? nodes
        : [{ id: start, label: definition.metadata.name, content: { summary: definition.metadata.description } }],
  }
}

function labelOf(definition: WorkflowDefinition, id: string): string {
  const name = findNode(definition, id)?.metadata?.['displayName']
  return typeof name === 'string' && name !== '' ? name : id
}
