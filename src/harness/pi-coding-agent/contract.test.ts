import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { piCodingAgent } from './index.ts'

const FIXTURES = 'test/fixtures/pi-coding-agent'
const GARDEN = '--home-ada-garden--/2026-05-01T10-00-00-000Z_5e551010-0000-7000-8000-000000000001'
const ORCHARD = '-orchard/2026-06-01T10-00-00-000Z_6a7c0000'

harnessContract(piCodingAgent, [
  { root: `${FIXTURES}/pi`, path: `${GARDEN}.jsonl`, copy: '--home-ada-garden--/copy.jsonl' },
  {
    root: `${FIXTURES}/pi`,
    path: '--home-ada-garden--/2026-05-01T12-00-00-000Z_5e551010-0000-7000-8000-000000000002.jsonl',
  },
  {
    root: `${FIXTURES}/pi`,
    path: '--home-ada-garden--/2025-11-01T12-00-00-000Z_5e551010-0000-4000-8000-000000000003.jsonl',
  },
  { root: `${FIXTURES}/omp`, path: `${ORCHARD}.jsonl`, source: 'omp' },
  { root: `${FIXTURES}/omp`, path: `${ORCHARD}/CountTrees.jsonl`, source: 'omp' },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['pi', 'omp'])('%s', (name) => expectGolden(piCodingAgent, join(FIXTURES, name), name))
})
