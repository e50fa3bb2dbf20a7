/**
 * MCP over Streamable HTTP as a function from request to response. Who may call is decided before (see `web`).
 *
 * Clients of the 2025 protocols are served without a session: nothing here ever asks the client anything, and a
 * client with a session would have to be turned away after each restart.
 */

import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server'

export interface McpEndpoint {
  /** Answers one HTTP request. Closing the connection, by `request.signal`, cancels the call. */
  fetch(request: Request): Promise<Response>
  /** Cancels what runs and ends open streams. */
  close(): Promise<void>
}

/**
 * @param factory makes the server of one request; see `createServerFactory`
 * @param maxBytes longest request body accepted
 */
export function createMcpEndpoint(factory: McpServerFactory, maxBytes: number): McpEndpoint {
  const handler = createMcpHandler(factory, { maxRequestBodySize: maxBytes })
  return { fetch: (request) => handler.fetch(request), close: () => handler.close() }
}
