import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { geminiCli } from './index.ts'

const FIXTURES = 'test/fixtures/gemini-cli'
const SESSION = '5e551010-0000-4000-8000-000000000001'

harnessContract(geminiCli, [
  {
    root: `${FIXTURES}/journal/tmp`,
    path: 'garden/chats/session-2026-05-01T10-00-5e551010.jsonl',
    copy: 'garden/chats/session-2026-05-01T10-01-5e551010.jsonl',
  },
  { root: `${FIXTURES}/journal/tmp`, path: `garden/chats/${SESSION}/5e551010-0000-4000-8000-000000000002.jsonl` },
  {
    root: `${FIXTURES}/document/tmp`,
    path: 'orchard/chats/session-2026-02-01T08-00-5e551010.json',
    copy: 'orchard/chats/session-2026-02-01T09-00-5e551010.json',
  },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['journal', 'document'])('%s', (name) => expectGolden(geminiCli, join(FIXTURES, name, 'tmp'), name))
})
