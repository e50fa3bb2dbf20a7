import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { primeAgent } from './index.ts'

const FIXTURES = 'test/fixtures/prime-agent'
const PARENT = '9a11e000-0000-4000-8000-000000000001'

harnessContract(primeAgent, [
  { root: `${FIXTURES}/sessions`, path: `${PARENT}.jsonl`, copy: '9a11e000-0000-4000-8000-00000000000f.jsonl' },
  {
    root: `${FIXTURES}/session-artifacts`,
    path: `${PARENT}/sub-0a1b2c3d/9a11e000-0000-4000-8000-000000000002.jsonl`,
    source: 'prime-agent-subagents',
  },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['sessions', 'session-artifacts'])('%s', (name) => expectGolden(primeAgent, join(FIXTURES, name), name))
})
