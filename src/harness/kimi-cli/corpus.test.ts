/** The shared corpus: Kimi Code 2.1.0 in seven scenarios, older wires of it, Kimi CLI's wires, and histories of its first year. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { filesBelow } from '../golden.testing.ts'
import type { FilePlace } from '../reading.testing.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals, valuesOf } from '../reading.testing.ts'
import { kimiCli } from './index.ts'
import { corpusFolder, readCode } from './testing.ts'

const CODE = corpusFolder('generated', 'kimi-code-2.1.0') ?? ''
const MORAINE = corpusFolder('eric-tramel+moraine', 'fixtures', 'kimi-cli') ?? ''
const FIRST = corpusFolder('MoonshotAI+kimi-cli') ?? ''
const OLDER = corpusFolder('alias16+agent-sessions') ?? ''

function transcripts(): { path: string; place: FilePlace }[] {
  const below = (folder: string, taken: RegExp, rootOf: (path: string) => string, source: string) =>
    filesBelow(folder)
      .filter((path) => taken.test(path))
      .map((path) => ({ path, place: { root: rootOf(path), source } }))
  const sessions = (path: string) => path.slice(0, path.search(/[\\/]sessions[\\/]/) + '/sessions'.length)
  const up = (steps: number) => (path: string) => join(path, ...Array(steps).fill('..'))
  return [
    ...below(CODE, /wire\.jsonl$/, sessions, 'kimi-code'),
    ...below(join(MORAINE, 'project-273'), /wire\.jsonl$/, () => MORAINE, 'kimi-cli'),
    ...below(FIRST, /\.jsonl$/, up(2), 'kimi-cli'),
  ]
}

/** Wires that lie under other names than their client gave them. */
const loose = (): string[] => filesBelow(OLDER).filter((path) => path.endsWith('.jsonl'))

async function scenario(name: string) {
  const own = transcripts().filter(({ path }) => path.startsWith(join(CODE, name)))
  const readings = await Promise.all(own.map(({ path, place }) => readFileOf(kimiCli, path, place)))
  // A subagent's file comes before its parent's.
  const turns = readings.map(({ drafts }) =>
    foldTurns(drafts).map(({ prompt, ending, calls }) => ({ prompt, ending, calls })),
  )
  const drafts = readings.flatMap((reading) => reading.drafts)
  return { turns, drafts, sessions: readings.flatMap((reading) => reading.sessions), usage: usageTotals(drafts) }
}

/** Sums of the file's `usage.record` lines. */
const tokens = (input: number, output: number, cacheRead: number) => ({
  input,
  output,
  cacheRead,
  cacheWrite: 0,
  reasoning: 0,
})

describe.skipIf(CODE === '')('the corpus', () => {
  test('reads in halves as well as at once, and leaves nothing unknown', async () => {
    let count = 0
    for (const { path, place } of transcripts()) {
      const files = transcriptsAt(kimiCli, path, place)
      expect(await kindsLeftUnknown(kimiCli, files)).toEqual([])
      for (const file of files) {
        const values = await valuesOf(kimiCli, file)
        const whole = readWith(kimiCli, file, values)
        for (const part of [0.25, 0.5, 0.75]) {
          expect(readWith(kimiCli, file, values, { cut: Math.floor(values.length * part) })).toEqual(whole)
        }
        count++
      }
    }
    expect(count).toBe(8 + 2 + 2)
  })

  test('a: two turns, the second resumed', async () => {
    const { turns, usage, sessions } = await scenario('a-two-turns')
    expect(turns).toEqual([
      [
        {
          prompt: 'Create a small greeting script in Python, check it and tell me what the check says. (ref A1)',
          ending: 'answered',
          calls: ['Bash 0', 'TodoList', 'Write', 'Read', 'Edit', 'Bash 3'],
        },
        {
          prompt: 'What does the script do now, and how long is it? (ref A2)',
          ending: 'answered',
          calls: ['Bash 0', 'Bash 0'],
        },
      ],
    ])
    expect(usage).toEqual(tokens(38786, 442, 155137))
    expect(sessions).toContainEqual({
      nativeId: 'session_90de71af-8c03-40d8-93fd-ebedc4d2019a',
      cwd: '/home/dev1/work/demo',
    })
  })

  test('b: a turn that vanished, one stopped in a command, one answered', async () => {
    const { turns, usage } = await scenario('b-interrupt')
    expect(turns[0]?.map(({ ending, calls }) => [ending, calls])).toEqual([
      [undefined, []],
      ['interrupted', ['Bash failed']],
      ['answered', []],
    ])
    expect(usage).toEqual(tokens(8483, 52, 33934))
  })

  test('c: a subagent under its parent, with its own tokens', async () => {
    const { turns, usage, sessions } = await scenario('c-subagent')
    expect(turns.map((own) => own.map(({ ending, calls }) => [ending, calls]))).toEqual([
      [['answered', ['Bash 0']]],
      [['answered', ['Agent']]],
    ])
    const main = 'session_22e879ff-a1a2-47d8-971e-1ee059af155d'
    expect(sessions).toContainEqual({
      nativeId: `${main}/agent-0`,
      parent: { nativeId: main, relation: 'subagent', callId: 'call_FKSEZAVdpikGVHz1FxH7xkuZ' },
    })
    expect(usage).toEqual(tokens(15066, 132, 60263))
  })

  test('d: a compaction in the middle of a turn', async () => {
    const { turns, usage, drafts } = await scenario('d-compact')
    expect(turns[0]?.map(({ ending, calls }) => [ending, calls])).toEqual([
      ['answered', ['Bash 0']],
      ['answered', ['Bash 0']],
      ['answered', []],
    ])
    const compactions = drafts.filter(({ type }) => type === 'compaction')
    expect(compactions.map(({ text }) => text.slice(0, 42))).toEqual(['The user asked for a small greeting script'])
    expect(usage).toEqual(tokens(219246, 1041, 74981))
  })

  test('e: an answer after a retry, and a refusal', async () => {
    const { turns, usage } = await scenario('e-error')
    expect(turns[0]?.map(({ ending }) => ending)).toEqual(['answered', 'failed'])
    expect(usage).toEqual(tokens(4178, 14, 16714))
  })

  test('f: three tools of an MCP server', async () => {
    const { turns, usage } = await scenario('f-mcp')
    expect(turns[0]?.[0]?.calls).toEqual(['probe/echo', 'probe/add', 'probe/fail failed'])
    expect(usage).toEqual(tokens(16968, 84, 67871))
  })

  test('g: in the terminal, stopped in an answer, compacted, answered', async () => {
    const { turns, usage, drafts, sessions } = await scenario('g-terminal')
    expect(turns[0]?.map(({ ending }) => ending)).toEqual(['interrupted', 'answered'])
    expect(drafts.filter(({ type }) => type === 'compaction')).toHaveLength(1)
    expect(usage).toEqual(tokens(8815, 278, 35259))
    expect(sessions.some(({ title }) => title === 'Explain at length how to keep notes. (ref G2)')).toBe(true)
  })

  test('wires of Kimi Code 1: nothing unknown, every turn with its end, tokens once', async () => {
    const values = async (name: string) => {
      const path = loose().find((each) => each.endsWith(name)) ?? ''
      return valuesOf(kimiCli, { source: 'kimi-code', path, relative: 'wd/s/agents/main/wire.jsonl', modifiedAt: 0 })
    }
    const tools = readCode(...(await values('assistant_tools.jsonl')))
    expect(tools.drafts.filter(({ type }) => type === 'unknown')).toEqual([])
    const turns = foldTurns(tools.drafts)
    expect(turns.map((turn) => turn.prompt)).toEqual([
      'hi',
      'hi',
      'hi',
      'run ls command',
      'cat /nonexistent-file-xyz',
      'run subagent to count swift files in this repo',
      'plan counting all html files in this repo',
      'read README.md then grep for "Kimi"',
    ])
    // Two prompts went unanswered: no step of theirs has an end.
    expect(turns.map(({ ending }) => ending ?? 'open')).toEqual(['open', 'open', ...Array(6).fill('answered')])
    expect(turns[4]?.calls).toEqual(['Bash 1'])
    expect(usageTotals(tools.drafts)).toEqual(tokens(30174, 5515, 661504))
    const small = foldTurns(readCode(...(await values('small.jsonl'))).drafts)
    expect(small.map(({ ending }) => ending)).toEqual(['interrupted', 'answered'])
    const child = readCode(...(await values('subagent_agent-0.jsonl')))
    expect(foldTurns(child.drafts)).toMatchObject([{ ending: 'answered', calls: ['Glob', 'Bash 0'] }])
    expect(usageTotals(child.drafts)).toEqual(tokens(12905, 330, 28416))
  })

  test('Kimi CLI: a session and its subagent of two turns', async () => {
    const [main, child] = transcripts().filter(({ path }) => path.startsWith(MORAINE))
    const read = (found = main) => readFileOf(kimiCli, found?.path ?? '', found?.place)
    const readings = await Promise.all([read(main), read(child)])
    expect(readings.map(({ drafts }) => foldTurns(drafts).length).sort()).toEqual([1, 2])
    expect(readings.flatMap(({ sessions }) => sessions)).toEqual([
      {
        nativeId: '11111111-2222-4333-8444-555555555555/agent-abcdef01',
        parent: { nativeId: '11111111-2222-4333-8444-555555555555', relation: 'subagent' },
      },
    ])
  })

  test('the first clients: a task answered after 27 calls, and the helper that read for it', async () => {
    const readings = await Promise.all(
      transcripts()
        .filter(({ path }) => path.startsWith(FIRST))
        .map(({ path, place }) => readFileOf(kimiCli, path, place)),
    )
    const turns = readings.map(({ drafts }) => foldTurns(drafts))
    expect(turns.map((own) => own.map(({ ending, calls }) => [ending, calls.length]))).toEqual([
      [['answered', 27]],
      [['answered', 17]],
    ])
    expect(turns[0]?.[0]?.calls.filter((call) => call === 'Bash 0').length).toBe(17)
    expect(readings[1]?.sessions).toEqual([
      {
        nativeId: '531d195b-6436-426e-b010-4bf723a992de/read_2',
        parent: { nativeId: '531d195b-6436-426e-b010-4bf723a992de', relation: 'subagent' },
      },
    ])
  })
})
