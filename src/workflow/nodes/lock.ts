import * as z from 'zod'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'
import { notAvailable } from './not-available.ts'

export const lockSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('lock'),
  reason: text.describe('A template: what the person is asked to approve.'),
  connections: z.strictObject({ unlocked: target }),
})
export type LockNode = z.infer<typeof lockSchema>

/** A gate that only a person opens, with a PIN that never reaches the agent. */
export const lockType: NodeType<LockNode> = {
  type: 'lock',
  title: 'Lock',
  waits: true,
  external: true,
  schema: lockSchema,
  edges: { required: ['unlocked'], optional: [] },
  templates: (node) => [{ field: 'reason', text: node.reason }],
  run(node) {
    throw notAvailable(node)
  },
}
