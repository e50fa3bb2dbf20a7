import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startLineClient } from './line-client.ts'
import { type Machine, makeMachine } from './recording-terminal.ts'
import { transcript } from './varve.ts'

/** The built program: what `npm test` and `npm start` build, and what clients start. */
const bin = join(import.meta.dirname, '../../bin/varve.js')

let machine: Machine
beforeEach(() => {
  machine = makeMachine()
})
afterEach(() => machine.remove())

const env = () => ({ PATH: process.env['PATH'] ?? '', HOME: machine.home, USERPROFILE: machine.home })

async function run(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [bin, ...words], { env: env() })) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

test('the program exits with 0, 1 or 2', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, stderr: '' })
  expect(await run('open', 'nonsense')).toMatchObject({ code: 1, stdout: '' })
  expect(await run('dig')).toMatchObject({ code: 2, stdout: '' })
})

test("the archive and its folder are their owner's alone", async () => {
  await run('capture', '--once')
  const { mode } = await import('node:fs').then(({ statSync }) => statSync(join(machine.home, '.varve')))
  if (process.platform !== 'win32') expect(mode & 0o077).toBe(0)
  expect(existsSync(join(machine.home, '.varve', 'varve.db'))).toBe(true)
})

test('doctor finds a fresh installation sound', async () => {
  const { code, stdout } = await run('doctor')
  expect(stdout).toContain('`varve mcp` starts and offers')
  expect(stdout).not.toContain('XX')
  expect(code).toBe(0)
})

test('up serves until it is told to stop, shows how to connect, and leaves its port to nobody else', async () => {
  const words = [bin, 'up', '--port', '0', '--no-open']
  const server = spawn(process.execPath, words, { env: env(), stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines: string[] = []
    for await (const line of createInterface({ input: server.stdout })) {
      lines.push(line)
      if (line.startsWith('Watching')) break
    }
    const printed = lines.join('\n')
    expect(printed).toContain('sample data')
    expect(printed).toContain(`claude mcp add --scope user varve -- node ${bin} mcp`)
    expect(printed).toContain(`codex mcp add varve -- node ${bin} mcp`)
    const link = /http:\/\/\S+\?token=\S+/.exec(printed)?.[0] ?? ''
    const { origin, port } = new URL(link)
    expect(await (await fetch(`${origin}/api/health`)).text()).toBe('ok')
    expect((await fetch(`${origin}/api/status`)).status).toBe(401)
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303)
    expect(await run('up', '--port', port, '--no-open')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is taken'),
    })
  } finally {
    server.kill('SIGTERM')
    const [code] = await once(server, 'exit')
    if (process.platform !== 'win32') expect(code).toBe(0)
  }
})

test('up refuses an address that other machines can reach', async () => {
  expect(await run('up', '--host', '0.0.0.0', '--no-open')).toMatchObject({ code: 2 })
})

test('an agent alone gets fresh answers: the sample at first, then what is written while its server runs', async () => {
  const client = startLineClient(process.execPath, [bin, 'mcp'], env())
  let calls = 0
  const search = async (query: string) => {
    const id = `call-${++calls}`
    client.call(id, 'search_sessions', { query })
    const { result } = (await client.response(id)) as { result: { structuredContent: Record<string, unknown> } }
    return result.structuredContent as {
      data: { result_count: number; coverage: { state: string } }
      warnings: string[]
    }
  }
  await client.initialize()
  expect((await search('clocks went back')).warnings.join()).toContain('sample data')
  machine.write(`.claude/projects/-home-me-project/${transcript.sessionId}.jsonl`, transcript.text)
  await expect.poll(async () => (await search('sediment')).data.result_count, { timeout: 5_000, interval: 50 }).toBe(1)
  const again = await search('clocks went back')
  expect(again.data).toMatchObject({ result_count: 0, coverage: { state: 'complete' } })
  client.process.stdin.end()
  expect(await client.exited).toBe(0)
})

test('an agent that starts after its transcripts were written finds them with its first question', async () => {
  machine.write(`.claude/projects/-home-me-project/${transcript.sessionId}.jsonl`, transcript.text)
  const client = startLineClient(process.execPath, [bin, 'mcp', '--read-only'], env())
  await client.initialize()
  client.call(1, 'search_sessions', { query: 'sediment' })
  expect(await client.response(1)).toMatchObject({
    result: { structuredContent: { data: { result_count: 1, coverage: { state: 'complete' } } } },
  })
  client.process.stdin.end()
  expect(await client.exited).toBe(0)
})
