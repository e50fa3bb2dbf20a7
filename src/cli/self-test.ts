/** Starts `varve mcp` as a client would, and asks it what it can do. */

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { isRecord } from '../core/json.ts'
import { programFile } from '../installation.ts'

/** How long the server may take to answer, in milliseconds. */
const PATIENCE = 15_000

const REQUESTS = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'varve-doctor', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
]

/** Names of the tools that a freshly started server lists. @throws when it does not answer in time, or with an error. */
export async function listServedTools(env: Readonly<Record<string, string | undefined>>): Promise<string[]> {
  const server = spawn(process.execPath, [programFile, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const timer = setTimeout(() => server.kill(), PATIENCE)
  try {
    for (const request of REQUESTS) server.stdin.write(`${JSON.stringify(request)}\n`)
    for await (const line of createInterface({ input: server.stdout })) {
      const message: unknown = JSON.parse(line)
      if (!isRecord(message) || message['id'] !== 2) continue
      if (!isRecord(message['result'])) throw new Error(`it answered ${line}`)
      return toolNames(message['result']['tools'])
    }
    throw new Error('it ended, or did not answer in time')
  } finally {
    clearTimeout(timer)
    server.stdin.end()
  }
}

function toolNames(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.map((tool) => (isRecord(tool) ? String(tool['name']) : '')) : []
}
