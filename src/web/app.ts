/** The routes of the HTTP server. Thin: tools answer, this only carries. */

import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorCode } from '../core/errors.ts'
import { isRecord } from '../core/json.ts'
import type { ToolAnswer } from '../tools/index.ts'
import { hasCookie, localOnly, signedInOnly, signIn } from './gate.ts'
import { pageRoutes, signInPage } from './page.ts'
import { problem } from './problem.ts'
import type { TokenCheck } from './token.ts'

/** Longest request body, in bytes. */
export const MAX_BODY = 8 * 1024 * 1024

export interface WebOptions {
  /** MCP endpoints by path: `/mcp`, `/mcp/sessions`, … */
  mcp: Readonly<Record<string, (request: Request) => Promise<Response>>>
  /** Calls a tool by its name for the page. */
  call: (tool: string, args: unknown, signal: AbortSignal) => Promise<ToolAnswer>
  /** What `/api/status` tells. */
  status: () => Promise<Record<string, unknown>>
  /** Who may call; absent for `--no-token`: everybody on this machine. */
  check?: TokenCheck
  /** Told of failures that are ours. */
  onFailure: (place: string, cause: unknown) => void
}

/** The tool behind each route of the page. */
const API = {
  '/api/search': 'search_sessions',
  '/api/open': 'open',
  '/api/sessions': 'list_sessions',
  '/api/touched': 'file_attention',
} as const

/** HTTP status of an error code; what is not here is the caller's to fix, 400. */
const HTTP_STATUS: Partial<Record<string, ContentfulStatusCode>> = {
  not_found: 404,
  cancelled: 408,
  deadline_exceeded: 504,
  busy: 503,
  resource_exhausted: 507,
  backend_failure: 502,
  internal_error: 500,
} satisfies Partial<Record<ErrorCode, ContentfulStatusCode>>

export function createWebApp(options: WebOptions): Hono {
  const { mcp, call, status, check, onFailure } = options
  const app = new Hono()

  app.use(localOnly)
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
      xFrameOptions: 'DENY',
    }),
  )
  app.use(async (context, next) => {
    await next()
    if (!context.res.headers.has('cache-control')) context.header('Cache-Control', 'no-store')
  })

  app.get('/api/health', (context) => context.text('ok'))
  app.get('/', async (context, next) => {
    if (check === undefined) return next()
    const token = context.req.query('token')
    const signedIn = token === undefined ? undefined : signIn(context, check, token)
    if (signedIn !== undefined) return signedIn
    return hasCookie(context, check) ? next() : context.html(await signInPage(), 401)
  })
  app.use(signedInOnly(check))
  app.use(
    bodyLimit({
      maxSize: MAX_BODY,
      onError: (context) => problem(context, 413, 'too_large', `a body may have ${MAX_BODY} bytes at most`),
    }),
  )

  for (const [path, fetch] of Object.entries(mcp)) app.all(path, (context) => fetch(context.req.raw))

  app.get('/api/status', async (context) => context.json(await status()))
  for (const [path, tool] of Object.entries(API)) {
    app.post(path, async (context) => {
      // A page of another origin cannot send this type without asking first, and is never allowed to.
      if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) {
        return problem(context, 415, 'invalid_request', 'the body is JSON, with Content-Type: application/json')
      }
      const args: unknown = await context.req.json().catch(() => undefined)
      if (args === undefined) return problem(context, 400, 'invalid_request', 'the body is not valid JSON')
      const answer = await call(tool, args, context.req.raw.signal)
      return context.json(answer.structured, answer.isError ? errorStatus(answer.structured) : 200)
    })
  }
  app.route('/', pageRoutes())

  app.notFound((context) => problem(context, 404, 'not_found', 'there is nothing at this address'))
  app.onError((error, context) => {
    onFailure(context.req.path, error)
    return problem(context, 500, 'internal_error', 'the request failed inside Varve; its log says why')
  })
  return app
}

function errorStatus(envelope: Record<string, unknown>): ContentfulStatusCode {
  const error = envelope['error']
  const code = isRecord(error) ? error['code'] : undefined
  return HTTP_STATUS[String(code)] ?? 400
}
