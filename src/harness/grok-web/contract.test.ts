import { test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { grokWeb } from './index.ts'

const root = 'test/fixtures/grok-web/export'

harnessContract(grokWeb, [{ root, path: 'prod-grok-backend.json' }])

test('the fixture reads as its golden file says', () => expectGolden(grokWeb, root, 'export'))
