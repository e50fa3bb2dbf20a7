import * as z from 'zod'
import { nodeFields } from './node-schema.ts'
import type { NodeType } from './node-type.ts'

export const endSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('end'),
  finalOutput: z.array(z.string()).optional().describe('Names of the variables handed out; absent or empty: all.'),
  connections: z.strictObject({}).optional(),
})
export type EndNode = z.infer<typeof endSchema>

/** Where a run, or an inline child, ends and hands out variables. Names without a value are left out. */
export const endType: NodeType<EndNode> = {
  type: 'end',
  title: 'End',
  waits: false,
  external: false,
  schema: endSchema,
  edges: { required: [], optional: [] },
  templates: () => [],
  run(node, visit) {
    const variables = visit.scope.variables
    const listed = node.finalOutput ?? []
    if (listed.length === 0) return { kind: 'complete', output: { ...variables } }
    const present = listed.filter((name) => Object.hasOwn(variables, name) && variables[name] !== undefined)
    const output = Object.fromEntries(present.map((name) => [name, variables[name]]))
    return { kind: 'complete', output, own: output }
  },
}
