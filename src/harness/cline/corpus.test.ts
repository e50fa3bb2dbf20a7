/** What client 3.0.65 wrote in six scenarios; each run is a session of its own there. */

import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Draft, SessionFacts } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { filesBelow } from '../golden.testing.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals, valuesOf } from '../reading.testing.ts'
import { cline } from './index.ts'

const corpus = resolve('../shared/corpus/cline/generated/cline-3.0.65')
const rootOf = (name: string): string => join(corpus, name, '.cline/data/sessions')
const transcriptsOf = (name: string): string[] =>
  filesBelow(rootOf(name)).filter((path) => path.endsWith('.messages.json'))

interface Scenario {
  drafts: Draft[]
  sessions: SessionFacts[]
  turns: unknown[]
}

async function scenario(name: string): Promise<Scenario> {
  const drafts: Draft[] = []
  const sessions: SessionFacts[] = []
  for (const path of transcriptsOf(name)) {
    const reading = await readFileOf(cline, path, { root: rootOf(name) })
    drafts.push(...reading.drafts)
    sessions.push(...reading.sessions)
  }
  const of = (id: string) => foldTurns(drafts.filter(({ session }) => session === id))
  const turns = sessions.flatMap(({ nativeId }) =>
    of(nativeId).map(({ prompt, ending, calls }) => ({ prompt, ending, calls })),
  )
  return { drafts, sessions, turns }
}

describe.skipIf(!existsSync(corpus))('the scenarios of client 3.0.65', () => {
  test('read in halves as well as at once, and leave nothing unknown', async () => {
    let transcripts = 0
    for (const name of readdirSync(corpus)) {
      for (const path of transcriptsOf(name)) {
        const files = transcriptsAt(cline, path, { root: rootOf(name) })
        expect(await kindsLeftUnknown(cline, files)).toEqual([])
        for (const file of files) {
          const values = await valuesOf(cline, file)
          const whole = readWith(cline, file, values)
          expect(whole.drafts.filter(({ type }) => type === 'unknown')).toEqual([])
          for (const part of [0.25, 0.5, 0.75]) {
            expect(readWith(cline, file, values, { cut: Math.floor(values.length * part) })).toEqual(whole)
          }
          transcripts++
        }
      }
    }
    expect(transcripts).toBe(2 + 3 + 2 + 3 + 2 + 1)
  })

  test('a: two runs, each its own session', async () => {
    const { drafts, sessions, turns } = await scenario('a-two-turns')
    expect(sessions[0]).toEqual({
      nativeId: '1796063649710_su4hy',
      title: 'Create a small greeting script in Python, check it and tell me what the check says. (ref A1)',
      cwd: '/home/dev1/work/demo',
      branch: 'main',
      cliVersion: '3.0.65',
    })
    expect(turns).toEqual([
      {
        prompt: 'Create a small greeting script in Python, check it and tell me what the check says. (ref A1)',
        ending: 'answered',
        calls: ['run_commands 0', 'editor', 'read_files', 'editor', 'run_commands 3'],
      },
      {
        prompt: 'What does the script do now, and how long is it? (ref A2)',
        ending: 'answered',
        calls: ['run_commands 0', 'run_commands 0'],
      },
    ])
    // The client's sums: 35176 and 11111 tokens of prompts, of which 23775 and 4530 came from a cache.
    expect(usageTotals(drafts)).toEqual({
      input: 35176 + 11111 - 23775 - 4530,
      output: 289 + 84,
      cacheRead: 23775 + 4530,
      cacheWrite: 0,
      reasoning: 0,
    })
  })

  test('b: an answer cut short, a command cut short, and an answer', async () => {
    const { drafts, turns } = await scenario('b-interrupt')
    expect(turns).toEqual([
      { prompt: 'Explain at length how a greeting script works. (ref B1)', ending: 'interrupted', calls: [] },
      // The client itself calls this one failed.
      { prompt: 'Run the slow check. (ref B2)', ending: 'failed', calls: ['run_commands'] },
      { prompt: 'Continue after the interruption, briefly. (ref B3)', ending: 'answered', calls: [] },
    ])
    expect(drafts.find(({ ends }) => ends === 'failed')?.text).toMatch(/disconnected before request was resolved/)
  })

  test('c: a subagent is a session of its own below the call that started it (fault 76)', async () => {
    const { drafts, sessions, turns } = await scenario('c-subagent')
    expect(turns).toEqual([
      {
        prompt: 'Have a helper count the lines of notes.txt and tell me the number. (ref C1)',
        ending: 'answered',
        calls: ['spawn_agent'],
      },
      {
        prompt: 'Count the lines of the file notes.txt in the current folder and report only the number. (ref C2)',
        ending: 'answered',
        calls: ['run_commands 0'],
      },
    ])
    const child = '1796063694114_qpo7t__agent_1796063694766_b5w1hy'
    expect(sessions[1]).toMatchObject({
      nativeId: child,
      parent: {
        nativeId: '1796063694114_qpo7t',
        callId: 'call_pJydeIHqcbC3zJ0bhruxt7Yn',
        relation: 'subagent',
      },
    })
    expect(usageTotals(drafts.filter(({ session }) => session === child))).toEqual({
      input: 2250 + 2350 - 1880,
      output: 32 + 6,
      cacheRead: 1880,
      cacheWrite: 0,
      reasoning: 0,
    })
  })

  test('d: three runs of which none was compacted', async () => {
    const { drafts, turns } = await scenario('d-compact')
    expect(turns).toMatchObject([
      { ending: 'answered', calls: ['run_commands 0'] },
      { ending: 'answered', calls: ['run_commands 0'] },
      { ending: 'answered', calls: [] },
    ])
    expect(drafts.filter(({ type }) => type === 'compaction')).toEqual([])
    expect(usageTotals(drafts)).toMatchObject({ output: 46 + 940 + 5, cacheRead: 4445 + 6000 })
  })

  test('e: a retried request is answered, a refused one fails', async () => {
    const { drafts, turns } = await scenario('e-error')
    expect(turns).toEqual([
      { prompt: 'Say hello after a hiccup. (ref E1)', ending: 'answered', calls: [] },
      { prompt: 'Say hello again. (ref E2)', ending: 'failed', calls: [] },
    ])
    expect(drafts.find(({ ends }) => ends === 'failed')).toMatchObject({
      type: 'runtime',
      text: 'invalid api key (scripted)',
    })
  })

  test('f: MCP tools carry their server', async () => {
    const { drafts, turns } = await scenario('f-mcp')
    expect(turns).toEqual([
      {
        prompt: 'Use the probe server: echo a word, add two numbers, then call its failing tool. (ref F1)',
        ending: 'answered',
        calls: ['probe/echo', 'probe/add', 'probe/fail failed'],
      },
    ])
    // As the server saw them.
    expect(drafts.filter(({ type }) => type === 'tool_response').map(({ text }) => text)).toEqual([
      'echo: hello probe',
      '{"sum":42}',
      'this tool always fails',
    ])
    expect(usageTotals(drafts)).toMatchObject({ input: 23046 - 13939, output: 81, cacheRead: 13939 })
  })
})
