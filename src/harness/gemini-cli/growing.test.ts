/** A journal whose messages are written again while it grows: whenever it is captured, the archive says the same at last. */

import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureOnce, createRedactor } from '../../capture/index.ts'
import { openStore } from '../../store/index.ts'
import { geminiCli } from './index.ts'

const ROOT = join('test', 'fixtures', 'gemini-cli', 'journal', 'tmp')
const JOURNAL = join('garden', 'chats', 'session-2026-05-01T10-00-5e551010.jsonl')

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'varve-gemini-')))
  cpSync(ROOT, root, { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** Captures the journal after each of the given numbers of lines, and tells turns, events and usage of the archive. */
async function archiveAfter(steps: (lines: number) => number[]): Promise<unknown> {
  const engine = await openStore({ url: ':memory:' })
  const sources = geminiCli.sources.map((source) => ({ ...source, roots: () => [root] }))
  const lines = readFileSync(join(ROOT, JOURNAL), 'utf8').split('\n').slice(0, -1)
  try {
    for (const count of steps(lines.length)) {
      writeFileSync(join(root, JOURNAL), `${lines.slice(0, count).join('\n')}\n`)
      await captureOnce({
        engine,
        owner: 1,
        harnesses: [{ ...geminiCli, sources }],
        host: { home: root, env: {}, platform: process.platform },
        clock: Date.now,
        redactor: createRedactor({ enabled: false }),
        projects: { projectOf: () => undefined },
      })
    }
    return {
      turns: await engine.all('SELECT hex(id) AS id, ending, tools, event_count FROM turn ORDER BY id'),
      events: await engine.all('SELECT hex(id) AS id, type, text, ending, tool_name, exit_code FROM event ORDER BY id'),
      usage: await engine.all('SELECT id, input, output, cache_read FROM usage ORDER BY id'),
      touches: await engine.all('SELECT access, path FROM touch ORDER BY path, access'),
    }
  } finally {
    await engine.close()
  }
}

test('captured line by line it is what it is captured at once', async () => {
  const atOnce = await archiveAfter((lines) => [lines])
  expect(atOnce).toMatchObject({ turns: expect.arrayContaining([expect.objectContaining({ ending: 'answered' })]) })
  expect(await archiveAfter((lines) => Array.from({ length: lines }, (_, line) => line + 1))).toEqual(atOnce)
})
