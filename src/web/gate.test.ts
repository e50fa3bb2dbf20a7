import { describe, expect, it } from 'vitest'
import { createMcpEndpoint } from '../mcp/http.ts'
import { createServerFactory } from '../mcp/server.ts'
import { createWebApp, MAX_BODY } from './app.ts'
import { createTokenCheck } from './token.ts'

const TOKEN = `varve_${'t'.repeat(43)}`
const check = createTokenCheck(TOKEN)

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

/** A server of the real endpoint, and what its tools were asked. */
function testApp() {
  const asked: string[] = []
  const endpoint = createMcpEndpoint(
    createServerFactory({
      version: '1.0.0',
      tools: [],
      dispatch: () => Promise.reject(new Error('no tool is offered')),
      caller: { owner: 1, admin: true, launchDirectory: '/' },
    }),
    MAX_BODY,
  )
  const app = createWebApp({
    mcp: {
      '/mcp': (request) => {
        asked.push(request.method)
        return endpoint.fetch(request)
      },
    },
    call: async (tool) => {
      asked.push(tool)
      return { text: 'ok', structured: {}, isError: false }
    },
    status: async () => ({}),
    check,
    onFailure: (_place, cause) => {
      throw cause
    },
  })
  const send = async (path: string, method: string, headers: Record<string, string>, body?: unknown) =>
    app.request(`http://localhost:4747${path}`, {
      method,
      headers: {
        host: 'localhost:4747',
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return { send, asked }
}

const bearer = { authorization: `Bearer ${TOKEN}` }
const cookie = { cookie: `${check.cookieName}=${check.cookieValue}` }
const corsHeaders = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith('access-control'))

describe('weak point 28: other origins', () => {
  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'http://127.0.0.1@evil.example'])(
    'weak point 28: a page of %s reaches no tool, with no leave to read the answer',
    async (origin) => {
      const { send, asked } = testApp()
      for (const credentials of [bearer, cookie]) {
        for (const [path, body] of [
          ['/mcp', initialize],
          ['/api/search', { query: 'x' }],
        ] as const) {
          const answer = await send(path, 'POST', { ...credentials, origin }, body)
          expect([answer.status, corsHeaders(answer)]).toEqual([403, []])
          const asking = { ...credentials, origin, 'access-control-request-method': 'POST' }
          const preflight = await send(path, 'OPTIONS', asking)
          expect([preflight.status, corsHeaders(preflight)]).toEqual([403, []])
        }
      }
      expect(asked).toEqual([])
    },
  )

  it('weak point 28: a page on another port of this machine gets no leave either, and the cookie is not its', async () => {
    const { send, asked } = testApp()
    const origin = 'http://localhost:3000'
    const asking = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
    const preflight = await send('/mcp', 'OPTIONS', asking)
    expect([preflight.status, corsHeaders(preflight)]).toEqual([401, []])
    const answer = await send('/mcp', 'POST', { ...cookie, origin }, initialize)
    expect([answer.status, corsHeaders(answer)]).toEqual([401, []])
    expect(asked).toEqual([])
  })

  it('weak point 28: who shows the token is answered, and the answer lets no other origin read it', async () => {
    const { send, asked } = testApp()
    for (const more of [{}, { origin: 'http://localhost:4747' }, { origin: 'http://localhost:3000' }]) {
      const answer = await send('/mcp', 'POST', { ...bearer, ...more }, initialize)
      expect([answer.status, corsHeaders(answer)]).toEqual([200, []])
      expect(await answer.text()).toContain('"varve"')
    }
    expect(asked).toEqual(['POST', 'POST', 'POST'])
  })
})
