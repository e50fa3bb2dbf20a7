import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../../src/tools/index.ts'
import { startLineClient } from './line-client.ts'
import { program, sentence, startVarve, transcript, type Varve, varve } from './varve.ts'

/** A good call of every tool, and what of its answer must be true of the transcript. */
const CALLS: Record<string, { args: Record<string, unknown>; expected: Record<string, unknown> }> = {
  search_sessions: { args: { query: 'sediment' }, expected: { result_count: 1 } },
  list_sessions: {
    args: { start_datetime: '2026-11-01T00:00:00Z', end_datetime: '2026-12-01T00:00:00Z' },
    expected: { result_count: 1 },
  },
  file_attention: { args: { path: '/home/me/project/core.ts', scope: 'all' }, expected: {} },
}

/** Tools with a field that takes several types. */
const UNIONS = ['step', 'help']

let home: string
let server: Varve

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'varve-mcp-'))
  const file = join(home, '.claude', 'projects', '-home-me-project', `${transcript.sessionId}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, transcript.text)
  const captured = await varve(home, 'capture', '--once', '--json')
  expect(JSON.parse(captured.stdout)).toMatchObject({ sessions: 1 })
  server = await startVarve(home)
})

afterAll(async () => {
  await server?.stop()
  rmSync(home, { recursive: true, force: true })
})

const eras = [
  ['the 2025 protocols', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const

async function callEverything(mode: 'legacy' | { pin: string }, transport: Transport): Promise<void> {
  const client = new Client({ name: 'probe', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  const listed = await client.listTools()
  expect(listed.tools.map(({ name }) => name).sort()).toEqual(tools.map(({ name }) => name).sort())
  for (const { name, inputSchema, outputSchema } of listed.tools) {
    for (const schema of [inputSchema, outputSchema]) expect(schema).toMatchObject({ type: 'object' })
    for (const word of ['oneOf', 'anyOf', 'allOf']) expect(inputSchema, name).not.toHaveProperty(word)
    // What a step or a help topic may be is a union by the reference of the tools; nothing else is.
    if (UNIONS.includes(name)) continue
    expect(JSON.stringify(inputSchema), name).not.toMatch(/"(oneOf|anyOf|allOf)"|"null"/)
  }
  // The client holds every answer against the schema that was published for it.
  for (const [name, { args, expected }] of Object.entries(CALLS)) {
    const answer = await client.callTool({ name, arguments: args })
    expect(answer, name).toMatchObject({ isError: false, structuredContent: { tool: name, data: expected } })
    expect((answer.content as { text: string }[])[0]?.text, name).not.toBe('')
  }
  const found = await client.callTool({ name: 'search_sessions', arguments: { query: 'sediment' } })
  const { data } = found.structuredContent as { data: { results: { open: { event_id: string } }[] } }
  const packed = await client.callTool({ name: 'rift_context_pack', arguments: { task: 'sediment' } })
  expect(packed).toMatchObject({ isError: false, structuredContent: { examples: [{ source: 'claude_code' }] } })
  const opened = await client.callTool({ name: 'open', arguments: { id: data.results[0]?.open.event_id } })
  expect(opened).toMatchObject({ isError: false, structuredContent: { data: { content: { text: sentence } } } })
  for (const { name } of listed.tools) {
    const refused = await client.callTool({ name, arguments: { nonsense: 1 } })
    const error = { code: 'invalid_request' }
    const flat = tools.find((tool) => tool.name === name)?.toolset !== 'sessions'
    expect(refused, name).toMatchObject({ isError: true, structuredContent: flat ? error : { error } })
  }
  await readResource(client)
  await client.close()
}

async function readResource(client: Client): Promise<void> {
  const { resources } = await client.listResources()
  expect(resources).toMatchObject([{ uri: 'rift://rift-context.md', mimeType: 'text/markdown' }])
  const { contents } = await client.readResource({ uri: 'rift://rift-context.md' })
  expect(contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('1 conversations') }])
  expect(JSON.stringify(contents)).not.toContain(sentence)
  await expect(client.readResource({ uri: 'rift://other.md' })).rejects.toThrow()
}

describe('the tools over MCP', () => {
  it.each(eras)('answer over stdio, to a client of %s', async (_name, mode) => {
    const { command, env } = program(home)
    await callEverything(
      mode,
      new StdioClientTransport({ command: process.execPath, args: [...command, 'mcp'], env, stderr: 'ignore' }),
    )
  })

  it.each(eras)('answer over HTTP, to a client of %s', async (_name, mode) => {
    const headers = { Authorization: `Bearer ${server.token}` }
    await callEverything(
      mode,
      new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit: { headers } }),
    )
  })

  it('print nothing but JSON-RPC while a process opens the archive, reads transcripts and ends (fault 91)', async () => {
    const { command, env } = program(home)
    const client = startLineClient(process.execPath, [...command, 'mcp', '--read-only'], env)
    await client.initialize()
    client.call(1, 'search_sessions', { query: 'sediment' })
    expect(await client.response(1)).toMatchObject({ result: { isError: false } })
    for (const line of client.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    client.process.stdin.end()
    expect(await client.exited).toBe(0)
  })
})
