/** Real transcripts of both kinds, and what 0.61 wrote when driven by a scripted model; skipped without ../shared. */

import { describe, expect, test } from 'vitest'
import type { Draft } from '../../core/event.ts'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { type FoldedTurn, foldTurns, readFileOf, transcriptsAt, usageTotals } from '../reading.testing.ts'
import { geminiCli } from './index.ts'
import { corpusFolder, readFolder, settled, transcriptsBelow } from './testing.ts'

const corpus = corpusFolder()
const files = corpus === undefined ? [] : transcriptsBelow(corpus)

describe.skipIf(corpus === undefined)('every transcript of the shared corpus', () => {
  test('is there', () => expect(files.length).toBeGreaterThan(15))

  test.each(files.map(({ path, root }) => [path.slice(corpus?.length), path, root]))(
    '%s reads in halves as at once, and every record gives a draft',
    async (_name, path, root) => {
      const whole = await readFileOf(geminiCli, path, { root })
      expect(whole.records.every((drafts) => drafts.length > 0)).toBe(true)
      for (const part of [0.13, 0.5, 0.87]) {
        const cut = Math.floor(whole.records.length * part)
        expect(await readFileOf(geminiCli, path, { root, cut })).toEqual(whole)
      }
    },
  )

  test('leaves no kind of record unknown', async () => {
    const all = files.flatMap(({ path, root }) => transcriptsAt(geminiCli, path, { root }))
    expect(await kindsLeftUnknown(geminiCli, all)).toEqual([])
  })
})

/** Prompts, endings and calls of each session of a scenario, and what each cost. */
async function scenario(name: string): Promise<Map<string, { drafts: Draft[]; turns: FoldedTurn[] }>> {
  const sessions = new Map<string, Draft[]>()
  for (const { drafts } of await readFolder(corpusFolder('generated', 'gemini-cli-0.61.0', name) ?? '')) {
    for (const draft of drafts) sessions.set(draft.session, [...(sessions.get(draft.session) ?? []), draft])
  }
  return new Map(
    [...sessions].map(([id, drafts]) => [id, { drafts: settled(drafts), turns: foldTurns(settled(drafts)) }]),
  )
}

/** The one session of a scenario. */
async function only(name: string): Promise<{ drafts: Draft[]; turns: FoldedTurn[] }> {
  const [session, ...others] = (await scenario(name)).values()
  expect(others).toEqual([])
  return session ?? { drafts: [], turns: [] }
}

const told = (turns: readonly FoldedTurn[]) =>
  turns.map(({ prompt, ending, calls }) => [prompt?.slice(-7), ending, calls])

/** Tokens: what the file's last reading of each message adds up to, `cached` taken out of `input`. */
const cost = (input: number, output: number, cacheRead: number, reasoning: number) => ({
  input,
  output,
  cacheRead,
  cacheWrite: 0,
  reasoning,
})

describe.skipIf(corpus === undefined)('the scenarios of client 0.61', () => {
  test('a: two turns, the second resumed', async () => {
    const { turns, drafts } = await only('a-two-turns')
    expect(told(turns)).toEqual([
      [
        'ref A1)',
        'answered',
        ['run_shell_command 0', 'write_todos', 'write_file', 'read_file', 'replace', 'run_shell_command 3'],
      ],
      ['ref A2)', 'answered', ['run_shell_command 0', 'run_shell_command 0']],
    ])
    expect(usageTotals(drafts)).toEqual(cost(33004, 474, 83244, 53))
  })

  test('b: both interrupts are seen at the resume after them; 19: the stub of a resume makes no turn', async () => {
    const { turns, drafts } = await only('b-interrupt')
    expect(told(turns)).toEqual([
      ['ref B1)', 'exited', []],
      ['ref B2)', 'exited', []],
      ['ref B3)', 'answered', []],
    ])
    expect(usageTotals(drafts)).toEqual(cost(14642, 55, 9787, 0))
  })

  test('c: the subagent is a child of its own', async () => {
    const sessions = await scenario('c-subagent')
    const child = sessions.get('5c2147bb-3eeb-4f0c-ac3f-92718def54da')
    const parent = sessions.get('b91b0969-47c3-4e01-883d-fd3fda4555a3')
    expect(sessions.size).toBe(2)
    expect(told(parent?.turns ?? [])).toEqual([['ref C1)', 'answered', ['invoke_agent']]])
    expect(told(child?.turns ?? [])).toEqual([['ref C2)', 'answered', ['run_shell_command 0', 'complete_task']]])
    expect(usageTotals(parent?.drafts ?? [])).toEqual(cost(14656, 76, 9866, 9))
    expect(usageTotals(child?.drafts ?? [])).toEqual(cost(14201, 71, 9542, 8))
  })

  test('d: three prompts and a slash command, which a client without a screen sends to the model', async () => {
    const { turns, drafts } = await only('d-compact')
    expect(told(turns)).toEqual([
      ['ref D1)', 'answered', ['run_shell_command 0']],
      // Its usage is made up: 40 tokens for a text of 18 bytes, so a call seems to have followed.
      ['ref D2)', 'exited', ['run_shell_command 0']],
      ['ompress', 'answered', []],
      ['ref D3)', 'answered', []],
    ])
    expect(usageTotals(drafts)).toEqual(cost(221678, 1004, 35979, 8))
  })

  test('e: a retried request is answered, a refused one fails', async () => {
    const { turns, drafts } = await only('e-error')
    expect(told(turns)).toEqual([
      ['ref E1)', 'answered', []],
      ['ref E2)', 'failed', []],
    ])
    expect(usageTotals(drafts)).toEqual(cost(12180, 14, 0, 0))
  })

  test('f: tools of the server, the third refused', async () => {
    const { turns, drafts } = await only('f-mcp')
    expect(told(turns)).toEqual([['ref F1)', 'answered', ['probe/echo', 'probe/add', 'probe/fail failed']]])
    expect(usageTotals(drafts)).toEqual(cost(20284, 84, 30725, 9))
  })

  test('g: a terminal session, with Escape and a compaction', async () => {
    const { turns, drafts } = await only('g-terminal')
    expect(told(turns)).toEqual([
      ['ref G1)', 'answered', ['run_shell_command 0']],
      ['ref G2)', 'interrupted', []],
      ['ref G3)', 'answered', []],
    ])
    expect(drafts.filter(({ type }) => type === 'compaction')).toHaveLength(1)
    expect(usageTotals(drafts)).toEqual(cost(18101, 58, 20941, 8))
  })
})
