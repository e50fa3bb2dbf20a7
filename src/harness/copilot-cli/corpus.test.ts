/** What client 1.0.102 wrote when driven by a scripted model; skipped without ../shared. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Draft, SessionFacts } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { fields } from '../fields.ts'
import { type FoldedTurn, foldTurns, readFileOf, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { copilotCli } from './index.ts'
import { corpusFolder, transcriptsBelow } from './testing.ts'

const corpus = corpusFolder()
const files = corpus === undefined ? [] : transcriptsBelow(corpus)

describe.skipIf(corpus === undefined)('every transcript of the shared corpus', () => {
  test('is there', () => expect(files).toHaveLength(6))

  test.each(files.map(({ path, root }) => [path.slice(corpus?.length), path, root]))(
    '%s reads in halves as at once, and every record gives a draft',
    async (_name, path, root) => {
      const whole = await readFileOf(copilotCli, path, { root })
      expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
      for (const part of [0.13, 0.5, 0.87]) {
        const cut = Math.floor(whole.records.length * part)
        expect(await readFileOf(copilotCli, path, { root, cut })).toEqual(whole)
      }
    },
  )

  test('leaves no kind of record unknown', async () => {
    const all = files.flatMap(({ path, root }) => transcriptsAt(copilotCli, path, { root }))
    expect(await kindsLeftUnknown(copilotCli, all)).toEqual([])
  })
})

interface Scenario {
  drafts: Draft[]
  facts: SessionFacts[]
  /** Turns of the main session. */
  turns: FoldedTurn[]
  /** What the client counted itself, in its last shutdown. */
  counted: { input: number; output: number; cacheRead: number; reasoning: number }
}

async function scenario(name: string): Promise<Scenario> {
  const [file, ...others] = transcriptsBelow(corpusFolder(name) ?? '')
  if (!file || others.length > 0) throw new Error(`${name} is not one session`)
  const { drafts, sessions } = await readFileOf(copilotCli, file.path, { root: file.root })
  const main = drafts[0]?.session
  return {
    drafts,
    facts: sessions,
    turns: foldTurns(drafts.filter(({ session }) => session === main)),
    counted: countedIn(readFileSync(file.path, 'utf8')),
  }
}

function countedIn(text: string): Scenario['counted'] {
  const shutdowns = text.split('\n').filter((line) => line.includes('"session.shutdown"'))
  const data = fields(fields(JSON.parse(shutdowns.at(-1) ?? '{}'))['data'])
  const usage = fields(fields(fields(fields(data['accountingSnapshot'])['modelMetrics'])['mock-large'])['usage'])
  const cacheRead = Number(usage['cacheReadTokens'])
  return {
    input: Number(usage['inputTokens']) - cacheRead,
    output: Number(usage['outputTokens']),
    cacheRead,
    reasoning: Number(usage['reasoningTokens']),
  }
}

const told = (turns: readonly FoldedTurn[]) =>
  turns.map(({ prompt, ending, calls }) => [prompt?.slice(-7), ending, calls])

describe.skipIf(corpus === undefined)('the scenarios of client 1.0.102', () => {
  test('a: two turns, the second resumed', async () => {
    const { turns, drafts, counted } = await scenario('a-two-turns')
    expect(told(turns)).toEqual([
      ['ref A1)', 'answered', ['bash 0', 'create', 'view', 'edit', 'bash 3']],
      ['ref A2)', 'answered', ['bash 0', 'bash 0']],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('b: an answer cut short, a command cut short, and an answer', async () => {
    const { turns, drafts, counted } = await scenario('b-interrupt')
    expect(told(turns)).toEqual([
      ['ref B1)', 'interrupted', []],
      ['ref B2)', 'interrupted', ['bash']],
      ['ref B3)', 'answered', []],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('c: the subagent, whose events stand among its parent’s, is a child of its own', async () => {
    const { turns, drafts, facts, counted } = await scenario('c-subagent')
    const parent = '4b8cb904-4325-497e-ac6b-7406d1a0053b'
    const child = `${parent}/agent-be91ab44-3972-4901-9f50-14ecd636ed45`
    expect(new Set(drafts.map(({ session }) => session))).toEqual(new Set([parent, child]))
    expect(told(turns)).toEqual([['ref C1)', 'answered', ['task']]])
    const own = drafts.filter(({ session }) => session === child)
    expect(told(foldTurns(own))).toEqual([['ref C2)', 'answered', ['bash 0']]])
    expect(facts.find(({ nativeId }) => nativeId === child)?.parent).toEqual({
      nativeId: parent,
      relation: 'subagent',
      callId: 'call_2KR4If7seMvn9NTNM5yHg4Pj',
    })
    expect(usageTotals(drafts)).toMatchObject(counted)
    // 11,612 and 11,723 of the prompt, 9,378 of them cached.
    expect(usageTotals(own)).toEqual({ input: 13957, output: 50, cacheRead: 9378, cacheWrite: 0, reasoning: 8 })
  })

  test('d: a compaction that was cancelled is none', async () => {
    const { turns, drafts, counted } = await scenario('d-compact')
    expect(told(turns)).toEqual([
      ['ref D1)', 'answered', ['bash 0']],
      ['ref D2)', 'answered', ['bash 0']],
      ['ref D3)', 'answered', []],
    ])
    expect(drafts.filter(({ type }) => type === 'compaction')).toEqual([])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('e: a retried request is answered, a refused one fails', async () => {
    const { turns, drafts, counted } = await scenario('e-error')
    expect(told(turns)).toEqual([
      ['ref E1)', 'answered', []],
      ['ref E2)', 'failed', []],
    ])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })

  test('f: MCP tools carry their server', async () => {
    const { turns, drafts, counted } = await scenario('f-mcp')
    expect(told(turns)).toEqual([['ref F1)', 'answered', ['probe/echo', 'probe/add', 'probe/fail failed']]])
    expect(usageTotals(drafts)).toMatchObject(counted)
  })
})
