import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdmission } from '../../src/mcp/admission.ts'
import { createDispatch } from '../../src/mcp/dispatch.ts'
import { createMcpEndpoint } from '../../src/mcp/http.ts'
import { offerTools } from '../../src/mcp/listing.ts'
import { createServerFactory } from '../../src/mcp/server.ts'
import { type OfferedTool, selectTools } from '../../src/mcp/toolsets.ts'
import { MAX_BODY } from '../../src/web/app.ts'
import { startWebServer, type WebServer } from '../../src/web/server.ts'
import { createTokenCheck } from '../../src/web/token.ts'
import { fakeTools, services, surface, waits } from './fake-tools.ts'
import { modernMeta } from './line-client.ts'

const TOKEN = `varve_${'a'.repeat(43)}`
const bearer = { Authorization: `Bearer ${TOKEN}` }
const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const failures: unknown[] = []

let server: WebServer

beforeAll(async () => {
  const admission = createAdmission()
  const dispatch = createDispatch({
    services: async () => services,
    admission: () => admission,
    clock: Date.now,
    onFailure: (_tool, cause) => failures.push(cause),
  })
  const caller = { owner: 1, admin: true, launchDirectory: '/' }
  const endpoint = (tools: readonly OfferedTool[]) =>
    createMcpEndpoint(createServerFactory({ version: '0.0.0', tools, dispatch, caller }), MAX_BODY)
  const offered = offerTools(fakeTools, surface)
  const everything = endpoint(offered)
  const workflows = endpoint(selectTools(offered, { toolsets: ['workflows'] }))
  server = await startWebServer({
    port: 0,
    mcp: { '/mcp': everything.fetch, '/mcp/workflows': workflows.fetch },
    call: async (name, args, signal) => {
      // The page's routes call tools by the names of the product; here one fake stands for all of them.
      const tool = fakeTools.find((each) => each.name === (name === 'open' ? 'broken' : 'echo'))
      if (!tool) throw new Error('no such fake')
      return dispatch(tool, { ...caller, signal }, args)
    },
    status: async () => ({ version: '0.0.0' }),
    check: createTokenCheck(TOKEN),
    onFailure: (_place, cause) => failures.push(cause),
  })
})

afterAll(() => server.close())

beforeEach(() => {
  waits.begun.length = 0
  waits.aborted.length = 0
})

function rpc(
  method: string,
  params: Record<string, unknown>,
  init: RequestInit = {},
  path = '/mcp',
): Promise<Response> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return fetch(server.url + path, { method: 'POST', body, ...init, headers: { ...json, ...bearer, ...init.headers } })
}

/** A request whose Host is written by hand, which fetch does not allow. */
function statusWithHost(host: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const url = new URL('/api/health', server.url)
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers: { ...headers, Host: host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', reject)
    request.end()
  })
}

describe('MCP over HTTP', () => {
  it.each([
    ['the 2025 protocols', 'legacy'],
    ['2026-07-28', { pin: '2026-07-28' }],
  ] as const)('serves a client of %s', async (_name, mode) => {
    const client = new Client({ name: 'probe', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit: { headers: bearer } }),
    )
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(fakeTools.map((tool) => tool.name))
    const good = await client.callTool({ name: 'echo', arguments: { text: 'hello' } })
    expect(good.structuredContent).toMatchObject({ data: { text: 'hello' } })
    const bad = await client.callTool({ name: 'echo', arguments: { text: 1 } })
    expect(bad).toMatchObject({ isError: true, structuredContent: { error: { code: 'invalid_request' } } })
    await expect(client.callTool({ name: 'nonsense' })).rejects.toThrow(/unknown tool/)
    await client.close()
  })

  it('serves a toolset under its own address', async () => {
    const response = await rpc('tools/list', modernMeta, modernHeaders('tools/list'), '/mcp/workflows')
    expect(response.status).toBe(200)
    const { result } = (await response.json()) as { result: { tools: { name: string }[]; ttlMs: number } }
    expect(result.tools.map((tool) => tool.name)).toEqual(['write'])
    expect(result.ttlMs).toBeGreaterThan(0)
  })

  it.each([
    ['the 2025 protocols', {}, {}],
    ['2026-07-28', modernMeta, modernHeaders('tools/call', 'wait')],
  ])('cancels a call when a client of %s closes the connection', async (name, meta, headers) => {
    const controller = new AbortController()
    const call = { name: 'wait', arguments: { ms: 60_000, name }, ...meta }
    const response = rpc('tools/call', call, { signal: controller.signal, ...headers }).then((answer) => answer.text())
    const outcome = response.catch(() => 'cut off')
    await until(() => waits.begun.includes(name))
    controller.abort()
    expect(await outcome).toBe('cut off')
    await until(() => waits.aborted.includes(name))
  })

  it('streams progress to a client that asks for it', async () => {
    const _meta = { ...modernMeta._meta, progressToken: 'p' }
    const call = { name: 'wait', arguments: { ms: 1 }, _meta }
    const response = await rpc('tools/call', call, modernHeaders('tools/call', 'wait'))
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(text).toContain('notifications/progress')
    expect(text).toContain('"isError":false')
  })

  it('takes a body whose length is not told beforehand, and refuses one that grows too long', async () => {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const inPieces = (pieces: readonly string[]): RequestInit => ({
      body: new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
          controller.close()
        },
      }),
      duplex: 'half',
    })
    const answered = await rpc('ping', {}, inPieces([ping.slice(0, 9), ping.slice(9)]))
    expect(answered.status).toBe(200)
    expect(await answered.text()).toContain('"result"')
    expect((await rpc('ping', {}, inPieces([ping, ' '.repeat(MAX_BODY)]))).status).toBe(413)
    expect(failures).toEqual([])
  })

  it('refuses a body that is too long', async () => {
    const response = await rpc('tools/call', { name: 'echo', arguments: { text: 'x'.repeat(MAX_BODY) } })
    expect(response.status).toBe(413)
  })
})

describe('who may call', () => {
  it('answers ok to anybody who asks for its health, and nothing else without the token', async () => {
    const health = await fetch(`${server.url}/api/health`)
    expect(health.status).toBe(200)
    expect(await health.text()).toBe('ok')
    for (const path of ['/mcp', '/mcp/workflows', '/api/status', '/api/search', '/page.js', '/nonsense']) {
      for (const headers of [
        {},
        { Authorization: `Bearer ${TOKEN}x` },
        { Authorization: TOKEN },
        { Cookie: `varve=${TOKEN}` },
      ]) {
        const response = await fetch(server.url + path, { method: path.startsWith('/mcp') ? 'POST' : 'GET', headers })
        expect(response.status, path).toBe(401)
        expect(await response.json()).toMatchObject({ error: { code: 'unauthorized' } })
      }
    }
  })

  it('signs a browser in by the link, and only from its own pages', async () => {
    expect((await fetch(`${server.url}/`)).status).toBe(401)
    expect((await fetch(`${server.url}/?token=wrong`, { redirect: 'manual' })).status).toBe(401)
    const signIn = await fetch(`${server.url}/?token=${TOKEN}`, { redirect: 'manual' })
    expect(signIn.status).toBe(303)
    expect(signIn.headers.get('location')).toBe('/')
    const cookie = signIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/HttpOnly/)
    expect(cookie).toMatch(/SameSite=Strict/)
    expect(cookie).not.toContain(TOKEN)
    const Cookie = cookie.split(';')[0] ?? ''
    const page = await fetch(`${server.url}/`, { headers: { Cookie } })
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    const own = { Cookie, Origin: server.url, 'Sec-Fetch-Site': 'same-origin' }
    expect((await fetch(`${server.url}/api/status`, { headers: own })).status).toBe(200)
    const otherPort = { Cookie, Origin: 'http://127.0.0.1:1' }
    expect((await fetch(`${server.url}/api/status`, { headers: otherPort })).status).toBe(401)
    const otherSite = { Cookie, 'Sec-Fetch-Site': 'same-site' }
    expect((await fetch(`${server.url}/api/status`, { headers: otherSite })).status).toBe(401)
  })

  it('refuses names that are not this machine, as after DNS rebinding', async () => {
    const { port } = new URL(server.url)
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'localhost:8000']) {
      expect(await statusWithHost(host), host).toBe(200)
    }
    const foreign = [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '0.0.0.0',
    ]
    for (const host of foreign) expect(await statusWithHost(host), host).toBe(403)
  })

  it('refuses pages of other sites', async () => {
    const { port } = new URL(server.url)
    for (const origin of [server.url, `http://localhost:${port}`, 'http://localhost:3000']) {
      expect((await rpc('tools/list', modernMeta, modernHeaders('tools/list', undefined, origin))).status, origin).toBe(
        200,
      )
    }
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'null',
      'http://127.0.0.1.evil.example',
    ]) {
      const response = await rpc('tools/list', modernMeta, modernHeaders('tools/list', undefined, origin))
      expect(response.status, origin).toBe(403)
    }
  })

  it('listens on this machine alone', async () => {
    const options = { mcp: {}, call: () => Promise.reject(new Error()), status: async () => ({}), onFailure: () => {} }
    for (const host of ['0.0.0.0', '::', '192.168.1.5', 'example.org']) {
      await expect(startWebServer({ ...options, host, port: 0 })).rejects.toMatchObject({ code: 'usage' })
    }
    const port = Number(new URL(server.url).port)
    await expect(startWebServer({ ...options, port })).rejects.toThrow(/is taken/)
  })
})

describe('the routes of the page', () => {
  const post = (path: string, body: string, headers: Record<string, string> = json) =>
    fetch(server.url + path, { method: 'POST', body, headers: { ...bearer, ...headers } })

  it('call tools and answer with their envelope', async () => {
    const good = await post('/api/search', '{"text":"hello"}')
    expect(good.status).toBe(200)
    expect(await good.json()).toMatchObject({ data: { text: 'hello' } })
    const bad = await post('/api/search', '{}')
    expect(bad.status).toBe(400)
    expect(await bad.json()).toMatchObject({ error: { code: 'invalid_request' } })
    const broken = await post('/api/open', '{}')
    expect(broken.status).toBe(500)
    expect(await broken.text()).not.toContain('secret')
    expect(failures.map(String)).toContain('Error: the secret reason')
  })

  it('take JSON only, so that no foreign form can post to them', async () => {
    expect((await post('/api/search', '{"text":"hello"}', { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await post('/api/search', '{"text":')).status).toBe(400)
    expect((await fetch(`${server.url}/api/nothing`, { headers: bearer })).status).toBe(404)
  })
})

function modernHeaders(method: string, name?: string, origin?: string): { headers: Record<string, string> } {
  return {
    headers: {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(name !== undefined && { 'Mcp-Name': name }),
      ...(origin !== undefined && { Origin: origin }),
    },
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; !condition(); round++) {
    if (round === 200) throw new Error('it never came to pass')
    await delay(20)
  }
}
