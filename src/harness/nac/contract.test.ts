import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { makeDatabase, temporaryFolder } from '../opencode/testing.ts'
import { nac } from './index.ts'

const folder = temporaryFolder()
makeDatabase('nac/store.sql', join(folder, 'store.db'))

harnessContract(nac, [{ root: folder, path: 'store.db' }])

describe('the fixture reads as its golden file says', () => {
  test('store', () => expectGolden(nac, folder, 'store'))
})
