import { join } from 'node:path'
import { test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { copilotCli } from './index.ts'

const ROOT = join('test', 'fixtures', 'copilot-cli', 'session-state')

harnessContract(copilotCli, [
  { root: ROOT, path: 'c0b10700-0000-4000-8000-000000000001/events.jsonl', copy: 'copy/events.jsonl' },
  { root: ROOT, path: 'c0b10700-0000-4000-8000-000000000002.jsonl', copy: 'copy.jsonl' },
])

test('the fixtures read as their golden file says', () => expectGolden(copilotCli, ROOT, 'session-state'))
