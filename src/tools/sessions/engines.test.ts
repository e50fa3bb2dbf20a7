import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ToolAnswer } from '../tool.ts'
import { fileAttention } from './file-attention/index.ts'
import { listSessions } from './list-sessions.ts'
import { open } from './open/index.ts'
import { searchSessions } from './search-sessions.ts'
import {
  answer,
  at,
  call,
  eventId,
  prompt,
  response,
  START,
  TEST_ENGINES,
  type TestArchive,
  testArchive,
  textAt,
  touched,
} from './tools.testing.ts'

const PROJECT = '/home/me/project'
const RANGE = { start_datetime: '2026-04-29T00:00:00Z', end_datetime: '2026-04-30T00:00:00Z' }

/** One key for all, so that cursors are the same too. */
const cursorKey = Buffer.alloc(32, 1)

async function fill(archive: TestArchive): Promise<void> {
  for (let place = 0; place < 6; place++) {
    const touches = [touched(PROJECT, 'src/app.ts'), touched(PROJECT, `src/${place}.ts`)]
    await archive.write({
      session: `s${place}`,
      at: START + place * 10_000,
      facts: {
        title: `Session “${place}”`,
        cwd: place % 2 === 0 ? PROJECT : `${PROJECT}-b`,
        ...(place === 5 ? { parent: { nativeId: 's0', relation: 'subagent' as const } } : {}),
      },
      events: [
        prompt('déjà vu 漢字 😀', { key: 'p' }),
        call('Edit', { file: 'src/app.ts' }, { key: 'c', touches }),
        response('Edit', 'x'.repeat(5_000), { tool: { name: 'Edit', exitCode: 1 } }),
        { type: 'reasoning', text: '', payload: '{"encrypted_content":"x"}', model: 'm' },
        answer('needle', {
          usage: { id: `u${place}`, input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 },
        }),
        prompt('more', { key: 'q' }),
      ],
    })
  }
}

/** Asks everything that reads, following cursors; what was answered, in order. */
async function askAll(archive: TestArchive): Promise<unknown[]> {
  const answers: ToolAnswer[] = []
  const ask = async (...args: Parameters<TestArchive['ask']>): Promise<ToolAnswer> => {
    const result = await archive.ask(...args)
    answers.push(result)
    return result
  }
  const scoped = { ...archive.caller, projectRoots: [PROJECT] }
  const opened = await ask(open, { id: eventId('s0', 'c') })
  const session = textAt(opened, 'data.event.session_id')
  const turn = textAt(opened, 'data.event.turn_id')
  for (const caller of [archive.caller, scoped]) {
    for (const sort of ['asc', 'desc']) {
      const page = await ask(listSessions, { ...RANGE, limit: 2, sort }, caller)
      await ask(listSessions, { ...RANGE, limit: 2, sort, cursor: textAt(page, 'data.next_cursor') }, caller)
    }
    await ask(searchSessions, { query: 'needle', n_hits: 3 }, caller)
    await ask(searchSessions, { query: 'needle', within_id: turn }, caller)
    for (const granularity of ['sessions', 'events']) {
      for (const scope of ['project', 'all'])
        await ask(fileAttention, { path: 'src/app.ts', granularity, scope }, caller)
    }
  }
  await ask(fileAttention, { path: 'app.ts', scope: 'all', tool: 'EDIT', mutations_only: true, ...RANGE })
  await ask(open, { id: session })
  const turns = await ask(open, { id: session, limit: 1 })
  await ask(open, { cursor: textAt(turns, 'data.next_cursor') })
  const events = await ask(open, { id: turn, limit: 2 })
  await ask(open, { cursor: textAt(events, 'data.next_cursor') })
  await ask(open, { id: eventId('s5', 'p') })
  await ask(open, { id: textAt(await ask(open, { id: eventId('s5', 'p') }), 'data.event.session_id') })
  for (const result of answers) expect(at(result, 'data')).toBeDefined()
  return answers.map(({ structured, text }) => ({ structured, text }))
}

describe('the tools answer the same', () => {
  const archives: TestArchive[] = []
  beforeAll(async () => {
    for (const { open: openEngine } of TEST_ENGINES)
      archives.push(await testArchive({ engine: await openEngine(), cursorKey }))
  })
  afterAll(() => Promise.all(archives.map((archive) => archive.close())))

  it('on SQLite and on PostgreSQL', async () => {
    const [sqlite, postgres] = archives
    if (!sqlite || !postgres) throw new Error('an engine is missing')
    await fill(sqlite)
    await fill(postgres)
    expect(await askAll(postgres)).toEqual(await askAll(sqlite))
  })
})
