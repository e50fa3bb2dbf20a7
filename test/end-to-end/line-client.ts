/** A client that speaks JSON-RPC line by line to a process, with nothing between the test and the wire. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

type Message = Record<string, unknown>

export interface LineClient {
  process: ChildProcessWithoutNullStreams
  /** Every line the server wrote, as text. */
  lines: string[]
  sendText(text: string): void
  request(id: number | string | null, method: string, params?: Message): void
  notify(method: string, params?: Message): void
  call(id: number | string, tool: string, args?: unknown): void
  /** The response with this id, whenever it comes. */
  response(id: number | string | null): Promise<Message>
  initialize(): Promise<Message>
  /** Resolves with the exit code. */
  exited: Promise<number | null>
}

export function startLineClient(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): LineClient {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env })
  child.stdin.on('error', () => {})
  child.stderr.resume()
  const lines: string[] = []
  const seen = new Map<unknown, Message>()
  const waiting = new Map<unknown, (message: Message) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    const message = JSON.parse(line) as Message
    if ('method' in message) return
    seen.set(message['id'], message)
    waiting.get(message['id'])?.(message)
  })
  const sendText = (text: string): void => void child.stdin.write(`${text}\n`)
  const send = (message: Message): void => sendText(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const client: LineClient = {
    process: child,
    lines,
    sendText,
    request: (id, method, params = {}) => send({ id, method, params }),
    notify: (method, params = {}) => send({ method, params }),
    call: (id, name, args2 = {}) => send({ id, method: 'tools/call', params: { name, arguments: args2 } }),
    response: (id) => {
      const message = seen.get(id)
      return message ? Promise.resolve(message) : new Promise((resolve) => waiting.set(id, resolve))
    },
    async initialize() {
      const clientInfo = { name: 'test', version: '1' }
      client.request('init', 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
      const answer = await client.response('init')
      client.notify('notifications/initialized')
      return answer
    },
    exited: once(child, 'exit').then(([code]) => code as number | null),
  }
  return client
}

/** `_meta` of a request of protocol 2026-07-28. */
export const modernMeta = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}
