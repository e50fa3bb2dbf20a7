import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { textsWith } from '../context/context.testing.ts'

let folder = ''
let project = ''
let app: App | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'varve-context-'))
  project = join(folder, 'code', 'demo')
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'AGENTS.md'), '# Rules\n\nNever commit walnut shells.\n')
  mkdirSync(join(folder, 'home'), { recursive: true })
})
afterEach(async () => {
  await app?.close()
  app = undefined
  rmSync(folder, { recursive: true, force: true })
})

const open = async (env: Record<string, string> = {}): Promise<App> => {
  app = await createApp({ home: join(folder, 'home'), env, platform: process.platform, cwd: project })
  return app
}

function say(text: string): void {
  const transcripts = join(folder, 'home', '.claude', 'projects', '-demo')
  mkdirSync(transcripts, { recursive: true })
  const record = {
    type: 'user',
    uuid: 'u1',
    sessionId: '00000000-0000-4000-8000-000000000001',
    timestamp: '2026-01-01T00:00:00Z',
    cwd: project,
    message: { role: 'user', content: text },
  }
  writeFileSync(join(transcripts, '00000000-0000-4000-8000-000000000001.jsonl'), `${JSON.stringify(record)}\n`)
}

describe('the context of an archive', () => {
  test('is there when a pass of capture has ended', async () => {
    say('We decided to use cherry. <private>Not plum</private>')
    const { capture, services, caller } = await open()
    await capture({})
    const { engine, context } = await services()
    expect(await textsWith(engine, 'cherry')).not.toEqual([])
    expect(await textsWith(engine, 'walnut')).not.toEqual([])
    const { memory_diagnostics } = await context.status(await caller())
    expect(memory_diagnostics).toMatchObject({ counts: { conversations: 1, structured_docs: 1 } })
    // Private text is in no table and no index (statement 110).
    const tables = await engine.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%search_%' AND name NOT LIKE 'sqlite_%'",
    )
    expect(tables.length).toBeGreaterThan(20)
    for (const { name } of tables) {
      expect(JSON.stringify(await engine.all(`SELECT * FROM ${name}`)), name).not.toContain('plum')
    }
    for (const lane of ['prose', 'context']) {
      expect(await engine.all(`SELECT term FROM search_${lane}_terms WHERE term = 'plum'`)).toEqual([])
    }
  })

  test('is not derived when that is switched off', async () => {
    say('We decided to use cherry.')
    const { capture, services } = await open({ VARVE_CONTEXT_ENABLED: 'false' })
    await capture({})
    expect(await textsWith((await services()).engine, 'cherry')).toEqual([])
  })

  test('takes a save before there is any transcript, and then serves it instead of the sample (statement 113)', async () => {
    const { services, caller } = await open()
    const { context, engine: sample } = await services()
    expect(await sample.all('SELECT pk FROM session')).not.toEqual([])
    const receipt = await context.save(await caller(), { source: 'claude_code', summary: 'About elm trees.' })
    await context.savesSettled()
    expect(await context.saveJob(await caller(), receipt.job_id)).toMatchObject({ state: 'done' })
    const { engine } = await services()
    expect(engine).not.toBe(sample)
    expect(await textsWith(engine, 'elm')).toEqual(['About elm trees.'])
  })

  test('keeps secrets out of saves (statement 109)', async () => {
    const { services, caller } = await open()
    const { context } = await services()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
    await context.save(await caller(), { source: 'claude_code', summary: `Token ${secret} of elm.` })
    await context.savesSettled()
    const [text] = await textsWith((await services()).engine, 'elm')
    expect(text).toContain('[REDACTED:')
    expect(text).not.toContain(secret)
  })

  test('follows what is captured while the program runs', async () => {
    say('We decided to use cherry.')
    const { startCapture, services } = await open()
    const lines: string[] = []
    const { caughtUp } = await startCapture((line) => lines.push(line))
    await caughtUp
    const { engine } = await services()
    for (let look = 0; look < 400 && (await textsWith(engine, 'walnut')).length === 0; look++) {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
    expect(await textsWith(engine, 'cherry')).not.toEqual([])
    expect(await textsWith(engine, 'walnut')).not.toEqual([])
    expect(lines).toEqual([])
  })
})
