/** For tests of models behind an address: a server on this machine that answers as it is told. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface TestServer {
  url: string
  requests: { path: string; authorization: string | undefined; body: unknown }[]
  close(): Promise<void>
}

export type Reply = (body: unknown, response: ServerResponse, request: IncomingMessage) => void

/** A server on this machine that answers as `reply` does; one that does nothing never answers. */
export async function startServer(reply: Reply): Promise<TestServer> {
  const requests: TestServer['requests'] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8') || 'null')
      requests.push({ path: request.url ?? '', authorization: request.headers.authorization, body })
      reply(body, response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export const NEVER: Reply = () => {}

export const answering =
  (value: unknown, status = 200): Reply =>
  (_body, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }
