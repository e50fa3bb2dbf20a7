import { join } from 'node:path'
import { describe, test } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { expectGolden } from '../golden.testing.ts'
import { opencode } from './index.ts'
import { makeDatabase, makeStorage, temporaryFolder } from './testing.ts'

const folder = temporaryFolder()
const root = (name: string): string => join(folder, name)
makeDatabase('opencode/current.sql', join(root('current'), 'opencode.db'))
makeDatabase('opencode/first.sql', join(root('first'), 'opencode.db'))
makeStorage(root('storage'))

harnessContract(opencode, [
  { root: root('current'), path: 'opencode.db', copy: 'opencode-local.db' },
  { root: root('first'), path: 'opencode.db', copy: 'opencode-local.db' },
  { root: root('storage'), path: 'storage/session/prj/ses_boat.json' },
  { root: root('storage'), path: 'project/home-kim-raft/storage/session/info/ses_raft.json' },
])

describe('every fixture reads as its golden file says', () => {
  test.each(['current', 'first', 'storage'])('%s', (name) => expectGolden(opencode, root(name), name))
})
