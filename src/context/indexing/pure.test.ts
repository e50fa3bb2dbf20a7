import { describe, expect, it } from 'vitest'
import { digestText } from './digests.ts'
import { keepingLines } from './keep-lines.ts'
import { projectHash8, remoteOf } from './project-hash.ts'
import { weekOf } from './week.ts'

describe('weeks', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-W01'],
    ['2025-12-29T00:00:00Z', '2026-W01'],
    ['2025-12-28T23:59:59Z', '2025-W52'],
    ['2021-01-03T12:00:00Z', '2020-W53'],
    ['2024-12-30T00:00:00Z', '2025-W01'],
    ['1969-12-31T00:00:00Z', '1970-W01'],
    ['2026-11-30T23:00:00Z', '2026-W49'],
  ])('of %s is %s', (time, name) => {
    const week = weekOf(Date.parse(time))
    expect(week.name).toBe(name)
    expect(week.to - week.from).toBe(7 * 86_400_000)
    expect(new Date(week.from).getUTCDay()).toBe(1)
    expect(Date.parse(time)).toBeGreaterThanOrEqual(week.from)
    expect(Date.parse(time)).toBeLessThan(week.to)
  })
})

describe('taking out secrets', () => {
  const hide = (text: string): string => text.replace(/KEY[\s\S]*?END/g, '[REDACTED:private-key]')

  it('moves no line after a secret of several lines (statement 19)', () => {
    const text = 'one\nKEY\na\nb\nEND\nlast KEY x END line\nKEY\nEND'
    const kept = keepingLines(text, hide)
    expect(kept).not.toMatch(/KEY|END/)
    expect(kept.split('\n')).toHaveLength(text.split('\n').length)
    expect(kept.split('\n').findIndex((line) => line.startsWith('last'))).toBe(5)
  })

  it('leaves a text without secrets as it is', () => {
    expect(keepingLines('a\r\nb', hide)).toBe('a\r\nb')
  })

  it('brings nothing back where the rest was changed too', () => {
    expect(keepingLines('a\nKEY\n\nEND\nb', (text) => hide(text).replace('b', 'c'))).not.toContain('KEY')
  })
})

describe('the digits of a project', () => {
  const config = (url: string) =>
    `[core]\n\tbare = false\n[remote "up"]\n\turl = x\n[remote "origin"]\n\turl = ${url}\n`

  it('are those of its remote, however that is reached, wherever the folder lies', () => {
    const remotes = ['git@Host.org:me/repo.git', 'https://user@host.org/me/repo', 'ssh://git@host.org:22/me/repo.git/']
    expect(new Set(remotes.map((url) => remoteOf(config(url))))).toEqual(new Set(['remote:host.org/me/repo']))
    const hash = (root: string) =>
      projectHash8(root, `git:${root}`, (path) =>
        path.endsWith('/.git/config') ? config(remotes[0] ?? '') : undefined,
      )
    expect(hash('/a/repo')).toBe(hash('/b/moved'))
    expect(hash('/a/repo')).toMatch(/^[0-9a-f]{8}$/)
  })

  it('are those of the first commit without a remote, and of the folder without Git', () => {
    const first = `${'0'.repeat(40)} ${'a'.repeat(40)} Me <me@x> 1 +0000\tcommit (initial): start\n`
    const read = (path: string) => (path.endsWith('/.git/logs/HEAD') ? first : undefined)
    expect(projectHash8('/a', 'git:1', read)).toBe(projectHash8('/b', 'git:2', read))
    expect(projectHash8('/a', 'dir:1', () => undefined)).not.toBe(projectHash8('/a', 'dir:2', () => undefined))
  })

  it('of a linked worktree are those of its repository', () => {
    const files: Record<string, string> = {
      '/w/.git': 'gitdir: /a/.git/worktrees/w\n',
      '/a/.git/worktrees/w/commondir': '../..\n',
      '/a/.git/config': config('https://host.org/me/repo'),
    }
    const read = (path: string) => files[path]
    expect(projectHash8('/w', 'git:1', read)).toBe(projectHash8('/a', 'git:1', read))
  })
})

describe('a digest', () => {
  it('lists decisions, sessions and files, each stretch at its place', () => {
    const week = weekOf(Date.parse('2026-03-02T10:00:00Z'))
    const { content, passages } = digestText('repo', week, {
      decisions: [{ text: 'We use\nX', at: week.from }],
      sessions: [{ pk: 1, title: 'Installer', updated_at: week.from + 86_400_000 }],
      files: [{ path: 'src/a.ts', count: 3 }],
      sources: [1],
    })
    expect(content).toBe(
      '# repo, week 2026-W10\n\n## Decisions\n- 2026-03-02 We use X\n\n## Sessions\n- 2026-03-03 Installer\n\n## Files changed\n- src/a.ts (3)\n',
    )
    for (const { start, text } of passages) expect(content.slice(start, start + text.length)).toBe(text)
    expect(passages.map(({ slug }) => slug)).toEqual(['decisions', 'sessions', 'files-changed'])
  })
})
