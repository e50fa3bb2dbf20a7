/** What client 1.0.41 wrote when driven by a scripted model; skipped without ../shared. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Draft, SessionFacts } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { fields } from '../fields.ts'
import { type FoldedTurn, foldTurns, readFileOf, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { grokCli } from './index.ts'
import { corpusFolder, transcriptsBelow } from './testing.ts'

const corpus = corpusFolder()
const files = corpus === undefined ? [] : transcriptsBelow(corpus)

describe.skipIf(corpus === undefined)('every transcript of the shared corpus', () => {
  test('is there', () => expect(files).toHaveLength(8))

  test.each(files.map(({ path, root }) => [path.slice(corpus?.length), path, root]))(
    '%s reads in halves as at once, and every record gives a draft',
    async (_name, path, root) => {
      const whole = await readFileOf(grokCli, path, { root })
      expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
      for (const part of [0.13, 0.5, 0.87]) {
        const cut = Math.floor(whole.records.length * part)
        expect(await readFileOf(grokCli, path, { root, cut })).toEqual(whole)
      }
    },
  )

  test('leaves no kind of record unknown', async () => {
    const all = files.flatMap(({ path, root }) => transcriptsAt(grokCli, path, { root }))
    expect(await kindsLeftUnknown(grokCli, all)).toEqual([])
  })
})

interface Scenario {
  drafts: Draft[]
  turns: FoldedTurn[]
  facts: SessionFacts[]
  /** What the client counted, in the file beside the transcript. */
  counted: { input: number; output: number; cacheRead: number }
}

async function scenario(name: string): Promise<Map<string, Scenario>> {
  const found = new Map<string, Scenario>()
  for (const { path, root } of transcriptsBelow(corpusFolder(name) ?? '')) {
    const { drafts, sessions } = await readFileOf(grokCli, path, { root })
    const usage = fields(
      fields(JSON.parse(readFileSync(path.replace('updates.jsonl', 'usage.json'), 'utf8')))['session'],
    )
    const cacheRead = Number(usage['cachedReadTokens'])
    const counted = {
      input: Number(usage['inputTokens']) - cacheRead,
      output: Number(usage['outputTokens']),
      cacheRead,
    }
    found.set(drafts[0]?.session ?? '', { drafts, turns: foldTurns(drafts), facts: sessions, counted })
  }
  return found
}

async function only(name: string): Promise<Scenario> {
  const [session, ...others] = (await scenario(name)).values()
  expect(others).toEqual([])
  if (!session) throw new Error(`${name} has no session`)
  return session
}

const told = (turns: readonly FoldedTurn[]) =>
  turns.map(({ prompt, ending, calls }) => [prompt?.slice(-7), ending, calls])

describe.skipIf(corpus === undefined)('the scenarios of client 1.0.41', () => {
  test('a: two turns, the second resumed', async () => {
    const { turns, drafts, counted } = await only('a-two-turns')
    expect(told(turns)).toEqual([
      [
        'ref A1)',
        'answered',
        ['run_terminal_command 0', 'todo_write', 'write', 'read_file', 'search_replace', 'run_terminal_command 3'],
      ],
      ['ref A2)', 'answered', ['run_terminal_command 0', 'run_terminal_command 0']],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('b: two interrupts, told at the resume after them', async () => {
    const { turns, drafts, counted } = await only('b-interrupt')
    expect(told(turns)).toEqual([
      ['ref B1)', 'interrupted', []],
      ['ref B2)', 'interrupted', ['run_terminal_command']],
      ['ref B3)', 'answered', []],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('c: the subagent is a child of its own, whose usage is not counted twice', async () => {
    const sessions = await scenario('c-subagent')
    const parent = sessions.get('01a22db9-b741-7f53-8916-e240aa0acfee')
    const child = sessions.get('01a22db9-b785-7262-9012-c58317c0bc98')
    expect(sessions.size).toBe(2)
    expect(told(parent?.turns ?? [])).toEqual([['ref C1)', 'answered', ['spawn_subagent']]])
    expect(told(child?.turns ?? [])).toEqual([['ref C2)', 'answered', ['run_terminal_command 0']]])
    expect(parent?.facts).toContainEqual({
      nativeId: '01a22db9-b785-7262-9012-c58317c0bc98',
      parent: {
        nativeId: '01a22db9-b741-7f53-8916-e240aa0acfee',
        relation: 'subagent',
        callId: 'call_DkLj7svo2N4ZqWDSDg0fI9A2',
      },
    })
    // The parent's figures hold the child's: 4 calls of the model in 2 rounds.
    expect(usageTotals([...(parent?.drafts ?? []), ...(child?.drafts ?? [])])).toMatchObject(child?.counted ?? {})
  })

  test('d: compactions are no turns, nor is the command for one', async () => {
    const { turns, drafts, counted } = await only('d-compact')
    expect(told(turns)).toEqual([
      ['ref D1)', 'answered', ['run_terminal_command 0']],
      ['ref D2)', 'answered', ['run_terminal_command 0']],
      ['ref D3)', 'answered', []],
    ])
    expect(drafts.filter(({ type }) => type === 'compaction')).toHaveLength(2)
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('e: a retried request is answered, a refused one fails', async () => {
    const { turns, drafts, counted } = await only('e-error')
    expect(told(turns)).toEqual([
      ['ref E1)', 'answered', []],
      ['ref E2)', 'failed', []],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('f: MCP tools are called through a tool of the client', async () => {
    const { turns, drafts, counted } = await only('f-mcp')
    expect(told(turns)).toEqual([
      ['ref F1)', 'answered', ['search_tool', 'probe/echo', 'probe/add', 'probe/fail failed']],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('g: a terminal session that was left in the middle of an answer', async () => {
    const { turns, drafts, counted } = await only('g-terminal')
    expect(told(turns)).toEqual([
      ['ref G1)', 'answered', ['run_terminal_command 0']],
      ['ref G2)', undefined, []],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })
})
