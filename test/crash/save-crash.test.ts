/** "rift_save killed at any point neither loses nor doubles the save." */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workOffSaves } from '../../src/context/saves/work-off.ts'
import { LOCAL_OWNER } from '../../src/core/caller.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type Engine, openStore } from '../../src/store/index.ts'
import { bundleProgram, runProgram } from './bundled-program.ts'

/** Kills that must have hit the program at work. */
const KILLS = 40
/** Most runs, should the machine be so fast or slow that kills miss. */
const RUNS = 200
/** Saves of one run. */
const SAVES = 12

let program = ''
let folder = ''

beforeAll(async () => {
  program = await bundleProgram('test/crash/save-child.ts', 'save-child')
  folder = mkdtempSync(join(tmpdir(), 'varve-save-crash-'))
})
afterAll(() => {
  rmSync(program, { force: true })
  rmSync(folder, { recursive: true, force: true })
})

describe('a process killed while it saves', () => {
  it('loses and doubles nothing, wherever it is killed', { timeout: 300_000 }, async () => {
    const url = join(folder, 'varve.db')
    const promised = new Set<number>()
    let next = 0
    let kills = 0
    for (let run = 0; run < RUNS && kills < KILLS; run++) {
      const first = next
      // Some are killed at a save's answer, some at a time of their own.
      const after = run % 2 === 0 ? { answers: 1 + ((run * 7) % SAVES) } : { milliseconds: (run * 13) % 97 }
      const { output, signal } = await runProgram(program, [url, `${first}`, `${SAVES}`], (child) => {
        let seen = ''
        child.stdout?.on('data', (bytes: Buffer) => {
          const began = seen.includes('begins')
          seen += bytes.toString()
          if (!began && seen.includes('begins') && after.milliseconds !== undefined) {
            setTimeout(() => child.kill('SIGKILL'), after.milliseconds)
          }
          if (after.answers !== undefined && seen.split('saved ').length > after.answers) child.kill('SIGKILL')
        })
      })
      for (const [, number] of output.matchAll(/^saved (\d+)$/gm)) promised.add(Number(number))
      if (signal === 'SIGKILL' && output.includes('begins')) kills++
      next = Math.max(first, ...[...promised].map((number) => number + 1))
      // Now and then the next run begins with saves that were answered already: they are no-ops.
      if (run % 5 === 4) next = Math.max(0, next - 2)
    }
    expect(kills).toBeGreaterThanOrEqual(KILLS)
    const engine = await openStore({ url })
    try {
      await workOffSaves({ engine, owner: LOCAL_OWNER, clock: systemClock, log: () => {}, abandonedAfter: 0 })
      await checkArchive(engine, promised)
    } finally {
      await engine.close()
    }
  })
})

interface JobRow {
  idempotency_key: string
  state: string
  item_id: string
}

async function checkArchive(engine: Engine, promised: ReadonlySet<number>): Promise<void> {
  const jobs = await engine.all<JobRow>('SELECT idempotency_key, state, item_id FROM save_job')
  const numbers = jobs.map(({ idempotency_key }) => Number(idempotency_key.slice(4)))
  expect(new Set(numbers).size).toBe(jobs.length)
  expect(jobs.filter(({ state }) => state !== 'done')).toEqual([])
  expect([...promised].filter((number) => !numbers.includes(number))).toEqual([])
  const wanted = new Set(numbers)
  for (const number of numbers) if (number % 3 === 2) wanted.delete(number - 1)
  const items = await engine.all<{ id: string; content: string }>(
    "SELECT id, content FROM context_item WHERE kind = 'save'",
  )
  const stored = items.map(({ content }) => Number(/^Save number(\d+)/.exec(content)?.[1]))
  expect(stored.sort((a, b) => a - b)).toEqual([...wanted].sort((a, b) => a - b))
  const statements = await engine.all<{ text: string }>('SELECT text FROM statement')
  expect(statements).toHaveLength(wanted.size)
  for (const number of numbers) {
    const hits = await engine.all('SELECT rowid FROM search_context WHERE search_context MATCH ?', [`"text${number}"`])
    expect(hits).toHaveLength(wanted.has(number) ? 1 : 0)
  }
  const [passages, indexed] = await Promise.all([
    engine.get<{ count: number }>('SELECT COUNT(*) AS count FROM context_passage'),
    engine.get<{ count: number }>("SELECT documents AS count FROM search_lane WHERE lane = 'context'"),
  ])
  expect(indexed).toEqual(passages)
}
