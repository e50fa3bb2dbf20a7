import { describe, expect, test } from 'vitest'
import { layoutFor } from '../reading.testing.ts'
import { claudeCode } from './index.ts'
import { draftsOf, factsOf, readRecords, sourceFile } from './testing.ts'

const SESSION = '11111111-2222-4333-8444-555555555555'

function user(uuid: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'user', uuid, sessionId: 'S', message: { role: 'user', content: `text of ${uuid}` }, ...fields }
}

function call(id: string, name: string, input: unknown): Record<string, unknown> {
  return {
    type: 'assistant',
    uuid: `call-${id}`,
    sessionId: 'S',
    message: { content: [{ type: 'tool_use', id, name, input }] },
  }
}

describe('facts', () => {
  test('are told once, and again only what has changed', () => {
    const place = { cwd: '/w/app', gitBranch: 'main', version: '2.1.332' }
    expect(
      factsOf(user('u1', place), user('u2', place), user('u3', { ...place, gitBranch: 'fix', slug: 'calm-sea' })),
    ).toEqual([
      { nativeId: 'S', cwd: '/w/app', branch: 'main', cliVersion: '2.1.332' },
      { nativeId: 'S', branch: 'fix', slug: 'calm-sea' },
    ])
  })

  test('C72: place and time stand on each event', () => {
    const [draft] = draftsOf(user('u1', { cwd: '/w/Größe 世界', timestamp: '2026-01-05T10:00:00.000Z' }))
    expect(draft).toMatchObject({ cwd: '/w/Größe 世界', at: Date.UTC(2026, 0, 5, 10), native: { id: 'u1', index: 0 } })
    expect(draftsOf(user('u2', { timestamp: 8640000000000001 }))[0]).not.toHaveProperty('at')
  })
})

describe('the session', () => {
  test('is the one a record names', () => {
    expect(draftsOf(user('u1'), user('u2', { sessionId: 'other' })).map(({ session }) => session)).toEqual([
      'S',
      'other',
    ])
  })

  test('is that of the file for records that name none', () => {
    const file = sourceFile(`p/${SESSION}.jsonl`)
    const [reading] = readRecords([{ type: 'summary', summary: 'Old', leafUuid: 'x' }], file)
    expect(reading?.drafts[0]?.session).toBe(SESSION)
    expect(reading?.drafts[0]).not.toHaveProperty('copied')
  })

  test('a note before a renamed file has named its session is kept and not counted', () => {
    const snapshot = { type: 'file-history-snapshot', messageId: 'm', snapshot: { timestamp: '2026-01-05T10:00:00Z' } }
    const drafts = draftsOf(snapshot, user('u1'), snapshot)
    expect(drafts.map(({ session, copied, at }) => [session, copied, at])).toEqual([
      ['S', true, Date.UTC(2026, 0, 5, 10)],
      ['S', undefined, undefined],
      ['S', undefined, Date.UTC(2026, 0, 5, 10)],
    ])
  })

  test('of a Cowork conversation is its folder, whatever its files say, and its title is the sidecar’s', () => {
    const file = sourceFile(`a/w/local_7/.claude/projects/-x/${SESSION}.jsonl`, 'claude-cowork')
    const readings = readRecords(
      [user('u1', { cwd: '/s' }), { type: 'ai-title', sessionId: 'S', aiTitle: 'Stale' }],
      file,
    )
    expect(readings.flatMap(({ drafts }) => drafts.map(({ session }) => session))).toEqual(['local_7', 'local_7'])
    expect(readings.flatMap(({ sessions }) => sessions ?? [])).toEqual([{ nativeId: 'local_7', cwd: '/s' }])
  })
})

describe('a subagent', () => {
  test('in a file of its own is a child of the session its folder is named after', () => {
    const file = sourceFile(`p/${SESSION}/subagents/agent-a1.jsonl`)
    const record = user('u1', { sessionId: 'agent-a1', agentId: 'a1', isSidechain: true })
    const [reading] = readRecords([record], file)
    expect(reading?.drafts[0]).toMatchObject({ session: `${SESSION}/agent-a1`, type: 'user_input', opensTurn: true })
    expect(reading?.sessions).toEqual([
      { nativeId: `${SESSION}/agent-a1`, parent: { nativeId: SESSION, relation: 'subagent' } },
    ])
  })

  test('of an older client lies beside the session, whose id its records repeat (fault 77)', () => {
    const [reading] = readRecords(
      [user('u1', { sessionId: SESSION, isSidechain: true })],
      sourceFile('p/agent-a1.jsonl'),
    )
    expect(reading?.drafts[0]?.session).toBe(`${SESSION}/agent-a1`)
  })

  test('inside the parent’s file is told by its agent id', () => {
    const facts = factsOf(user('u1'), user('u2', { isSidechain: true, agentId: 'a1' }))
    expect(facts).toEqual([{ nativeId: 'S/agent-a1', parent: { nativeId: 'S', relation: 'subagent' } }])
  })

  test('without an id is told by its chain, and finds its call by the prompt', () => {
    const records = [
      call('t1', 'Task', { prompt: 'text of c1' }),
      call('t2', 'Task', { prompt: 'text of d1' }),
      user('c1', { isSidechain: true, parentUuid: null }),
      user('d1', { isSidechain: true, parentUuid: null }),
      user('c2', { isSidechain: true, parentUuid: 'c1' }),
      user('c3', { isSidechain: true, parentUuid: 'c2' }),
    ]
    expect(draftsOf(...records).map(({ session }) => session)).toEqual([
      'S',
      'S',
      'S/sidechain-c1',
      'S/sidechain-d1',
      'S/sidechain-c1',
      'S/sidechain-c1',
    ])
    expect(factsOf(...records)).toEqual([
      { nativeId: 'S/sidechain-c1', parent: { nativeId: 'S', relation: 'subagent', callId: 't1' } },
      { nativeId: 'S/sidechain-d1', parent: { nativeId: 'S', relation: 'subagent', callId: 't2' } },
    ])
  })

  test('is linked to its call by the parent’s progress notes and result, once', () => {
    const progress = {
      type: 'progress',
      uuid: 'g',
      sessionId: 'S',
      parentToolUseID: 't1',
      data: { type: 'agent_progress', agentId: 'a1' },
    }
    const message = { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }] }
    const result = { type: 'user', uuid: 'r', sessionId: 'S', message, toolUseResult: { agentId: 'a1' } }
    expect(factsOf(call('t1', 'Agent', { prompt: 'x' }), progress, progress, result)).toEqual([
      { nativeId: 'S/agent-a1', parent: { nativeId: 'S', relation: 'subagent', callId: 't1' } },
    ])
  })

  test('started by a subagent hangs below it', () => {
    const file = sourceFile(`p/${SESSION}/subagents/agent-a1.jsonl`)
    const message = {
      content: [{ type: 'tool_result', tool_use_id: 't1', content: 'done\nagentId: b2 (for resuming)' }],
    }
    const readings = readRecords([call('t1', 'Agent', {}), { type: 'user', uuid: 'r', message }], file)
    expect(readings[1]?.sessions).toEqual([
      {
        nativeId: `${SESSION}/agent-b2`,
        parent: { nativeId: `${SESSION}/agent-a1`, relation: 'subagent', callId: 't1' },
      },
    ])
  })
})

test('a fork that says so is linked, and what it repeats is kept as copied', () => {
  const forkedFrom = { sessionId: 'origin', messageUuid: 'u1' }
  const records = [user('u1', { forkedFrom }), user('u2', { forkedFrom }), user('u3')]
  expect(draftsOf(...records).map(({ copied }) => copied)).toEqual([true, true, undefined])
  expect(factsOf(...records)).toEqual([{ nativeId: 'S', parent: { nativeId: 'origin', relation: 'fork' } }])
})

describe('the title', () => {
  const titles = (...records: unknown[]) => factsOf(...records).map(({ title }) => title)

  test('given by the user beats the model’s, which beats a summary', () => {
    const custom = { type: 'custom-title', sessionId: 'S', customTitle: 'Mine' }
    const made = { type: 'ai-title', sessionId: 'S', aiTitle: 'Made' }
    expect(titles(made, custom, made)).toEqual(['Made', 'Mine'])
    expect(draftsOf(custom)[0]).toMatchObject({ type: 'system', text: 'Mine' })
  })

  test('is a summary only if its last message is in the file', () => {
    const foreign = { type: 'summary', summary: 'Another', leafUuid: 'elsewhere' }
    const own = { type: 'summary', summary: 'This one', leafUuid: 'u1' }
    expect(titles(foreign, own, user('u1'))).toEqual(['This one'])
    expect(titles(user('u1'), own)).toEqual(['This one'])
    expect(titles(user('u1'), foreign)).toEqual([])
  })

  test('C42: a summary without a leaf is a compaction', () => {
    const record = { type: 'summary', uuid: 's', sessionId: 'S', message: { role: 'system', content: 'Compressed.' } }
    expect(draftsOf(record)[0]).toMatchObject({ type: 'compaction', text: 'Compressed.' })
  })
})

test('the state stays small however long the file', () => {
  const file = sourceFile('p/S.jsonl')
  const layout = layoutFor(claudeCode, file)
  const state = layout.open(file)
  for (let index = 0; index < 3000; index++) {
    const uuid = `${index}-2222-4333-8444-555555555555`
    const value = user(uuid, { isSidechain: index % 2 === 0, parentUuid: null, cwd: `/w/${index}` })
    layout.read({ value, index }, state, file)
    layout.read({ value: { type: 'summary', summary: 's'.repeat(900), leafUuid: `l${index}` }, index }, state, file)
  }
  expect(JSON.stringify(state).length).toBeLessThan(50_000)
})
