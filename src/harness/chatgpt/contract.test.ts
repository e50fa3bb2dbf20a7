import { test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { chatgpt } from './index.ts'

const root = 'test/fixtures/chatgpt/export'

harnessContract(chatgpt, [{ root, path: 'conversations.json' }])

test('the fixture reads as its golden file says', () => expectGolden(chatgpt, root, 'export'))
