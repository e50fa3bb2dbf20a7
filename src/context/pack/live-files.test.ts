import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskDocumentFiles } from '../documents/document-files.ts'
import { openLiveFiles } from './live-files.ts'
import { filesInMemory } from './pack.testing.ts'

const inMemory = (content: string) => openLiveFiles(filesInMemory(new Map([['/p/a.md', content]])), 10_000)
const file = { root: '/p', path: 'a.md' }

describe('19: the line of a text in a live file', () => {
  it('is found again, whatever white space became of it, the nearest of several first', () => {
    const live = inMemory('\ufeffUse a VM.\r\n\r\nNo Docker.\r\n- Use a\r\n  VM.\r\n')
    expect(live.lineOf(file, 'Use a VM.', 1)).toBe(1)
    expect(live.lineOf(file, 'Use a VM.', 9)).toBe(4)
    expect(live.lineOf(file, 'No Docker.', 40)).toBe(3)
    expect(live.lineOf(file, 'Use VM.', 1)).toBeUndefined()
    expect(live.lineOf(file, ' ', 1)).toBeUndefined()
    expect(live.lineOf({ root: '/p', path: 'b.md' }, 'Use', 1)).toBeUndefined()
  })

  it('is found in time in proportion to the file', () => {
    expect(inMemory('a '.repeat(5_000)).lineOf(file, `${'a '.repeat(200)}b`, 1)).toBeUndefined()
  })
})

describe('on disk', () => {
  let root: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'varve-live-')))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('nothing is read through a link that leads out of the root, and nothing that is gone', () => {
    mkdirSync(join(root, 'project'))
    mkdirSync(join(root, 'outside'))
    writeFileSync(join(root, 'outside/secret.md'), 'secret')
    writeFileSync(join(root, 'project/own.md'), 'own')
    symlinkSync(join(root, 'outside'), join(root, 'project/docs'), 'junction')
    const live = openLiveFiles(diskDocumentFiles, 10_000)
    const project = join(root, 'project').replaceAll('\\', '/')
    expect(live.lineOf({ root: project, path: 'own.md' }, 'own', 1)).toBe(1)
    for (const path of ['docs/secret.md', '../outside/secret.md', 'gone.md']) {
      expect(live.exists({ root: project, path }), path).toBe(false)
    }
  })
})
