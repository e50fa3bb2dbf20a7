import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { qwenCode } from './index.ts'

const FIXTURES = 'test/fixtures/qwen-code'
const PROJECT = '-home-ada-garden'
const SESSION = '9a11e000-0000-4000-8000-000000000001'

harnessContract(qwenCode, [
  {
    root: `${FIXTURES}/conversation/projects`,
    path: `${PROJECT}/chats/${SESSION}.jsonl`,
    copy: `${PROJECT}/chats/copy.jsonl`,
  },
  {
    root: `${FIXTURES}/conversation/projects`,
    path: `${PROJECT}/subagents/${SESSION}/agent-explore-call_9.jsonl`,
  },
  { root: `${FIXTURES}/branch/projects`, path: `${PROJECT}/chats/9a11e000-0000-4000-8000-000000000002.jsonl` },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['conversation', 'branch'])('%s', (name) => expectGolden(qwenCode, join(FIXTURES, name, 'projects'), name))
})
