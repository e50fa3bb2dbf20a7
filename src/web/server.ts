/** Listening: where the HTTP server can be reached, and how it ends. */

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { UserError } from '../core/errors.ts'
import { createWebApp, type WebOptions } from './app.ts'
import { isLoopbackHost } from './gate.ts'

const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 4747

export interface ListenOptions extends WebOptions {
  host?: string
  /** 0 takes any free port. */
  port?: number
}

export interface WebServer {
  /** `http://127.0.0.1:4747`, without a slash at the end. */
  url: string
  /** Stops accepting, lets what runs finish for a few seconds, then cuts it off. */
  close(): Promise<void>
}

/** How long running requests may go on after the server was told to stop, in milliseconds. */
const CLOSE_LIMIT = 3_000

/**
 * Starts the HTTP server.
 * @throws UserError `usage` when the host is not this machine alone, or the port is taken
 */
export async function startWebServer(options: ListenOptions): Promise<WebServer> {
  const { host = DEFAULT_HOST, port = DEFAULT_PORT } = options
  if (!isLoopbackHost(host)) {
    throw new UserError(
      'usage',
      `${host} can be reached from other machines, and there are no accounts to tell callers apart`,
      {
        remedy: 'listen on 127.0.0.1 and reach it through a tunnel such as `ssh -L`',
      },
    )
  }
  const server = createAdaptorServer({ fetch: createWebApp(options).fetch }) as Server
  await listen(server, host.replace(/^\[(.*)\]$/, '$1'), port)
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${name}:${address.port}`, close: () => close(server) }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') reject(error)
      else
        reject(
          new UserError('usage', `port ${port} on ${host} is taken, perhaps by another Varve`, {
            remedy: 'stop the other program or choose another port with --port',
          }),
        )
    })
    server.listen(port, host, resolve)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const limit = setTimeout(() => server.closeAllConnections(), CLOSE_LIMIT)
    server.close(() => {
      clearTimeout(limit)
      resolve()
    })
    server.closeIdleConnections()
  })
}
