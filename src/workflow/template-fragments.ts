/** The author's own templates among the values: what the definition itself puts into variables. */

import { parseExpression } from './expression.ts'
import { collectFragments, type Fragments } from './template-scope.ts'

/** The parts of a definition that give variables their first or fixed values. */
export interface FragmentSource {
  variableRegistry?: Readonly<Record<string, { default?: unknown }>> | undefined
  nodes: readonly {
    type: string
    expressions?: unknown
    initialData?: unknown
  }[]
}

/**
 * The texts that may be read as templates, by variable: strings with `{{` in registry defaults and in the start node's
 * initial data, and string literals that expression nodes assign. A variable is trusted only while it holds one of
 * them; its name means nothing.
 */
export function authorFragments(definition: FragmentSource): Fragments {
  const fragments = new Map<string, Set<string>>()
  for (const [name, entry] of Object.entries(definition.variableRegistry ?? {})) {
    collectFragments(fragments, name, entry.default)
  }
  for (const node of definition.nodes) {
    if (node.type === 'start') {
      const initial = (node.initialData as InitialData | undefined)?.variables ?? {}
      for (const [name, entry] of Object.entries(initial)) collectFragments(fragments, name, entry.value)
    }
    if (node.type === 'expression') {
      for (const line of node.expressions as string[]) {
        if (line.includes('{{')) collectAssigned(fragments, line)
      }
    }
  }
  return fragments
}

interface InitialData {
  variables?: Record<string, { value?: unknown }>
}

function collectAssigned(into: Map<string, Set<string>>, line: string): void {
  const parsed = parseExpression(line)
  if (parsed.kind === 'assign' && parsed.value.kind === 'text')
    collectFragments(into, parsed.target, parsed.value.value)
}
