/** Checks of subgraph nodes (V45 to V47, V59, V60, V77). */

import type { Issue, WorkflowDefinition } from '../definition.ts'
import { MANY_MAPPINGS, type SubgraphNode } from '../nodes/subgraph.ts'
import { hasForbiddenName, parsePath } from '../path.ts'
import { nodeIssue } from './issue.ts'

/** The other workflows that validation may look at. */
export interface WorkflowResolver {
  /** The id the checked definition is, or will be, stored under. */
  selfId?: string
  /** The workflow a subgraph's `graphId` leads to; null when there is none. */
  resolve(reference: string): { id: string; definition: WorkflowDefinition } | null
}

export function subgraphIssues(definition: WorkflowDefinition, known?: WorkflowResolver): Issue[] {
  const nodes = subgraphNodes(definition)
  return [
    ...nodes.flatMap(mappingIssues),
    ...repeatedIssues(nodes),
    ...nodes.flatMap((node) =>
      isSelf(node, definition) ? [selfReference(node)] : circleIssues(node, definition, known),
    ),
  ]
}

function subgraphNodes(definition: WorkflowDefinition): SubgraphNode[] {
  return definition.nodes.filter((node) => node.type === 'subgraph')
}

function mappingIssues(node: SubgraphNode): Issue[] {
  return (['inputMapping', 'outputMapping'] as const).flatMap((field) => {
    const entries = Object.entries(node[field])
    const issues: Issue[] = []
    if (entries.length > MANY_MAPPINGS) {
      issues.push(
        nodeIssue('V46', node, {
          field,
          message: `${field} has ${entries.length} entries; more than ${MANY_MAPPINGS} are hard to follow`,
          remedy: 'map whole objects instead of their fields',
        }),
      )
    }
    for (const path of entries.flat()) {
      const parsed = parsePath(path)
      if (parsed !== null && !hasForbiddenName(parsed)) continue
      const remedy = 'use names joined by dots and indices in brackets, as in result.items[0].url'
      issues.push(nodeIssue('V77', node, { field, message: `"${path}" in ${field} is not a path`, remedy }))
    }
    return issues
  })
}

function repeatedIssues(nodes: readonly SubgraphNode[]): Issue[] {
  const first = new Map<string, SubgraphNode>()
  return nodes.flatMap((node) => {
    const earlier = first.get(node.graphId)
    if (earlier === undefined) {
      first.set(node.graphId, node)
      return []
    }
    return [
      nodeIssue('V47', node, {
        field: 'graphId',
        message: `the workflow "${node.graphId}" is already the subgraph of node "${earlier.id}"`,
        remedy: 'lead both ways to one subgraph node, if they need the same work',
      }),
    ]
  })
}

function isSelf(node: SubgraphNode, { id, slug, owner }: WorkflowDefinition): boolean {
  const names = [id, slug, owner !== undefined && slug !== undefined ? `${owner}/${slug}` : undefined]
  return names.includes(node.graphId)
}

function selfReference(node: SubgraphNode): Issue {
  return nodeIssue('V45', node, {
    field: 'graphId',
    message: 'the workflow enters itself',
    remedy: 'repeat work with an edge back to an earlier node instead',
  })
}

function circleIssues(node: SubgraphNode, definition: WorkflowDefinition, known?: WorkflowResolver): Issue[] {
  if (known === undefined) return []
  const child = known.resolve(node.graphId)
  if (child === null) {
    return [
      nodeIssue('V60', node, {
        field: 'graphId',
        message: `there is no workflow "${node.graphId}" that you may use`,
        remedy: 'correct graphId (list shows the workflows), or create that workflow before a run gets here',
      }),
    ]
  }
  const self = known.selfId ?? definition.id
  if (child.id === self) return [selfReference(node)]
  const circle = findCircle(child, self === undefined ? [] : [{ id: self, name: definition.metadata.name }], known)
  if (circle === null) return []
  return [
    nodeIssue('V59', node, {
      field: 'graphId',
      message: `the subgraph "${node.graphId}" leads in a circle: ${circle.join(' -> ')}`,
      remedy: 'remove one subgraph node from the circle; a run would be refused there',
    }),
  ]
}

interface Ancestor {
  id: string
  name: string
}

/** The names along a way from `workflow` back to one of its ancestors; null when there is no such way. */
function findCircle(
  workflow: { id: string; definition: WorkflowDefinition },
  ancestors: readonly Ancestor[],
  known: WorkflowResolver,
  cleared: Set<string> = new Set(),
): string[] | null {
  const name = workflow.definition.metadata.name
  if (ancestors.some((ancestor) => ancestor.id === workflow.id)) return [...ancestors.map((one) => one.name), name]
  if (cleared.has(workflow.id)) return null
  const way = [...ancestors, { id: workflow.id, name }]
  for (const node of subgraphNodes(workflow.definition)) {
    const child = known.resolve(node.graphId)
    const circle = child === null ? null : findCircle(child, way, known, cleared)
    if (circle !== null) return circle
  }
  cleared.add(workflow.id)
  return null
}

/**
 * Reads the workflows that subgraphs lead to, directly and further on, so that the checks can look at them.
 * `lookup` resolves a reference for the author; at most `limit` workflows are read.
 */
export async function resolverFor(
  definition: WorkflowDefinition,
  lookup: (reference: string) => Promise<{ id: string; definition: WorkflowDefinition } | null>,
  selfId?: string,
  limit = 200,
): Promise<WorkflowResolver> {
  const found = new Map<string, { id: string; definition: WorkflowDefinition } | null>()
  const pending = subgraphNodes(definition).map((node) => node.graphId)
  for (let reference = pending.pop(); reference !== undefined && found.size < limit; reference = pending.pop()) {
    if (found.has(reference)) continue
    const workflow = await lookup(reference)
    found.set(reference, workflow)
    if (workflow !== null) pending.push(...subgraphNodes(workflow.definition).map((node) => node.graphId))
  }
  return { ...(selfId === undefined ? {} : { selfId }), resolve: (reference) => found.get(reference) ?? null }
}
