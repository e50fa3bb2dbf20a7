import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { harnessContract } from '../contract.suite.ts'
import { cursor } from './index.ts'
import { CHAT, EDITOR, layOut, OLD_TRANSCRIPT, SUBAGENT, TRANSCRIPT, WORKSPACE } from './testing.ts'

const folder = layOut()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const projects = join(folder, 'projects')
const editor = join(folder, 'editor')

harnessContract(cursor, [
  { root: projects, path: TRANSCRIPT },
  { root: projects, path: SUBAGENT },
  { root: projects, path: OLD_TRANSCRIPT },
  { root: editor, path: EDITOR, source: 'cursor-sqlite', copy: 'copy/state.vscdb' },
  { root: editor, path: WORKSPACE, source: 'cursor-sqlite' },
  { root: join(folder, 'chats'), path: CHAT, source: 'cursor-sqlite', copy: 'copy/other/store.db' },
])
