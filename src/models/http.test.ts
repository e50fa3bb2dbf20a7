import { afterEach, describe, expect, it } from 'vitest'
import { DimensionMismatch } from './embedder.ts'
import { postJson } from './endpoint.ts'
import { httpChat } from './http-chat.ts'
import { type HttpEmbedderOptions, httpEmbedder } from './http-embedder.ts'
import { answering, NEVER, type Reply, startServer, type TestServer } from './server.testing.ts'

const never = new AbortController().signal
const KEY = 'sk-test-4f9a8b7c6d5e'

let servers: TestServer[] = []
afterEach(async () => {
  for (const server of servers) await server.close()
  servers = []
})
const serve = async (reply: Reply): Promise<TestServer> => {
  const server = await startServer(reply)
  servers.push(server)
  return server
}
const vectors = (...embeddings: number[][]) => ({ data: embeddings.map((embedding, index) => ({ index, embedding })) })
const embedderAt = ({ url }: TestServer, more: Partial<HttpEmbedderOptions> = {}) =>
  httpEmbedder({ url: `${url}/v1/embeddings`, model: 'm', ...more })

/** The message of what is thrown. */
const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing was thrown',
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  )

describe('vectors of an OpenAI-compatible server', () => {
  it('are asked for in one request, and put into the order of the texts', async () => {
    const server = await serve((_body, response) => {
      const data = [
        { index: 1, embedding: [0, 1] },
        { index: 0, embedding: [1, 0] },
      ]
      response.end(JSON.stringify({ object: 'list', data }))
    })
    const embedder = embedderAt(server, { key: KEY, dimensions: 2 })
    expect(await embedder.embed(['a', 'b'], never)).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)])
    expect(server.requests).toEqual([
      {
        path: '/v1/embeddings',
        authorization: `Bearer ${KEY}`,
        body: { model: 'm', input: ['a', 'b'], encoding_format: 'float', dimensions: 2 },
      },
    ])
    expect(await embedder.embed([], never)).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('need no key', async () => {
    const server = await serve(answering(vectors([1, 0])))
    await embedderAt(server).embed(['a'], never)
    expect(server.requests[0]?.authorization).toBeUndefined()
  })

  it.each([
    ['another length', vectors([1, 2, 3]), /3 dimensions instead of 2/],
    ['too many', vectors([1, 2], [1, 2]), /2 vectors came back for 1 texts/],
    ['too few', { data: [] }, /0 vectors came back for 1 texts/],
    ['no vectors', { data: [{ index: 0, embedding: [] }] }, /0 dimensions/],
    ['another form', { embeddings: [[1, 2]] }, /another form/],
  ])('are refused when they are of %s', async (_name, answer, expected) => {
    const server = await serve(answering(answer))
    expect(await messageOf(embedderAt(server, { dimensions: 2 }).embed(['a'], never))).toMatch(expected)
  })

  it('of another length than configured are told apart from other failures', async () => {
    const server = await serve(answering(vectors([1, 2, 3])))
    await expect(embedderAt(server, { dimensions: 2 }).embed(['a'], never)).rejects.toThrow(DimensionMismatch)
  })

  it('end when the embedder is closed, and can be asked for again', async () => {
    let answers = false
    const server = await serve((body, response, request) => {
      if (answers) answering(vectors([1, 0]))(body, response, request)
    })
    const embedder = embedderAt(server)
    const asked = messageOf(embedder.embed(['a'], never))
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await embedder.close()
    expect(await asked).toBe('closed')
    answers = true
    expect(await embedder.embed(['a'], never)).toHaveLength(1)
  })
})

describe('a request to a model', () => {
  const ask = (url: string, more: Partial<Parameters<typeof postJson>[2]> = {}) =>
    postJson({ url, key: KEY }, { a: 1 }, { timeout: 5_000, maxBytes: 1_000, signal: never, ...more })

  it('never tells the key, even when the server sends it back', async () => {
    const server = await serve((_body, response, request) => {
      response.writeHead(401)
      response.end(`no such key: ${request.headers.authorization}`)
    })
    const message = await messageOf(ask(`${server.url}/v1?api=${KEY}`))
    expect(message).toContain('/v1 answers 401: no such key: Bearer [REDACTED]')
    expect(message).not.toContain(KEY)
  })

  it('never tells the key nor the rest of the address when the server cannot be reached', async () => {
    const server = await startServer(NEVER)
    await server.close()
    const message = await messageOf(ask(`${server.url}/v1?api=${KEY}`))
    expect(message).toBe(`${server.url}/v1 cannot be reached (ECONNREFUSED)`)
  })

  it('cannot carry a key that is no header, and does not tell it then', async () => {
    const broken = `${KEY}\nx`
    const message = await messageOf(
      postJson({ url: 'http://127.0.0.1:9/v1', key: broken }, {}, { timeout: 1_000, maxBytes: 10, signal: never }),
    )
    expect(message).toContain('cannot be reached')
    expect(message).not.toContain(KEY)
  })

  it('follows no redirect: text and key go to the host that was named', async () => {
    const other = await serve(answering({}))
    const server = await serve((_body, response) => {
      response.writeHead(307, { location: `${other.url}/v1` })
      response.end()
    })
    expect(await messageOf(ask(`${server.url}/v1`))).toMatch(/redirect/)
    expect(other.requests).toEqual([])
  })

  it('ends when there is no answer in time', async () => {
    const server = await serve(NEVER)
    expect(await messageOf(ask(`${server.url}/v1`, { timeout: 50 }))).toMatch(/gave no answer in 50 ms/)
  })

  it('ends when the answer does not come to an end', async () => {
    const server = await serve((_body, response) => {
      response.writeHead(200)
      response.write('{"a":')
    })
    expect(await messageOf(ask(`${server.url}/v1`, { timeout: 200 }))).toMatch(/gave no answer in 200 ms/)
  })

  it('reads no more of an answer than its limit', async () => {
    const server = await serve((_body, response) => {
      const more = (): void => {
        while (response.writable && !response.destroyed) if (!response.write('x'.repeat(10_000))) break
      }
      response.on('drain', more)
      response.on('error', () => {})
      more()
    })
    expect(await messageOf(ask(`${server.url}/v1`))).toMatch(/more than 1000 bytes/)
  })

  it('says so when the answer is no JSON', async () => {
    const server = await serve(answering('<html>'))
    expect(await messageOf(ask(`${server.url}/v1`))).toMatch(/no JSON/)
  })

  it('ends with its caller', async () => {
    const server = await serve(NEVER)
    const controller = new AbortController()
    const asked = messageOf(ask(`${server.url}/v1`, { signal: controller.signal }))
    controller.abort(new Error('enough'))
    expect(await asked).toBe('enough')
  })
})

describe('a question to a model', () => {
  it('carries its schema, and the text of the answer comes back', async () => {
    const server = await serve(answering({ choices: [{ message: { role: 'assistant', content: '{"a":1}' } }] }))
    const chat = httpChat({ url: `${server.url}/v1/chat/completions`, model: 'm', key: KEY })
    expect(await chat({ system: 's', user: 'u', schema: { type: 'object' } })).toBe('{"a":1}')
    expect(server.requests[0]?.body).toMatchObject({
      model: 'm',
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
      response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } },
    })
  })

  it('throws what has another form', async () => {
    const server = await serve(answering({ choices: [] }))
    const chat = httpChat({ url: `${server.url}/v1/chat/completions`, model: 'm' })
    expect(await messageOf(chat({ system: 's', user: 'u', schema: {} }))).toMatch(/another form/)
  })
})
