/** Steps over `/mcp`, against a tool that does nothing over the same door. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createApp } from '../../src/app.ts'
import { startHttp } from '../../src/cli/http.ts'
import { milliseconds, percentile, type Row } from '../row.ts'

const STEPS = 60

/** Milliseconds at the 95th percentile, and steps a second, that a step over HTTP should keep to. */
const P95 = 60
const RATE = 300

export async function workflowHttpRows(folder: string): Promise<Row[]> {
  const home = join(folder, 'http-home')
  mkdirSync(home, { recursive: true })
  const env = { VARVE_HOME: join(home, '.varve'), VARVE_CAPTURE_ENABLED: 'false' }
  const app = await createApp({ home, env, platform: process.platform, cwd: home })
  const server = await startHttp(app, { host: '127.0.0.1', port: 0, withToken: false, log: console.error })
  const rows: Row[] = []
  try {
    for (const runs of [8, 32]) {
      const clients = await Promise.all(Array.from({ length: runs }, () => connect(`${server.url}/mcp`)))
      const idle = await measure(clients, async (client) => {
        await call(client, 'help', {})
      })
      const steps = await measureRuns(clients)
      rows.push({
        name: `steps over /mcp, ${runs} runs`,
        figure: `${steps.rate.toFixed(0)}/s, p95 ${milliseconds(steps.p95)}`,
        baseline: `${idle.rate.toFixed(0)}/s, p95 ${milliseconds(idle.p95)} for help; wanted ${RATE}/s, p95 ${P95} ms`,
        ratio: steps.rate / RATE,
        aim: { least: 1 },
      })
      await Promise.all(clients.map((client) => client.close()))
    }
  } finally {
    await server.close()
    await app.close()
  }
  return rows
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args })
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent as Record<string, unknown>
}

interface Measured {
  rate: number
  p95: number
}

async function measure(clients: readonly Client[], work: (client: Client) => Promise<void>): Promise<Measured> {
  const times: number[] = []
  const started = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (let done = 0; done < STEPS; done++) {
        const asked = performance.now()
        await work(client)
        times.push(performance.now() - asked)
      }
    }),
  )
  return { rate: times.length / ((performance.now() - started) / 1000), p95: percentile(times, 0.95) }
}

async function measureRuns(clients: readonly Client[]): Promise<Measured> {
  const created = await call(clients[0] as Client, 'manage', { action: 'create', workflow: WORKFLOW })
  const runs = new Map<Client, Record<string, unknown>>()
  for (const client of clients) {
    const { workflowId } = created
    const prepared = await call(client, 'start', { action: 'prepare', workflowId, parentExecutionId: 'none' })
    runs.set(client, await call(client, 'start', { action: 'execute', startAttemptId: prepared['startAttemptId'] }))
  }
  return measure(clients, async (client) => {
    const { processId, attemptId } = runs.get(client) ?? {}
    runs.set(client, await call(client, 'step', { processId, attemptId, input: { evidence: 'done' } }))
  })
}

const WORKFLOW = {
  metadata: { name: 'Over HTTP', version: '1.0.0', description: 'One task for ever' },
  variableRegistry: { rounds: { type: 'number', description: 'answers so far', default: 0 } },
  nodes: [
    { id: 'start', type: 'start', connections: { default: 'work' } },
    {
      id: 'work',
      type: 'agent-directive',
      directive: 'Do the next thing.',
      completionCondition: 'It is done.',
      inputSchema: { type: 'object', properties: { evidence: { type: 'string' } }, required: ['evidence'] },
      connections: { success: 'add' },
    },
    { id: 'add', type: 'expression', expressions: ['rounds = rounds + 1'], connections: { default: 'more' } },
    {
      id: 'more',
      type: 'condition',
      condition: { operator: 'lt', left: { contextPath: 'rounds' }, right: 1_000_000 },
      connections: { true: 'work', false: 'end' },
    },
    { id: 'end', type: 'end' },
  ],
}
