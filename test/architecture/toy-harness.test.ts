import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureOnce, createProjects, createRedactor } from '../../src/capture/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { harnesses } from '../../src/harness/index.ts'
import { type Engine, openStore } from '../../src/store/index.ts'
import { callTool } from '../../src/tools/call.ts'
import { testArchive } from '../../src/tools/sessions/tools.testing.ts'
import { toy } from './toy-harness.ts'

/** The one other thing that adding a harness touches. */
const list = [...harnesses, toy]

let home: string
let engine: Engine
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'varve-toy-'))
  engine = await openStore({ url: ':memory:' })
})
afterEach(async () => {
  await engine.close()
  rmSync(home, { recursive: true, force: true })
})

test('a harness in one file and the list is captured, searched, opened and listed', async () => {
  mkdirSync(join(home, '.toy'))
  writeFileSync(
    join(home, '.toy', 'first.jsonl'),
    '{"who": "me", "said": "where is the marble?"}\n{"mood": "odd"}\n{"who": "toy", "said": "the marble is under the sofa"}\n',
  )
  const projects = createProjects()
  const report = await captureOnce({
    engine,
    owner: 1,
    harnesses: list,
    host: { home, env: {}, platform: 'linux' },
    clock: systemClock,
    redactor: createRedactor({ enabled: true }),
    projects,
  })
  expect(report).toMatchObject({ files: 1, records: 3, events: 3, sessions: 1 })

  const { services } = await testArchive({
    engine,
    clock: systemClock,
    sourceNames: list.flatMap(({ sources }) => sources.map(({ name }) => name)),
    harnesses: list.map(({ id, title }) => ({ id, title })),
    projects,
  })
  const caller = { owner: 1, admin: true, launchDirectory: home }
  const ask = async (tool: string, args: object) => (await callTool(services, caller, tool, args)).structured

  const found = await ask('search_sessions', { query: 'marble sofa', harness: 'toy' })
  expect(found).toHaveProperty('data.results.0.session', expect.objectContaining({ harness: 'toy', source: 'toy' }))
  expect(found).toHaveProperty('data.results.0.turn.completed', true)
  const listed = await ask('list_sessions', {
    start_datetime: '2000-01-01T00:00:00Z',
    end_datetime: '2100-01-01T00:00:00Z',
    source: 'toy',
  })
  expect(listed).toHaveProperty('data.sessions.length', 1)
  expect(listed).toHaveProperty('data.sessions.0.session', expect.objectContaining({ harness: 'toy', turn_count: 1 }))
})
