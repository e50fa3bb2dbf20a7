import { test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { claudeWeb } from './index.ts'

const root = 'test/fixtures/claude-web/export'

harnessContract(claudeWeb, [{ root, path: 'conversations.json' }])

test('the fixture reads as its golden file says', () => expectGolden(claudeWeb, root, 'export'))
