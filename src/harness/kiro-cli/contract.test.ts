import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { kiroCli } from './index.ts'
import { DATABASE, layOut, SESSION_LOG, SUBAGENT_LOG, WORKSPACE_LOG } from './testing.ts'

const folder = layOut()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sessions = join(folder, 'sessions')

harnessContract(kiroCli, [
  { root: sessions, path: SESSION_LOG },
  { root: sessions, path: WORKSPACE_LOG },
  { root: sessions, path: SUBAGENT_LOG },
  { root: join(folder, 'data'), path: DATABASE, copy: 'copy/data.sqlite3' },
])
