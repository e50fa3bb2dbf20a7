/** The bundled program lists the tools from a file; what it lists must be what the tools say, on every machine. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { offerTools } from '../../src/mcp/listing.ts'
import { tools } from '../../src/tools/index.ts'
import { startLineClient } from './line-client.ts'

const bin = fileURLToPath(new URL('../../bin/varve.js', import.meta.url))

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'varve-built-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** What the built program lists, and what the tools say themselves. */
async function lists(): Promise<{ built: unknown; own: unknown }> {
  const env = { ...process.env, VARVE_HOME: directory }
  const client = startLineClient(process.execPath, [bin, 'mcp'], env)
  await client.initialize()
  client.request('list', 'tools/list')
  const { result } = (await client.response('list')) as { result: { tools: unknown } }
  client.process.stdin.end()
  await client.exited
  const app = await createApp({
    home: homedir(),
    env: { VARVE_HOME: directory },
    platform: process.platform,
    cwd: directory,
  })
  const offered = offerTools(tools, app.surface).map(({ listed }) => listed)
  return { built: result.tools, own: JSON.parse(JSON.stringify(offered)) }
}

test('a machine without a configuration is told of the tools as they are', async () => {
  const { built, own } = await lists()
  expect(built).toEqual(own)
})

test('a machine with limits and sources of its own is told of those', async () => {
  const notes = join(directory, 'notes')
  mkdirSync(notes)
  writeFileSync(
    join(directory, 'config.toml'),
    `[mcp]\nmax_results = 17\n\n[[sources]]\nname = "laptop"\nharness = "codex"\npath = ${JSON.stringify(notes)}\n`,
  )
  const { built, own } = await lists()
  expect(built).toEqual(own)
  expect(JSON.stringify(built)).toContain('laptop')
  expect(JSON.stringify(built)).toContain('"maximum":17')
})
