/** Reads the shared corpus; passes, and says so, where it is missing. */

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kindsLeftUnknown } from '../contract.suite.ts'
import { foldTurns, readFileOf, readWith, transcriptsAt, usageTotals, valuesOf } from '../reading.testing.ts'
import { kiroCli } from './index.ts'
import { readSessionNote } from './session-note.ts'

const shared = resolve(import.meta.dirname, '../../../../shared')
const folders = [
  join(shared, 'corpus', 'kiro-cli', 'eric-tramel+moraine', 'fixtures', 'kiro'),
  join(shared, 'conformance', 'harness-fixtures', 'kiro'),
]

describe.skipIf(!folders.every((folder) => existsSync(folder)))('the shared corpus', () => {
  test.each(folders.map((folder) => [folder.slice(shared.length + 1), join(folder, 'session.jsonl')]))(
    '%s reads, in halves as at once, and each record gives a draft',
    async (_name, path) => {
      for (const file of transcriptsAt(kiroCli, path)) {
        const values = await valuesOf(kiroCli, file)
        const whole = readWith(kiroCli, file, values)
        expect(whole.records.map((drafts) => drafts.length > 0)).toEqual(values.map(() => true))
        for (let cut = 0; cut <= values.length; cut++) expect(readWith(kiroCli, file, values, { cut })).toEqual(whole)
        // Its makers put in a record of the future to see what becomes of it.
        expect(await kindsLeftUnknown(kiroCli, [file], (record) => (record as { kind: string }).kind)).toEqual([
          'FutureRecord',
        ])
      }
    },
  )

  test('one prompt with a picture, reasoning, a call with its result, and an answer', async () => {
    const path = join(folders[1] ?? '', 'session.jsonl')
    const { drafts, sessions } = await readFileOf(kiroCli, path)
    expect(drafts.map(({ type }) => type)).toEqual([
      'user_input',
      'reasoning',
      'assistant_response',
      'tool_call',
      'tool_response',
      'assistant_response',
      'compaction',
      'unknown',
    ])
    expect(foldTurns(drafts)).toMatchObject([
      { ending: 'answered', answer: 'The function currently returns 42.', calls: ['read_file'] },
    ])
    expect(sessions).toMatchObject([{ title: 'Inspect current behavior', cwd: '/work/kiro-demo' }])
  })

  test('tokens are the sum of the turns beside the log', () => {
    const path = join(folders[1] ?? '', 'session.jsonl')
    const note: unknown = JSON.parse(readFileSync(path.replace('.jsonl', '.json'), 'utf8'))
    const { drafts } = readSessionNote(note, { source: 'kiro', path, relative: 'session.jsonl', modifiedAt: 0 })
    expect(usageTotals(drafts)).toMatchObject({ input: 150, output: 63 })
  })
})
