import * as z from 'zod'
import { answerStep } from './answer.ts'
import { inputSchema, nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'

export const teleportSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('teleport'),
  hint: text.describe('When to jump here; shown with every step.'),
  directive: text.describe('A template: what to do.'),
  completionCondition: text.describe('A template: how to know that it is done.'),
  inputSchema: inputSchema.optional().describe('The answer’s JSON Schema; absent: only an empty answer is taken.'),
  connections: z.strictObject({ success: target, error: target.optional() }),
})
export type TeleportNode = z.infer<typeof teleportSchema>

/** A directive that no edge leads to: the agent jumps to it from any step, and the run goes on from there. */
export const teleportType: NodeType<TeleportNode> = {
  type: 'teleport',
  title: 'Teleport',
  waits: true,
  external: false,
  schema: teleportSchema,
  edges: { required: ['success'], optional: ['error'] },
  templates: (node) => [
    { field: 'directive', text: node.directive },
    { field: 'completionCondition', text: node.completionCondition },
  ],
  run: (node, visit) => answerStep(node, visit, { exhaustedEdge: null, timeoutEdge: null }),
}
