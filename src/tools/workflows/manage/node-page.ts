/** A part of a workflow's nodes. */

export interface NodePage {
  offset: number
  limit: number
  returnedNodes: number
  hasMore: boolean
}

/** The nodes asked for; the page is only described when a part was asked for. */
export function pageOf<Node>(
  all: readonly Node[],
  offset: number | undefined,
  limit: number | undefined,
): { nodes: readonly Node[]; page: NodePage | undefined } {
  if (offset === undefined && limit === undefined) return { nodes: all, page: undefined }
  const from = offset ?? 0
  const size = limit ?? all.length
  const nodes = all.slice(from, from + size)
  return {
    nodes,
    page: { offset: from, limit: size, returnedNodes: nodes.length, hasMore: from + nodes.length < all.length },
  }
}
