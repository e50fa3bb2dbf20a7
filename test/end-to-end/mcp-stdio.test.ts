import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeTools } from './fake-tools.ts'
import { type LineClient, modernMeta, startLineClient } from './line-client.ts'

const server = fileURLToPath(new URL('./fake-server.ts', import.meta.url))
const command = ['--import', 'tsx', server]
const clients: LineClient[] = []

function start(...args: string[]): LineClient {
  const client = startLineClient(process.execPath, [...command, ...args])
  clients.push(client)
  return client
}

afterEach(() => {
  for (const client of clients.splice(0)) client.process.kill('SIGKILL')
})

describe('MCP over stdio', () => {
  it.each([
    ['the 2025 protocols', 'legacy'],
    ['2026-07-28', { pin: '2026-07-28' }],
  ] as const)('serves a client of %s', async (_name, mode) => {
    const client = new Client({ name: 'probe', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command: process.execPath, args: command, stderr: 'ignore' }))
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(fakeTools.map((tool) => tool.name))
    for (const tool of tools) expect(Object.keys(tool.annotations ?? {})).toHaveLength(5)
    const good = await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
    expect(good.isError).toBe(false)
    expect(good.structuredContent).toMatchObject({ data: { text: 'hello', client: 'probe' } })
    const bad = await client.callTool({ name: 'echo', arguments: { text: 1 } })
    expect(bad.isError).toBe(true)
    expect(bad.structuredContent).toMatchObject({ error: { code: 'invalid_request' } })
    await expect(client.callTool({ name: 'nonsense' })).rejects.toThrow(/unknown tool/)
    expect(client.getInstructions()).toMatch(/Varve/)
    await client.close()
  })

  it('answers server/discover, with any kind of id, before initialize and then takes an initialize', async () => {
    const client = start()
    client.request('probe', 'server/discover', modernMeta)
    expect(await client.response('probe')).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } })
    client.request(0, 'server/discover', modernMeta)
    expect(await client.response(0)).toHaveProperty('result')
    expect(await client.initialize()).toMatchObject({ result: { protocolVersion: '2025-06-18' } })
    client.request(1, 'tools/list')
    expect(await client.response(1)).toHaveProperty('result.tools')
  })

  it.each([['2024-11-05'], ['2025-03-26'], ['2025-06-18'], ['2025-11-25']])('speaks %s', async (protocolVersion) => {
    const client = start()
    const clientInfo = { name: 'test', version: '1' }
    client.request(1, 'initialize', { protocolVersion, capabilities: {}, clientInfo })
    expect(await client.response(1)).toMatchObject({ result: { protocolVersion, serverInfo: { name: 'varve' } } })
  })

  it('C21: survives lines that are no messages, and answers each with an error', async () => {
    const client = start()
    await client.initialize()
    client.sendText('')
    client.sendText('{"jsonrpc":"2.0",')
    expect(await client.response(null)).toMatchObject({ error: { code: -32700 } })
    client.sendText('{"id":7,"method":"tools/list"}')
    expect(await client.response(7)).toMatchObject({ error: { code: -32600 } })
    client.sendText('[]')
    client.notify('notifications/cancelled', { requestId: 4711 })
    client.notify('no/such/notification')
    client.request(8, 'no/such/method')
    expect(await client.response(8)).toMatchObject({ error: { code: -32601 } })
    client.call(9, 'echo', { text: 'alive' })
    expect(await client.response(9)).toMatchObject({ result: { isError: false } })
  })

  it('passes null, text, lists and truth values on to the tool, which refuses them with an envelope', async () => {
    const client = start()
    await client.initialize()
    for (const [index, args] of [null, 'text', [1], true].entries()) {
      client.call(index, 'echo', args)
      expect(await client.response(index)).toMatchObject({
        result: { isError: true, structuredContent: { error: { code: 'invalid_request' } } },
      })
    }
  })

  it('writes nothing but JSON-RPC to standard output, whatever its code prints (fault 91)', async () => {
    const client = start()
    await client.initialize()
    client.call(1, 'noisy')
    expect(await client.response(1)).toMatchObject({ result: { isError: false } })
    expect(client.lines).toHaveLength(2)
    for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })

  it('says that a failure was its own, and not why', async () => {
    const client = start()
    await client.initialize()
    client.call(1, 'broken')
    const answer = await client.response(1)
    expect(answer).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: 'internal_error' } } },
    })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('reports progress to a client that asks for it, and to no other', async () => {
    const client = start()
    await client.initialize()
    client.call(1, 'wait', { ms: 1 })
    await client.response(1)
    expect(client.lines.filter((line) => line.includes('notifications/progress'))).toHaveLength(0)
    client.request(2, 'tools/call', { name: 'wait', arguments: { ms: 1 }, _meta: { progressToken: 'p' } })
    await client.response(2)
    expect(client.lines.filter((line) => line.includes('notifications/progress'))).toHaveLength(1)
  })

  it('C26, C28: stays responsive while all places are taken, and answers what finds no place with busy at once', async () => {
    const client = start()
    await client.initialize()
    for (let id = 1; id <= 20; id++) client.call(id, 'wait', { ms: 400 })
    client.call(21, 'wait', { ms: 1 })
    client.request(22, 'tools/list')
    client.request(23, 'ping')
    client.call(24, 'echo', { text: 3 })
    expect(await client.response(21)).toMatchObject({
      result: {
        isError: true,
        structuredContent: {
          error: { code: 'busy', details: { reason: 'queue_full', max_executing: 4, max_queued: 16 } },
        },
      },
    })
    expect(await client.response(22)).toHaveProperty('result.tools')
    expect(await client.response(23)).toHaveProperty('result')
    expect(await client.response(24)).toHaveProperty('result.structuredContent.error.code', 'invalid_request')
    expect(
      client.lines.some((line) => line.includes('"id":20')),
      'the others have not waited for it',
    ).toBe(false)
    const last = await client.response(20)
    expect(last).toMatchObject({ result: { isError: false } })
    // Five rounds of four: the time of a call includes its wait.
    const elapsed = (last as { result: { structuredContent: { performance: { elapsed_ms: number } } } }).result
      .structuredContent.performance.elapsed_ms
    expect(elapsed).toBeGreaterThanOrEqual(1_900)
  })

  it('C29: answers a cancelled call with nothing, whether it runs or waits', async () => {
    const client = start()
    await client.initialize()
    for (let id = 1; id <= 5; id++) client.call(id, 'wait', { ms: 60_000 })
    for (let id = 1; id <= 5; id++) client.notify('notifications/cancelled', { requestId: id })
    client.call(6, 'echo', { text: 'free again' })
    expect(await client.response(6)).toMatchObject({ result: { isError: false } })
    expect(client.lines).toHaveLength(2)
  })

  it('C30: finishes and answers what it accepted after the input ends, then ends', async () => {
    const client = start()
    await client.initialize()
    for (let id = 1; id <= 6; id++) client.call(id, 'wait', { ms: 500 })
    client.process.stdin.end()
    for (let id = 1; id <= 6; id++) expect(await client.response(id)).toMatchObject({ result: { isError: false } })
    expect(await client.exited).toBe(0)
  })

  it.each([
    ['at once', []],
    ['even when something was left running', ['--leak']],
  ] as const)('ends when its input ends, %s (fault 92)', async (_name, args) => {
    const client = start(...args)
    await client.initialize()
    const begun = Date.now()
    client.process.stdin.end()
    expect(await client.exited).toBe(0)
    expect(Date.now() - begun).toBeLessThan(5_000)
  })

  it.skipIf(process.platform === 'win32')(
    'ends soon after its client was killed in the middle of a call (fault 92)',
    async () => {
      // A client of its own process, so that killing it is what the server sees.
      const script = `
      const { spawn } = require('node:child_process')
      const server = spawn(process.execPath, ${JSON.stringify(command)}, { stdio: ['pipe', 'pipe', 'ignore'] })
      const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
      const clientInfo = { name: 'test', version: '1' }
      send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
      send({ id: 2, method: 'tools/call', params: { name: 'wait', arguments: { ms: 60000 } } })
      server.stdout.once('data', () => console.log(server.pid))
      setInterval(() => {}, 1000)`
      const client = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
      const [line] = (await once(client.stdout, 'data')) as [Buffer]
      const pid = Number(line.toString())
      client.kill('SIGKILL')
      const begun = Date.now()
      while (isAlive(pid) && Date.now() - begun < 10_000) await delay(100)
      expect(isAlive(pid)).toBe(false)
    },
  )
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
