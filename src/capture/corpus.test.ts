/** Capture of real transcripts: what was counted by other means, and growth that equals a cold read. */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { harnesses } from '../harness/index.ts'
import { type Desk, dumpArchive, LONG_AGO, openDesk } from './capture.testing.ts'

const corpus = fileURLToPath(new URL('../../../shared/corpus', import.meta.url))
const isThere = existsSync(corpus)
if (!isThere) console.info('skipped: capture of the corpus, which is not beside this checkout')

let desk: Desk
beforeEach(async () => {
  desk = await openDesk()
})
afterEach(() => desk.close())

function transcripts(folder: string): string[] {
  return readdirSync(join(corpus, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .sort()
    .map((path) => join(corpus, folder, path))
}

/** Puts a copy into the home, with a time of change that is trusted. */
function lay(from: string, to: string): string {
  const path = join(desk.home, to)
  mkdirSync(dirname(path), { recursive: true })
  cpSync(from, path)
  utimesSync(path, LONG_AGO / 1000, LONG_AGO / 1000)
  return path
}

function parses(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

describe.skipIf(!isThere)('the corpus of Claude Code and Codex', () => {
  test('laid out in a home gives as many records as it has lines', { timeout: 120_000 }, async () => {
    const laid: string[] = []
    for (const [index, from] of transcripts('claude-code').entries()) {
      const agent = /\/subagents\/(agent-[^/]+\.jsonl)$/.exec(from)?.[1]
      const name = agent ? `s${index}/subagents/${agent}` : basename(from)
      laid.push(lay(from, `.claude/projects/-work-p${index}/${name}`))
    }
    for (const [index, from] of transcripts('codex').entries()) {
      const id = `${index}`.padStart(12, '0')
      laid.push(lay(from, `.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-00000000-0000-4000-8000-${id}.jsonl`))
    }
    const lines = laid.flatMap((path) => readFileSync(path, 'utf8').split('\n')).filter((line) => line.trim() !== '')
    const first = await desk.capture({ harnesses })
    expect(first.files).toBe(laid.length)
    expect(first.records).toBe(lines.length)
    expect(first.skipped).toEqual([])
    expect(lines.filter((line) => !parses(line))).toEqual([])
    expect(first.events).toBeGreaterThan(first.records / 2)
    const stored = await desk.engine.get<{ count: number }>('SELECT COUNT(*) AS count FROM event')
    expect(stored?.count).toBe(first.events)
    const second = await desk.capture({ harnesses })
    expect(second).toMatchObject({
      files: laid.length,
      unchanged: laid.length,
      records: 0,
      events: 0,
      changed: 0,
      bytes: 0,
    })
  })

  test('a session captured while it grew equals a cold read of it', async () => {
    const states = [1, 2, 3, 4, 5].map((state) =>
      join(corpus, `claude-code/entireio+cli/growth-cc432c40/state-${state}.jsonl`),
    )
    const place = '.claude/projects/-work-repo/cc432c40-0000-4000-8000-000000000000.jsonl'
    for (const [index, state] of states.entries()) {
      const path = lay(state, place)
      const time = LONG_AGO / 1000 + index
      utimesSync(path, time, time)
      const report = await desk.capture({ harnesses })
      expect(report).toMatchObject({ skipped: [], changed: 0 })
      expect(report.records).toBeGreaterThan(0)
    }
    const cold = await openDesk()
    await cold.capture({ harnesses, host: { home: desk.home, env: {}, platform: process.platform } })
    const grown = await dumpArchive(desk.engine)
    expect(grown).toEqual(await dumpArchive(cold.engine))
    expect(grown['event']?.length).toBeGreaterThan(100)
    await cold.close()
  })
})
