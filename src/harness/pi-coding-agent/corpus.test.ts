/** Real transcripts, and what 1.6.0 wrote when driven by a scripted model; skipped without ../shared. */

import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { type FoldedTurn, foldTurns, readFileOf, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { piCodingAgent } from './index.ts'
import { corpusFolder, readFolder, transcriptsBelow } from './testing.ts'

const corpus = corpusFolder()
const files = corpus === undefined ? [] : transcriptsBelow(corpus)

describe.skipIf(corpus === undefined)('every transcript of the shared corpus', () => {
  test('is there', () => expect(files.length).toBeGreaterThan(11))

  test.each(files.map(({ path, root }) => [path.slice(corpus?.length), path, root]))(
    '%s reads in halves as at once, and every record gives a draft',
    async (_name, path, root) => {
      const whole = await readFileOf(piCodingAgent, path, { root })
      expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
      for (const part of [0.13, 0.5, 0.87]) {
        const cut = Math.floor(whole.records.length * part)
        expect(await readFileOf(piCodingAgent, path, { root, cut })).toEqual(whole)
      }
    },
  )

  test('leaves no kind of record unknown', async () => {
    const all = files.flatMap(({ path, root }) => transcriptsAt(piCodingAgent, path, { root }))
    expect(await kindsLeftUnknown(piCodingAgent, all)).toEqual([])
  })

  test('a session of 2025 that was forked holds 1,001 copied records and one of its own', async () => {
    const file = files.find(({ path }) => path.endsWith('before-compaction.jsonl'))
    const { records, sessions } = await readFileOf(piCodingAgent, file?.path ?? '', { root: file?.root ?? '' })
    expect(records.filter((drafts) => drafts.every(({ copied }) => copied))).toHaveLength(1001)
    expect(sessions[0]?.parent?.nativeId).toBe('d97339c6-6c10-4827-846b-9ff1d9c3dc37')
  })
})

/** The one session of a scenario. */
async function scenario(name: string): Promise<{ drafts: Draft[]; turns: FoldedTurn[] }> {
  const [session, ...others] = await readFolder(corpusFolder('generated', 'pi-1.6.0', name) ?? '')
  expect(others).toEqual([])
  const drafts = session?.drafts ?? []
  return { drafts, turns: foldTurns(drafts) }
}

const told = (turns: readonly FoldedTurn[]) =>
  turns.map(({ prompt, ending, calls }) => [prompt?.slice(-7), ending, calls])

/** Tokens: what the usage of all records of the file adds up to. */
const cost = (input: number, output: number, cacheRead: number, cacheWrite: number) => ({
  input,
  output,
  cacheRead,
  cacheWrite,
  reasoning: 0,
})

describe.skipIf(corpus === undefined)('the scenarios of client 1.6.0', () => {
  test('a: two turns, the second resumed', async () => {
    const { turns, drafts } = await scenario('a-two-turns')
    expect(told(turns)).toEqual([
      ['ref A1)', 'answered', ['bash 0', 'write', 'read', 'edit', 'bash 3']],
      ['ref A2)', 'answered', ['bash 0', 'bash 0']],
    ])
    expect(usageTotals(drafts)).toEqual(cost(2623, 360, 10980, 1512))
  })

  test('b: an interrupted run leaves no end', async () => {
    const { turns, drafts } = await scenario('b-interrupt')
    expect(told(turns)).toEqual([
      ['ref B1)', undefined, []],
      ['ref B2)', undefined, ['bash']],
      ['ref B3)', 'answered', []],
    ])
    expect(usageTotals(drafts)).toEqual(cost(292, 43, 2336, 292))
  })

  test('c: the client has no subagents', async () => {
    const { turns, drafts } = await scenario('c-subagent')
    expect(told(turns)).toEqual([['ref C1)', 'answered', []]])
    expect(usageTotals(drafts)).toEqual(cost(1247, 18, 0, 139))
  })

  test('d: full, but not compacted', async () => {
    const { turns, drafts } = await scenario('d-compact')
    expect(told(turns)).toEqual([
      ['ref D1)', 'answered', ['bash 0']],
      ['ref D2)', 'answered', ['bash 0']],
      ['ref D3)', 'answered', []],
    ])
    expect(drafts.filter(({ type }) => type === 'compaction')).toEqual([])
    expect(usageTotals(drafts)).toEqual(cost(203560, 989, 8537, 455))
  })

  test('d-compact-end: compacted after an answer, which stays answered', async () => {
    const { turns, drafts } = await scenario('d-compact-end')
    expect(told(turns)).toEqual([
      ['ref D1)', 'answered', ['bash 0']],
      ['ref D2)', 'answered', ['bash 0']],
      ['ref D3)', 'answered', []],
    ])
    expect(drafts.filter(({ type }) => type === 'compaction')).toHaveLength(1)
    expect(usageTotals(drafts)).toEqual(cost(192403, 1062, 3732, 683))
  })

  test('e: a retried request is answered, a refused one fails', async () => {
    const { turns, drafts } = await scenario('e-error')
    expect(told(turns)).toEqual([
      ['ref E1)', 'answered', []],
      ['ref E2)', 'failed', []],
    ])
    expect(turns[0]?.answer).toBe('Hello. The first try failed, the second went through.')
    expect(usageTotals(drafts)).toEqual(cost(1238, 14, 0, 138))
  })

  test('f: the client has no MCP', async () => {
    const { turns, drafts } = await scenario('f-mcp')
    expect(told(turns)).toEqual([['ref F1)', 'answered', []]])
    expect(usageTotals(drafts)).toEqual(cost(1250, 16, 0, 139))
  })

  test('g: a terminal session, with Escape', async () => {
    const { turns, drafts } = await scenario('g-terminal')
    expect(told(turns)).toEqual([
      ['ref G1)', 'answered', ['bash 0']],
      ['ref G2)', 'interrupted', []],
      ['ref G3)', 'answered', []],
    ])
    expect(usageTotals(drafts)).toEqual(cost(1697, 48, 3686, 600))
  })
})
