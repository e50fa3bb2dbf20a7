/**
 * Clients of the 2025 protocols with a session each, next to the product's own endpoint for 2026-07-28. The product
 * serves the older ones without a session, since it never asks them anything; the suite also checks servers that do.
 */

import { randomUUID } from 'node:crypto'
import { isLegacyRequest, type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { McpEndpoint } from '../../src/mcp/http.ts'

export function withSessions(createServer: () => McpServer, endpoint: McpEndpoint): McpEndpoint {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()

  async function open(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    await createServer().connect(transport)
    return transport
  }

  return {
    async fetch(request) {
      if (!(await isLegacyRequest(request))) return endpoint.fetch(request)
      const id = request.headers.get('mcp-session-id')
      const transport = id === null ? await open() : sessions.get(id)
      return transport?.handleRequest(request) ?? new Response(null, { status: 404 })
    },
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()))
      await endpoint.close()
    },
  }
}
