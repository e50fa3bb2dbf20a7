import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CapturingSettings } from '../app/settings.ts'
import { loadCaptureStatus, openStore } from '../store/index.ts'
import { startCaptureWorker } from './worker.ts'

let home = ''
let settings: CapturingSettings

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'varve-worker-'))
  const folder = join(home, '.claude', 'projects', '-work-demo')
  mkdirSync(folder, { recursive: true })
  const record = {
    type: 'user',
    uuid: 'u1',
    sessionId: '00000000-0000-4000-8000-000000000001',
    timestamp: '2026-01-01T00:00:00Z',
    cwd: '/work/demo',
    message: { role: 'user', content: 'hello from a thread' },
  }
  writeFileSync(join(folder, '00000000-0000-4000-8000-000000000001.jsonl'), `${JSON.stringify(record)}\n`)
  settings = {
    context: { enabled: true, documents: true, folders: [], exclude: [], maxFileBytes: 1_000 },
    url: join(home, 'varve.db'),
    owner: 1,
    host: { home, env: process.env, platform: process.platform },
    redaction: { enabled: true },
  }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Captures until the first pass is over, then closes; the texts captured and the lines logged. */
async function captured(start: typeof startCaptureWorker): Promise<{ texts: string[]; logged: string[] }> {
  const logged: string[] = []
  const engine = await openStore({ url: settings.url })
  const worker = await start(settings, (line) => logged.push(line))
  for (let waited = 0; waited < 200; waited++) {
    const status = await loadCaptureStatus(engine, 1)
    if (status?.finishedAt != null) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await worker.close()
  const rows = await engine.all<{ text: string }>('SELECT text FROM event')
  await engine.close()
  return { texts: rows.map(({ text }) => text), logged }
}

test('run from source, capture shares the thread of the program', async () => {
  expect(await captured(startCaptureWorker)).toEqual({ texts: ['hello from a thread'], logged: [] })
})

test('bundled, capture has a thread of its own, which ends when it is closed', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  // Native modules are looked for from where the bundle lies.
  const outdir = join(root, 'node_modules', '.cache', `varve-worker-${process.pid}`)
  try {
    await build({
      absWorkingDir: root,
      entryPoints: { worker: 'src/capture/worker.ts', 'capture-worker': 'src/app/capture-worker.ts' },
      outdir,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      external: ['better-sqlite3', 'pg', 'yauzl'],
      logLevel: 'warning',
    })
    const bundled = (await import(pathToFileURL(join(outdir, 'worker.js')).href)) as {
      startCaptureWorker: typeof startCaptureWorker
    }
    expect(await captured(bundled.startCaptureWorker)).toEqual({ texts: ['hello from a thread'], logged: [] })
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
})
