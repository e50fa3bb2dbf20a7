/** A scope for tests: variables, and the author's fragments among them. */

import type { Fragments, Scope } from './template.ts'

export function scopeWith(variables: Record<string, unknown>, fragments: Fragments = new Map()): Scope {
  return { variables, executionId: 'run-1', workflowId: 'flow-1', userId: 'user-1', fragments }
}
