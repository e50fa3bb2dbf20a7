import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Machine, makeMachine } from './recording-terminal.ts'

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
