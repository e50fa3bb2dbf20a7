/** What templates, conditions and expressions read, and which texts in it are the author's own templates. */

import { isRecord } from '../core/json.ts'
import { ownProperty, parsePath, resolvePath } from './path.ts'

/**
 * Texts that may be read as templates when a variable holds them: variable name -> the author's texts. The comparison
 * is by value, so the moment an agent writes anything else the variable is plain data.
 */
export type Fragments = ReadonlyMap<string, ReadonlySet<string>>

export interface Scope {
  /** Global variables by name, and each node's own results under the node's id. */
  variables: Readonly<Record<string, unknown>>
  executionId: string
  workflowId: string
  userId: string
  fragments: Fragments
}

/** Roots that exist in every run without being declared. `context.variables` is the whole bag. */
export const systemNames = ['executionId', 'workflowId', 'userId', 'context'] as const

/** The value of a root name: system names first, since data must not be able to stand in for them. */
export function lookup(scope: Scope, root: string): unknown {
  switch (root) {
    case 'executionId':
      return scope.executionId
    case 'workflowId':
      return scope.workflowId
    case 'userId':
      return scope.userId
    case 'context':
      return { variables: scope.variables }
    default:
      return ownProperty(scope.variables, root)
  }
}

/** The value at a path; undefined when nothing is there or the text is not a path. */
export function readScope(scope: Scope, text: string): unknown {
  const path = parsePath(text)
  return path === null ? undefined : resolvePath(path, (root) => lookup(scope, root))
}

/** Adds every string of an author's value that holds a template. */
export function collectFragments(into: Map<string, Set<string>>, name: string, value: unknown): void {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const item = pending.pop()
    if (typeof item === 'string') {
      if (item.includes('{{')) into.set(name, (into.get(name) ?? new Set()).add(item))
    } else if (Array.isArray(item) || isRecord(item)) {
      for (const inner of Object.values(item)) pending.push(inner)
    }
  }
}
