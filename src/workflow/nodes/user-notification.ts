import * as z from 'zod'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'
import { notAvailable } from './not-available.ts'

export const userNotificationSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('user-notification'),
  message: text.max(4096).describe('A template.'),
  format: z.enum(['plain', 'markdown', 'html']).optional(),
  silent: z.boolean().optional(),
  connections: z.strictObject({ default: target, error: target.optional() }),
})
export type UserNotificationNode = z.infer<typeof userNotificationSchema>

/** A message to the run's owner over whichever channels the owner enabled; the author picks no provider. */
export const userNotificationType: NodeType<UserNotificationNode> = {
  type: 'user-notification',
  title: 'User notification',
  waits: false,
  external: true,
  schema: userNotificationSchema,
  edges: { required: ['default'], optional: ['error'] },
  templates: (node) => [{ field: 'message', text: node.message }],
  run(node) {
    throw notAvailable(node)
  },
}
