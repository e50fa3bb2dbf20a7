import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { discoverDocuments, type KnownDocument } from './discover.ts'
import { diskDocumentFiles } from './document-files.ts'
import { encodeIndex, makeProject, type TestProject } from './documents.testing.ts'

const made: TestProject[] = []
const project = (files: Record<string, string | Buffer>) => {
  const each = makeProject(files)
  made.push(each)
  return each
}
afterEach(() => {
  for (const each of made.splice(0)) each.dispose()
})

const paths = (root: string, options = {}) =>
  discoverDocuments(root, options)
    .read.map(({ path }) => path)
    .sort()

const stateOf = (root: string, path: string) => discoverDocuments(root).read.find((each) => each.path === path)?.state

describe('which files are documents', () => {
  it('names the living files of a project and nothing else', () => {
    const { root } = project({
      'README.md': '# It',
      'AGENTS.md': 'rules',
      'CLAUDE.md': 'rules',
      'GEMINI.md': 'rules',
      '.cursor/rules/style.mdc': 'x',
      '.github/copilot-instructions.md': 'x',
      '.github/pull_request_template.md': '- [ ] x',
      CONTRIBUTING: 'x',
      'TODO.txt': 'x',
      'docs/adr/0001-use-x.md': 'x',
      'package.json': '{}',
      'go.mod': 'module x',
      'install.sh': 'true',
      'src/code.ts': 'x',
      'notes.txt': 'x',
      'reports/security-report.txt': 'x',
      'node_modules/a/README.md': 'x',
      'dist/README.md': 'x',
      '.hidden/README.md': 'x',
      'test/fixtures/README.md': 'x',
    })
    expect(paths(root)).toEqual([
      '.cursor/rules/style.mdc',
      '.github/copilot-instructions.md',
      'AGENTS.md',
      'CLAUDE.md',
      'CONTRIBUTING',
      'GEMINI.md',
      'README.md',
      'TODO.txt',
      'docs/adr/0001-use-x.md',
      'go.mod',
      'install.sh',
      'package.json',
      'reports/security-report.txt',
    ])
  })

  it('goes three directories deep, four below docs', () => {
    const { root } = project({
      'a/b/c/in.md': 'x',
      'a/b/c/d/out.md': 'x',
      'docs/b/c/d/in.md': 'x',
      'docs/b/c/d/e/out.md': 'x',
    })
    expect(paths(root)).toEqual(['a/b/c/in.md', 'docs/b/c/d/in.md'])
  })

  it('leaves out what is too large or no text, and counts it', () => {
    const { root } = project({ 'a.md': 'x'.repeat(101), 'b.md': Buffer.from([35, 0, 35]), 'c.md': 'x'.repeat(100) })
    const scan = discoverDocuments(root, { maxFileBytes: 100 })
    expect(scan.read.map(({ path }) => path)).toEqual(['c.md'])
    expect(scan.skipped).toEqual({ too_large: 1, unreadable: 0, binary: 1, link: 0 })
  })

  it('stops at its bounds, shallow files first, and says so', () => {
    const { root } = project({ 'a/b/deep.md': 'x', 'a/mid.md': 'x', 'top.md': 'x' })
    const few = discoverDocuments(root, { maxDocuments: 2 })
    expect([few.read.map(({ path }) => path), few.complete]).toEqual([['top.md', 'a/mid.md'], false])
    const near = discoverDocuments(root, { maxDirectories: 1 })
    expect([near.read.map(({ path }) => path), near.complete]).toEqual([['top.md'], false])
    expect(discoverDocuments(root).complete).toBe(true)
  })

  it.skipIf(process.platform === 'win32')(
    'never follows a link out of the root; inside it a link is a document unless its target is',
    () => {
      const outside = project({ 'secret.md': 'x', 'folder/README.md': 'x' })
      const { root } = project({ 'AGENTS.md': 'x', 'internal/rules.dat': 'y' })
      symlinkSync(join(outside.root, 'secret.md'), join(root, 'README.md'))
      symlinkSync(join(outside.root, 'folder'), join(root, 'docs'))
      symlinkSync('AGENTS.md', join(root, 'CLAUDE.md'))
      symlinkSync(join('internal', 'rules.dat'), join(root, 'GEMINI.md'))
      const scan = discoverDocuments(root)
      expect(scan.read.map(({ path, content }) => [path, content])).toEqual([
        ['AGENTS.md', 'x'],
        ['GEMINI.md', 'y'],
      ])
      expect(scan.skipped.link).toBe(1)
    },
  )

  it('leaves checkouts inside the root to themselves', () => {
    const { root } = project({ 'README.md': 'x', 'other/.git/HEAD': 'x', 'other/README.md': 'x' })
    expect(paths(root)).toEqual(['README.md'])
  })

  it('leaves out what the owner excludes, tracked or not', () => {
    const { root } = project({ 'README.md': 'x', 'docs/private/a.md': 'x', '.git/HEAD': 'x' })
    const index = ['README.md', 'docs/private/a.md', 'docs/private/gone.md']
    made[0]?.write('.git/index', encodeIndex(2, index))
    const scan = discoverDocuments(root, { exclude: ['docs/private/'] })
    expect(scan.read.map(({ path }) => path)).toEqual(['README.md'])
    expect(scan.deleted).toEqual([])
  })

  it('finds nothing, and says so, where there is no directory', () => {
    const { root } = project({})
    expect(discoverDocuments(`${root}/gone`)).toMatchObject({ read: [], missing: true })
    expect(discoverDocuments(root)).toMatchObject({ read: [], missing: false })
  })

  it('ends when it is told to', () => {
    const { root } = project({ 'README.md': 'x' })
    expect(() => discoverDocuments(root, { signal: AbortSignal.abort(new Error('enough')) })).toThrow('enough')
  })
})

describe('.gitignore', () => {
  const ignoring = (files: Record<string, string | Buffer>) => paths(project({ '.git/HEAD': 'x', ...files }).root)

  it('holds for its directory and below: anchored, negated, for directories alone', () => {
    expect(
      ignoring({
        '.gitignore': '/top.md\nprivate/\n*.draft.md\n!keep.draft.md\n',
        'top.md': 'x',
        'a/top.md': 'x',
        'private/a.md': 'x',
        'a/private/b.md': 'x',
        'a/x.draft.md': 'x',
        'a/keep.draft.md': 'x',
      }),
    ).toEqual(['a/keep.draft.md', 'a/top.md'])
  })

  it('of a deeper directory outranks that of a higher one, and takes back a directory', () => {
    expect(
      ignoring({
        '.gitignore': 'notes.md\nlogs/\n',
        'a/.gitignore': '!notes.md\nother.md\n!logs/\n',
        'notes.md': 'x',
        'a/notes.md': 'x',
        'a/other.md': 'x',
        'a/logs/b.md': 'x',
        'b/other.md': 'x',
        'b/logs/b.md': 'x',
      }),
    ).toEqual(['a/logs/b.md', 'a/notes.md', 'b/other.md'])
  })

  it('takes nothing back from a directory that is left out', () => {
    expect(ignoring({ '.gitignore': 'private/\n!private/a.md', 'private/a.md': 'x' })).toEqual([])
  })

  it('has a companion in .git/info/exclude', () => {
    expect(ignoring({ '.git/info/exclude': 'mine.md', 'mine.md': 'x', 'a/mine.md': 'x', 'README.md': 'x' })).toEqual([
      'README.md',
    ])
  })

  it('means nothing to tracked files', () => {
    const { root, write } = project({
      '.gitignore': 'docs/\n*.md',
      'docs/a.md': 'x',
      'docs/b.md': 'x',
      '.git/HEAD': 'x',
    })
    write('.git/index', encodeIndex(2, ['docs/a.md']))
    expect(paths(root)).toEqual(['docs/a.md'])
  })

  it('above the root counts as well', () => {
    const { root } = project({ '.git/HEAD': 'x', '.gitignore': '*.draft.md', 'a/.gitignore': 'b/secret.md' })
    made[0]?.write('a/b/x.draft.md', 'x')
    made[0]?.write('a/b/secret.md', 'x')
    made[0]?.write('a/b/README.md', 'x')
    expect(paths(`${root}/a/b`)).toEqual(['README.md'])
  })

  it('heeds letter case as the checkout does', () => {
    const files = { '.gitignore': 'NOTES.md', 'notes.md': 'x' }
    expect(ignoring(files)).toEqual(['notes.md'])
    expect(ignoring({ ...files, '.git/config': '[core]\n\tignorecase = true\n' })).toEqual([])
  })

  it('cannot keep us busy with a hostile pattern', () => {
    const pattern = `${'a/**/'.repeat(40)}c`
    expect(ignoring({ '.gitignore': `${pattern}\nREADME.md`, 'a/a/a/b.md': 'x', 'README.md': 'x' })).toEqual([
      'a/a/a/b.md',
    ])
  })
})

describe('what Git says of a document', () => {
  it('is none without Git, and untracked in a checkout without an index', () => {
    expect(stateOf(project({ 'README.md': 'x' }).root, 'README.md')).toBe('none')
    expect(stateOf(project({ 'README.md': 'x', '.git/HEAD': 'x' }).root, 'README.md')).toBe('untracked')
  })

  it('is tracked, untracked or deleted by the index; what a sparse checkout leaves out is not deleted', () => {
    const { root, write } = project({ 'README.md': 'x', 'TODO.md': 'x' })
    write(
      '.git/index',
      encodeIndex(3, ['README.md', { path: 'absent.md', absent: true }, 'docs/gone.md', 'src/gone.ts']),
    )
    const scan = discoverDocuments(root)
    expect(scan.read.map(({ path, state }) => [path, state])).toEqual([
      ['README.md', 'tracked'],
      ['TODO.md', 'untracked'],
    ])
    expect(scan.deleted).toEqual(['docs/gone.md'])
    expect(scan.git).toBe('read')
  })

  it('is read for a directory inside the checkout, too', () => {
    const { root, write } = project({ 'a/README.md': 'x', 'a/TODO.md': 'x' })
    write('.git/index', encodeIndex(4, ['a/README.md', 'a/gone.md', 'ab/gone.md']))
    const scan = discoverDocuments(`${root}/a/`)
    expect(scan.read.map(({ path, state }) => [path, state])).toEqual([
      ['README.md', 'tracked'],
      ['TODO.md', 'untracked'],
    ])
    expect(scan.deleted).toEqual(['gone.md'])
  })

  it("comes from a worktree's own index and the common exclude file", () => {
    const main = project({ '.git/info/exclude': 'mine.md', '.git/worktrees/w/commondir': '../..\n' })
    main.write('.git/worktrees/w/index', encodeIndex(2, ['README.md']))
    const { root } = project({ '.git': `gitdir: ${main.root}/.git/worktrees/w\n`, 'README.md': 'x', 'mine.md': 'x' })
    expect(discoverDocuments(root).read.map(({ path, state }) => [path, state])).toEqual([['README.md', 'tracked']])
  })

  it('stays unknown when the index cannot be read', () => {
    const { root } = project({ 'README.md': 'x', '.git/index': 'no index' })
    expect(discoverDocuments(root)).toMatchObject({ git: 'unreadable', read: [{ state: 'none' }] })
  })

  it("is not asked of the home directory's own repository", () => {
    const { root, write } = project({ 'work/README.md': 'x' })
    write('.git/index', encodeIndex(2, []))
    expect(discoverDocuments(`${root}/work`, { home: root })).toMatchObject({ git: 'absent' })
    expect(discoverDocuments(`${root}/work`)).toMatchObject({ git: 'read' })
  })

  it('is generated when the file or .gitattributes says so', () => {
    const { root } = project({
      '.git/HEAD': 'x',
      '.gitattributes': 'docs/api/** linguist-generated\ndocs/api/own.md -linguist-generated\n',
      'a.md': '<!-- Generated by the build. Do not edit. -->\n# A',
      'b.md': '# B\n\nNever edit generated code by hand.',
      'docs/api/x.md': 'x',
      'docs/api/own.md': 'x',
    })
    const states = discoverDocuments(root).read.map(({ path, state }) => [path, state])
    expect(Object.fromEntries(states)).toEqual({
      'a.md': 'generated',
      'b.md': 'untracked',
      'docs/api/x.md': 'generated',
      'docs/api/own.md': 'untracked',
    })
  })
})

describe('a second look', () => {
  const knownOf = (root: string) =>
    new Map<string, KnownDocument>(discoverDocuments(root).read.map(({ path, look, state }) => [path, { look, state }]))

  it('reads no content of what looks the same, and still sees a new state', () => {
    const { root, write } = project({ 'README.md': 'x', 'TODO.md': 'x', '.git/HEAD': 'x' })
    const known = knownOf(root)
    write('.git/index', encodeIndex(2, ['README.md']))
    const opened: string[] = []
    const files = {
      ...diskDocumentFiles,
      read: (path: string, limit: number) => {
        opened.push(path.slice(root.length + 1))
        return diskDocumentFiles.read(path, limit)
      },
    }
    const scan = discoverDocuments(root, { known, files })
    expect(scan.read).toEqual([])
    expect(scan.unchanged.map(({ path, state }) => [path, state])).toEqual([
      ['README.md', 'tracked'],
      ['TODO.md', 'untracked'],
    ])
    expect(opened.filter((path) => path.endsWith('.md'))).toEqual([])
  })

  it('reads what changed in size or time, and no longer names what is gone', () => {
    const { root, write, remove } = project({ 'a.md': 'x', 'b.md': 'x', 'c.md': 'x', 'd.md': 'x' })
    const known = knownOf(root)
    write('a.md', 'longer')
    write('b.md', 'y')
    utimesSync(join(root, 'b.md'), 1_000, 1_000)
    remove('c.md')
    const scan = discoverDocuments(root, { known })
    expect(scan.read.map(({ path, content }) => [path, content])).toEqual([
      ['a.md', 'longer'],
      ['b.md', 'y'],
    ])
    expect(scan.unchanged.map(({ path }) => path)).toEqual(['d.md'])
  })

  it('keeps a generated file generated until it says otherwise', () => {
    const { root } = project({ 'a.md': '<!-- @generated -->\nx', '.git/HEAD': 'x' })
    expect(discoverDocuments(root, { known: knownOf(root) }).unchanged).toMatchObject([{ state: 'generated' }])
    const known = new Map([...knownOf(root)].map(([path, each]) => [path, { ...each, state: 'tracked' as const }]))
    expect(discoverDocuments(root, { known }).unchanged).toMatchObject([{ state: 'untracked' }])
  })
})
