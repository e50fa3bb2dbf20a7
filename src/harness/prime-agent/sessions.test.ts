/** What sets Prime Agent apart from Pi; the made-up fixtures of the shared conformance folder are read where it is there. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kindsLeftUnknown } from '../contract.suite.ts'
import type { SourceFile } from '../harness.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { primeAgent } from './index.ts'

const PARENT = '9a11e000-0000-4000-8000-000000000001'
const CHILD = '9a11e000-0000-4000-8000-000000000002'

const file: SourceFile = {
  source: 'prime-agent',
  path: `/home/ada/.prime/agent/sessions/${CHILD}.jsonl`,
  relative: `${CHILD}.jsonl`,
  modifiedAt: 0,
}

const header = (more: object) => ({
  type: 'session',
  version: 3,
  id: CHILD,
  timestamp: '2026-05-01T10:00:00.000Z',
  cwd: '/home/ada/garden',
  parentSession: `/home/ada/.prime/agent/sessions/${PARENT}.jsonl`,
  ...more,
})

const agentMessage = (fromRelationship: string, content: string) => ({
  type: 'custom_message',
  customType: 'agent_message',
  content,
  display: true,
  details: { fromRelationship },
  id: content,
  timestamp: '2026-05-01T10:00:01.000Z',
})

const read = (...records: object[]) => readWith(primeAgent, file, records)

describe('children', () => {
  test('a session with a depth is its parent’s subagent, one without is a fork', () => {
    expect(read(header({ rlmDepth: 1 })).sessions[0]?.parent).toEqual({ nativeId: PARENT, relation: 'subagent' })
    expect(read(header({ rlmDepth: 0 })).sessions[0]?.parent).toEqual({ nativeId: PARENT, relation: 'fork' })
  })

  test('a child’s history is its own, whatever its time', () => {
    const { drafts } = read(header({ rlmDepth: 1 }), {
      ...agentMessage('parent', 'a'),
      timestamp: '2026-05-01T09:00:00Z',
    })
    expect(drafts.some(({ copied }) => copied)).toBe(false)
  })

  test('what the parent asks is a prompt; what a child sends back is none', () => {
    const { drafts } = read(header({ rlmDepth: 1 }), agentMessage('parent', 'Count.'), agentMessage('child', 'Seven.'))
    expect(foldTurns(drafts)).toMatchObject([{ prompt: 'Count.' }])
    expect(drafts.at(-1)).toMatchObject({ type: 'system', text: 'Seven.' })
  })

  test('the branch is told, and told again when it changes', () => {
    const { sessions } = read(header({ git: { branch: 'main' } }), {
      type: 'git_state',
      id: 'g',
      timestamp: '2026-05-01T10:00:02.000Z',
      git: { branch: 'beds' },
    })
    expect(sessions.map(({ branch }) => branch)).toEqual(['main', 'beds'])
  })
})

describe('where Prime Agent keeps transcripts', () => {
  const rootsOf = (env: Record<string, string>, platform: NodeJS.Platform = 'linux', home = '/home/ada') =>
    primeAgent.sources.flatMap(({ roots }) => roots({ home, env, platform }))

  test('below its folder at home, children beside their parents', () => {
    expect(rootsOf({})).toEqual(['/home/ada/.prime/agent/sessions', '/home/ada/.prime/agent/session-artifacts'])
    expect(rootsOf({}, 'win32', 'C:\\Users\\ada')[0]).toBe('C:\\Users\\ada\\.prime\\agent\\sessions')
  })

  test('its variables move the folder, or the sessions alone', () => {
    expect(rootsOf({ PRIME_AGENT_CODING_AGENT_DIR: '~/p' })).toEqual([
      '/home/ada/p/sessions',
      '/home/ada/p/session-artifacts',
    ])
    expect(rootsOf({ PRIME_AGENT_SESSION_DIR: '/s/sessions' })).toEqual(['/s/sessions', '/s/session-artifacts'])
    expect(rootsOf({ PRIME_AGENT_CODING_AGENT_SESSION_DIR: '/t/sessions' })[0]).toBe('/t/sessions')
  })

  test('76: journals and files of other names are no transcripts', () => {
    const [sessions, children] = primeAgent.sources
    expect(sessions?.matches(`${PARENT}.jsonl`)).toBe(true)
    expect(sessions?.matches(`old/${PARENT}.jsonl`)).toBe(false)
    expect(sessions?.matches('agent.jsonl')).toBe(false)
    expect(children?.matches(`${PARENT}/sub-0a1b2c3d/${CHILD}.jsonl`)).toBe(true)
    expect(children?.matches(`${PARENT}/rlm-subagents.jsonl`)).toBe(false)
    expect(children?.matches(`${PARENT}/sub-0a1b2c3d/rlm-subagents.jsonl`)).toBe(false)
  })
})

const shared = join(process.cwd(), '..', 'shared', 'conformance', 'harness-fixtures', 'prime-agent')

describe.skipIf(!existsSync(shared))('the shared conformance fixtures', () => {
  test('a session reads in halves as at once, and leaves unknown only what was made up', async () => {
    const path = join(shared, 'session.jsonl')
    const whole = await readFileOf(primeAgent, path)
    for (const cut of [1, 7, 14]) expect(await readFileOf(primeAgent, path, { cut })).toEqual(whole)
    const kinds = await kindsLeftUnknown(primeAgent, transcriptsAt(primeAgent, path))
    // The message holds one block alone, of a kind that was made up.
    expect(kinds).toEqual(['future_prime_record', 'message'])
    // 19 + 1 of the session's own; what its child used stands in the child's transcript.
    expect(usageTotals(whole.drafts)).toMatchObject({ input: 20, output: 9, cacheRead: 2, cacheWrite: 1 })
    expect(whole.drafts.map(({ text }) => text).join()).not.toContain('HIDDEN')
    expect(whole.sessions.at(-1)).toMatchObject({ branch: 'feat/demo' })
  })

  test('a child answers what its parent asked', async () => {
    const { drafts, sessions } = await readFileOf(primeAgent, join(shared, 'child.jsonl'))
    expect(sessions[0]?.parent).toEqual({ nativeId: '12345678-1234-4234-8234-123456789abc', relation: 'subagent' })
    expect(foldTurns(drafts)).toMatchObject([
      { prompt: '[task from parent]\nInspect the fixture.', answer: 'Child fixture complete.', ending: 'answered' },
    ])
    expect(usageTotals(drafts)).toMatchObject({ input: 7, output: 3, cacheRead: 1 })
  })
})
