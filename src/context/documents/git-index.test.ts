import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { encodeIndex, makeProject } from './documents.testing.ts'
import { parseGitIndex } from './git-index.ts'

const all = (path: string) => path
const none = () => undefined

describe("Git's index", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[a-zé]{1,3}(\/[a-z]{1,200}){0,3}$/), { maxLength: 30 })

  it('gives the paths that were put in, in all versions and both hash lengths', () => {
    fc.assert(
      fc.property(names, fc.constantFrom(2, 3, 4), fc.constantFrom(20, 32), (paths, version, hashLength) => {
        const sorted = paths.toSorted()
        const index = parseGitIndex(encodeIndex(version, sorted, hashLength), hashLength, all, none)
        expect([...(index?.paths ?? [])]).toEqual(sorted)
      }),
    )
  })

  it('tells what a sparse checkout left out, and leaves submodules out', () => {
    const bytes = encodeIndex(3, ['a.md', { path: 'b.md', absent: true }, { path: 'sub', mode: 0o160000 }])
    expect(parseGitIndex(bytes, 20, all, none)).toEqual({ paths: new Set(['a.md', 'b.md']), absent: new Set(['b.md']) })
  })

  it('gives nothing, and never throws, for bytes that are no index or were cut or changed', () => {
    const whole = encodeIndex(4, ['docs/a.md', 'docs/b.md', 'docs/deep/c.md'])
    for (let length = 0; length < whole.length - 20; length++) {
      expect(parseGitIndex(whole.subarray(0, length), 20, all, none)).toBeUndefined()
    }
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (place, byte) => {
        const changed = Buffer.from(whole)
        changed[place] = byte
        expect(() => parseGitIndex(changed, 20, all, none)).not.toThrow()
      }),
      { numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const tail = Buffer.concat([whole.subarray(0, 12), bytes])
        expect(() => parseGitIndex(tail, 20, all, none)).not.toThrow()
      }),
    )
  })

  it('does not believe a count or a bitmap that its bytes cannot hold', () => {
    const huge = Buffer.alloc(64)
    huge.write('DIRC', 0, 'latin1')
    huge.writeUInt32BE(2, 4)
    huge.writeUInt32BE(0xffffffff, 8)
    expect(parseGitIndex(huge, 20, all, none)).toBeUndefined()
    const link = Buffer.alloc(20 + 8 + 8, 1)
    link.writeUInt32BE(1, 24)
    link.writeUInt32BE(0xffffffff, 28)
    link.writeUInt32BE(0xffffffff, 32)
    const head = encodeIndex(2, []).subarray(0, 12)
    const size = Buffer.alloc(4)
    size.writeUInt32BE(link.length)
    const bytes = Buffer.concat([head, Buffer.from('link'), size, link, Buffer.alloc(20)])
    expect(parseGitIndex(bytes, 20, all, () => encodeIndex(2, ['a.md']))).toBeUndefined()
  })
})

const hasGit = (() => {
  try {
    execFileSync('git', ['--version'])
    return true
  } catch {
    return false
  }
})()

describe.skipIf(!hasGit)('the index that Git itself writes', () => {
  const project = makeProject({ 'a.md': '1', 'docs/b.md': '2', 'docs/c.md': '3', 'src/d.ts': '4' })
  afterAll(() => project.dispose())
  const git = (...args: string[]) => execFileSync('git', ['-C', project.root, ...args], { encoding: 'utf8' })
  const parse = () =>
    parseGitIndex(readFileSync(`${project.root}/.git/index`), 20, all, (name) =>
      readFileSync(`${project.root}/.git/sharedindex.${name}`),
    )
  const listed = () => git('ls-files').trim().split('\n')

  it('is read in version 2, 4, and split with entries added, changed and removed', () => {
    git('init', '-q')
    git('add', '.')
    expect([...(parse()?.paths ?? [])].sort()).toEqual(listed())
    git('update-index', '--index-version', '4')
    expect([...(parse()?.paths ?? [])].sort()).toEqual(listed())
    git('update-index', '--index-version', '2')
    git('update-index', '--split-index')
    project.write('docs/e.md', '5')
    project.write('a.md', 'changed')
    git('add', 'docs/e.md', 'a.md')
    git('rm', '-q', '--cached', 'docs/b.md')
    expect(readFileSync(`${project.root}/.git/index`).includes('link')).toBe(true)
    expect([...(parse()?.paths ?? [])].sort()).toEqual(['a.md', 'docs/c.md', 'docs/e.md', 'src/d.ts'])
    expect([...(parse()?.paths ?? [])].sort()).toEqual(listed())
  })
})
