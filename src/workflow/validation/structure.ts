/** The second stage: the graph as a whole (V19 to V23, V27, V35, V42, V43, V48, V50, V51, V55 to V57, V75). */

import { type Issue, MAX_NODES, registryOf, type WorkflowDefinition } from '../definition.ts'
import { type Edge, edgesOf, entryNodes, loopsAmong, predecessors, reachableFrom, successors } from '../graph.ts'
import { nodeTypeOf } from '../nodes/index.ts'
import { issue, nodeIssue } from './issue.ts'

/** Largest definition, in bytes of its JSON. */
export const MAX_DEFINITION_BYTES = 5 * 1024 * 1024

const MANY_DIRECTIVES = 20
const MANY_SUBGRAPHS = 10

/** Names that mean something else in templates or paths, or that the peer's engine kept its own data under. */
const reservedNames: ReadonlySet<string> = new Set([
  '__proto__',
  'constructor',
  '_lockId',
  '_activeSubprocess',
  'executionId',
  'workflowId',
  'userId',
  'this',
  'else',
])

/** A variable of that name could not be read; a node can be run all the same, so that one may be called so. */
const reservedVariables: ReadonlySet<string> = new Set([...reservedNames, 'prototype'])

/** `execution_note` in an answer is the run's note: a variable may be called that, a node may not. */
const reservedNodeIds: ReadonlySet<string> = new Set([...reservedNames, 'execution_note'])

/** Findings about the graph of a definition whose form is right. */
export function structureIssues(definition: WorkflowDefinition): Issue[] {
  const edges = edgesOf(definition)
  return [
    ...sizeIssues(definition),
    ...startAndEndIssues(definition),
    ...nameIssues(definition),
    ...edgeIssues(definition, edges),
    ...reachIssues(definition, edges),
    ...loopIssues(definition, edges),
    ...countIssues(definition),
  ]
}

function sizeIssues(definition: WorkflowDefinition): Issue[] {
  const issues: Issue[] = []
  const count = definition.nodes.length
  if (count > MAX_NODES) {
    issues.push(
      issue('V19', {
        field: 'nodes',
        message: `The workflow has ${count} nodes; at most ${MAX_NODES} are allowed`,
        remedy: 'move parts into workflows of their own and enter them with subgraph nodes',
      }),
    )
  }
  const bytes = Buffer.byteLength(JSON.stringify(definition))
  if (bytes > MAX_DEFINITION_BYTES) {
    issues.push(
      issue('V75', {
        message: `The definition is ${bytes} bytes of JSON; at most ${MAX_DEFINITION_BYTES} are allowed`,
        remedy: 'move long texts into notes ({{note:KEY}}), or split the workflow',
      }),
    )
  }
  return issues
}

function startAndEndIssues({ nodes }: WorkflowDefinition): Issue[] {
  const issues: Issue[] = []
  const starts = nodes.filter((node) => node.type === 'start').map((node) => node.id)
  if (starts.length === 0) {
    issues.push(issue('V20', { field: 'nodes', message: 'There is no start node', remedy: 'add a node of type start' }))
  }
  if (starts.length > 1) {
    issues.push(
      issue('V21', {
        field: 'nodes',
        message: `There are ${starts.length} start nodes: ${starts.join(', ')}`,
        remedy: 'keep one start node',
      }),
    )
  }
  if (!nodes.some((node) => node.type === 'end')) {
    issues.push(issue('V22', { field: 'nodes', message: 'There is no end node', remedy: 'add a node of type end' }))
  }
  return issues
}

function nameIssues(definition: WorkflowDefinition): Issue[] {
  const issues: Issue[] = []
  const counts = new Map<string, number>()
  for (const { id } of definition.nodes) counts.set(id, (counts.get(id) ?? 0) + 1)
  const twice = [...counts].filter(([, count]) => count > 1).map(([id]) => id)
  if (twice.length > 0) {
    issues.push(
      issue('V23', {
        field: 'nodes',
        message: `Several nodes have the same id: ${twice.join(', ')}`,
        remedy: 'give each node an id of its own and correct the edges',
      }),
    )
  }
  const variables = registryOf(definition)
  for (const node of definition.nodes) {
    if (reservedNodeIds.has(node.id)) {
      const remedy = 'rename the node'
      issues.push(nodeIssue('V51', node, { field: 'id', message: `the id "${node.id}" is reserved`, remedy }))
    }
    if (Object.hasOwn(variables, node.id)) {
      const message = `the id is also the name of a variable, so that "{{${node.id}}}" may mean either`
      issues.push(nodeIssue('V50', node, { field: 'id', message, remedy: 'rename the node or the variable' }))
    }
  }
  for (const name of Object.keys(variables).filter((one) => reservedVariables.has(one))) {
    issues.push(
      issue('V51', {
        field: `variableRegistry.${name}`,
        message: `The variable name "${name}" is reserved`,
        remedy: 'rename the variable',
      }),
    )
  }
  return issues
}

function edgeIssues(definition: WorkflowDefinition, edges: readonly Edge[]): Issue[] {
  const byId = new Map(definition.nodes.map((node) => [node.id, node]))
  return edges.flatMap(({ from, name, to }) => {
    const node = byId.get(from)
    const target = byId.get(to)
    if (node === undefined) return []
    const field = `connections.${name}`
    if (target === undefined) {
      const message = `the edge "${name}" leads to "${to}", which is not a node`
      return [nodeIssue('V27', node, { field, message, remedy: `correct ${field}, or add the node "${to}"` })]
    }
    if (target.type === 'teleport') {
      const message = `the edge "${name}" leads to the teleport "${to}", which is only jumped to`
      const remedy = 'lead the edge to another node; a step that is also reached by an edge is an agent-directive'
      return [nodeIssue('V35', node, { field, message, remedy })]
    }
    return []
  })
}

function reachIssues(definition: WorkflowDefinition, edges: readonly Edge[]): Issue[] {
  if (!definition.nodes.some((node) => node.type === 'start')) return []
  const reached = reachableFrom(entryNodes(definition), successors(edges))
  const ends = definition.nodes.filter((node) => node.type === 'end').map((node) => node.id)
  const canEnd = reachableFrom(ends, predecessors(edges))
  const issues = definition.nodes
    .filter((node) => !reached.has(node.id))
    .map((node) =>
      nodeIssue('V42', node, {
        message: 'no way from the start or a teleport leads here',
        remedy: 'lead an edge here, or remove the node',
      }),
    )
  const trapped = definition.nodes.filter((node) => reached.has(node.id) && !canEnd.has(node.id))
  if (trapped.length > 0 && ends.length > 0) {
    issues.push(
      issue('V57', {
        message: `No end can be reached from: ${trapped.map((node) => node.id).join(', ')}`,
        remedy: 'lead an edge from there towards an end node, or rely on a teleport and ignore this',
      }),
    )
  }
  return issues
}

/** Loops in which no node waits: hopeless when nothing leads out, suspicious otherwise. */
function loopIssues(definition: WorkflowDefinition, edges: readonly Edge[]): Issue[] {
  const automatic = definition.nodes.filter((node) => !nodeTypeOf(node).waits).map((node) => node.id)
  return loopsAmong(automatic, successors(edges)).map((loop) => {
    const leaves = edges.some(({ from, to }) => loop.includes(from) && !loop.includes(to))
    const around = loop.join(', ')
    return leaves
      ? issue('V56', {
          message: `No node waits in the loop of ${around}; a run may pass at most 1000 nodes between two waits`,
          remedy: 'see to it that a condition ends the loop soon, or put an agent-directive into it',
        })
      : issue('V55', {
          message: `The loop of ${around} never ends: no node in it waits and no edge leads out of it`,
          remedy: 'add a condition with an edge out of the loop',
        })
  })
}

function countIssues({ nodes }: WorkflowDefinition): Issue[] {
  const issues: Issue[] = []
  const directives = nodes.filter((node) => node.type === 'agent-directive').length
  if (directives > MANY_DIRECTIVES) {
    issues.push(
      issue('V43', {
        field: 'nodes',
        message: `The workflow has ${directives} agent-directive nodes; more than ${MANY_DIRECTIVES} are hard to follow`,
        remedy: 'consider moving stages into workflows of their own',
      }),
    )
  }
  const subgraphs = nodes.filter((node) => node.type === 'subgraph').length
  if (subgraphs > MANY_SUBGRAPHS) {
    issues.push(
      issue('V48', {
        field: 'nodes',
        message: `The workflow has ${subgraphs} subgraph nodes; more than ${MANY_SUBGRAPHS} are hard to follow`,
        remedy: 'consider fewer, larger subgraphs',
      }),
    )
  }
  return issues
}
