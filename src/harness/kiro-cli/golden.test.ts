import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'
import { expectGolden } from '../golden.testing.ts'
import { kiroCli } from './index.ts'
import { layOut } from './testing.ts'

const folder = layOut()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('every fixture reads as its golden file says', () => {
  test.each(['sessions', 'data'])('%s', (name) => expectGolden(kiroCli, join(folder, name), name))
})
