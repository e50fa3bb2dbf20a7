import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { everyFile, type Harness, type Host, jsonLines } from '../harness/harness.ts'
import { notebook } from './capture.testing.ts'
import { discover, locate } from './discover.ts'
import { discoverPaths } from './discover-paths.ts'
import { nodeFileSystem } from './file-system.ts'

let home = ''
let host: Host

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'varve-discover-')))
  host = { home, env: {}, platform: process.platform }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function put(path: string, content = '{}\n'): string {
  const full = join(home, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, content)
  return full
}

function link(target: string, path: string): void {
  const full = join(home, path)
  mkdirSync(dirname(full), { recursive: true })
  symlinkSync(join(home, target), full)
}

function found(harnesses: readonly Harness[] = [notebook]): string[] {
  return discover(harnesses, host).files.map(({ file }) => file.path.slice(home.length + 1))
}

const other: Harness = {
  ...notebook,
  id: 'other',
  sources: [{ name: 'other', roots: ({ home }) => [join(home, 'other')], matches: (path) => path.endsWith('.jsonl') }],
  layouts: [
    {
      matches: everyFile,
      format: jsonLines,
      open: () => undefined,
      read: ({ value }) => ({
        drafts: [
          {
            session: 's',
            type: 'other' in (value as object) ? 'user_input' : 'unknown',
            text: '',
            native: { index: 0 },
          },
        ],
      }),
    },
  ],
}

describe('discovery', () => {
  test('lists what a source matches, by folder and name, whatever the order on disk', () => {
    for (const name of ['b.jsonl', 'a/z.jsonl', 'a/c.jsonl', 'notes.txt', 'B.jsonl']) put(`notes/${name}`)
    expect(found()).toEqual(['notes/B.jsonl', 'notes/b.jsonl', 'notes/a/c.jsonl', 'notes/a/z.jsonl'])
    const [first] = discover([notebook], host).files
    expect(first).toMatchObject({ size: 3, file: { source: 'notes', relative: 'B.jsonl' } })
    expect(first?.identity).toMatch(/^\d+:\d+$/)
  })

  test('a root that does not exist is no error', () => {
    expect(discover([notebook], host)).toEqual({ files: [], unreadable: [], sources: ['notes'] })
  })

  test('only the sources asked for are looked through', () => {
    put('notes/a.jsonl')
    put('other/b.jsonl')
    expect(found([notebook, other])).toEqual(['notes/a.jsonl', 'other/b.jsonl'])
    expect(discover([notebook, other], host, { sources: ['other'] }).files.map(({ file }) => file.source)).toEqual([
      'other',
    ])
  })

  test('a linked project folder is followed (fault 61)', () => {
    put('elsewhere/p/a.jsonl')
    link('elsewhere/p', 'notes/p')
    expect(found()).toEqual(['notes/p/a.jsonl'])
    expect(discover([notebook], host).files[0]?.realPath).toBe(join(home, 'elsewhere/p/a.jsonl'))
  })

  test('a root that is a link is followed', () => {
    put('elsewhere/a.jsonl')
    link('elsewhere', 'notes')
    expect(found()).toEqual(['notes/a.jsonl'])
  })

  test('link and target both in view are one entry, under the real path (fault 62)', () => {
    put('notes/real/a.jsonl')
    link('notes/real', 'notes/aaa')
    link('notes/real/a.jsonl', 'notes/0.jsonl')
    link('notes/real/a.jsonl', 'notes/zzz.jsonl')
    expect(found()).toEqual(['notes/real/a.jsonl'])
  })

  test('two links to one file out of view are one entry, the first', () => {
    put('elsewhere/a.jsonl')
    link('elsewhere/a.jsonl', 'notes/two.jsonl')
    link('elsewhere/a.jsonl', 'notes/one.jsonl')
    expect(found()).toEqual(['notes/one.jsonl'])
  })

  test('one file in view of two sources is one entry', () => {
    put('other/a.jsonl')
    link('other/a.jsonl', 'notes/a.jsonl')
    expect(found([notebook, other])).toEqual(['other/a.jsonl'])
  })

  test('dangling links and loops end nowhere (fault 62)', () => {
    put('notes/p/a.jsonl')
    link('nowhere.jsonl', 'notes/gone.jsonl')
    link('nowhere', 'notes/lost')
    link('notes', 'notes/p/up')
    link('notes/loop', 'notes/loop')
    expect(found()).toEqual(['notes/p/a.jsonl'])
    expect(discover([notebook], host).unreadable).toEqual([])
  })

  test('names with ?, #, % and blanks are found and opened as they are (fault 65)', () => {
    put('notes/a b/what?#50%.jsonl')
    expect(found()).toEqual(['notes/a b/what?#50%.jsonl'])
  })

  test('a folder without read permission is reported as that (fault 64)', () => {
    put('notes/open/a.jsonl')
    put('notes/closed/b.jsonl')
    const fileSystem = {
      ...nodeFileSystem,
      readDirectory(path: string) {
        if (path.endsWith('closed')) throw Object.assign(new Error('no'), { code: 'EACCES' })
        return nodeFileSystem.readDirectory(path)
      },
    }
    const { files, unreadable } = discover([notebook], host, { fileSystem })
    expect(files.map(({ file }) => file.relative)).toEqual(['open/a.jsonl'])
    expect(unreadable).toEqual([
      { harness: 'notebook', source: 'notes', path: join(home, 'notes/closed'), reason: 'permission' },
    ])
  })

  test('folders that hold dependencies are left out', () => {
    put('notes/node_modules/a.jsonl')
    expect(found()).toEqual([])
  })
})

describe('a path a watcher named', () => {
  test('is the transcript a source calls its own', () => {
    const path = put('notes/p/a.jsonl')
    expect(locate([other, notebook], host, path)).toMatchObject([{ file: { source: 'notes', relative: 'p/a.jsonl' } }])
  })

  test('is nothing when it is gone or nobody matches it', () => {
    expect(locate([notebook], host, join(home, 'notes/a.jsonl'))).toEqual([])
    expect(locate([notebook], host, put('notes/a.txt'))).toEqual([])
    expect(locate([notebook], host, put('elsewhere/a.jsonl'))).toEqual([])
  })
})

describe('paths a person named', () => {
  const paths = async (...named: string[]) => {
    const { files, unrecognized } = await discoverPaths(
      [other, notebook],
      host,
      named.map((path) => join(home, path)),
    )
    return {
      files: files.map(({ harness, file }) => `${harness.id} ${file.source} ${file.relative}`),
      unrecognized: unrecognized.map((path) => path.slice(home.length + 1)),
    }
  }

  test('a file in a source belongs to it', async () => {
    put('notes/p/a.jsonl')
    expect(await paths('notes/p/a.jsonl')).toEqual({ files: ['notebook notes p/a.jsonl'], unrecognized: [] })
  })

  test('a copy of a home is read as one', async () => {
    put('backup/notes/p/a.jsonl', '{"other":1}\n')
    expect((await paths('backup')).files).toEqual(['notebook notes p/a.jsonl'])
  })

  test('elsewhere the first records tell whose it is', async () => {
    put('x/one.jsonl', '\n{"other":1}\n')
    put('x/two.jsonl', '{"type":"user_input","text":"hello"}')
    expect((await paths('x')).files).toEqual(['other other one.jsonl', 'notebook notes two.jsonl'])
  })

  test('of harnesses that understand it alike, the one its path names has it', async () => {
    const twin: Harness = {
      ...notebook,
      id: 'twin',
      sources: [{ name: 'twin', roots: () => [], matches: (path) => path.endsWith('.jsonl') }],
    }
    const text = '{"type":"user_input","text":"hello"}\n'
    const named = [put('x/one.jsonl', text), put('x/.twin/one.jsonl', text), put('x/twin-1.jsonl', text)]
    named.push(put('x/twin/notes/one.jsonl', text))
    const { files } = await discoverPaths([notebook, twin], host, named)
    expect(files.map(({ harness }) => harness.id)).toEqual(['notebook', 'twin', 'twin', 'notebook'])
  })

  test('what nobody recognises is said', async () => {
    put('x/one.jsonl', '{"type":"unknown"}\n')
    put('x/readme.md')
    expect(await paths('x')).toEqual({ files: [], unrecognized: ['x/one.jsonl'] })
  })

  test('a file named twice is read once; one that is not there is refused', async () => {
    put('notes/a.jsonl')
    expect((await paths('notes', 'notes/a.jsonl')).files).toHaveLength(1)
    await expect(paths('nowhere')).rejects.toMatchObject({ code: 'usage' })
  })
})
