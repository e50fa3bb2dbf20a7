import { join } from 'node:path'
import { test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { grokCli } from './index.ts'

const ROOT = join('test', 'fixtures', 'grok-cli', 'sessions')
const FOLDER = '%2Fhome%2Fada%2Fgarden'

harnessContract(grokCli, [
  {
    root: ROOT,
    path: `${FOLDER}/01a10000-0000-7000-8000-000000000001/updates.jsonl`,
    copy: `${FOLDER}/copy/updates.jsonl`,
  },
  { root: ROOT, path: `${FOLDER}/01a10000-0000-7000-8000-000000000002/updates.jsonl` },
])

test('the fixtures read as their golden file says', () => expectGolden(grokCli, ROOT, 'sessions'))
