import * as z from 'zod'
import { readPath, writePath } from '../path.ts'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'

/** Most entries of one mapping before validation advises against it. */
export const MANY_MAPPINGS = 50

export const subgraphSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('subgraph'),
  graphId: text.describe('The workflow to run inline: its id, handle/slug, or slug.'),
  inputMapping: z.record(text, text).describe('Path in this run to name in the child.'),
  outputMapping: z.record(text, text).describe('Path in the child to path in this run, applied when the child ends.'),
  connections: z.strictObject({ success: target, error: target.optional() }),
})
export type SubgraphNode = z.infer<typeof subgraphSchema>

/** Another workflow, run inside this one with variables of its own. A mapped path without a value is left out. */
export const subgraphType: NodeType<SubgraphNode> = {
  type: 'subgraph',
  title: 'Subgraph',
  waits: true,
  external: false,
  schema: subgraphSchema,
  edges: { required: ['success'], optional: ['error'] },
  templates: () => [],
  run(node, visit) {
    let variables: Record<string, unknown> = {}
    for (const [from, to] of Object.entries(node.inputMapping)) {
      const value = readPath(visit.scope.variables, from)
      if (value !== undefined) variables = writePath(variables, to, structuredClone(value))
    }
    return { kind: 'enter', graphId: node.graphId, variables }
  },
}

/**
 * The parent's variables after the child has ended: every mapped value that the child has, at its path.
 * Neither side is changed.
 */
export function mapOutput(
  node: SubgraphNode,
  child: Record<string, unknown>,
  parent: Record<string, unknown>,
): Record<string, unknown> {
  let mapped = parent
  for (const [from, to] of Object.entries(node.outputMapping)) {
    const value = readPath(child, from)
    if (value !== undefined) mapped = writePath(mapped, to, structuredClone(value))
  }
  return mapped
}
