/** Finding nodes and variables of a definition by words or a regular expression, in linear time. */

import { registryOf, type WorkflowDefinition, type WorkflowNode } from './definition.ts'
import { nodeTypeOf } from './nodes/index.ts'
import { type Search, searchFor } from './search-pattern.ts'

/** Longest snippet, in characters. */
const SNIPPET = 100

export interface Match {
  /** The fields it was found in. */
  matchedIn: string[]
  /** Up to 100 characters around the first place. */
  snippet: string
}

/** The nodes in whose id or texts a query is found, in their order. */
export function searchNodes(definition: WorkflowDefinition, query: string): { node: WorkflowNode; match: Match }[] {
  const search = searchFor(query)
  return definition.nodes.flatMap((node) => {
    const match = matchText(search, textsOf(node))
    return match === null ? [] : [{ node, match }]
  })
}

/** The variables in whose name or description a query is found. */
export function searchVariables(
  definition: WorkflowDefinition,
  query: string,
): { name: string; type: string; match: Match }[] {
  const search = searchFor(query)
  return Object.entries(registryOf(definition)).flatMap(([name, { type, description }]) => {
    const match = matchText(search, [
      { field: 'name', text: name },
      { field: 'description', text: description },
    ])
    return match === null ? [] : [{ name, type, match }]
  })
}

interface Text {
  field: string
  text: string
}

/** Everything of a node that a person would look for: its id, and the texts it shows, sends or computes. */
function textsOf(node: WorkflowNode): Text[] {
  const expressions = node.type === 'expression' ? node.expressions : []
  return [
    { field: 'id', text: node.id },
    ...nodeTypeOf(node).templates(node),
    ...(node.type === 'teleport' ? [{ field: 'hint', text: node.hint }] : []),
    ...expressions.map((text, index) => ({ field: `expressions[${index}]`, text })),
  ]
}

function matchText(search: Search, texts: readonly Text[]): Match | null {
  const matches = texts.flatMap(({ field, text }) => {
    const place = search(text)
    return place === null ? [] : [{ field, text, ...place }]
  })
  // The id is short and says little: show where in a text it is, when there is such a place.
  const shown = matches.find(({ field }) => field !== 'id') ?? matches[0]
  if (shown === undefined) return null
  return { matchedIn: matches.map(({ field }) => field), snippet: snippetAround(shown.text, shown.start, shown.end) }
}

function snippetAround(text: string, start: number, end: number): string {
  const room = Math.max(0, SNIPPET - (end - start))
  const from = Math.max(0, Math.min(start - Math.floor(room / 2), text.length - SNIPPET))
  return text.slice(from, from + SNIPPET)
}
