import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { kimiCli } from './index.ts'

const FIXTURES = 'test/fixtures/kimi-cli'
const CODE = `${FIXTURES}/code/sessions`
const CLI = `${FIXTURES}/cli/sessions`
const SESSION = 'wd_garden_0123456789ab/session_0c0de000-0000-4000-8000-000000000001'
const GARDEN = '604832f98bd701fe6dac4efac5537c6b'

harnessContract(kimiCli, [
  { root: CODE, path: `${SESSION}/agents/main/wire.jsonl`, source: 'kimi-code' },
  { root: CODE, path: `${SESSION}/agents/agent-0/wire.jsonl`, source: 'kimi-code' },
  { root: CLI, path: `${GARDEN}/0c0de000-0000-4000-8000-000000000002/wire.jsonl` },
  { root: CLI, path: `${GARDEN}/0c0de000-0000-4000-8000-000000000002/context.jsonl` },
  { root: CLI, path: `${GARDEN}/0c0de000-0000-4000-8000-000000000003.jsonl` },
  { root: CLI, path: `${GARDEN}/0c0de000-0000-4000-8000-000000000003_read_1.jsonl` },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['code', 'cli'])('%s', (name) => expectGolden(kimiCli, `${FIXTURES}/${name}/sessions`, name))
})
