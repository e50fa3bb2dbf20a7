import * as z from 'zod'
import { nodeFields, target } from './node-schema.ts'
import type { NodeType } from './node-type.ts'

export const startSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('start'),
  initialData: z
    .strictObject({
      variables: z
        .record(z.string(), z.strictObject({ description: z.string().min(1), value: z.unknown().optional() }))
        .optional(),
    })
    .optional()
    .describe('Older way to declare variables; prefer variableRegistry.'),
  connections: z.strictObject({ default: target }),
})
export type StartNode = z.infer<typeof startSchema>

/**
 * Where a run begins: variables get their first values. A value already there (handed to a subgraph) stays; a value
 * of initialData comes before the registry's default; a name initialData declares without a value becomes null.
 */
export const startType: NodeType<StartNode> = {
  type: 'start',
  title: 'Start',
  waits: false,
  external: false,
  schema: startSchema,
  edges: { required: ['default'], optional: [] },
  templates: () => [],
  run(node, visit) {
    const declared = Object.entries(node.initialData?.variables ?? {})
    const seeds = new Map<string, unknown>()
    for (const [name] of declared) seeds.set(name, null)
    for (const [name, entry] of Object.entries(visit.definition.variableRegistry ?? {})) {
      if (entry['default'] !== undefined) seeds.set(name, entry['default'])
    }
    for (const [name, { value }] of declared) if (value !== undefined) seeds.set(name, value)
    const given = visit.scope.variables
    const globals = Object.fromEntries([...seeds].filter(([name]) => !Object.hasOwn(given, name)))
    return { kind: 'continue', edge: 'default', globals }
  },
}
