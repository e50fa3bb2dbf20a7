import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { makeDatabase, temporaryFolder } from '../opencode/testing.ts'
import { hermes } from './index.ts'

const FIXTURES = 'test/fixtures/hermes'
const folder = temporaryFolder()
makeDatabase('hermes/state.sql', join(folder, 'database', 'state.db'))
cpSync(join(FIXTURES, 'home'), join(folder, 'document'), { recursive: true })

harnessContract(hermes, [
  { root: join(folder, 'database'), path: 'state.db', copy: 'profiles/work/state.db' },
  {
    root: join(folder, 'document'),
    path: 'sessions/session_20260501_100000_beds.json',
    copy: 'profiles/work/sessions/session_copy.json',
  },
  { root: `${FIXTURES}/trajectories`, path: '001.jsonl', source: 'hermes-trajectories', copy: '002.jsonl' },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['database', 'document'])('%s', (name) => expectGolden(hermes, join(folder, name), name))
  test('trajectories', () => expectGolden(hermes, join(FIXTURES, 'trajectories'), 'trajectories'))
})
