import { test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { continueHarness } from './index.ts'

const root = 'test/fixtures/continue/sessions'

harnessContract(continueHarness, [
  { root, path: 'c0c0c0c0-0000-4000-8000-00000000000a.json', copy: 'c0c0c0c0-0000-4000-8000-00000000000c.json' },
  { root, path: 'c0c0c0c0-0000-4000-8000-00000000000b.json' },
])

test('the fixtures read as their golden file says', () => expectGolden(continueHarness, root, 'sessions'))
