import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAbsolutePath, normalizePath, parentPath, pathBelow, pathOfFileUri, resolvePath } from './lexical-path.ts'

describe('a path as text', () => {
  it.each([
    ['src//a.ts', 'src/a.ts'],
    ['./src/./a.ts', 'src/a.ts'],
    ['src/../lib/a.ts', 'lib/a.ts'],
    ['../../a.ts', '../../a.ts'],
    ['a/../../b', '../b'],
    ['/a/../../b', '/b'],
    ['/', '/'],
    ['//a', '/a'],
    ['', '.'],
    ['a/..', '.'],
    ['src/', 'src'],
    ['src\\a.ts', 'src/a.ts'],
    ['c:\\Users\\ada\\a.ts', 'C:/Users/ada/a.ts'],
    ['C:/Users/../a.ts', 'C:/a.ts'],
    ['C:/..', 'C:/'],
    ['c:', 'C:/'],
    ['\\\\server\\share\\a.ts', '//server/share/a.ts'],
  ])('%j is spelled %j', (path, expected) => {
    expect(normalizePath(path)).toBe(expected)
  })

  it.each([
    ['/home/ada', 'src/a.ts', '/home/ada/src/a.ts'],
    ['/home/ada', '../a.ts', '/home/a.ts'],
    ['/home/ada', '/etc/hosts', '/etc/hosts'],
    ['/home/ada', 'C:\\a.ts', 'C:/a.ts'],
    ['C:\\work', 'src\\a.ts', 'C:/work/src/a.ts'],
    ['\\\\server\\share', 'a.ts', '//server/share/a.ts'],
    ['/home/ada', '~/.bashrc', '~/.bashrc'],
    ['/', 'a', '/a'],
    ['rel', 'a', 'rel/a'],
  ])('from %j, %j leads to %j', (directory, path, expected) => {
    expect(resolvePath(directory, path)).toBe(expected)
  })

  it('stays as written where no directory is known', () => {
    expect(resolvePath(undefined, './src/a.ts')).toBe('src/a.ts')
  })

  it('knows what is absolute on either system', () => {
    expect(['/a', 'C:/a', 'c:', '//s/x'].every(isAbsolutePath)).toBe(true)
    expect(['a', './a', '~/a', 'C:a', ''].some(isAbsolutePath)).toBe(false)
  })

  it('knows its parent, and a root is its own', () => {
    expect(['/a/b', '/a', '/', 'C:/a', 'C:/', 'a/b', 'a'].map(parentPath)).toEqual([
      '/a',
      '/',
      '/',
      'C:/',
      'C:/',
      'a',
      '.',
    ])
  })

  it('knows what lies below what', () => {
    expect(pathBelow('/a/b/c', '/a')).toBe('b/c')
    expect(pathBelow('/a', '/a')).toBe('')
    expect(pathBelow('/ab', '/a')).toBeUndefined()
    expect(pathBelow('/ab', '/')).toBe('ab')
  })

  it('is read from a file URI of either system', () => {
    expect(pathOfFileUri('file:///home/ada/my%20file.ts#L3')).toBe('/home/ada/my file.ts')
    expect(pathOfFileUri('file://localhost/etc/hosts')).toBe('/etc/hosts')
    expect(pathOfFileUri('file:///c%3A/work/a.ts')).toBe('c:/work/a.ts')
    expect(pathOfFileUri('file:///C:/work/100%.ts')).toBe('C:/work/100%.ts')
    expect(pathOfFileUri('https://example.com/a.ts')).toBeUndefined()
    expect(pathOfFileUri('file://server/share/a.ts')).toBeUndefined()
  })

  it('normalizes once and for all', () => {
    const part = fc.constantFrom('a', 'b c', '.', '..', '', 'x:y', '~', 'é')
    const path = fc
      .tuple(fc.constantFrom('', '/', 'C:/'), fc.array(part))
      .map(([root, parts]) => root + parts.join('/'))
    fc.assert(
      fc.property(path, (text) => {
        const once = normalizePath(text)
        expect(normalizePath(once)).toBe(once)
        expect(normalizePath(text.replaceAll('/', '\\')).replace(/^\/\//, '/')).toBe(once.replace(/^\/\//, '/'))
      }),
    )
  })
})
