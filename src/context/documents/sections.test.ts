import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sectionsOf } from './sections.ts'

const outline = (content: string, path = 'a.md') =>
  sectionsOf(content, path).map(({ level, heading, slug, line }) => [level, heading, slug, line])

describe('the sections of a document', () => {
  const piece = fc.constantFrom(
    '# A',
    '## B',
    'text',
    '```',
    '~~~',
    '===',
    '---',
    '',
    '- item',
    '[table]',
    '* star',
    '"x": {',
    '}',
    'é💡',
    '\r',
    '2026-01-02',
  )
  const content = fc
    .array(fc.tuple(piece, fc.constantFrom('\n', '\r\n')), { maxLength: 40 })
    .map((lines) => lines.flat().join(''))

  it('are slices of it, in a row, each at its line', () => {
    const path = fc.constantFrom('a.md', 'a.rst', 'a.org', 'a.toml', 'a.txt', 'README', 'Makefile')
    fc.assert(
      fc.property(content, path, (text, name) => {
        const sections = sectionsOf(text, name)
        expect(sections.map((section) => section.text).join('')).toBe(text)
        for (const { start, end, line, text: own } of sections) {
          expect(text.slice(start, end)).toBe(own)
          expect(text.slice(0, start).split('\n').length).toBe(line)
        }
        const slugs = sections.map(({ slug }) => slug)
        expect(new Set(slugs).size).toBe(slugs.length)
      }),
    )
  })

  it('are slices of a changelog and of a package.json, too', () => {
    fc.assert(
      fc.property(content, fc.constantFrom('CHANGELOG.md', 'package.json'), (text, name) => {
        for (const { start, end, line, text: own } of sectionsOf(text, name)) {
          expect(text.slice(start, end)).toBe(own)
          expect(text.slice(0, start).split('\n').length).toBe(line)
        }
      }),
    )
  })

  it('begin at headings with marks or underlines, not in fences and not in front matter', () => {
    const text = [
      '---',
      'title: It',
      '---',
      'Lead',
      '',
      '# One #',
      'a',
      '```sh',
      '# no heading',
      '```',
      '',
      'Two',
      '===',
      '- [x] item',
      '---',
      '### **Three** [link](x) `code`',
      '#hash',
      '',
      'a paragraph of',
      'two lines',
      '---',
      '# One',
    ].join('\r\n')
    expect(outline(text)).toEqual([
      [0, '', '', 1],
      [1, 'One', 'one', 6],
      [1, 'Two', 'two', 12],
      [3, 'Three link code', 'three-link-code', 16],
      [1, 'One', 'one-1', 22],
    ])
  })

  it('do not give one slug twice, even where a heading is spelled like a numbered one', () => {
    expect(outline('# a\n# a\n# a-1\n# a').map(([, , slug]) => slug)).toEqual(['a', 'a-1', 'a-1-1', 'a-2'])
    expect(outline('# ¡¿!\n# 决定').map(([, , slug]) => slug)).toEqual(['section', '决定'])
  })

  it('of other formats begin where those have headings', () => {
    expect(outline('Title\n=====\n\nPart\n----\ntext\n', 'a.rst')).toEqual([
      [1, 'Title', 'title', 1],
      [2, 'Part', 'part', 4],
    ])
    expect(outline('* TODO Ship it :work:\n** Part\n', 'a.org')).toEqual([
      [1, 'Ship it', 'ship-it', 1],
      [2, 'Part', 'part', 2],
    ])
    expect(outline('name = 1\n[package]\nx = [1]\n[[bin]]\n', 'Cargo.toml')).toEqual([
      [0, '', '', 1],
      [1, 'package', 'package', 2],
      [1, 'bin', 'bin', 4],
    ])
    expect(outline(`${'word '.repeat(90)}\n\nNext block\nmore`, 'a.txt').length).toBe(2)
  })

  it('of a package.json are the keys that say what it is, uses and runs', () => {
    const text =
      '{\n  "name": "it",\n  "keywords": ["scripts"],\n  "scripts": {\n    "name": "x \\" } {"\n  },\n  "type": "module"\n}\n'
    expect(outline(text, 'package.json')).toEqual([
      [1, 'name', 'name', 2],
      [1, 'scripts', 'scripts', 4],
      [1, 'type', 'type', 7],
    ])
    expect(sectionsOf(text, 'package.json')[1]?.text).toBe('  "scripts": {\n    "name": "x \\" } {"\n  },\n')
    expect(sectionsOf('no json', 'package.json').map(({ text: own }) => own)).toEqual(['no json'])
  })

  it('of a changelog are the newest two entries, by date where entries go the other way', () => {
    const entries = ['# Changelog\n', '## 2.0\n### Added\nx\n', '## 1.1\n', '## 1.0\n']
    expect(outline(entries.join(''), 'CHANGELOG.md').map(([, heading]) => heading)).toEqual([
      'Changelog',
      '2.0',
      'Added',
      '1.1',
    ])
    const dated = '# 1 (2024-01-01)\n# 2 (2025-01-01)\n# 3 (2026-01-01)\n'
    expect(outline(dated, 'docs/changelog.md').map(([, heading]) => heading)).toEqual([
      '2 (2025-01-01)',
      '3 (2026-01-01)',
    ])
  })

  it('take time with the length of a hostile text, and no more', () => {
    const million = 1_000_000
    const texts = [
      '#'.repeat(million),
      '[x]('.repeat(million / 4),
      '"'.repeat(million),
      '`'.repeat(million),
      '# a\n'.repeat(million / 4),
      `# ${'<'.repeat(million)}`,
      '- '.repeat(million / 2),
      `${' '.repeat(million)}x`,
      '\r'.repeat(million),
      '= '.repeat(million / 2),
      `# a${' '.repeat(million)}b`,
      `# a ${'#'.repeat(million)}b`,
    ]
    for (const text of texts) {
      for (const path of ['a.md', 'a.rst', 'a.org', 'a.toml', 'a.txt', 'CHANGELOG.md', 'package.json']) {
        expect(sectionsOf(text, path).length).toBeGreaterThan(0)
      }
    }
  })
})
