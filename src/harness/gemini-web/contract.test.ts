import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { geminiWeb } from './index.ts'

const root = 'test/fixtures/gemini-web'

harnessContract(geminiWeb, [
  { root: `${root}/studio`, path: 'Slug traps.json' },
  { root: `${root}/activity`, path: 'MyActivity.json' },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['studio', 'activity'])('%s', (name) => expectGolden(geminiWeb, `${root}/${name}`, name))
})
