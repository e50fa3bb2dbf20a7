/** The HTTP server of `varve up`: the page, its data and MCP, behind the local token. */

import type { App } from '../app.ts'
import { createMcpEndpoint, type McpEndpoint } from '../mcp/http.ts'
import { createServerFactory } from '../mcp/server.ts'
import { TOOLSETS } from '../tools/index.ts'
import { MAX_BODY } from '../web/app.ts'
import { startWebServer } from '../web/server.ts'
import { createTokenCheck, readOrMakeToken } from '../web/token.ts'
import { describe, type McpOptions, type McpParts, mcpParts } from './mcp-parts.ts'

export interface HttpOptions {
  host: string
  port: number
  withToken: boolean
  log(message: string): void
}

export interface HttpServer {
  url: string
  /** The link that signs a browser in; the plain address without a token. */
  signInUrl: string
  close(): Promise<void>
}

/** Starts it. @throws UserError `usage` when the address is taken or not this machine's alone. */
export async function startHttp(app: App, options: HttpOptions): Promise<HttpServer> {
  const { host, port, withToken, log } = options
  const token = withToken ? readOrMakeToken(app.config.directory) : undefined
  const parts = mcpParts(app, app.services, log)
  const endpoints: Record<string, McpEndpoint> = { '/mcp': await endpoint(parts, {}) }
  for (const toolset of TOOLSETS) endpoints[`/mcp/${toolset}`] = await endpoint(parts, { toolsets: [toolset] })
  const server = await startWebServer({
    host,
    port,
    mcp: Object.fromEntries(Object.entries(endpoints).map(([path, { fetch }]) => [path, fetch])),
    call: parts.call,
    status: async () => ({ ...(await app.status()) }),
    ...(token !== undefined && { check: createTokenCheck(token) }),
    onFailure: (place, cause) => log(`varve: ${place} failed: ${describe(cause)}`),
  })
  return {
    url: server.url,
    signInUrl: token === undefined ? server.url : `${server.url}/?token=${token}`,
    async close() {
      await Promise.all(Object.values(endpoints).map((each) => each.close()))
      await server.close()
    },
  }
}

async function endpoint(parts: McpParts, options: McpOptions): Promise<McpEndpoint> {
  return createMcpEndpoint(createServerFactory(await parts.serverOptions(options)), MAX_BODY)
}
