import { describe, expect, it } from 'vitest'
import { isPatch, patchedPaths } from './patch.ts'

const lines = (...text: string[]) => text.join('\n')

describe('a patch', () => {
  it('names the files its sections add, update, delete and move', () => {
    const patch = lines(
      '*** Begin Patch',
      '*** Add File: docs/new page.md',
      '+*** Update File: not/this.md',
      '*** Update File: src/a.ts',
      '*** Move to: src/b.ts',
      '@@',
      '- old',
      '+ new',
      '*** Delete File: src/c.ts',
      '*** End Patch',
    )
    expect(isPatch(patch)).toBe(true)
    expect(patchedPaths(patch)).toEqual(['docs/new page.md', 'src/a.ts', 'src/b.ts', 'src/c.ts'])
  })

  it('names the files of a unified diff, without prefixes, dates and /dev/null', () => {
    const diff = lines(
      'diff --git a/src/a.ts b/src/a.ts',
      '--- a/src/a.ts',
      '+++ b/src/a.ts',
      '@@ -1,2 +1,2 @@',
      '--- a comment that is removed',
      '+++ a comment that is added',
      ' context',
      '--- /dev/null',
      '+++ b/src/new.ts\t2026-05-01 10:00:00',
      '--- a/src/gone.ts',
      '+++ /dev/null',
      '--- "a/with space.ts"',
      '+++ "b/with space.ts"',
    )
    const paths = patchedPaths(diff.replace('+++ a comment that is added\n', ' between\n+++ a comment that is added\n'))
    expect([...new Set(paths)]).toEqual(['src/a.ts', 'src/new.ts', 'src/gone.ts', 'with space.ts'])
  })

  it('names both ends of a rename without changes', () => {
    const diff = lines('diff --git a/x.ts b/y.ts', 'similarity index 100%', 'rename from x.ts', 'rename to y.ts')
    expect(isPatch(diff)).toBe(true)
    expect(patchedPaths(diff)).toEqual(['x.ts', 'y.ts'])
  })

  it('reads Windows line ends', () => {
    expect(patchedPaths('*** Begin Patch\r\n*** Update File: src/a.ts\r\n@@\r\n')).toEqual(['src/a.ts'])
  })

  it('is not any text that has dashes or speaks of patches', () => {
    expect(isPatch('--- title\ntext\n')).toBe(false)
    expect(isPatch('Then write *** Begin Patch and the rest')).toBe(false)
  })
})
