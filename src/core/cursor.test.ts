import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCursor, writeCursor } from './cursor.ts'

const key = randomBytes(32)

describe('a cursor', () => {
  it('gives back what was put in', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string(), fc.boolean())), (content) => {
        const expected: unknown = JSON.parse(JSON.stringify(content))
        expect(readCursor(key, writeCursor(key, content))).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  it('holds only characters that are safe in a URL', () => {
    expect(writeCursor(key, { text: 'ÿþ?&=+ /' })).toMatch(/^[A-Za-z0-9_.-]+$/)
  })

  it('is refused when any character of it was changed', () => {
    const cursor = writeCursor(key, { version: 1, target: 'session' })
    for (let place = 0; place < cursor.length - 1; place++) {
      const other = cursor[place] === 'A' ? 'B' : 'A'
      expect(readCursor(key, cursor.slice(0, place) + other + cursor.slice(place + 1))).toBeUndefined()
    }
  })

  it('is refused when it was signed with another key, is no cursor, or is too long', () => {
    const cursor = writeCursor(key, { version: 1 })
    expect(readCursor(randomBytes(32), cursor)).toBeUndefined()
    expect(readCursor(key, `${cursor}.x`)).toBeUndefined()
    expect(readCursor(key, 'e30')).toBeUndefined()
    expect(readCursor(key, '')).toBeUndefined()
    expect(readCursor(key, writeCursor(key, { text: 'x'.repeat(5_000) }))).toBeUndefined()
  })
})
