import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Draft, SessionFacts } from '../../core/event.ts'
import { harnessContract, kindsLeftUnknown } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { makeDatabase, makeStorage, temporaryFolder } from '../opencode/testing.ts'
import { foldTurns, readFileOf, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { kilo } from './index.ts'

const folder = temporaryFolder()
makeDatabase('kilo/kilo.sql', join(folder, 'database', 'kilo.db'))
makeStorage(join(folder, 'storage'))

harnessContract(kilo, [
  { root: join(folder, 'database'), path: 'kilo.db', copy: 'kilo-dev.db' },
  { root: join(folder, 'storage'), path: 'storage/session/prj/ses_boat.json' },
])

test('the fixture reads as its golden file says', () => expectGolden(kilo, join(folder, 'database'), 'database'))

describe('the places', () => {
  const [source] = kilo.sources

  test('are those of OpenCode under another name', () => {
    const host = { home: '/home/kim', env: { KILO_DB: '/mnt/kilo.db' }, platform: 'linux' as const }
    expect(source?.roots(host)).toEqual(['/home/kim/.local/share/kilo', '/mnt'])
    expect(
      ['kilo.db', 'kilo-dev.db', 'opencode.db', 'kilo.db-wal', 'sessions.db'].filter((path) => source?.matches(path)),
    ).toEqual(['kilo.db', 'kilo-dev.db', 'opencode.db'])
  })
})

const corpus = resolve('../shared/corpus/kilo/generated/kilo-7.7.9')

interface Scenario {
  drafts: Draft[]
  sessions: SessionFacts[]
  turns(session?: string): unknown[]
  usage(session?: string): object
}

async function scenario(name: string): Promise<Scenario> {
  const { drafts, sessions } = await readFileOf(kilo, join(corpus, name, '.local/share/kilo/kilo.db'))
  const main = sessions.find(({ parent }) => !parent)?.nativeId
  const of = (session = main) => drafts.filter((draft) => draft.session === session)
  return {
    drafts,
    sessions,
    turns: (session) => foldTurns(of(session)).map(({ prompt, ending, calls }) => ({ prompt, ending, calls })),
    usage: (session) => usageTotals(of(session)),
  }
}

// Totals are those the client keeps on the session's row; `output` there excludes reasoning.
describe.skipIf(!existsSync(corpus))('the scenarios of client 7.7.9', () => {
  test('leave nothing unknown', async () => {
    for (const name of readdirSync(corpus)) {
      const files = transcriptsAt(kilo, join(corpus, name, '.local/share/kilo/kilo.db'))
      expect(files.length).toBeGreaterThan(0)
      expect(await kindsLeftUnknown(kilo, files)).toEqual([])
      expect((await scenario(name)).drafts.filter(({ type }) => type === 'unknown')).toEqual([])
    }
  })

  test('a: two turns, the second resumed, in a session without a title', async () => {
    const { sessions, turns, usage } = await scenario('a-two-turns')
    expect(sessions).toEqual([
      {
        nativeId: 'ses_dd2480d00ffeO4yYmhSdVg1GhA',
        slug: 'cosmic-wizard',
        cwd: '/home/dev1/work/demo',
        cliVersion: '7.7.9',
      },
    ])
    expect(turns()).toEqual([
      {
        prompt: 'Create a small greeting script in Python, check it and tell me what the check says. (ref A1)',
        ending: 'answered',
        calls: ['bash 0', 'todowrite', 'write', 'read', 'edit', 'bash 3'],
      },
      {
        prompt: 'What does the script do now, and how long is it? (ref A2)',
        ending: 'answered',
        calls: ['bash 0', 'bash 0'],
      },
    ])
    expect(usage()).toEqual({ input: 38605, output: 407 + 53, cacheRead: 96712, cacheWrite: 0, reasoning: 53 })
  })

  test('b: an answer cut short, a command cut short, and an answer', async () => {
    const { turns, usage } = await scenario('b-interrupt')
    expect(turns()).toEqual([
      { prompt: 'Explain at length how a greeting script works. (ref B1)', ending: 'interrupted', calls: [] },
      { prompt: 'Run the slow check. (ref B2)', ending: 'interrupted', calls: ['bash'] },
      { prompt: 'Continue after the interruption, briefly. (ref B3)', ending: 'answered', calls: [] },
    ])
    expect(usage()).toEqual({ input: 2936, output: 13, cacheRead: 11742, cacheWrite: 0, reasoning: 0 })
  })

  test('c: a subagent is a session of its own below the call that started it', async () => {
    const { sessions, turns, usage } = await scenario('c-subagent')
    const child = 'ses_dd247912fffeSL9u2G7QX4ZF2u'
    expect(turns()).toMatchObject([{ ending: 'answered', calls: ['task'] }])
    expect(turns(child)).toMatchObject([{ ending: 'answered', calls: ['bash 0'] }])
    expect(usage()).toEqual({ input: 17338, output: 80 + 9, cacheRead: 11667, cacheWrite: 0, reasoning: 9 })
    expect(usage(child)).toEqual({ input: 15033, output: 34 + 8, cacheRead: 10081, cacheWrite: 0, reasoning: 8 })
    expect(sessions).toContainEqual({
      nativeId: child,
      parent: {
        nativeId: 'ses_dd247a068ffeAiFA4Lb7qcv0Cx',
        callId: 'call_1BUJfqDMqT9KLfLgkA5s7JQ7',
        relation: 'subagent',
      },
    })
  })
})
