/** What is told beside a log joins its turns in the archive. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { captureOnce, createRedactor } from '../../capture/index.ts'
import { type Engine, openStore } from '../../store/index.ts'
import { kiroCli } from './index.ts'
import { IDS, layOut, SESSION_LOG } from './testing.ts'

let folder: string
let engine: Engine
beforeEach(async () => {
  folder = layOut()
  engine = await openStore({ url: ':memory:' })
})
afterEach(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

async function capture(): Promise<void> {
  const sources = kiroCli.sources.map((source) => ({ ...source, roots: () => [join(folder, 'sessions')] }))
  await captureOnce({
    engine,
    owner: 1,
    harnesses: [{ ...kiroCli, sources }],
    host: { home: folder, env: {}, platform: process.platform },
    clock: Date.now,
    redactor: createRedactor({ enabled: false }),
    projects: { projectOf: () => undefined },
  })
}

async function endings(): Promise<(string | null)[]> {
  const rows = await engine.all<{ ending: string | null }>(
    'SELECT turn.ending FROM turn JOIN session ON session.pk = turn.session_pk WHERE session.native_id = ? ORDER BY turn.pk',
    [IDS.hives],
  )
  return rows.map(({ ending }) => ending)
}

describe('a log and what is told beside it, captured', () => {
  test('give turns with their ends and tokens that are counted once', async () => {
    await capture()
    await capture()
    expect(await endings()).toEqual(['answered', 'interrupted', 'answered'])
    const [usage] = await engine.all<{ input: number; output: number }>(
      'SELECT sum(input) AS input, sum(output) AS output FROM usage',
    )
    expect(usage).toEqual({ input: 1000, output: 45 })
  })

  test('end a turn that leaves no trace of its end in the log', async () => {
    const said = { kind: 'text', data: 'Go.' }
    const prompt = { version: 'v1', kind: 'Prompt', data: { message_id: 'p', content: [said] } }
    const turns = [{ message_ids: ['p'], end_reason: 'Cancelled' }]
    const note = { session_state: { conversation_metadata: { user_turn_metadatas: turns } } }
    const log = join(folder, 'sessions', SESSION_LOG)
    writeFileSync(log, `${JSON.stringify(prompt)}\n`)
    writeFileSync(log.replace('.jsonl', '.json'), JSON.stringify(note))
    await capture()
    expect(await endings()).toEqual(['interrupted'])
  })
})
