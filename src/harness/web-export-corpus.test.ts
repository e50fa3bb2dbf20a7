/** The exports of the shared corpus. All of them are single conversations, or lists of one. */

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatgpt } from './chatgpt/index.ts'
import { claudeWeb } from './claude-web/index.ts'
import { kindsLeftUnknown } from './contract.suite.ts'
import { geminiWeb } from './gemini-web/index.ts'
import { filesBelow } from './golden.testing.ts'
import { grokWeb } from './grok-web/index.ts'
import type { Harness } from './harness.ts'
import { foldTurns, readFileOf, transcriptsAt, usageTotals } from './reading.testing.ts'
import { corpusFolder, told } from './web-export.testing.ts'

const FOLDERS: [Harness, string][] = [
  [chatgpt, 'chatgpt-web'],
  [claudeWeb, 'claude-web'],
  [geminiWeb, 'gemini-web'],
  [grokWeb, 'grok'],
]

/** Another program's own envelope around a conversation: no web page gives such a file. */
const FOREIGN = /browser-capture/

const path = (corpus: string, name: string): string => join(corpusFolder(corpus) ?? '', name)

describe.skipIf(FOLDERS.some(([, name]) => corpusFolder(name) === undefined))('the corpus', () => {
  test.each(FOLDERS)('of $id: every file reads, and nothing is left unknown', async (harness, name) => {
    const files = filesBelow(path(name, '')).filter((file) => !FOREIGN.test(file))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const { drafts, sessions } = await readFileOf(harness, file)
      expect(drafts.filter(({ type }) => type === 'unknown')).toEqual([])
      expect(sessions.length).toBeGreaterThan(0)
      expect(foldTurns(drafts).filter(({ prompt }) => prompt !== undefined).length).toBeGreaterThan(0)
      expect(await kindsLeftUnknown(harness, transcriptsAt(harness, file))).toEqual([])
    }
  })

  test('a conversation of ChatGPT with an abandoned answer, thoughts, a tool and files', async () => {
    const reading = await readFileOf(chatgpt, path('chatgpt-web', 'fixtures/chatgpt/native-conversation-v1.json'))
    expect(told(reading)).toEqual([
      'Privacy-safe fixture profile.\nPreserve structured provider evidence.',
      'Analyze the attached fixture and create an artifact.\n[image]\n[file input.txt]',
      '(Superseded answer.)',
      'Privacy-safe reasoning trace.',
      '{"query":"fixture evidence"}'.slice(10, -2),
      'Privacy-safe tool result.',
      'Privacy-safe reasoning summary.',
      'Final answer. [Download artifact](sandbox:/mnt/data/fixture-result.zip)\n[image]',
    ])
    expect(foldTurns(reading.drafts).map(({ ending, calls }) => ({ ending, calls }))).toEqual([
      { ending: 'answered', calls: ['browser.search'] },
    ])
    expect(reading.drafts.at(-1)).toMatchObject({ model: 'gpt-5-6-pro', at: 1784169733000 })
  })

  test('prompts of AI Studio: turns, code that ran, tokens written', async () => {
    const read = (name: string) => readFileOf(geminiWeb, path('gemini-web', `data/gemini_chunked_prompt/${name}.json`))
    const { drafts, sessions } = await read('code_execution_session')
    expect(sessions).toEqual([{ nativeId: 'gemini-code-1', title: 'Code execution' }])
    expect(foldTurns(drafts)).toMatchObject([
      { ending: 'answered', calls: ['code_execution'], answer: 'The sum of 1..10 is 55.' },
    ])
    expect(usageTotals(drafts).output).toBe(12)
    const turns = foldTurns((await read('multi_turn_prompt')).drafts)
    expect(turns.map((turn) => turn.prompt)).toEqual(['Summarize this doc.\n[file report.pdf]', 'And the risks?'])
    expect(foldTurns((await read('branching_session')).drafts)[0]?.ending).toBe('failed')
    expect(foldTurns((await read('multimodal_session')).drafts).length).toBe(1)
  })
})
