import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjects, type Project, type ProjectFiles, type ProjectLookup } from './project.ts'
import { normalizePath } from './touches/lexical-path.ts'

let home: string
let projects: ProjectLookup
let now = 0

beforeEach(() => {
  home = normalizePath(realpathSync(mkdtempSync(join(tmpdir(), 'varve-project-'))))
  projects = createProjects({ home, clock: () => now })
})

afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

function directory(path: string): string {
  const full = join(home, path)
  mkdirSync(full, { recursive: true })
  return normalizePath(full)
}

function file(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

function projectOf(path: string): Project {
  const project = projects.projectOf(path)
  if (!project) throw new Error(`no project for ${path}`)
  return project
}

/** A main checkout and a linked worktree, laid out as Git lays them out. */
function repository(main: string, worktree: string, pointer = `${home}/${main}/.git/worktrees/w1`): void {
  directory(`${main}/.git`)
  directory(worktree)
  file(`${worktree}/.git`, `gitdir: ${pointer}\n`)
  file(`${main}/.git/worktrees/w1/commondir`, '../..\n')
  file(`${main}/.git/worktrees/w1/gitdir`, `${home}/${worktree}/.git\n`)
}

describe('the project of a directory', () => {
  it('is the nearest checkout around it', () => {
    directory('site/.git')
    const src = directory('site/src/deep')
    expect(projectOf(src)).toEqual({
      projectId: expect.stringMatching(/^git:[0-9a-f]{32}$/),
      root: `${home}/site`,
      roots: [`${home}/site`],
    })
    directory('site/src/deep/vendor/.git')
    expect(projectOf(`${src}/vendor`).root).toBe(`${src}/vendor`)
  })

  it('is one for the main checkout and its linked worktrees, which know each other', () => {
    repository('site', 'elsewhere/w1')
    const main = projectOf(`${home}/site`)
    const linked = projectOf(`${home}/elsewhere/w1`)
    expect(linked.projectId).toBe(main.projectId)
    expect(main.roots).toEqual([`${home}/site`, `${home}/elsewhere/w1`])
    expect(linked).toMatchObject({ root: `${home}/elsewhere/w1`, roots: [`${home}/elsewhere/w1`, `${home}/site`] })
  })

  it('follows pointers written relative to the worktree', () => {
    repository('site', 'site/.claude/worktrees/fix', '../../../.git/worktrees/w1')
    expect(projectOf(`${home}/site/.claude/worktrees/fix`)).toMatchObject({
      projectId: projectOf(`${home}/site`).projectId,
      root: `${home}/site/.claude/worktrees/fix`,
    })
  })

  it('is another one for a submodule', () => {
    directory('site/.git/modules/lib')
    file('site/lib/.git', 'gitdir: ../.git/modules/lib\n')
    expect(projectOf(`${home}/site/lib`).projectId).not.toBe(projectOf(`${home}/site`).projectId)
  })

  it('is the same as Git makes it', ({ skip }) => {
    const git = (...words: string[]) => execFileSync('git', words, { cwd: home, stdio: 'pipe' })
    try {
      git('init', '-q', 'site')
    } catch {
      skip('git is not installed')
    }
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
    git('-C', 'site', ...identity, 'commit', '-q', '--allow-empty', '-m', 'first')
    git('-C', 'site', 'worktree', 'add', '-q', '.codex/worktrees/one')
    git('-C', 'site', 'worktree', 'add', '-q', '../two')
    const all = ['site', 'site/.codex/worktrees/one', 'two'].map((path) => projectOf(`${home}/${path}`))
    expect(new Set(all.map((project) => project.projectId)).size).toBe(1)
    expect(all.map((project) => [...project.roots].sort())).toEqual(Array(3).fill(all.map(({ root }) => root).sort()))
  })

  it('is the directory itself without Git', () => {
    const notes = directory('notes/2026')
    expect(projectOf(notes)).toEqual({
      projectId: expect.stringMatching(/^dir:[0-9a-f]{32}$/),
      root: notes,
      roots: [notes],
    })
    expect(projectOf(directory('notes')).projectId).not.toBe(projectOf(notes).projectId)
  })

  it('is never looked for above the home, and dotfiles in Git are a project of the home alone', () => {
    directory('.git')
    directory('ada/.git')
    projects = createProjects({ home: `${home}/ada` })
    expect(projectOf(directory('ada/notes')).projectId).toMatch(/^dir:/)
    expect(projectOf(`${home}/ada`)).toMatchObject({ projectId: expect.stringMatching(/^git:/), root: `${home}/ada` })
    rmSync(join(home, 'ada/.git'), { recursive: true })
    projects = createProjects({ home: `${home}/ada` })
    expect(projectOf(`${home}/ada`).projectId).toMatch(/^dir:/)
    expect(projectOf(directory('other')).root).toBe(home)
  })

  it('is found behind a symbolic link, whose spelling the root keeps where it can', () => {
    directory('site/.git')
    directory('site/src')
    symlinkSync(join(home, 'site'), join(home, 'link'))
    symlinkSync(join(home, 'site/src'), join(home, 'src'))
    const { projectId } = projectOf(`${home}/site`)
    expect(projectOf(`${home}/link/src`)).toMatchObject({ projectId, root: `${home}/link` })
    expect(projectOf(`${home}/src`)).toMatchObject({ projectId, root: `${home}/site` })
  })

  it('is unknown for a relative path', () => {
    expect(projects.projectOf('src')).toBeUndefined()
    expect(projects.projectOf('')).toBeUndefined()
  })

  it('does not care how the path is spelled', () => {
    directory('site/.git')
    expect(projectOf(`${home}/site/./src//../`)).toEqual(projectOf(`${home}/site`))
  })

  it('reads no pointer from a broken .git file', () => {
    file('site/.git', 'nonsense')
    expect(projectOf(`${home}/site`).projectId).toMatch(/^dir:/)
  })
})

describe('the project of a directory that is gone', () => {
  it('is the checkout it was in', () => {
    directory('site/.git')
    expect(projectOf(`${home}/site/old/src`)).toEqual(projectOf(`${home}/site`))
  })

  it.each(['.claude/worktrees', '.codex/worktrees', '.worktrees', 'worktrees'])(
    'is the repository that held its worktree in %s (fault 20)',
    (folder) => {
      directory('site/.git')
      const { projectId } = projectOf(`${home}/site`)
      const root = `${home}/site/${folder}/fix-1`
      expect(projectOf(`${root}/src/deep`)).toEqual({ projectId, root, roots: [root, `${home}/site`] })
    },
  )

  it.each(['site.worktrees', 'site__worktrees', 'site-worktrees'])(
    'is the repository beside its worktree in %s',
    (folder) => {
      directory('site/.git')
      const root = `${home}/${folder}/fix-1`
      expect(projectOf(`${root}/src`)).toMatchObject({ projectId: projectOf(`${home}/site`).projectId, root })
    },
  )

  it('is the repository that still lists its worktree, wherever that was', () => {
    repository('site', '.codex/worktrees/ab12/site')
    rmSync(join(home, '.codex'), { recursive: true })
    const { projectId } = projectOf(`${home}/site`)
    expect(projectOf(`${home}/.codex/worktrees/ab12/site/src`)).toMatchObject({
      projectId,
      root: `${home}/.codex/worktrees/ab12/site`,
    })
    expect(projectOf(`${home}/site`).roots).toEqual([`${home}/site`])
  })

  it('is itself where no repository can be told', () => {
    const path = `${home}/.codex/worktrees/ab12/site`
    expect(projectOf(path)).toMatchObject({ projectId: expect.stringMatching(/^dir:/), root: path })
  })

  it('is one with the repository of its worktree, even when both are gone', () => {
    const main = projectOf(`${home}/gone`)
    const root = `${home}/gone/.claude/worktrees/fix`
    expect(main).toMatchObject({ projectId: expect.stringMatching(/^dir:/), root: `${home}/gone` })
    expect(projectOf(`${root}/src`)).toEqual({ projectId: main.projectId, root, roots: [root] })
  })

  it('is the checkout around it where `worktrees` is only the name of a folder', () => {
    directory('site/.git')
    expect(projectOf(directory('site/docs/worktrees/intro'))).toEqual(projectOf(`${home}/site`))
    expect(projectOf(`${home}/site/docs/worktrees/gone`)).toEqual(projectOf(`${home}/site`))
  })

  it('is told by the worktree whose repository is gone', () => {
    file('w1/.git', `gitdir: ${home}/gone/.git/worktrees/w1\n`)
    file('w2/.git', `gitdir: ${home}/gone/.git/worktrees/w2\n`)
    expect(projectOf(`${home}/w1`).projectId).toBe(projectOf(`${home}/w2`).projectId)
    expect(projectOf(`${home}/w1`).projectId).toMatch(/^git:/)
  })
})

describe('what a lookup remembers', () => {
  it('is asked of the disk once a minute', () => {
    const path = directory('site')
    expect(projectOf(path).projectId).toMatch(/^dir:/)
    directory('site/.git')
    expect(projectOf(path).projectId).toMatch(/^dir:/)
    now += 61_000
    expect(projectOf(path).projectId).toMatch(/^git:/)
  })

  it('outlives a deleted checkout', () => {
    directory('site/.git')
    const before = projectOf(`${home}/site`)
    renameSync(join(home, 'site'), join(home, 'moved'))
    now += 61_000
    expect(projectOf(`${home}/site`)).toEqual(before)
  })

  it('is bounded', () => {
    let asked = 0
    const files: ProjectFiles = {
      kind: () => {
        asked++
        return undefined
      },
      read: () => undefined,
      list: () => [],
      realPath: () => undefined,
    }
    projects = createProjects({ files, home: '/home/ada' })
    for (let index = 0; index < 5000; index++) projectOf(`/x/${index}`)
    asked = 0
    projectOf('/x/4999')
    expect(asked).toBe(0)
    projectOf('/x/0')
    expect(asked).toBeGreaterThan(0)
  })
})

describe('paths of Windows', () => {
  const files = (entries: Record<string, string | null>): ProjectFiles => ({
    kind: (path) => (entries[path] === undefined ? undefined : entries[path] === null ? 'directory' : 'file'),
    read: (path) => entries[path] ?? undefined,
    list: (path) =>
      Object.keys(entries)
        .flatMap((key) => (key.startsWith(`${path}/`) ? [key.slice(path.length + 1)] : []))
        .filter((name) => !name.includes('/')),
    realPath: (path) => (entries[path] === undefined ? undefined : path),
  })

  it('are read with either slash, and drives in either case', () => {
    projects = createProjects({
      home: 'C:\\Users\\ada',
      files: files({
        'C:/work/site': null,
        'C:/work/site/.git': null,
        'C:/work/site/.git/worktrees/w1': null,
        'C:/work/site/.git/worktrees/w1/commondir': '../..\r\n',
        'C:/work/site/.git/worktrees/w1/gitdir': 'C:/wt/w1/.git\r\n',
        'C:/wt/w1': null,
        'C:/wt/w1/.git': 'gitdir: C:/work/site/.git/worktrees/w1\r\n',
      }),
    })
    const main = projectOf('c:\\work\\site\\src')
    expect(main).toMatchObject({ root: 'C:/work/site', roots: ['C:/work/site', 'C:/wt/w1'] })
    expect(projectOf('C:\\wt\\w1')).toMatchObject({ projectId: main.projectId, root: 'C:/wt/w1' })
  })

  it('are told by their text alone on another system', () => {
    projects = createProjects({ platform: 'linux', home: '/home/ada' })
    const root = 'C:/work/site/.claude/worktrees/fix'
    expect(projectOf('C:\\work\\site\\.claude\\worktrees\\fix')).toMatchObject({
      projectId: projectOf('C:\\work\\site').projectId,
      root,
    })
  })
})
