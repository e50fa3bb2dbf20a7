/** Errors of the HTTP interface: JSON in the shape of the tools' error member. */

import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export function problem(
  context: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  details: Record<string, unknown> = {},
): Response {
  return context.json({ error: { code, message, details } }, status)
}
