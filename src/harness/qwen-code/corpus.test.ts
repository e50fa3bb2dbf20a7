/** Transcripts of several collections, and what 0.24.4 wrote when driven by a scripted model; skipped without ../shared. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { fields, list } from '../fields.ts'
import { type FoldedTurn, foldTurns, readFileOf, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { qwenCode } from './index.ts'
import { corpusFolder, transcriptsBelow } from './testing.ts'

const corpus = corpusFolder()
const files = corpus === undefined ? [] : transcriptsBelow(corpus)

describe.skipIf(corpus === undefined)('every transcript of the shared corpus', () => {
  test('is there', () => expect(files.length).toBeGreaterThan(14))

  test.each(files.map(({ path, root }) => [path.slice(corpus?.length), path, root]))(
    '%s reads in halves as at once, and every record gives a draft',
    async (_name, path, root) => {
      const whole = await readFileOf(qwenCode, path, { root })
      expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
      for (const part of [0.13, 0.5, 0.87]) {
        const cut = Math.floor(whole.records.length * part)
        expect(await readFileOf(qwenCode, path, { root, cut })).toEqual(whole)
      }
    },
  )

  test('leaves unknown only what a fixture made up', async () => {
    const all = files.flatMap(({ path, root }) => transcriptsAt(qwenCode, path, { root }))
    expect(await kindsLeftUnknown(qwenCode, all)).toEqual(['future_record'])
  })
})

interface Scenario {
  drafts: Draft[]
  turns: FoldedTurn[]
}

/** What each session of a scenario says. */
async function scenario(name: string): Promise<Map<string, Scenario>> {
  const sessions = new Map<string, Draft[]>()
  for (const { path, root } of transcriptsBelow(corpusFolder('generated', 'qwen-code-0.24.4', name) ?? '')) {
    for (const draft of (await readFileOf(qwenCode, path, { root })).drafts) {
      sessions.set(draft.session, [...(sessions.get(draft.session) ?? []), draft])
    }
  }
  return new Map([...sessions].map(([id, drafts]) => [id, { drafts, turns: foldTurns(drafts) }]))
}

async function only(name: string): Promise<Scenario> {
  const [session, ...others] = (await scenario(name)).values()
  expect(others).toEqual([])
  return session ?? { drafts: [], turns: [] }
}

const told = (turns: readonly FoldedTurn[]) =>
  turns.map(({ prompt, ending, calls }) => [prompt?.slice(-7), ending, calls])

/** What the client itself counted for a session, over all processes: the last line of its own record. */
function counted(name: string): { input: number; cacheRead: number; output: number } {
  const path = join(corpusFolder('generated', 'qwen-code-0.24.4', name) ?? '', '.qwen', 'usage_record.jsonl')
  const line = readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? ''
  const models = list(Object.values(fields(fields(JSON.parse(line))['models']))).map(fields)
  const sum = (key: string) => models.reduce((total, model) => total + Number(model[key]), 0)
  return {
    input: sum('inputTokens') - sum('cachedTokens'),
    cacheRead: sum('cachedTokens'),
    output: sum('outputTokens'),
  }
}

describe.skipIf(corpus === undefined)('the scenarios of client 0.24.4', () => {
  test('a: two turns, the second resumed', async () => {
    const { turns, drafts } = await only('a-two-turns')
    expect(told(turns)).toEqual([
      ['ref A1)', 'answered', ['run_shell_command 0', 'write_file', 'read_file', 'edit', 'run_shell_command 3']],
      ['ref A2)', 'answered', ['run_shell_command 0', 'run_shell_command 0']],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted('a-two-turns'))
  })

  test('b: an answer cut short, a command cut short, and an answer', async () => {
    const { turns, drafts } = await only('b-interrupt')
    expect(told(turns)).toEqual([
      ['ref B1)', 'interrupted', []],
      ['ref B2)', 'interrupted', ['run_shell_command failed']],
      ['ref B3)', 'answered', []],
    ])
    // 19,653 and 19,817 of the prompt, 15,722 and 15,854 of them cached; the memory's own errand is not counted.
    expect(usageTotals(drafts)).toEqual({ input: 7894, output: 55, cacheRead: 31576, cacheWrite: 0, reasoning: 0 })
  })

  test('c: the subagent is a child of its own, and both together cost what the client counted', async () => {
    const sessions = await scenario('c-subagent')
    const parent = 'c17fcc80-4b98-4187-9213-ccab300f83d5'
    const child = `${parent}/agent-general-purpose-call_aQdl0DMscUiyHboCQiJmwDlE`
    expect([...sessions.keys()].sort()).toEqual([parent, child])
    expect(told(sessions.get(parent)?.turns ?? [])).toEqual([['ref C1)', 'answered', ['agent']]])
    expect(told(sessions.get(child)?.turns ?? [])).toEqual([['ref C2)', 'answered', ['run_shell_command 0']]])
    const all = [...sessions.values()].flatMap(({ drafts }) => drafts)
    expect(usageTotals(all)).toMatchObject(counted('c-subagent'))
  })

  test('d: compactions are no turns; one that broke off leaves its turn open', async () => {
    const broken = await only('d-compact')
    expect(told(broken.turns)).toEqual([
      ['ref D1)', 'answered', ['run_shell_command 0']],
      ['ref D2)', undefined, ['run_shell_command 0']],
      ['ref D3)', undefined, []],
    ])
    const whole = await only('d-compact-165k')
    expect(told(whole.turns)).toEqual([
      ['ref D1)', 'answered', ['run_shell_command 0']],
      ['ref D2)', 'answered', ['run_shell_command 0']],
      ['ref D3)', 'answered', []],
    ])
    for (const { drafts } of [broken, whole]) {
      const compactions = drafts.filter(({ type }) => type === 'compaction')
      expect(compactions.map(({ text }) => text.startsWith('<state_snapshot>'))).toEqual([true])
    }
  })

  test('e: a retried request is answered, a refused one fails', async () => {
    const { turns, drafts } = await only('e-error')
    expect(told(turns)).toEqual([
      ['ref E1)', 'answered', []],
      ['ref E2)', 'failed', []],
    ])
    expect(usageTotals(drafts)).toEqual({ input: 19547, output: 14, cacheRead: 0, cacheWrite: 0, reasoning: 0 })
  })

  test('f: MCP tools are called through a tool of the client', async () => {
    const { turns, drafts } = await only('f-mcp')
    expect(told(turns)).toEqual([
      ['ref F1)', 'answered', ['tool_search', 'probe/echo', 'probe/add', 'probe/fail failed']],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted('f-mcp'))
  })

  test('g: a terminal session, where Escape keeps what was said', async () => {
    const { turns } = await only('g-terminal')
    expect(told(turns)).toEqual([
      ['ref G1)', 'answered', ['run_shell_command 0']],
      ['ref G2)', 'interrupted', []],
      ['ompress', 'answered', []],
      ['ref G3)', 'answered', []],
    ])
  })
})
