import * as z from 'zod'
import { nodeFields, target, text } from './node-schema.ts'
import type { NodeType } from './node-type.ts'
import { notAvailable } from './not-available.ts'

/** Telegram's own limits: 4096 characters a message, 64 bytes of callback data. */
const buttonSchema = z.strictObject({
  text,
  callback_data: z.string().min(1).max(64).optional(),
  url: z.url().optional(),
})

export const telegramNotificationSchema = z.strictObject({
  ...nodeFields,
  type: z.literal('telegram-notification'),
  message: text.max(4096).describe('A template.'),
  chatId: z.string().min(1).optional().describe('A template; absent: the chat of the owner’s settings.'),
  parseMode: z.enum(['Markdown', 'HTML']).optional(),
  disableNotification: z.boolean().optional(),
  replyMarkup: z.strictObject({ inline_keyboard: z.array(z.array(buttonSchema)) }).optional(),
  timeout: z.number().min(1000).max(30_000).optional().describe('Milliseconds one delivery may take.'),
  connections: z.strictObject({ default: target, error: target.optional() }),
})
export type TelegramNotificationNode = z.infer<typeof telegramNotificationSchema>

/** A message to the owner over Telegram. Older than user-notification, which names no provider. */
export const telegramNotificationType: NodeType<TelegramNotificationNode> = {
  type: 'telegram-notification',
  title: 'Telegram notification',
  waits: false,
  external: true,
  schema: telegramNotificationSchema,
  edges: { required: ['default'], optional: ['error'] },
  templates: (node) => [
    { field: 'message', text: node.message },
    ...(node.chatId === undefined ? [] : [{ field: 'chatId', text: node.chatId }]),
  ],
  run(node) {
    throw notAvailable(node)
  },
}
