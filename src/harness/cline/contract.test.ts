import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { cline } from './index.ts'

const FIXTURES = 'test/fixtures/cline'
const SESSION = '1767600000000_kites'

harnessContract(cline, [
  { root: `${FIXTURES}/sessions`, path: `${SESSION}/${SESSION}.messages.json` },
  { root: `${FIXTURES}/sessions`, path: `${SESSION}/agent_1767600003000_bows.messages.json` },
  { root: `${FIXTURES}/tasks`, path: '1767700000000/ui_messages.json', source: 'cline-vscode' },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['sessions', 'tasks'])('%s', (name) => expectGolden(cline, join(FIXTURES, name), name))
})
