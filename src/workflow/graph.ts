/** The shape of a workflow: its edges, what can be reached, its loops, and the facts `manage` shows about it. */

import { connectionsOf, type WorkflowDefinition, type WorkflowNodeType } from './definition.ts'

export interface Edge {
  from: string
  name: string
  to: string
}

/** Every edge, in the order of the nodes. */
export function edgesOf(definition: WorkflowDefinition): Edge[] {
  return definition.nodes.flatMap((node) =>
    Object.entries(connectionsOf(node)).map(([name, to]) => ({ from: node.id, name, to })),
  )
}

export interface StructureFacts {
  nodeCount: number
  connectionCount: number
  /** How many nodes of each type. */
  nodeTypes: Partial<Record<WorkflowNodeType, number>>
  hasStartNode: boolean
  hasEndNode: boolean
  agentDirectiveCount: number
  conditionCount: number
  telegramCount: number
}

export function structureFacts(definition: WorkflowDefinition): StructureFacts {
  const nodeTypes: Partial<Record<WorkflowNodeType, number>> = {}
  for (const { type } of definition.nodes) nodeTypes[type] = (nodeTypes[type] ?? 0) + 1
  return {
    nodeCount: definition.nodes.length,
    connectionCount: edgesOf(definition).length,
    nodeTypes,
    hasStartNode: nodeTypes.start !== undefined,
    hasEndNode: nodeTypes.end !== undefined,
    agentDirectiveCount: nodeTypes['agent-directive'] ?? 0,
    conditionCount: nodeTypes.condition ?? 0,
    telegramCount: nodeTypes['telegram-notification'] ?? 0,
  }
}

/** Where a run can begin or jump to: the start nodes and the teleports. */
export function entryNodes(definition: WorkflowDefinition): string[] {
  return definition.nodes.filter(({ type }) => type === 'start' || type === 'teleport').map(({ id }) => id)
}

/** The nodes that some walk from `roots` passes, the roots included. */
export function reachableFrom(roots: readonly string[], next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(roots)
  const pending = [...roots]
  for (;;) {
    const id = pending.pop()
    if (id === undefined) return seen
    for (const to of next.get(id) ?? []) {
      if (seen.has(to)) continue
      seen.add(to)
      pending.push(to)
    }
  }
}

/** For each node the nodes its edges lead to. */
export function successors(edges: readonly Edge[]): Map<string, string[]> {
  return neighbours(edges.map(({ from, to }) => [from, to]))
}

/** For each node the nodes that lead to it. */
export function predecessors(edges: readonly Edge[]): Map<string, string[]> {
  return neighbours(edges.map(({ from, to }) => [to, from]))
}

function neighbours(pairs: readonly (readonly [string, string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [from, to] of pairs) {
    const list = found.get(from)
    if (list === undefined) found.set(from, [to])
    else list.push(to)
  }
  return found
}

/**
 * The loops among some nodes: each is a set of nodes that all reach one another without leaving `ids` (a strongly
 * connected part, Tarjan 1972), in the order of `ids`. A node alone counts when it leads to itself.
 */
export function loopsAmong(ids: readonly string[], next: ReadonlyMap<string, readonly string[]>): string[][] {
  const inside = new Set(ids)
  const within = (id: string) => (next.get(id) ?? []).filter((to) => inside.has(to))
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const loops: string[][] = []
  for (const root of ids) {
    if (order.has(root)) continue
    const stack = [enter(root)]
    for (;;) {
      const frame = stack.at(-1)
      if (frame === undefined) break
      const to = frame.targets[frame.at++]
      if (to === undefined) {
        stack.pop()
        const parent = stack.at(-1)
        if (parent !== undefined) lower(parent.id, lowest.get(frame.id) ?? 0)
        if (lowest.get(frame.id) === order.get(frame.id)) close(frame.id)
      } else if (!order.has(to)) stack.push(enter(to))
      else if (open.includes(to)) lower(frame.id, order.get(to) ?? 0)
    }
  }
  return loops

  function enter(id: string) {
    order.set(id, order.size)
    lowest.set(id, order.size - 1)
    open.push(id)
    return { id, targets: within(id), at: 0 }
  }
  function lower(id: string, value: number) {
    lowest.set(id, Math.min(lowest.get(id) ?? value, value))
  }
  function close(id: string) {
    const part = open.splice(open.indexOf(id))
    if (part.length > 1 || within(id).includes(id)) loops.push(part)
  }
}
