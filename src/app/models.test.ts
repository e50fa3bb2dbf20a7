import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type App, createApp } from '../app.ts'
import { answering, NEVER, type Reply, startServer, type TestServer } from '../models/server.testing.ts'
import { DIMENSIONS, embedding } from '../retrieval/meaning/vectors/vectors.testing.ts'
import { callTool } from '../tools/call.ts'
import { restingAfterFailure } from './models.ts'

const KEY = 'sk-test-0a1b2c3d4e5f'

let folder = ''
let app: App | undefined
let server: TestServer | undefined
let logged: string[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-models-'))
  logged = []
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => void logged.push(parts.join(' ')))
})
afterEach(async () => {
  await app?.close()
  app = undefined
  await server?.close()
  server = undefined
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (env: Record<string, string> = {}): Promise<App> => {
  app = await createApp({ home: folder, env, platform: process.platform, cwd: folder })
  return app
}

/** The app with vectors of a server that answers as told. */
const withServer = async (reply: Reply, env: Record<string, string> = {}): Promise<App> => {
  server = await startServer(reply)
  return open({
    VARVE_CONTEXT_MEANING_PROVIDER: 'http',
    VARVE_CONTEXT_MEANING_URL: `${server.url}/v1/embeddings`,
    VARVE_CONTEXT_MEANING_MODEL: 'topics',
    ...env,
  })
}

function say(...texts: string[]): void {
  const transcripts = join(folder, '.claude', 'projects', '-demo')
  mkdirSync(transcripts, { recursive: true })
  const records = texts.map((text, place) => ({
    type: 'user',
    uuid: `u${place}`,
    sessionId: '00000000-0000-4000-8000-000000000001',
    timestamp: '2026-01-01T00:00:00Z',
    cwd: folder,
    message: { role: 'user', content: text },
  }))
  const file = join(transcripts, '00000000-0000-4000-8000-000000000001.jsonl')
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

/** Captures without vectors, as a command that answers does. */
const captureQuietly = (opened: App) => opened.refresh(() => {})

const ask = async (opened: App, name: string, args: unknown) => {
  const { structured, isError, text } = await callTool(await opened.services(), await opened.caller(), name, args, 0)
  expect(isError, text).toBe(false)
  return structured
}
const askAll = async (opened: App) => ({
  search: await ask(opened, 'rift_search', { query: 'cherry shelves', scope: 'conversations' }),
  pack: await ask(opened, 'rift_context_pack', { task: 'build the cherry shelves', cwd: folder }),
  conversations: await ask(opened, 'rift_conversations_search', { query: 'cherry shelves', detail: 'full' }),
})

describe('without a configured model', () => {
  test('105: no socket is opened, whatever is done', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect')
    const fetched = vi.spyOn(globalThis, 'fetch')
    say('We decided to use cherry for the shelves.')
    const opened = await open()
    await opened.capture({})
    const { search, pack } = await askAll(opened)
    expect(search).toMatchObject({ mode: 'lexical', degraded: false, results: [{ retrieval_method: 'keyword' }] })
    expect(pack).toMatchObject({ mode: 'lexical', degraded: false })
    expect(await ask(opened, 'rift_status', {})).toMatchObject({ memory_diagnostics: { meaning: { status: 'ok' } } })
    expect(connect).not.toHaveBeenCalled()
    expect(fetched).not.toHaveBeenCalled()
    const { engine } = await opened.services()
    expect(await engine.all('SELECT seq FROM vector')).toEqual([])
  })

  test('55: nothing is degraded with meaning off either', async () => {
    say('We decided to use cherry for the shelves.')
    const opened = await open({ VARVE_CONTEXT_MEANING_PROVIDER: 'off' })
    await opened.capture({})
    expect(await ask(opened, 'rift_search', { query: 'cherry', scope: 'conversations' })).toMatchObject({
      mode: 'lexical',
      degraded: false,
    })
    expect(await ask(opened, 'rift_status', {})).toMatchObject({ memory_diagnostics: { meaning: { status: 'off' } } })
  })
})

describe('vectors of a server', () => {
  test('54: let search answer what is asked in other words, and say that they took part', async () => {
    say('The harbour was full yesterday.', 'An apple a day.')
    const opened = await withServer(embedding)
    await opened.capture({})
    const answer = await ask(opened, 'rift_search', { query: 'which ship', scope: 'conversations' })
    expect(answer).toMatchObject({ mode: 'hybrid', degraded: false, results: [{ retrieval_method: 'vector' }] })
    expect(JSON.stringify(answer)).toContain('The harbour was full')
    const pack = await ask(opened, 'rift_context_pack', { task: 'which ship' })
    expect(pack).toMatchObject({ degraded: false, examples: [{ passage: { matched: expect.any(String) } }] })
    expect(pack).not.toHaveProperty('mode')
    const status = await ask(opened, 'rift_status', {})
    expect(JSON.stringify(status)).toContain(`topics at ${server?.url}/v1/embeddings. 2 vectors are stored.`)
    expect(logged).toEqual([])
  })

  test('28: that never come leave every answer to keywords, and it says so', async () => {
    say('We decided to use cherry for the shelves.')
    const opened = await withServer(NEVER)
    await captureQuietly(opened)
    const { search, pack, conversations } = await askAll(opened)
    const degraded = { mode: 'lexical', degraded: true, degraded_reason: 'embed_timeout' }
    expect(search).toMatchObject({ ...degraded, results: [{ retrieval_method: 'keyword' }] })
    expect(pack).toMatchObject({ ...degraded, decisions: [{ text: expect.stringContaining('cherry') }] })
    expect(conversations).toMatchObject({ ...degraded, results: [{}] })
    // All searches of an answer wait for one request, which is still open; the same question is not put again.
    expect(server?.requests.map(({ body }) => body)).toEqual([
      expect.objectContaining({ input: ['cherry shelves'] }),
      expect.objectContaining({ input: ['build the cherry shelves'] }),
    ])
  })

  test('are not asked for while the server keeps failing', async () => {
    say('We decided to use cherry for the shelves.')
    const opened = await withServer(answering({ error: 'out of memory' }, 500))
    await captureQuietly(opened)
    const reasons: unknown[] = []
    for (const query of ['cherry one', 'cherry two', 'cherry three', 'cherry four']) {
      const answer = await ask(opened, 'rift_search', { query, scope: 'conversations' })
      expect(answer).toMatchObject({ mode: 'lexical', degraded: true, results: [{}] })
      reasons.push(answer['degraded_reason'])
    }
    expect(reasons).toEqual(['embed_error', 'embed_error', 'embed_error', 'lane_disabled_after_errors'])
    expect(server?.requests).toHaveLength(3)
  })

  test('of another length than configured are not used', async () => {
    say('The harbour was full yesterday.')
    const opened = await withServer(embedding, { VARVE_CONTEXT_MEANING_DIMENSIONS: `${DIMENSIONS + 1}` })
    await opened.capture({})
    expect(logged.join('\n')).toContain(`indexing of vectors failed: the vectors have ${DIMENSIONS} dimensions`)
    const answer = await ask(opened, 'rift_search', { query: 'harbour', scope: 'conversations' })
    expect(answer).toMatchObject({ degraded: true, degraded_reason: 'dimension_mismatch', results: [{}] })
  })

  test('are asked for with the key of the variable that is named, which is in no log', async () => {
    say('The harbour was full yesterday.')
    const opened = await withServer(
      (_body, response, request) => {
        response.writeHead(401)
        response.end(`not a key of ours: ${request.headers.authorization}`)
      },
      { VARVE_CONTEXT_MEANING_KEY_VARIABLE: 'OUR_KEY', OUR_KEY: KEY },
    )
    await opened.capture({})
    expect(server?.requests[0]?.authorization).toBe(`Bearer ${KEY}`)
    expect(logged.join('\n')).toContain('indexing of vectors failed')
    const everything = JSON.stringify([logged, await askAll(opened), await ask(opened, 'rift_status', {})])
    expect(everything).not.toContain(KEY)
  })

  test('are not asked for without the key that they need', async () => {
    say('The harbour was full yesterday.')
    const opened = await withServer(embedding, { VARVE_CONTEXT_MEANING_KEY_VARIABLE: 'OUR_KEY' })
    await opened.capture({})
    expect(logged.join('\n')).toContain('the environment variable OUR_KEY, which should hold the key, is not set')
    expect(await ask(opened, 'rift_search', { query: 'harbour', scope: 'conversations' })).toMatchObject({
      degraded_reason: 'embed_error',
    })
    expect(server?.requests).toEqual([])
  })
})

describe('an encoder that is not installed', () => {
  test('leaves search to keywords, and status says how to install it', async () => {
    say('The harbour was full yesterday.')
    const opened = await open({ VARVE_CONTEXT_MEANING_PROVIDER: 'encoder' })
    const { context } = await opened.services()
    const { meaning } = (await context.status(await opened.caller())).memory_diagnostics
    // Where it is installed beside Varve, there is nothing to see.
    if (meaning.status !== 'not_installed') return
    expect(meaning.summary).toContain(`npm install --prefix ${JSON.stringify(opened.config.directory)}`)
    await opened.capture({})
    expect(await ask(opened, 'rift_search', { query: 'harbour', scope: 'conversations' })).toMatchObject({
      mode: 'lexical',
      degraded: true,
      degraded_reason: 'embed_error',
      results: [{}],
    })
  })
})

describe('labels of a model', () => {
  const LABELS = {
    title: 'Shelves of cherry',
    summary: 'They chose cherry.',
    domain: 'tech',
    intent: 'decision',
    quality: 'high',
    topics: ['carpentry'],
    decisions: [],
  }

  test('take the place of those of the rules, for each session once', async () => {
    say('We decided to use cherry for the shelves.')
    server = await startServer(answering({ choices: [{ message: { content: JSON.stringify(LABELS) } }] }))
    const opened = await open({
      VARVE_CONTEXT_LABELS_PROVIDER: 'http',
      VARVE_CONTEXT_LABELS_URL: `${server.url}/v1/chat/completions`,
      VARVE_CONTEXT_LABELS_MODEL: 'm',
    })
    await opened.capture({})
    await opened.capture({})
    const { engine } = await opened.services()
    expect(await engine.all('SELECT title, label_source FROM session_label')).toEqual([
      { title: 'Shelves of cherry', label_source: 'provider' },
    ])
    expect(server.requests).toHaveLength(1)
    expect(logged).toEqual([])
  })
})

describe('work that failed', () => {
  test('is left alone for a while, longer each time', async () => {
    let now = 0
    let tries = 0
    let works = false
    const never = new AbortController().signal
    const work = restingAfterFailure(
      async () => {
        tries++
        if (!works) throw new Error('broken')
        return 7
      },
      () => now,
    )
    await expect(work(never)).rejects.toThrow('broken')
    expect(await work(never)).toBe(0)
    now += 30_000
    await expect(work(never)).rejects.toThrow('broken')
    now += 30_000
    expect(await work(never)).toBe(0)
    now += 30_000
    works = true
    expect(await work(never)).toBe(7)
    expect(await work(never)).toBe(7)
    expect(tries).toBe(4)
  })
})
