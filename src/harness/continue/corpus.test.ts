/** What client 1.5.47 wrote in six scenarios. Of stopped and failed turns it keeps nothing. */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { filesBelow } from '../golden.testing.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals, valuesOf } from '../reading.testing.ts'
import { continueHarness } from './index.ts'

const corpus = resolve('..', 'shared', 'corpus', 'continue', 'generated', 'continue-1.5.47')

function transcripts(scenario = ''): string[] {
  return filesBelow(join(corpus, scenario)).filter((path) => /[0-9a-f-]{36}\.json$/.test(path))
}

async function scenario(name: string) {
  const [path = ''] = transcripts(name)
  const { drafts, sessions } = await readFileOf(continueHarness, path)
  const turns = foldTurns(drafts).map(({ prompt, ending, calls }) => ({ prompt: prompt?.slice(-4, -1), ending, calls }))
  return { drafts, sessions, turns, usage: usageTotals(drafts) }
}

describe.skipIf(!existsSync(corpus))('the scenarios of client 1.5.47', () => {
  test('read in halves as well as at once, and leave nothing unknown', async () => {
    for (const path of transcripts()) {
      const files = transcriptsAt(continueHarness, path)
      expect(await kindsLeftUnknown(continueHarness, files)).toEqual([])
      for (const file of files) {
        const values = await valuesOf(continueHarness, file)
        const whole = readWith(continueHarness, file, values)
        for (let cut = 0; cut < values.length; cut++)
          expect(readWith(continueHarness, file, values, { cut })).toEqual(whole)
      }
    }
    expect(transcripts().length).toBe(6)
  })

  test('a: two turns, the second resumed', async () => {
    const { turns, usage, sessions, drafts } = await scenario('a-two-turns')
    expect(turns).toEqual([
      { prompt: ' A1', ending: 'answered', calls: ['Bash 0', 'Checklist', 'Write', 'Read', 'Edit', 'Bash 3'] },
      { prompt: ' A2', ending: 'answered', calls: ['Bash 0', 'Bash 0'] },
    ])
    expect(sessions).toEqual([{ nativeId: '08ebc2e3-7b6c-4f40-902f-0e1d8b915116', cwd: '/home/dev1/work/demo' }])
    // The document's own sums: 21426 tokens of prompts, 395 of answers. It counts no cached ones; the messages do.
    const cached = 1604 + 1684 + 1796 + 1892 + 2046 + 2129 + 2174 + 2311
    expect(usage).toEqual({
      input: 21426 - cached,
      output: 395,
      cacheRead: cached,
      cacheWrite: 0,
      reasoning: 19 + 14 + 12 + 8,
    })
    expect(drafts[0]?.at).toBe(1796063125948)
  })

  test('b, c, e: what is left of turns that were stopped, handed on or refused', async () => {
    for (const [name, ref, prompt, answer] of [
      ['b-interrupt', ' B3', 1870, 13],
      ['c-subagent', ' C1', 1876, 18],
      ['e-error', ' E1', 1866, 14],
    ] as const) {
      const { turns, usage } = await scenario(name)
      expect(turns).toEqual([{ prompt: ref, ending: 'answered', calls: [] }])
      expect([usage.input, usage.output]).toEqual([prompt, answer])
    }
  })

  test('d: a compaction leaves no trace', async () => {
    const { turns, usage } = await scenario('d-compact')
    expect(turns.map(({ ending, calls }) => [ending, calls])).toEqual([
      ['answered', ['Bash 0']],
      ['answered', ['Bash 0']],
      ['answered', []],
    ])
    expect([usage.input + usage.cacheRead, usage.output]).toEqual([213912, 989])
  })

  test('f: tools of an MCP server have bare names, and one that fails looks like one that does not', async () => {
    const { turns, usage, drafts } = await scenario('f-mcp')
    expect(turns[0]?.calls).toEqual(['echo', 'add', 'fail'])
    const answers = drafts.filter(({ type }) => type === 'tool_response').map(({ text }) => text)
    expect(answers).toEqual(['echo: hello probe', '{"sum":42}', 'this tool always fails'])
    expect([usage.input + usage.cacheRead, usage.output]).toEqual([8532, 75])
  })
})
