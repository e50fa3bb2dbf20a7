/** Which block of the progress each node of a workflow belongs to. */

import type { WorkflowDefinition } from './definition.ts'
import { type Edge, entryNodes, reachableFrom, successors } from './graph.ts'

/**
 * The block of every node. A block whose id is that of a node is anchored there: it holds every node that no run comes
 * to without passing the anchor, up to the next anchor. What no anchor dominates belongs to the first block.
 */
export function blockOfNodes(
  blocks: readonly string[],
  definition: WorkflowDefinition,
  edges: readonly Edge[],
): Map<string, string> {
  const first = blocks[0]
  const ids = definition.nodes.map(({ id }) => id)
  const anchors = blocks.filter((block) => ids.includes(block))
  const dominated = dominators(anchors, definition, edges)
  const found = new Map<string, string>()
  for (const id of ids) {
    const around = anchors.filter((anchor) => anchor === id || dominated.get(anchor)?.has(id))
    // Dominators of one node are dominated by one another in a row; the nearest is dominated by all others.
    const nearest = around.find((anchor) =>
      around.every((other) => other === anchor || dominated.get(other)?.has(anchor)),
    )
    const block = nearest ?? first
    if (block !== undefined) found.set(id, block)
  }
  return found
}

/** For each anchor the nodes that cannot be reached without it. There are at most 18 anchors, so each is tried. */
function dominators(
  anchors: readonly string[],
  definition: WorkflowDefinition,
  edges: readonly Edge[],
): Map<string, Set<string>> {
  const roots = entryNodes(definition)
  const all = reachableFrom(roots, successors(edges))
  return new Map(
    anchors.map((anchor) => {
      const without = successors(edges.filter(({ from, to }) => from !== anchor && to !== anchor))
      const reached = reachableFrom(
        roots.filter((root) => root !== anchor),
        without,
      )
      return [anchor, new Set([...all].filter((id) => id !== anchor && !reached.has(id)))]
    }),
  )
}
