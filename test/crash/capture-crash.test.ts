import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../src/store/index.ts'
import { openStore } from '../../src/store/index.ts'

const KILLS = 50
const SEED = 20261130

let folder = ''
let home = ''
let program = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'varve-crash-'))
  home = join(folder, 'home')
  layHome(home)
  program = await bundleChild()
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  rmSync(program, { force: true })
})

/** The child as one file, which starts in a fraction of the time; it lies where native modules are found. */
async function bundleChild(): Promise<string> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const outfile = join(root, 'node_modules', '.cache', `varve-crash-${process.pid}.mjs`)
  await build({
    absWorkingDir: root,
    entryPoints: ['test/crash/capture-child.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['better-sqlite3', 'pg'],
    logLevel: 'warning',
  })
  return outfile
}

test(`an archive whose capture was killed ${KILLS} times or more equals one that was not, row for row`, {
  timeout: 600_000,
}, async () => {
  const whole = join(folder, 'whole.db')
  const duration = await capture(whole)
  const expected = await dump(whole)
  expect(expected['event']?.length).toBeGreaterThan(5000)

  const random = randomNumbers(SEED)
  let kills = 0
  let resumed = 0
  // Most of the kills asked for must have hit capture at work, not before its first batch, however fast the machine is.
  const isEnough = () => kills >= KILLS && resumed > KILLS / 2
  for (let archive = 0; !isEnough(); archive++) {
    const path = join(folder, `killed-${archive}.db`)
    let finished = false
    while (!finished && !isEnough()) {
      finished = (await capture(path, random() * duration)) !== undefined
      if (!finished) kills++
      if (!finished && (await countEvents(path)) > 0) resumed++
    }
    if (!finished) await capture(path)
    const result = await dump(path)
    for (const [table, rows] of Object.entries(expected))
      expect(result[table], `${table}, archive ${archive}`).toEqual(rows)
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS)
  expect(resumed).toBeGreaterThan(KILLS / 2)
})

/**
 * Runs a capture, killing it some milliseconds after it has begun; without a time it runs to its end.
 * @returns how long the capture took, in milliseconds; undefined when it was killed
 */
async function capture(path: string): Promise<number>
async function capture(path: string, killAfter: number): Promise<number | undefined>
async function capture(path: string, killAfter?: number): Promise<number | undefined> {
  const child: ChildProcess = spawn(process.execPath, [program, home, path], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let begunAt = 0
  let timer: NodeJS.Timeout | undefined
  child.stdout?.on('data', (bytes: Buffer) => {
    if (output === '') {
      begunAt = performance.now()
      if (killAfter !== undefined) timer = setTimeout(() => child.kill('SIGKILL'), killAfter)
    }
    output += bytes.toString()
  })
  let errors = ''
  child.stderr?.on('data', (bytes: Buffer) => {
    errors += bytes.toString()
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once('close', (exitCode, exitSignal) => resolve([exitCode, exitSignal]))
  })
  clearTimeout(timer)
  if (signal === 'SIGKILL') return undefined
  expect(errors).toBe('')
  expect([code, output]).toEqual([0, expect.stringContaining('ends')])
  return performance.now() - begunAt
}

/** Tables that say what was captured, and the columns that say when. The estimate of common terms depends on the moment. */
const TABLES = {
  session: [],
  turn: [],
  event: [],
  touch: [],
  usage: [],
  problem: ['at'],
  source_file: ['updated_at'],
  counter: [],
  search_lane: [],
  identifier: [],
  search_prose_terms: [],
  search_trace_terms: [],
  search_bulk_terms: [],
} satisfies Record<string, string[]>

/** Every row, row numbers and the index's terms with their counts included. */
async function dump(path: string): Promise<Record<string, string[]>> {
  return reading(path, async (engine) => {
    const tables: Record<string, string[]> = {}
    for (const [table, without] of Object.entries(TABLES)) {
      const rows = await engine.all<Record<string, unknown>>(`SELECT * FROM ${table}`)
      tables[table] = rows.map((row) => formatRow(row, without)).sort()
    }
    return tables
  })
}

function formatRow(row: Record<string, unknown>, without: readonly string[]): string {
  const cells = Object.entries(row).filter(([column]) => !without.includes(column))
  return JSON.stringify(
    cells.map(([column, value]) => [column, Buffer.isBuffer(value) ? value.toString('hex') : value]),
  )
}

async function countEvents(path: string): Promise<number> {
  return reading(
    path,
    async (engine) => (await engine.get<{ count: number }>('SELECT COUNT(*) AS count FROM event'))?.count ?? 0,
  )
}

async function reading<T>(path: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await openStore({ url: path })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const WORDS = 'archive branch compile deploy error folder gateway handler index journal kernel layer module node'.split(
  ' ',
)
const START = Date.UTC(2026, 0, 1)

/** Sessions of Claude Code, whose records have ids, and of Codex, whose records have none; some lines are broken. */
function layHome(root: string): void {
  const random = randomNumbers(SEED + 1)
  const phrase = (length: number): string =>
    Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)] ?? '').join(' ')
  for (let session = 0; session < 4; session++) {
    const id = `00000000-0000-4000-8000-00000000000${session}`
    put(`.claude/projects/-work-demo/${id}.jsonl`, claudeSession(id, 1500, phrase), session)
    const name = `rollout-2026-01-01T00-00-0${session}-${id}.jsonl`
    put(`.codex/sessions/2026/01/01/${name}`, codexSession(id, 1500, phrase), session + 4)
  }

  function put(path: string, lines: string[], order: number): void {
    const full = join(root, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, `${lines.join('\n')}\n`)
    utimesSync(full, START / 1000 + order, START / 1000 + order)
  }
}

type Phrase = (length: number) => string

function claudeSession(sessionId: string, records: number, phrase: Phrase): string[] {
  return Array.from({ length: records }, (_, index) => {
    if (index % 400 === 399) return '{"type":"user", broken'
    const timestamp = new Date(START + index * 1000).toISOString()
    const common = { sessionId, uuid: `${sessionId}-${index}`, timestamp, cwd: '/work/demo', version: '2.1.0' }
    const id = `msg_${index}`
    const usage = { input_tokens: index, output_tokens: 3 }
    const answer = (content: unknown, stop_reason: string) => ({
      ...common,
      type: 'assistant',
      message: { id, role: 'assistant', model: 'claude-x', content: [content], stop_reason, usage },
    })
    const call = `toolu_${sessionId}_${index - (index % 4)}`
    const steps = [
      { ...common, type: 'user', message: { role: 'user', content: phrase(20) } },
      answer(
        {
          type: 'tool_use',
          id: `toolu_${sessionId}_${index - 1}`,
          name: 'Read',
          input: { file_path: `/work/demo/${phrase(1)}.ts` },
        },
        'tool_use',
      ),
      {
        ...common,
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: phrase(80) }] },
      },
      answer({ type: 'text', text: phrase(40) }, 'end_turn'),
    ]
    return JSON.stringify(steps[index % 4])
  })
}

function codexSession(id: string, records: number, phrase: Phrase): string[] {
  const line = (index: number, type: string, payload: unknown): string =>
    JSON.stringify({ timestamp: new Date(START + index * 1000).toISOString(), type, payload })
  const meta = line(0, 'session_meta', { id, cwd: '/work/demo', cli_version: '0.150.0', originator: 'codex_cli_rs' })
  return [
    meta,
    ...Array.from({ length: records }, (_, index) => {
      const call_id = `call_${index - (index % 4)}`
      const steps = [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: phrase(20) }] },
        {
          type: 'function_call',
          name: 'shell',
          arguments: JSON.stringify({ command: ['cat', `${phrase(1)}.ts`] }),
          call_id: `call_${index - 1}`,
        },
        { type: 'function_call_output', call_id, output: phrase(80) },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: phrase(40) }] },
      ]
      return line(index + 1, 'response_item', steps[index % 4])
    }),
  ]
}
